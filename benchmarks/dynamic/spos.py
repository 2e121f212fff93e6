#!/usr/bin/env python3
"""Single Path One-Shot (Guo et al., ECCV 2020) on the dynamic runtime: a supernet of which each step trains another path.

    benchmarks/dynamic/spos.py [--batches 100 150 ...] [--steps 6] [--build build] [--json FILE]
    benchmarks/dynamic/spos.py --check [--build build]

No plan can be made before: a step draws one of four blocks (ShuffleNet units with windows of 3, 5 and 7, an Xception unit) for each of twenty places, and
submits its ops one by one through memplan-c/Dynamic.h. The pool is as large as the first of the batches needs where nothing is evicted; the others
run in it by eviction and recomputation (MegEngine: from batch 100 to 250). Bytes, addresses and evictions are those of the runtime; the device is that of
benchmarks/dtr/dry_backend.c, without kernels or memory. --check trains a narrow supernet on the CPU in a wide and in a small pool, whose losses must be
the same bits. Needs the library of the C interface (ninja -C build memplan-runtime), and for the figures a C compiler.
"""
import argparse
import ctypes
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from shared import Table, origin  # noqa: E402

F32, I64 = 0, 1
INT, FLOAT, INTS = 0, 1, 3  # kinds of attributes
STAGES = ((4, 64), (4, 160), (8, 320), (4, 640))  # blocks and channels; the first block of each halves the image
UNITS = (3, 5, 7, "xception")


class Attribute(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("kind", ctypes.c_int32), ("count", ctypes.c_int32), ("int_value", ctypes.c_int64), ("float_value", ctypes.c_double),
                ("string", ctypes.c_char_p), ("ints", ctypes.POINTER(ctypes.c_int64)), ("floats", ctypes.POINTER(ctypes.c_double))]


class Output(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int32), ("rank", ctypes.c_int32), ("shape", ctypes.POINTER(ctypes.c_int64)), ("over", ctypes.c_int32)]


class Op(ctypes.Structure):
    _fields_ = [("struct_bytes", ctypes.c_int32), ("input_count", ctypes.c_int32), ("output_count", ctypes.c_int32), ("attribute_count", ctypes.c_int32),
                ("kernel", ctypes.c_char_p), ("inputs", ctypes.POINTER(ctypes.c_int64)), ("outputs", ctypes.POINTER(Output)),
                ("attributes", ctypes.POINTER(Attribute)), ("cost_micros", ctypes.c_double), ("drop_inputs", ctypes.c_uint64)]


class Options(ctypes.Structure):
    _fields_ = [("struct_bytes", ctypes.c_int32), ("sampling", ctypes.c_int32), ("budget_bytes", ctypes.c_int64), ("host_bytes", ctypes.c_int64),
                ("heuristic", ctypes.c_char_p), ("ignored_share", ctypes.c_double), ("wall_clock", ctypes.c_int32), ("banish", ctypes.c_int32)]


class Stats(ctypes.Structure):
    _fields_ = [("struct_bytes", ctypes.c_int32), ("deviated", ctypes.c_int32)] + [(name, ctypes.c_int64) for name in (
        "pool_bytes", "used_bytes", "most_used_bytes", "high_water_bytes", "ops", "recomputed_ops", "evictions", "copies_out", "copies_in", "compactions",
        "tensors", "paths", "followed_calls", "planned_ops", "plan_ops")]


class OutOfMemory(Exception):
    pass


class Value:
    """A tensor of the runtime; its handle goes with the last Python reference, as in frameworks."""

    def __init__(self, run, handle, shape):
        self.run, self.handle, self.shape = run, handle, tuple(shape)

    def __del__(self):
        if self.run.dynamic:
            self.run.library.memplan_dynamic_drop(self.run.dynamic, ctypes.c_int64(self.handle))


def longs(numbers):
    return (ctypes.c_int64 * max(1, len(numbers)))(*numbers)


