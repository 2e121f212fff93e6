"""The stored examples are programs that the compiler accepts. Needs no PyTorch."""

import dataclasses
import pathlib
import re
import subprocess

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
# Those of examples/embedding are in dialects of their own.
FILES = sorted(file for file in EXAMPLES.glob("**/*.mlir") if "embedding" not in file.parts)


def test_there_are_the_five_models_and_small_ones():
    stems = {path.relative_to(EXAMPLES).as_posix() for path in FILES}
    assert {"resnet50.mlir", "vgg16.mlir", "mobilenet_v2.mlir", "unet.mlir", "gpt2.mlir"} <= stems
    assert {f"small/{name}.mlir" for name in ("resnet", "vgg", "mobilenet", "unet", "gpt2", "mlp", "residual")} <= stems


# The verifiers infer every type again, so an attribute that does not fit the types is found here.
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_parses_and_verifies(path, tool):
    done = subprocess.run([tool("memplan-opt"), str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # Nothing may be lost: every operation of the file is in what the compiler prints.
    count = lambda text: len(re.findall(r"= memplan\.", re.sub(r".*attributes \{.*", "", text)))  # noqa: E731
    assert count(done.stdout) == count(path.read_text())


# Small examples run in the tests and are read by people.
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("small/*.mlir")), ids=lambda p: p.stem)
def test_small_examples_are_small(path):
    assert len(path.read_text().splitlines()) < 300


def compiled(tool, path, *flags) -> str:
    done = subprocess.run([tool("memplan-opt"), str(path), "--mlir-print-debuginfo", *flags], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # The file name stands in the locations of the module and the function.
    return done.stdout.replace(str(path), "FILE")


# A size that hides the batch, in a reshape or a marker, would come back as another one.
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_batch_there_and_back(path, tool, tmp_path):
    batch = int(re.search(r", batch (\d+):", path.read_text())[1])
    there = tmp_path / "there.mlir"
    there.write_text(compiled(tool, path, "--memplan-set-batch=7"))
    assert compiled(tool, there, f"--memplan-set-batch={batch}") == compiled(tool, path)


# The compiler's inference for another batch and torch's own tracing must agree on every type.
@pytest.mark.torch
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_batch_of_the_compiler_is_that_of_the_exporter(path, tool, tmp_path):
    import export_examples
    example, = (e for e in export_examples.EXAMPLES if e.path == path.relative_to(EXAMPLES).as_posix())
    exported = tmp_path / "exported.mlir"
    exported.write_text(dataclasses.replace(example, batch=5).text())

    def without_lines(text):
        return re.sub(r'"FILE":\d+:\d+|#loc\d*( = .*)?|loc\(#?\w*\)', "", text)

    assert without_lines(compiled(tool, path, "--memplan-set-batch=5")) == without_lines(compiled(tool, exported))
