#!/usr/bin/env python3
"""Installs a build into a new folder and builds and runs examples/embedding from there, as a host would.

usage: check_install.py SOURCE BUILD C-COMPILER C++-COMPILER CHECK...
Each CHECK is the name of a function below that begins with check_; several run one after the other on one installation.
Prints one line for each; exit status 1 when one fails.
"""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


class Failure(Exception):
    pass


class Host:
    def __init__(self, source, build, c_compiler, cxx_compiler, folder):
        self.source, self.build = pathlib.Path(source), pathlib.Path(build)
        self.c_compiler, self.cxx_compiler = c_compiler, cxx_compiler
        self.ccache = shutil.which("ccache")
        self.folder = pathlib.Path(folder)
        self.prefix = self.folder / "prefix"
        self.run("cmake", "--install", build, "--prefix", self.prefix)

    def run(self, *command, **settings):
        command = [str(part) for part in command]
        done = subprocess.run(command, capture_output=True, text=True, **settings)
        if done.returncode != 0:
            raise Failure(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def configure(self, source, name, *settings):
        build = self.folder / name
        self.run("cmake", "-G", "Ninja", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                 f"-DCMAKE_C_COMPILER={self.c_compiler}", f"-DCMAKE_CXX_COMPILER={self.cxx_compiler}",
                 *[f"-DCMAKE_CXX_COMPILER_LAUNCHER={self.ccache}"] * bool(self.ccache),
                 "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", f"-DCMAKE_PREFIX_PATH={self.prefix}", *settings)
        return build

    def example(self, name, *settings):
        build = self.configure(self.source / "examples" / "embedding" / name, "-".join([name, *settings]), *settings)
        self.run("cmake", "--build", build)
        return build / name


def expect(text, *wanted):
    for want in wanted:
        if want not in text:
            raise Failure(f"'{want}' is not in\n{text}")


def check_planner_c(host):
    """The C example, by CMake and by pkg-config."""
    program = host.example("planner-c")
    first = host.run(program)
    expect(first, "cost 2", "arena of ", "tensor 1 at")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(host.prefix / "lib" / "pkgconfig")}
    flags = host.run("pkg-config", "--cflags", "--libs", "memplan-planner", env=environment).split()
    by_hand = host.folder / "by-hand"
    source = host.source / "examples" / "embedding" / "planner-c" / "planner.c"
    host.run(host.c_compiler, "-std=c11", source, *flags, "-o", by_hand)
    second = host.run(by_hand, env={**os.environ, "LD_LIBRARY_PATH": str(host.prefix / "lib")})
    if first != second:
        raise Failure(f"by CMake\n{first}\nby pkg-config\n{second}")


def check_python_wheel(host):
    """pip makes a wheel of python-bindings over the build folder, with all that was built; in a fresh environment it plans, alone and by its
    console script."""
    for package in ("nanobind", "scikit_build_core", "pip"):
        if importlib.util.find_spec(package) is None:
            print(f"python_wheel: {package} is not installed, so no wheel is made")
            return
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    host.run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", host.folder / "wheel",
             "--config-settings", f"build-dir={host.folder / 'wheel-build'}", "--config-settings", f"cmake.define.Memplan_DIR={host.build}/cmake",
             "--config-settings", f"cmake.define.CMAKE_CXX_COMPILER={host.cxx_compiler}", "--config-settings", f"cmake.define.CMAKE_C_COMPILER={host.c_compiler}",
             host.source / "python-bindings")
    wheel, = (host.folder / "wheel").glob("memplan-*.whl")
    if not 2_000_000 < wheel.stat().st_size < 40_000_000:
        raise Failure(f"{wheel.name} has {wheel.stat().st_size} bytes")
    host.run(sys.executable, "-m", "venv", host.folder / "venv")
    scripts = host.folder / "venv" / "bin"
    host.run(*pip, "--python", scripts / "python", "install", "--no-index", "--no-deps", wheel)
    chain = host.source / "test/Planner/Inputs/chain8.graph.json"
    outside = {"cwd": host.folder, "env": {"PATH": os.environ["PATH"]}}
    version = host.run(scripts / "memplan", "--version", **outside)
    expect(version, "memplan 0.1.0", "features: ")
    host.run(scripts / "memplan", "plan", chain, "--budget=7K", "-o", host.folder / "wheel.plan.json", **outside)
    expect(host.run(scripts / "memplan", "check", chain, host.folder / "wheel.plan.json", **outside), "ok: 7168 device bytes")
    modules = "memplan._planner, memplan._runtime" + ", memplan._compiler" * ("+mlir" in version)
    code = f"import memplan, {modules}; p = memplan.__path__[0]; print(p, 'py.typed' in __import__('os').listdir(p))"
    expect(host.run(scripts / "python", "-c", code, **outside), str(host.folder / "venv"), "True")