class Run:
    """A pool of the runtime, and the tape of the step that is being made."""

    def __init__(self, library, backend, budget):
        self.library, self.session, self.dynamic = ctypes.CDLL(str(library)), ctypes.c_void_p(), ctypes.c_void_p()
        self.library.memplan_last_error.restype = ctypes.c_char_p
        self.call("memplan_session_create", str(backend).encode(), 0, 1, ctypes.byref(self.session))
        options = Options(ctypes.sizeof(Options), 0, budget, 0, None, 0, 0, 0)
        self.call("memplan_dynamic_create", self.session, ctypes.byref(options), ctypes.byref(self.dynamic))
        self.tape = []

    def close(self):
        self.library.memplan_dynamic_destroy(self.dynamic)
        self.dynamic = None
        self.library.memplan_session_destroy(self.session)

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments):
            message = self.library.memplan_last_error().decode()
            raise OutOfMemory(message) if "no room for" in message else RuntimeError(message)

    def put(self, shape, values=None, dtype=F32):
        handle, size = ctypes.c_int64(), 1
        for length in shape:
            size *= length
        kind = ctypes.c_int64 if dtype == I64 else ctypes.c_float
        data = (kind * size)(*values) if values is not None else None
        self.call("memplan_dynamic_put", self.dynamic, dtype, len(shape), longs(shape), data, ctypes.byref(handle))
        return Value(self, handle.value, shape)

    def apply(self, kernel, inputs, shapes, over=-1, /, **attributes):
        """The values that the op makes; none where it writes over an input."""
        listed = (Attribute * max(1, len(attributes)))()
        for attribute, (name, value) in zip(listed, attributes.items()):
            attribute.name = name.encode()
            if isinstance(value, float):
                attribute.kind, attribute.float_value = FLOAT, value
            elif isinstance(value, int):
                attribute.kind, attribute.int_value = INT, value
            else:
                attribute.kind, attribute.count, attribute.ints = INTS, len(value), longs(value)
        outputs = (Output * len(shapes))(*[Output(F32, len(shape), longs(shape), over) for shape in shapes])
        op = Op(ctypes.sizeof(Op), len(inputs), len(shapes), len(attributes), f"memplan.{kernel}".encode(), longs([value.handle for value in inputs]), outputs, listed, 0, 0)
        made = longs([0] * len(shapes))
        self.call("memplan_dynamic_apply", self.dynamic, ctypes.byref(op), made)
        return [] if over >= 0 else [Value(self, handle, shape) for handle, shape in zip(made, shapes)]

    def view(self, value, shape):
        handle = ctypes.c_int64()
        self.call("memplan_dynamic_view", self.dynamic, ctypes.c_int64(value.handle), ctypes.c_int64(0), len(shape), longs(shape), ctypes.byref(handle))
        return Value(self, handle.value, shape)

    def number(self, value):
        found = ctypes.c_float()
        self.call("memplan_dynamic_read", self.dynamic, ctypes.c_int64(value.handle), ctypes.byref(found), ctypes.c_int64(4))
        return found.value

    def stats(self):
        stats = Stats(ctypes.sizeof(Stats))
        self.call("memplan_dynamic_get_stats", self.dynamic, ctypes.byref(stats))
        return stats


