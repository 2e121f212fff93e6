"""What benchmarks of several folders share."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def call(*command):
    """What the command prints; stops the benchmark where it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def figure():
    """matplotlib's pyplot, or None with a word about it."""
    try:
        import matplotlib
    except ImportError:
        print("no pictures: matplotlib is not installed", file=sys.stderr)
        return None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "memplan"
    import matplotlib.pyplot as pyplot
    return pyplot
