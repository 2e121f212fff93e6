"""MEMPLAN_WITH_X is AUTO, ON or OFF: a package that is silently left out would take its tests along."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def configure(folder, *options, **environment):
    """Configures a build without tests and returns CMake's status and all that it said."""
    command = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DMEMPLAN_BUILD_TESTS=OFF"]
    off = [f"-DMEMPLAN_WITH_{name}=OFF" for name in ("MLIR", "HIGHS", "CBC", "ONEDNN", "CUDA", "MPI")]
    done = subprocess.run(
        command + off + list(options), capture_output=True, text=True, env={**os.environ, **environment}
    )
    # CMake breaks long messages into lines.
    return done.returncode, re.sub(r"\s+", " ", done.stdout + done.stderr)


def features(folder):
    text = (folder / "include" / "memplan" / "Support" / "Config.h").read_text()
    return dict(re.findall(r"#define MEMPLAN_HAS_(\w+) ([01])", text))


def test_off_leaves_everything_out(tmp_path):
    status, said = configure(tmp_path)
    assert status == 0, said
    assert features(tmp_path) == {"MLIR": "0", "HIGHS": "0", "CBC": "0", "ONEDNN": "0", "CUDA": "0"}
    for name in ("MLIR", "HIGHS", "CBC", "ONEDNN", "CUDA", "MPI"):
        assert f"{name}: OFF (MEMPLAN_WITH_{name}=OFF)" in said


@pytest.mark.parametrize("name, script", [("HIGHS", "install-highs.sh"), ("ONEDNN", "install-onednn.sh")])
def test_on_stops_where_the_package_is_missing(tmp_path, name, script):
    nothing = {"MEMPLAN_CACHE_DIR": str(tmp_path / "empty")}
    status, said = configure(tmp_path / "on", f"-DMEMPLAN_WITH_{name}=ON", **nothing)
    if status == 0:
        pytest.skip(f"{name} is installed in the system, so it cannot be missing")
    assert f"MEMPLAN_WITH_{name} is ON, but the package is not found. Run utils/{script}" in said
    status, said = configure(tmp_path / "auto", f"-DMEMPLAN_WITH_{name}=AUTO", **nothing)
    assert status == 0 and features(tmp_path / "auto")[name] == "0"


def test_other_values_are_refused(tmp_path):
    status, said = configure(tmp_path, "-DMEMPLAN_WITH_HIGHS=maybe")
    assert status != 0
    assert "MEMPLAN_WITH_HIGHS is 'maybe'; it must be AUTO, ON or OFF" in said