def check_static_size(host):
    """A static program that plans through C, without the MILP solver, has at most 3 MB; what g++ makes is a quarter larger."""
    environment = {**os.environ, "PKG_CONFIG_PATH": str(host.prefix / "lib" / "pkgconfig")}
    flags = host.run("pkg-config", "--cflags", "--static", "--libs", "memplan-planner", env=environment).split()
    without_highs = host.prefix / "lib" / "memplan-without-highs.o"
    program = host.folder / "static"
    source = host.source / "examples" / "embedding" / "planner-c" / "planner.c"
    host.run(host.c_compiler, "-std=c11", "-static", "-s", "-Wl,--gc-sections", source,
             *[without_highs] * without_highs.exists(), *flags, "-o", program)
    expect(host.run(program), "cost 200")
    if program.stat().st_size > (3 << 20 if "clang" in str(host.c_compiler) else 4 << 20):
        raise Failure(f"a static program has {program.stat().st_size} bytes")


def check_symbols(host):
    """The C libraries show the C interface and nothing else."""
    for library in (host.prefix / "lib").glob("libmemplan-*.so"):
        shown = [line.split()[-1] for line in host.run("nm", "-D", "--defined-only", library).splitlines()]
        others = [symbol for symbol in shown if not symbol.startswith("memplan_")]
        if not shown or others:
            raise Failure(f"{library.name} shows {others[:5]}")


def check_core_cpp(host):
    program = host.example("core-cpp")
    graph = host.source / "test" / "Planner" / "Inputs" / "chain8.graph.json"
    expect(host.run(program, graph), "peak 9216 of 9216 bytes", "auto: ")


def check_run_c(host):
    """A step that the installed tool has planned, on the installed runtime."""
    program = host.folder / "mlp.mpp"
    step = host.source / "examples" / "small" / "mlp.mlir"
    host.run(host.prefix / "bin" / "memplan-run", step, f"--emit-program={program}")
    lines = host.run(host.example("run-c"), program).splitlines()
    if len(lines) != 4 or not lines[0].startswith("loss ") or lines[0] == lines[2]:
        raise Failure(f"three losses that change are wanted, not {lines}")


def check_dynamic_c(host):
    """Steps of varying length and path, in a small pool and in a large one."""
    text = host.run(host.example("dynamic-c"))
    pools = [line for line in text.splitlines() if line.startswith("pool ")]
    expect(pools[0], "pool 8388608 bytes", " 0 of them ran again")
    expect(pools[1], "pool 524288 bytes")
    if " 0 of them ran again" in pools[1]:
        raise Failure(f"nothing was evicted in the small pool: {pools}")
    expect(text, "step 3: ", "then another way", "the same bits in all pools")
    copies = next(line for line in text.splitlines() if line.startswith("by hand: ")).split()
    if not 0 < int(copies[2]) or not 0 < int(copies[7]):
        raise Failure(f"nothing was swapped by hand: {copies}")
    if "then another way" in [line for line in text.splitlines() if line.startswith("step 23: ")][-1]:
        raise Failure(f"a step that was seen before is not followed:\n{text}")


def plan_with(host, tool):
    step = host.source / "test" / "Transforms" / "Inputs" / "chain.mlir"
    expect(host.run(tool, step, "--memplan-plan-pipeline=remat=greedy", "--canonicalize"), "memplan.planned")


def check_opt_tool(host):
    plan_with(host, host.example("opt-tool"))
    folder = host.source / "examples" / "embedding" / "opt-tool"
    for name, most in (("CMakeLists.txt", 2), ("opt.cpp", 2)):
        lines = [line for line in (folder / name).read_text().splitlines() if "memplan" in line.lower()]
        lines = [line for line in lines if not line.startswith("//") and "MlirOptMain" not in line and "argc" not in line]
        if len(lines) > most:
            raise Failure(f"a host adds {len(lines)} lines to {name}: {lines}")


