#!/usr/bin/env python3
"""Runs random programs on memrefs before and after memplan-plan-memrefs and compares what they print.

usage: random_programs.py [--count 40] [--seed 1] [--rounds 1] [--keep FOLDER]
Programs fill buffers of several types and sizes, read them through views, selects, results of branches and values that loops carry,
call functions that allocate, and free what they allocated in the end, somewhere before, by way of an alias, in a branch, or never. What is read
goes into a sum whose every bit depends on every element, so that bytes that two buffers share by mistake show. Each runs with several sets of
conditions, planned in different ways. Exit status 1 where sums differ.
"""
import argparse
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "benchmarks" / "memrefs"))
import lower  # noqa: E402

TYPES = [(8, "i32"), (5, "i64"), (24, "i8"), (12, "i16"), (64, "i32"), (3, "i64")]
WAYS = ["remarks=none", "remarks=none arena=argument", "remarks=none solver=best-fit allocas=false",
        "remarks=none solver=greedy-by-size ranges=allocations alignment=32"]


class Value:
    """A name, what it may stand for, and whether that was written in full."""

    def __init__(self, name, kind, allocations, written):
        self.name, self.kind, self.allocations, self.written = name, kind, frozenset(allocations), written

    def type(self):
        return f"memref<{self.kind[0]}x{self.kind[1]}>"