class Supernet:
    """All blocks of all places, and the steps that train a path through them. Every op leaves a function on the tape that maps the gradient of its
    output to that of its input; a parameter is updated as soon as its gradient is there."""

    def __init__(self, run, batch, edge, stages, classes):
        self.run, self.batch, self.edge, self.stages, self.classes = run, batch, edge, stages, classes
        self.parameters, self.draw = {}, random.Random(7).random
        self.one = run.put((), [1.0])
        self.image = run.put((batch, 3, edge, edge), self.noise(batch * 3 * edge * edge))
        self.label = run.put((batch,), [n % classes for n in range(batch)], I64)

    def noise(self, count):
        # Values of a size on which nothing is read need not be there.
        return [self.draw() - 0.5 for _ in range(count)] if count <= 1 << 16 else None

    def parameter(self, name, shape, value=None):
        if name not in self.parameters:
            size = 1
            for length in shape:
                size *= length
            self.parameters[name] = self.run.put(shape, [value] * size if value is not None else self.noise(size))
        return self.parameters[name]

    def update(self, parameter, gradient):
        self.run.apply("sgd_update", [parameter, gradient], [parameter.shape], 0, lr=0.01, weight_decay=0.0)

    def conv(self, name, x, channels, window=1, stride=1, groups=1, tape=None):
        run, (batch, before, edge, _) = self.run, x.shape
        weight = self.parameter(f"{name}.w", (channels, before // groups, window, window))
        marks = {"strides": (stride, stride), "padding": (window // 2, window // 2), "dilation": (1, 1), "groups": groups}
        y, = run.apply("conv2d", [x, weight], [(batch, channels, edge // stride, edge // stride)], **marks)

        def back(dy):
            extra = edge - ((edge // stride - 1) * stride - 2 * (window // 2) + window)
            dx, = run.apply("conv2d_input_grad", [dy, weight], [x.shape], output_padding=(extra, extra), **marks)
            dw, = run.apply("conv2d_filter_grad", [x, dy], [weight.shape], kernel=(window, window), **marks)
            self.update(weight, dw)
            return dx
        tape.append(back)
        return y

    def norm(self, name, x, tape, relu=True):
        run, each = self.run, (x.shape[1],)
        scale, shift = self.parameter(f"{name}.g", each, 1.0), self.parameter(f"{name}.b", each, 0.0)
        y, mean, invstd, _ = run.apply("batch_norm", [x, scale, shift], [x.shape, each, each, each], epsilon=1e-5)

        def back(dy):
            dx, dscale, dshift = run.apply("batch_norm_grad", [dy, x, scale, mean, invstd], [x.shape, each, each])
            self.update(scale, dscale)
            self.update(shift, dshift)
            return dx
        tape.append(back)
        if not relu:
            return y
        z, = run.apply("relu", [y], [y.shape])
        tape.append(lambda dz: run.apply("relu_grad", [z, dz], [z.shape])[0])
        return z

    def unit(self, name, kind, x, channels, stride, tape):
        """The main branch of a block: the unit that the step has drawn."""
        if kind == "xception":
            for part in range(3):
                x = self.conv(f"{name}.{part}.dw", x, x.shape[1], 3, stride if part == 0 else 1, x.shape[1], tape)
                x = self.norm(f"{name}.{part}.dwn", x, tape, relu=False)
                x = self.norm(f"{name}.{part}.n", self.conv(f"{name}.{part}.pw", x, channels, tape=tape), tape)
            return x
        x = self.norm(f"{name}.n1", self.conv(f"{name}.pw1", x, channels, tape=tape), tape)
        x = self.norm(f"{name}.n2", self.conv(f"{name}.dw", x, channels, kind, stride, channels, tape), tape, relu=False)
        return self.norm(f"{name}.n3", self.conv(f"{name}.pw2", x, channels, tape=tape), tape)

    def half(self, x, number):
        batch, channels, edge, _ = x.shape
        return self.run.apply("slice", [x], [(batch, channels // 2, edge, edge)], dim=1, start=number * channels // 2, size=channels // 2)[0]

    def join(self, a, b):
        batch, channels, edge, _ = a.shape
        return self.run.apply("concat", [a, b], [(batch, 2 * channels, edge, edge)], dim=1)[0]

    def shuffle(self, x, rows):
        """Channel c of `rows` groups side by side: [n, rows, c, pixels] to [n, c, rows, pixels]."""
        batch, channels, edge, _ = x.shape
        apart = self.run.view(x, (batch, rows, channels // rows, edge * edge))
        turned, = self.run.apply("transpose", [apart], [(batch, channels // rows, rows, edge * edge)], perm=(0, 2, 1, 3))
        return self.run.view(turned, x.shape)

    def block(self, name, kind, x, channels, stride):
        """One place of the path. The shortcut of a block that halves the image has an own convolution; otherwise half of the channels pass."""
        main, side = [], []
        if stride == 2:
            a = self.norm(f"{name}.s.n1", self.conv(f"{name}.s.dw", x, x.shape[1], 3, 2, x.shape[1], side), side, relu=False)
            a = self.norm(f"{name}.s.n2", self.conv(f"{name}.s.pw", a, channels // 2, tape=side), side)
            b = self.unit(f"{name}.{kind}", kind, x, channels // 2, 2, main)
        else:
            a, b = self.half(x, 0), self.unit(f"{name}.{kind}", kind, self.half(x, 1), channels // 2, 1, main)

        def back(dy):
            dy = self.shuffle(dy, channels // 2)
            da, db = self.half(dy, 0), self.half(dy, 1)
            del dy
            db = unwind(main, db)
            if stride == 1:
                return self.join(da, db)
            da = unwind(side, da)
            self.run.apply("accumulate", [da, db], [da.shape], 0)
            return da
        self.run.tape.append(back)
        return self.shuffle(self.join(a, b), 2)

    def step(self, path):
        run = self.run
        run.call("memplan_dynamic_begin_step", run.dynamic)
        first = []
        x = self.norm("stem.n", self.conv("stem", self.image, 16, 3, 2, tape=first), first)
        run.tape.append(lambda gradient: unwind(first, gradient))
        place = 0
        for stage, (blocks, channels) in enumerate(self.stages):
            for number in range(blocks):
                x = self.block(f"{stage}.{number}", path[place], x, channels, 2 if number == 0 else 1)
                place += 1
        batch, channels, edge, _ = x.shape
        pooled, = run.apply("adaptive_avg_pool2d", [x], [(batch, channels, 1, 1)], output_size=(1, 1))
        del x
        rows = run.view(pooled, (batch, channels))
        weight = self.parameter("fc", (self.classes, channels))
        scores, = run.apply("matmul", [rows, weight], [(batch, self.classes)], transpose_rhs=1)
        loss, logsumexp = run.apply("cross_entropy", [scores, self.label], [(), (batch,)], ignore_index=-100)
        gradient, = run.apply("cross_entropy_grad", [scores, self.label, logsumexp, self.one], [scores.shape], ignore_index=-100)
        dweight, = run.apply("matmul", [gradient, rows], [weight.shape], transpose_lhs=1)
        drows, = run.apply("matmul", [gradient, weight], [rows.shape])
        self.update(weight, dweight)
        del scores, logsumexp, rows, pooled, gradient, dweight
        dpool = run.view(drows, (batch, channels, 1, 1))
        del drows
        gradient, = run.apply("adaptive_avg_pool2d_grad", [dpool], [(batch, channels, edge, edge)], input_size=(edge, edge))
        del dpool
        unwind(run.tape, gradient)
        return run.number(loss)


def unwind(tape, gradient):
    """Backwards through the tape; what only a function there needs goes with it."""
    while tape:
        gradient = tape.pop()(gradient)
    return gradient


def paths(steps, places, seed=1):
    draw = random.Random(seed).random
    return [[UNITS[int(draw() * len(UNITS))] for _ in range(places)] for _ in range(steps)]


def train(library, backend, budget, batch, steps, edge=224, stages=STAGES, classes=1000):
    """Losses and statistics of so many steps, or what there was no room for."""
    run = Run(library, backend, budget)
    try:
        net = Supernet(run, batch, edge, stages, classes)
        return [net.step(path) for path in paths(steps, sum(blocks for blocks, _ in stages))], run.stats()
    except OutOfMemory as error:
        return None, str(error)
    finally:
        run.tape.clear()
        run.close()


def check(library):
    small = {"batch": 4, "steps": 4, "edge": 32, "stages": ((1, 16), (2, 32), (2, 64)), "classes": 10}
    wide, most = train(library, "cpu", 1 << 28, **small)
    for share in (0.9, 0.8):
        losses, stats = train(library, "cpu", int(share * most.most_used_bytes), **small)
        if losses is None:
            sys.exit(f"no room at {share:.0%}: {stats}")
        if losses != wide:
            sys.exit(f"other losses at {share:.0%}: {losses} instead of {wide}")
        if not stats.recomputed_ops:
            sys.exit(f"nothing ran again at {share:.0%}")
        print(f"{share:.0%} of {most.most_used_bytes} bytes: {stats.recomputed_ops} ops ran again of {stats.ops}, the same losses in {len(losses)} steps")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batches", nargs="+", type=int, default=[100, 150, 200, 250, 300])
    parser.add_argument("--steps", type=int, default=6, help="each along another path")
    parser.add_argument("--check", action="store_true", help="train a narrow supernet on the CPU, and compare losses")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="put the table into docs/Dynamic.md")
    arguments = parser.parse_args()
    library = arguments.build / "lib/libmemplan-runtime.so"
    if not library.exists():
        sys.exit(f"{library} is not there: build with ninja -C build memplan-runtime, or name the folder of another build by --build")
    if arguments.check:
        return check(library)
    table = Table()
    table.add("| batch | pool, MB | ops of a step | ops that ran again | evictions a step | compactions |", "|---" * 6 + "|")
    log, pool = {**origin(), "steps": arguments.steps, "rows": []}, 1 << 42
    with tempfile.TemporaryDirectory() as folder:
        dry = pathlib.Path(folder) / "dry.so"
        subprocess.run(["cc", "-shared", "-fPIC", f"-I{ROOT / 'include'}", ROOT / "benchmarks/dtr/dry_backend.c", "-o", dry], check=True)
        for batch in arguments.batches:
            losses, stats = train(library, dry, pool, batch, arguments.steps)
            row = {"batch": batch, "runs": losses is not None}
            if losses is None:
                table.add(f"| {batch} | {pool / 1e6:.0f} | no room | | | |")
            else:
                pool = stats.most_used_bytes if pool == 1 << 42 else pool
                row |= {"pool_bytes": pool, "ops": stats.ops, "recomputed_ops": stats.recomputed_ops, "evictions": stats.evictions, "compactions": stats.compactions}
                table.add(f"| {batch} | {pool / 1e6:.0f} | {stats.ops / arguments.steps:.0f} | {100 * stats.recomputed_ops / stats.ops:.1f} % | "
                          f"{stats.evictions / arguments.steps:.0f} | {stats.compactions} |")
            log["rows"].append(row)
    if arguments.json:
        arguments.json.write_text(json.dumps(log, indent=1) + "\n")
    if arguments.write:
        table.write([ROOT / "docs/Dynamic.md"], "benchmarks/dynamic/spos.py")


if __name__ == "__main__":
    main()