def check_own_dialect(host):
    """A dialect of the host gets recomputation and an arena: what has a memref form is on views of it, the rest says where."""
    tool = host.example("own-dialect")
    step = host.source / "examples" / "embedding" / "own-dialect" / "step.mlir"
    free = host.run(tool, step, "--memplan-plan-pipeline=")
    planned = host.run(tool, step, "--memplan-plan-pipeline=remat=search budget=75%")
    expect(planned, "memplan.planned", "memplan.run = 1", "toy.softsign %", "memplan.offset = array<i64: ",
           "memref<64x128xf32>) -> ()")
    if "memplan.run = 1" in free or "toy.outer" not in planned or "tensor.empty" in planned:
        raise Failure(f"recomputes without a budget, or leaves outer on tensors:\n{free}\n{planned}")


def check_opt_tool_shared(host):
    """A host on libMLIR.so has one copy of LLVM, the shared one."""
    tool = host.example("opt-tool", "-DMEMPLAN_LINK_LLVM=shared")
    plan_with(host, tool)
    expect(host.run("ldd", tool), "libMLIR.so", "libLLVM.so")
    symbols = host.run("nm", "-C", tool)
    if "T mlir::MLIRContext::MLIRContext(" in symbols or "T llvm::cl::Option::addArgument(" in symbols:
        raise Failure(f"{tool} has MLIR's or LLVM's archives in it, too")


HOST = """cmake_minimum_required(VERSION 3.24)
project(host LANGUAGES C CXX)
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
if(HOST_WITH_MLIR)
  find_package(MLIR 22.1 REQUIRED CONFIG)
  get_target_property(before MLIRIR INTERFACE_LINK_LIBRARIES)
endif()
set(variables CMAKE_RUNTIME_OUTPUT_DIRECTORY CMAKE_CXX_STANDARD CMAKE_CXX_FLAGS CMAKE_CXX_COMPILER_LAUNCHER BUILD_TESTING)
foreach(name IN LISTS variables)
  set(old_${name} "${${name}}")
endforeach()
add_subdirectory("${MEMPLAN_SOURCE}" memplan)
foreach(name IN LISTS variables)
  if(NOT old_${name} STREQUAL "${${name}}")
    message(FATAL_ERROR "${name} was '${old_${name}}' and is '${${name}}'")
  endif()
endforeach()
if(HOST_WITH_MLIR)
  get_target_property(after MLIRIR INTERFACE_LINK_LIBRARIES)
  if(NOT before STREQUAL after)
    message(FATAL_ERROR "MLIRIR needed '${before}' and now needs '${after}'")
  endif()
endif()
if(TARGET check-memplan OR TARGET update-docs OR TARGET memplan-solve)
  message(FATAL_ERROR "targets that are no business of the host")
endif()
add_executable(host host.cpp)
target_link_libraries(host PRIVATE Memplan::Core)
"""


def check_subdirectory(host, *settings):
    """In another project memplan's flags stay its own."""
    folder = host.folder / "host"
    folder.mkdir(exist_ok=True)
    (folder / "CMakeLists.txt").write_text(HOST)
    (folder / "host.cpp").write_text("int main() {}\n")
    build = host.configure(folder, "host-build", f"-DMEMPLAN_SOURCE={host.source}", "-DMEMPLAN_WITH_ONEDNN=OFF", *settings)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"].endswith("host.cpp"):
            command = entry["command"]
            for flag in ("-Wall", "-Werror", "-ffp-contract", "-fno-exceptions", "-ffunction-sections"):
                if flag in command:
                    raise Failure(f"{flag} reaches the host: {command}")
    ninja = (build / "build.ninja").read_text()
    link = ninja[ninja.index("build host:") :].split("\n\n")[0]
    for flag in ("--gc-sections", "--as-needed", "-fuse-ld"):
        if flag in link:
            raise Failure(f"{flag} reaches the host: {link}")
    outside = [path.name for path in build.iterdir() if path.name in ("bin", "lib")]
    if outside:
        raise Failure(f"the host's build folder has {outside}")


def check_subdirectory_mlir(host):
    check_subdirectory(host, "-DHOST_WITH_MLIR=ON")


def main(source, build, c_compiler, cxx_compiler, *checks):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        host = Host(source, build, c_compiler, cxx_compiler, folder)
        for check in checks:
            try:
                globals()["check_" + check](host)
                print(f"{check}: ok")
            except Failure as failure:
                failed += 1
                print(f"{check}: {failure}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
