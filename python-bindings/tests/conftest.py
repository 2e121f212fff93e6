"""What all tests share: where the tools and examples are."""

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python-bindings"))


def tool(name: str) -> str:
    """The path of a tool of the build; MEMPLAN_BUILD_DIR names the build folder, `build` if it is not set."""
    path = pathlib.Path(os.environ.get("MEMPLAN_BUILD_DIR", ROOT / "build")) / "bin" / name
    if not path.exists():
        pytest.fail(f"{path} does not exist; build it with: ninja -C build {name}")
    return str(path)


def pytest_collection_modifyitems(items):
    try:
        import torch  # noqa: F401
    except ImportError:
        for item in items:
            if "torch" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="PyTorch is not installed (python-bindings/install-torch.sh)"))
