"""What pip's build of the package takes memplan's libraries from, and what it says where there are none."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

nanobind = pytest.importorskip("nanobind", reason="nanobind is not installed (utils/install-torch.sh installs it)")
ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def tree(tmp_path):
    """A folder with the package's sources alone."""
    shutil.copytree(ROOT / "python-bindings", tmp_path / "python-bindings", ignore=shutil.ignore_patterns("tests", "__pycache__"))
    return tmp_path


def configured(tree, *options):
    """What CMake does and says where pip calls it, and the modules that it would build."""
    command = ["cmake", "-G", "Ninja", "-S", tree / "python-bindings", "-B", tree / "wheel", "-DCMAKE_BUILD_TYPE=Release", "-DSKBUILD=ON",
               f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={nanobind.cmake_dir()}",
               "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22", "-DMEMPLAN_WITH_MLIR=OFF", "-DMEMPLAN_WITH_ONEDNN=OFF", *options]  # fmt: skip
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    rules = tree / "wheel/build.ninja"
    return done, set(re.findall(r"python/memplan/(_\w+)\.\S*so\b", rules.read_text())) if rules.exists() else set()


def test_the_build_beside_the_package_is_taken(tree, build_dir):
    """Whoever built memplan would wait minutes for a second build of it, and lose the compiler and oneDNN that the first has."""
    built = {file.name.partition(".")[0] for file in (build_dir / "python/memplan").glob("_*.so")}
    if "_planner" not in built:
        pytest.skip("the Python module is not built (nanobind is missing)")
    (tree / "build").symlink_to(build_dir)
    done, modules = configured(tree)
    assert done.returncode == 0, done.stderr
    assert f"memplan's libraries: {tree / 'build/cmake'}" in done.stdout and "built here" not in done.stdout
    assert modules == built


def test_a_build_that_was_configured_and_not_made_is_not_taken(tree, build_dir):
    """pip would end in errors of a linker that finds no libraries."""
    for part in ("CMakeLists.txt", "cmake", "include", "lib", "tools", "test", "utils", "examples", "docs", "benchmarks"):
        (tree / part).symlink_to(ROOT / part)
    (tree / "build/cmake").mkdir(parents=True)
    for file in (build_dir / "cmake").glob("*.cmake"):
        shutil.copy(file, tree / "build/cmake")
    done, modules = configured(tree)
    assert done.returncode == 0, done.stderr
    assert "memplan's libraries: built here, from the sources around this folder" in done.stdout
    assert modules == {"_planner", "_runtime"}


def test_without_sources_or_libraries_it_says_what_it_needs(tree):
    """Somebody who copied this folder alone would read of a CMakeLists.txt that is not there."""
    done, _ = configured(tree)
    said = " ".join(done.stderr.split())
    assert done.returncode != 0 and "memplan's libraries are not here" in said and "cmake.define.Memplan_DIR=" in said
    done, _ = configured(tree, f"-DMemplan_DIR={tree / 'nowhere'}")
    assert done.returncode != 0 and f"no memplan in {tree / 'nowhere'}" in " ".join(done.stderr.split())
