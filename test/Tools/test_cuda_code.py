"""What nvcc makes of the CUDA kernels, read without a GPU: no stack, no spills, 16-byte accesses where elements are independent."""

import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
KERNELS = sorted((ROOT / "lib/Kernels/Cuda").glob("*.cu"))
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
pytestmark = pytest.mark.skipif(NVCC is None, reason="nvcc is not installed")
# The most registers that a kernel of the file takes. More of them are fewer threads at once: raise a number on purpose only.
REGISTERS = {"Activations": 32, "Arithmetic": 38, "Attention": 64, "BatchNorm": 121, "Cast": 31, "Direct": 64, "Embedding": 32, "FlashAttention": 255, "Generator": 30, "Index": 40,
             "LayerNorm": 95, "Losses": 32, "Map": 48, "Movement": 38, "Pool": 70, "Reduce": 52, "Softmax": 21, "Update": 46}
FLAGS = ["-arch=sm_90", "-std=c++20", "-O3", "--extended-lambda", "-fmad=false", "-I", str(ROOT / "include")]


def compiled(source, output, *flags) -> str:
    done = subprocess.run([NVCC, *FLAGS, *flags, "-o", str(output), str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr + done.stdout


# A step whose states were indexed by what only runs know, or a body too large for the registers, would go through memory.
@pytest.mark.parametrize("source", KERNELS, ids=lambda path: path.stem)
def test_kernels_keep_to_registers(source, tmp_path):
    report = compiled(source, tmp_path / "code.cubin", "-cubin", "--resource-usage")
    used = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", report)
    assert used, f"{source.name} has no kernel"
    assert {tuple(map(int, each)) for each in used} == {(0, 0, 0)}
    assert max(map(int, re.findall(r"Used (\d+) registers", report))) <= REGISTERS[source.stem]


# A cast is nothing but memory traffic.
def test_casts_move_eight_elements_at_once(tmp_path):
    compiled(ROOT / "lib/Kernels/Cuda/Cast.cu", tmp_path / "code.ptx", "-ptx")
    entries = (tmp_path / "code.ptx").read_text().split(".entry ")[1:]
    assert len(entries) == 9
    for code in entries:
        loads, stores = (len(re.findall(rf"{access}\.global\.v4\.[fu]32", code)) for access in ("ld", "st"))
        assert loads in (1, 2) and stores in (1, 2), code.split("(", 1)[0]


# Elements of dense tensors are read and written four at a time: each operand has an access of 16 bytes, beside those for the rest.
@pytest.mark.parametrize("name", ["Activations", "Arithmetic", "Update"])
def test_elements_are_moved_by_16_bytes(name, tmp_path):
    compiled(ROOT / f"lib/Kernels/Cuda/{name}.cu", tmp_path / "code.ptx", "-ptx")
    entries = (tmp_path / "code.ptx").read_text().split(".entry ")[1:]
    dense = {kernel: (operands, entry) for entry in entries
             if (operands := re.search(r"(?:8Elements|10UpdateRows)ILi(\d+)ELi(\d+)E", kernel := entry.split("(", 1)[0]))}
    assert dense
    for kernel, (operands, code) in dense.items():
        assert (code.count("ld.global.v4.f32"), code.count("st.global.v4.f32")) == (int(operands[1]), int(operands[2])), kernel


# Norms read rows 16 bytes at once where these lie so: each launch by its loads at least, and by its stores. The launch that adds the sums of parts moves doubles.
@pytest.mark.parametrize("name", ["BatchNorm", "LayerNorm"])
def test_norms_move_rows_by_16_bytes(name, tmp_path):
    compiled(ROOT / f"lib/Kernels/Cuda/{name}.cu", tmp_path / "code.ptx", "-ptx")
    kinds = {"elementKernel.*10ColumnSums": (0, 0), "pieceKernel.*10ColumnSums": (2, 0), "sumMoments": (1, 0), "sumGrads": (2, 0), "UpdateStats": (4, 2),
             "7Forward": (1, 1), "8Backward": (2, 1)}
    seen = set()
    for entry in (tmp_path / "code.ptx").read_text().split(".entry ")[1:]:
        kernel = entry.split("(", 1)[0]
        kind = next(kind for kind in kinds if re.search(kind, kernel))
        loads, stores = (len(re.findall(access, entry)) for access in (r"ld\.global(?:\.nc)?\.v4\.[fu]32", r"st\.global\.v4\.[fu]32"))
        assert loads >= kinds[kind][0] and stores == kinds[kind][1], kernel
        # What no thread writes goes by the path of constants.
        assert kinds[kind] in ((0, 0), (4, 2)) or "ld.global.nc." in entry, kernel
        seen.add(kind)
    assert len(seen) == (7 if name == "BatchNorm" else 4)