class Program:
    def __init__(self, name, dice, helpers):
        self.name, self.dice, self.helpers = name, dice, helpers
        self.lines, self.count, self.indent = [], 0, 1

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def write(self):
        self.block([], 6 + self.dice.randrange(14), 0)
        return "\n".join([f"func.func @{self.name}(%bits: i64, %sum: memref<1xi64>) {{", "  %c0 = arith.constant 0 : index",
                          "  %c1 = arith.constant 1 : index", *self.lines, "  return", "}"])

    def bit(self):
        shifted, low, place = self.fresh(), self.fresh(), self.fresh()
        self.line(f"{place} = arith.constant {self.dice.randrange(16)} : i64")
        self.line(f"{shifted} = arith.shrui %bits, {place} : i64")
        self.line(f"{low} = arith.trunci {shifted} : i64 to i1")
        return low

    def trips(self):
        one, two, both, index = (self.fresh() for _ in range(4))
        self.line(f"{one} = arith.extui {self.bit()} : i1 to i64")
        self.line(f"{two} = arith.extui {self.bit()} : i1 to i64")
        self.line(f"{both} = arith.addi {one}, {two} : i64")
        self.line(f"{index} = arith.index_cast {both} : i64 to index")
        return index

    def each(self, value, body):
        end, at = self.fresh(), self.fresh()
        self.line(f"{end} = arith.constant {value.kind[0]} : index")
        self.line(f"scf.for {at} = %c0 to {end} step %c1 {{")
        self.indent += 1
        body(at)
        self.indent -= 1
        self.line("}")

    def fill(self, value):
        start, element = self.fresh(), value.kind[1]
        self.line(f"{start} = arith.constant {self.dice.randrange(1, 100)} : {element}")

        def body(at):
            number, total = self.fresh(), self.fresh()
            self.line(f"{number} = arith.index_cast {at} : index to {element}")
            self.line(f"{total} = arith.addi {number}, {start} : {element}")
            self.line(f"memref.store {total}, {value.name}[{at}] : {value.type()}")

        self.each(value, body)

    def read(self, value):
        factor, element = self.fresh(), value.kind[1]
        self.line(f"{factor} = arith.constant 1000003 : i64")

        def body(at):
            loaded, wide, old, scaled, new = (self.fresh() for _ in range(5))
            self.line(f"{loaded} = memref.load {value.name}[{at}] : {value.type()}")
            self.line(f"{wide} = arith.extsi {loaded} : {element} to i64" if element != "i64"
                      else f"{wide} = arith.addi {loaded}, {loaded} : i64")
            self.line(f"{old} = memref.load %sum[%c0] : memref<1xi64>")
            self.line(f"{scaled} = arith.muli {old}, {factor} : i64")
            self.line(f"{new} = arith.addi {scaled}, {wide} : i64")
            self.line(f"memref.store {new}, %sum[%c0] : memref<1xi64>")

        self.each(value, body)

    def allocate(self, visible, own):
        kind = self.dice.choice(TYPES)
        name = self.fresh()
        op = self.dice.choice(["alloc", "alloc", "alloc", "alloca"])
        attribute = self.dice.choice(["", "", " {alignment = 64 : i64}"])
        self.line(f"{name} = memref.{op}(){attribute} : memref<{kind[0]}x{kind[1]}>")
        value = Value(name, kind, [name], False)
        if op == "alloc":
            own.append(value)
        else:
            value.allocations = frozenset([name, "stack"])
        if self.dice.random() < 0.8:
            self.fill(value)
            value.written = True
        visible.append(value)

    def view(self, value):
        """The same bytes by another way."""
        name, between, (length, element) = self.fresh(), self.fresh(), value.kind
        way = self.dice.randrange(4)
        if way == 0:
            self.line(f"{between} = memref.cast {value.name} : {value.type()} to memref<?x{element}>")
            self.line(f"{name} = memref.cast {between} : memref<?x{element}> to {value.type()}")
        elif way == 1:
            self.line(f"{between} = memref.expand_shape {value.name} [[0, 1]] output_shape [1, {length}] : {value.type()} into memref<1x{length}x{element}>")
            self.line(f"{name} = memref.collapse_shape {between} [[0, 1]] : memref<1x{length}x{element}> into {value.type()}")
        elif way == 2:
            self.line(f"{name} = memref.reinterpret_cast {value.name} to offset: [0], sizes: [{length}], strides: [1] : {value.type()} to {value.type()}")
        elif element == "i8" and length >= 24:
            self.line(f"{between} = arith.constant 8 : index")
            self.line(f"{name} = memref.view {value.name}[{between}][] : {value.type()} to memref<5xi16>")
            return Value(name, (5, "i16"), value.allocations, value.written)
        else:
            self.line(f"{between} = memref.subview {value.name}[0] [{length}] [1] : {value.type()} to memref<{length}x{element}, strided<[1]>>")
            self.line(f"{name} = memref.cast {between} : memref<{length}x{element}, strided<[1]>> to {value.type()}")
        return Value(name, value.kind, value.allocations, value.written)

    def pick(self, visible, written=False, kind=None):
        fits = [v for v in visible if (v.written or not written) and kind in (None, v.kind)]
        return self.dice.choice(fits[-4:] if self.dice.random() < 0.6 else fits) if fits else None

    def statement(self, visible, own, depth):
        choice = self.dice.randrange(14)
        value = self.pick(visible, written=True)
        if choice < 3 or not value:
            return self.allocate(visible, own)
        if choice < 6:
            return self.read(value)
        if choice == 6:
            return visible.append(self.view(value))
        if choice == 7:
            other = self.pick(visible, kind=value.kind)
            name = self.fresh()
            self.line(f"{name} = arith.select {self.bit()}, {value.name}, {other.name} : {value.type()}")
            return visible.append(Value(name, value.kind, value.allocations | other.allocations, value.written and other.written))
        if choice == 8:
            target = self.pick(visible, kind=value.kind)
            self.line(f"memref.copy {value.name}, {target.name} : {value.type()} to {target.type()}")
            target.written = True
            return None
        if choice == 9 and self.helpers:
            fits = [h for h in self.helpers if h[1] == value.kind]
            if fits:
                return self.line(f"func.call @{self.dice.choice(fits)[0]}({value.name}, %sum) : ({value.type()}, memref<1xi64>) -> ()")
        if choice == 10 and own:
            return self.free(visible, own)
        if depth > 2:
            return self.read(value)
        if choice == 11:
            return self.loop(visible, value, depth)
        return self.branch(visible, value.kind, depth)

    def free(self, visible, own):
        """Frees one early, maybe by another name, maybe in a branch; nobody sees it any more."""
        gone = own.pop(self.dice.randrange(len(own)))
        visible[:] = [v for v in visible if gone.name not in v.allocations]
        if self.dice.random() < 0.1:
            return  # Never.
        name = self.view(gone).name if self.dice.random() < 0.3 and gone.kind[1] != "i8" else gone.name
        if self.dice.random() < 0.2:
            self.line(f"scf.if {self.bit()} {{ memref.dealloc {name} : {gone.type()} }}")
        else:
            self.line(f"memref.dealloc {name} : {gone.type()}")

    def block(self, visible, count, depth, result=None):
        """Its own list of what is visible, written, and to be freed; gives a value of kind `result`."""
        visible, own = [Value(v.name, v.kind, v.allocations, v.written) for v in visible], []
        for _ in range(count):
            self.statement(visible, own, depth)
        # What is on the stack ends with a loop's region.
        given = self.pick([v for v in visible if "stack" not in v.allocations or depth == 0], written=True, kind=result) if result else None
        # What leaves, nobody frees.
        own = [v for v in own if not given or v.name not in given.allocations]
        while own:
            self.free(visible, own)
        return given

    def region(self, visible, kind, depth):
        self.indent += 1
        given = self.block(visible, 1 + self.dice.randrange(5), depth + 1, kind)
        if given is None:
            self.line(f"{(name := self.fresh())} = memref.alloc() : memref<{kind[0]}x{kind[1]}>")
            given = Value(name, kind, [name], True)
            self.fill(given)
        self.line(f"scf.yield {given.name} : {given.type()}")
        self.indent -= 1
        return given

    def branch(self, visible, kind, depth):
        name, bit = self.fresh(), self.bit()
        self.line(f"{name} = scf.if {bit} -> memref<{kind[0]}x{kind[1]}> {{")
        one = self.region(visible, kind, depth)
        self.line("} else {")
        two = self.region(visible, kind, depth)
        self.line("}")
        visible.append(Value(name, kind, one.allocations | two.allocations, True))

    def loop(self, visible, value, depth):
        name, carried, end = self.fresh(), self.fresh(), self.trips()
        other = self.pick([v for v in visible if "stack" not in v.allocations], written=True, kind=value.kind)
        value = other or value
        if other is None:
            self.line(f"{(first := self.fresh())} = memref.alloc() : {value.type()}")
            value = Value(first, value.kind, [first], True)
            self.fill(value)
        self.line(f"{name} = scf.for {self.fresh()} = %c0 to {end} step %c1 iter_args({carried} = {value.name}) -> {value.type()} {{")
        # It may be any that it was before, so nobody inside may free it: inner blocks free only their own.
        inner = visible + [Value(carried, value.kind, value.allocations | {"carried"}, True)]
        given = self.region(inner, value.kind, depth)
        self.line("}")
        visible.append(Value(name, value.kind, value.allocations | given.allocations | {"carried"}, True))


