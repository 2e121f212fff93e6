"""Reports of the examples, and the page that shows them.

usage: gallery.py BUILD SOURCE [--without-reports]
Runs under the Python that BUILD made its package for, with that package on its path.
"""
from __future__ import annotations

import html
import importlib.util
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What is planned, how, and what it shows. The effort is small where the flags name none, so that the site is made quickly: plans are good, not the best.
EXAMPLES = (
    ("gpt2", "examples/gpt2.mlir", ("--budget=70%",), "GPT-2 small, batch 4: a transformer in 70 % of its memory"),
    ("resnet50", "examples/resnet50.mlir", ("--budget=60%",), "ResNet-50, batch 32, in 60 %"),
    ("vgg16", "examples/vgg16.mlir", ("--budget=80%",), "VGG-16, batch 32, in 80 %: a quarter of it is parameters"),
    ("mobilenet_v2", "examples/mobilenet_v2.mlir", ("--budget=50%",), "MobileNet v2, batch 32, in 50 %"),
    ("unet", "examples/unet.mlir", ("--budget=60%",), "A U-Net in 60 %: long connections, pieces written in place"),
    ("copies", "examples/unet.mlir", ("--budget=50%", "--swap=search", "--bandwidth=32000,32000", "--effort=2000"), "The same in 50 %: some values are copied to the host, others recomputed"),
    ("streams", "benchmarks/networks/inception_v3.mlir", ("--budget=90%", "--streams=2"), "Inception v3 on two streams"),
)
EFFORT = 100


def made(build, folder, name, program, flags):
    """Plans one example and draws it; its verdict."""
    from memplan import reports
    data = folder / f"{name}.report.json"
    command = [build / "bin/memplan-opt", ROOT / program, *([] if any(flag.startswith("--effort") for flag in flags) else [f"--effort={EFFORT}"]), *flags, "--emit=report-data", "-o", data]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"error: {program} cannot be planned for the gallery: {done.stderr}")
    report = reports.report(data)
    report.save(folder / f"{name}.html")
    if importlib.util.find_spec("matplotlib"):
        from memplan.reports import plots
        plots.plot("timeline", data, folder / f"{name}.png")
    data.unlink()
    return report.plans[0]["verdict"]


def main(build, source, with_reports):
    folder = source / "extra/gallery/reports"
    folder.mkdir(parents=True)
    page = ["# Gallery", "Reports of the examples: pages that [memplan report](../Report.md) makes. Each is one file; open it, save it, send it.",
            "```sh\nmemplan-opt examples/gpt2.mlir --budget=70% --report=gpt2.html -o planned.mlir\n```", '<div class="gallery">']
    for name, program, flags, text in EXAMPLES:
        if not with_reports:
            continue
        verdict = made(build, folder, name, program, flags)
        picture = f'<img src="reports/{name}.png" alt="Bytes over the step" loading="lazy">' if (folder / f"{name}.png").exists() else ""
        page.append(f'<a href="reports/{name}.html">{picture}<strong>{html.escape(text)}</strong><p>{html.escape(verdict)}</p>'
                    f'<p><code>{html.escape(" ".join(flags))}</code></p></a>')
    page.append("</div>")
    if not with_reports:
        page.append("The reports were left out of this site: `utils/build-site.sh` makes them.")
    (source / "gallery").mkdir(exist_ok=True)
    (source / "gallery/index.md").write_text("\n\n".join(page[:3]) + "\n\n" + "\n".join(page[3:]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), "--without-reports" not in sys.argv[3:])
