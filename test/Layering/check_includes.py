#!/usr/bin/env python3
"""Reads every #include of include/ and lib/ against a table of allowed edges between rooms.

usage: check_includes.py ROOT TABLE
Prints one line for each include that is not allowed; exit status 1 when there is one.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".cu", ".cuh", ".inc"}
SOLVERS = {"highs", "cbc"}

# Packages by the names of their headers; the first match counts.
PACKAGES = [
    ("llvm-support", r"llvm/(ADT|Support|Config)/"),
    ("llvm", r"llvm(-c)?/"),
    ("mlir", r"mlir(-c)?/"),
    ("highs", r"(highs/|lp_data/|Highs\.h$|interfaces/highs_c_api\.h$|highs_c_api\.h$)"),
    ("cbc", r"(Coin|Cbc|Clp|Osi|Cgl)\w*(\.h|\.hpp)$|coin/"),
    ("onednn", r"(oneapi/dnnl/|dnnl)"),
    ("mpi", r"mpi\.h$"),
    ("blas", r"cblas\.h$|lapacke\.h$"),
    ("cuda", r"(cuda|cublas|cudnn|curand|nccl|nvrtc)\w*(\.h|\.hpp)$|cooperative_groups|cub/"),
    ("posix", r"(unistd|dlfcn|elf|pthread|fcntl|sched|malloc|netdb|poll|arpa/\w+|netinet/\w+|sys/\w+)\.h$"),
    (
        "std",
        r"[a-z_0-9]+$|(assert|ctype|errno|float|inttypes|limits|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool"
        r"|stddef|stdint|stdio|stdlib|string|threads|time)\.h$|(immintrin|x86intrin|omp)\.h$",
    ),
]


def read_table(path):
    table = {}
    for line in path.read_text().splitlines():
        line = line.split("#", 1)[0].strip()
        if line:
            room, _, allowed = line.partition(":")
            table[room.strip()] = allowed.split()
    return table


def room_of(path, rooms):
    """The longest room that is a prefix of a path relative to lib/ or include/memplan/."""
    owners = [room for room in rooms if path == room or path.startswith(room + "/")]
    return max(owners, key=len, default=None)


def target_of(kind, name, file, root, rooms):
    """("room", room, path) or ("package", name, path) for one include; None for an unknown header."""
    if name.startswith("memplan-c/"):
        return "room", "memplan-c", name
    if name.startswith("memplan/"):
        path = name[len("memplan/") :]
        return "room", room_of(path, rooms), path
    beside = (file.parent / name).resolve()
    if kind == '"' and beside.is_file() and beside.is_relative_to(root):
        path, base = room_path(beside, root)
        return "room", room_of(path, rooms), path if base == "include" else ""
    for package, pattern in PACKAGES:
        if re.match(pattern, name):
            return "package", package, name
    return None


def room_path(file, root):
    """A file's path within its tree of rooms, and which tree that is."""
    relative = file.relative_to(root).as_posix()
    for base, prefix in (("include", "include/memplan/"), ("c", "include/"), ("lib", "lib/")):
        if relative.startswith(prefix):
            return relative[len(prefix) :], base
    return relative, "other"


def is_allowed(target, room, allowed):
    kind, name, path = target
    if "*" in allowed or name == room or name == "std":
        return True
    if name in allowed:
        return True
    if kind != "room":
        return False
    # An entry may name one header, or the beginning of several.
    return any(path == entry or (entry.endswith("*") and path.startswith(entry[:-1])) for entry in allowed)


def check_file(file, root, table):
    path, _ = room_path(file, root)
    room = room_of(path, table)
    where = file.relative_to(root).as_posix()
    if room is None:
        yield f"{where}: belongs to no room of the table"
        return
    solvers = set()
    for kind, name in INCLUDE.findall(file.read_text(errors="replace")):
        target = target_of(kind, name, file, root, table)
        if target is None or target[1] is None:
            yield f"{where}: '{name}' belongs to no room and no known package"
        elif not is_allowed(target, room, table[room]):
            yield f"{where}: room {room} may not include '{name}' of {target[1]}"
        if target and target[1] in SOLVERS:
            solvers.add(target[1])
    if len(solvers) > 1:
        yield f"{where}: includes more than one external solver: {', '.join(sorted(solvers))}"


def main(root, table_path):
    root = pathlib.Path(root).resolve()
    table = read_table(pathlib.Path(table_path))
    files = sorted(f for top in ("include", "lib") for f in (root / top).rglob("*") if f.suffix in SUFFIXES)
    if not files:
        sys.exit(f"error: no source file below {root}/include and {root}/lib")
    problems = [problem for file in files for problem in check_file(file, root, table)]
    print("\n".join(problems or [f"{len(files)} files keep to the table"]))
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check_includes.py ROOT TABLE")
    sys.exit(main(*sys.argv[1:]))