def helper(name, kind, dice):
    """A function that allocates, and reads and writes what it is given."""
    program = Program(name, dice, [])
    given = Value("%given", kind, ["%given"], True)
    own = []
    visible = [given]
    for _ in range(3):
        program.allocate(visible, own)
    for value in visible:
        if value.written:
            program.read(value)
    same = program.pick(visible[1:], written=True, kind=kind)
    if same:
        program.line(f"memref.copy {same.name}, %given : {same.type()} to {given.type()}")
    while own:
        program.free(visible, own)
    return "\n".join([f"func.func private @{name}(%given: {given.type()}, %sum: memref<1xi64>) {{", "  %bits = arith.constant 21 : i64",
                      "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index", *program.lines, "  return", "}"])


def module(seed, count):
    dice = random.Random(seed)
    helpers = [(f"h{i}", kind) for i, kind in enumerate(TYPES)]
    texts = [helper(name, kind, dice) for name, kind in helpers]
    texts += [Program(f"p{i}", dice, helpers).write() for i in range(count)]
    return "\n".join(texts) + "\n"


def main_function(planned, count):
    """Calls each program with several conditions; functions may have taken arenas as leading arguments."""
    lines = ["func.func private @printI64(i64)", "func.func private @printNewline()", "func.func @main() {",
             "  %c0 = arith.constant 0 : index", "  %zero = arith.constant 0 : i64", "  %sum = memref.alloc() : memref<1xi64>"]
    for i in range(count):
        arenas = []
        head = next(line for line in planned.split("\n") if f"func.func @p{i}(" in line)
        for text in head.split("(", 1)[1].split(": ")[1:]:
            kind = text.split("> ")[0].split(">,")[0].split(">)")[0] + ">"
            if kind.endswith("xi8>"):
                arenas.append(kind)
        for bits in (0, 21930, 43605, 65535):
            values = []
            for kind in arenas:
                values.append(f"%arena{len(lines)}")
                lines.append(f"  {values[-1]} = memref.alloc() {{alignment = 64 : i64}} : {kind}")
            lines.append(f"  %bits{len(lines)} = arith.constant {bits} : i64")
            operands = ", ".join(values + [f"%bits{len(lines) - 1}", "%sum"])
            types = ", ".join(arenas + ["i64", "memref<1xi64>"])
            lines += ["  memref.store %zero, %sum[%c0] : memref<1xi64>", f"  func.call @p{i}({operands}) : ({types}) -> ()"]
            name = f"%out{len(lines)}"
            lines += [f"  {name} = memref.load %sum[%c0] : memref<1xi64>", f"  func.call @printI64({name}) : (i64) -> ()",
                      "  func.call @printNewline() : () -> ()"]
    return "\n".join(lines + ["  return", "}"])


def run(text, count):
    whole = text if text.startswith("module") else "module {\n" + text + "}\n"
    whole = whole.rstrip()[:-1] + main_function(text, count) + "\n}\n"
    return whole, lower.execute(lower.lower(whole), level="-O0").split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    os.environ["MALLOC_PERTURB_"] = "165"  # What nothing has written is no zero.
    programs = views = kept = 0
    for seed in range(args.seed, args.seed + args.rounds):
        text = module(seed, args.count)
        before, expected = run(text, args.count)
        for way in WAYS:
            planned = lower.plan(text, way)
            after, found = run(planned, args.count)
            views += planned.count("memref.view")
            kept += planned.count("memref.alloc()")
            if args.keep:
                args.keep.mkdir(exist_ok=True)
                (args.keep / "before.mlir").write_text(before)
                (args.keep / "after.mlir").write_text(after)
            if found != expected or len(expected) != 4 * args.count:
                wrong = [i for i, (a, b) in enumerate(zip(expected, found)) if a != b]
                print(f"error: seed {seed}, '{way}': {len(wrong)} of {len(expected)} runs differ, first @p{wrong[0] // 4 if wrong else '?'}")
                return 1
        programs += args.count
    print(f"{programs} programs from seed {args.seed} on print the same, planned in {len(WAYS)} ways: {views} views, {kept} allocations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
