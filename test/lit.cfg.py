# lit configuration of memplan's tests. Run through `ninja -C build check-memplan`, or one folder by
# `lit-22 -sv build/test/Transforms`.
import os
import shutil
import subprocess

import lit.formats

config.name = "memplan"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.memplan_build_dir, "test")
config.excludes = ["Unit", "Conformance", "Inputs", "corpus", "CMakeLists.txt"]

# Without MLIR no tool reads .mlir; the core's tests are .test files.
config.suffixes = [".test"]
if config.memplan_has["mlir"]:
    config.suffixes.append(".mlir")

# A feature for each optional package, from the CMake variable that also feeds --version.
for feature, present in config.memplan_has.items():
    if present:
        config.available_features.add(feature)
if config.memplan_tools:
    config.available_features.add("tools")
# Asked of the interpreter that tests run under %python, which need not be lit's own.
finds_torch = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"
if config.python and subprocess.run([config.python, "-c", finds_torch]).returncode == 0:
    config.available_features.add("torch")

clang_format = shutil.which("clang-format-22") or shutil.which("clang-format", path=config.llvm_tools_dir)
if clang_format:
    config.available_features.add("clang-format")

config.environment["PATH"] = os.pathsep.join(
    [config.memplan_tools_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
# The packaged MLIR is not instrumented, so its allocator looks wrong to the address sanitizer.
config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0"

# The line of --version, made from the same variables.
features = " ".join(("+" if present else "-") + name for name, present in config.memplan_has.items())

config.substitutions += [
    ("%features", features),
    ("%tools", config.memplan_tools.replace(";", " ")),
    ("%python", config.python),
    ("%cxx", config.cxx_compiler),
    ("%cc", config.c_compiler),
    ("%clang-format", clang_format or ""),
    ("%root", config.memplan_source_dir),
    ("%build", config.memplan_build_dir),
]
