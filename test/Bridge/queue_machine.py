"""Runs a planned function on cells of 64 bytes, in every order that its streams and copy engines allow.

Reads the text of the planned form. An operation starts when what directly precedes it has ended: the one before it on its queue,
what its stream waited for and, for a copy, what its stream had been given. While it runs, what it makes is spoiled; what it
reads must not change meanwhile, or it makes something that is nobody's value. No clocks, no verifier: only what cells hold.
"""
import re
from dataclasses import dataclass, field

CELL = 64
BYTES = {"f32": 4, "i8": 1, "i64": 8}


class TooManyOrders(Exception):
    pass


@dataclass
class Operation:
    name: str  # what it computes: operation and attributes that count
    queue: object
    after: set = field(default_factory=set)
    reads: list = field(default_factory=list)  # lists of cells
    makes: list = field(default_factory=list)
    scratch: list = field(default_factory=list)
    is_copy: bool = False


def byte_count(memref):
    shape = re.match(r"memref<([^,>]+)", memref).group(1).split("x")
    count = BYTES[shape[-1]]
    for size in shape[:-1]:
        count *= int(size)
    return count


class Machine:
    def __init__(self, text):
        self.places, self.numbers, self.operations, self.results = {}, {}, [], []
        self.last, self.waits, self.events, self.state, self.hosted = {}, {}, {}, {}, []
        header = next(line for line in text.splitlines() if "func.func" in line)
        inside = header[header.index("(") : header.index(" attributes ")]
        for argument, memref in re.findall(r"(%arg\d+): (memref<[^>]*>)", inside):
            cells = [(argument, k) for k in range(-(-byte_count(memref) // CELL))]
            self.places[argument] = cells
            self.state.update({cell: ("before", cell) for cell in cells})
        # What is on the host between steps is there, and has to be there at the end.
        for argument, offset in re.findall(r"(%arg\d+): memref<[^>]*> \{[^}]*memplan.host_offset = (\d+)", inside):
            first = int(offset) // CELL
            for k, cell in enumerate(self.places[argument]):
                self.state[("%arg1", first + k)] = ("before", cell)
                self.hosted.append(("%arg1", first + k))
        for line in text.splitlines():
            self.read(line.strip())

    def read(self, line):
        if match := re.match(r"(%\w+) = arith.constant (\d+) : index", line):
            self.numbers[match[1]] = int(match[2])
        elif match := re.match(r"(%\w+) = memref.view (%\w+)\[(%\w+)\]\[\] : .* to (memref<.*>)", line):
            first = self.numbers[match[3]] // CELL
            size = -(-byte_count(match[4]) // CELL)
            self.places[match[1]] = self.places[match[2]][first : first + size]
        elif match := re.match(r"(%\w+) = memplan.(evict|fetch) (%\w+) to (%\w+)", line):
            stream = self.stream(line)
            copy = self.put("copy", {"evict": "d2h", "fetch": "h2d"}[match[2]], stream)
            copy.is_copy, copy.reads, copy.makes = True, [self.places[match[3]]], [self.places[match[4]]]
            self.events[match[1]] = {len(self.operations) - 1}
        elif match := re.match(r"(%\w+) = memplan.record", line):
            stream = self.stream(line)
            self.events[match[1]] = self.waits.get(stream, set()) | ({self.last[stream]} if stream in self.last else set())
        elif match := re.match(r"memplan.wait (%\w+)", line):
            self.waits.setdefault(self.stream(line), set()).update(self.events[match[1]])
        elif match := re.match(r"memplan\.(\w+) ", line):
            self.compute(match[1], line)
        elif line.startswith("return"):
            self.results = [self.places[name] for name in re.findall(r"%\w+", line)]

    def stream(self, line):
        match = re.search(r"on stream (\d+)|memplan.stream = (\d+)", line)
        return int(match[1] or match[2]) if match else 0

    def put(self, name, queue, stream):
        before = {self.last[q] for q in (queue, stream) if q in self.last}
        operation = Operation(name, queue, before | self.waits.get(stream, set()))
        self.last[queue] = len(self.operations)
        self.operations.append(operation)
        return operation

    def compute(self, name, line):
        stream = self.stream(line)
        attributes = re.search(r"\{(.*)\}$", line)
        counts = [a for a in re.split(r", (?=[\w.]+(?: =|,|$))", attributes[1] if attributes else "")
                  if not re.match(r"memplan\.|run\b", a)]
        operation = self.put(f"{name} {sorted(counts)}", stream, stream)

        def operands(keyword):
            match = re.search(keyword + r"\(([^:)]*) :", line)
            return [self.places[n] for n in re.findall(r"%\w+", match[1])] if match else []

        operation.reads, operation.makes = operands("ins"), operands("outs")
        operation.scratch = operands("workspace")

    # --- Values ---

    def values(self, number, memory):
        """What the operation leaves where it writes, from what it reads now."""
        operation = self.operations[number]
        found = [tuple(memory[self.cell[c]] for c in cells) for cells in operation.reads]
        if operation.is_copy:
            return [(c, v) for c, v in zip(operation.makes[0], found[0])]
        value = self.names.setdefault((operation.name, tuple(found)), len(self.names))
        return [(c, (value, o, k)) for o, cells in enumerate(operation.makes) for k, c in enumerate(cells)]

    def final(self, memory):
        """Results, and the arguments that are no arenas."""
        kept = [c for c in self.cell if self.places_kept(c)]
        return (tuple(tuple(memory[self.cell[c]] for c in cells) for cells in self.results),
                tuple(memory[self.cell[c]] for c in kept))

    def places_kept(self, cell):
        return cell[0] not in self.arenas or cell in self.hosted

    # --- Every order ---

    def outcomes(self, names, arenas, most_states=60000):
        """All that the step may leave. `names` numbers values, the same for all machines that are compared."""
        self.names, self.arenas = names, arenas
        self.cell = {c: k for k, c in enumerate(self.state)}
        before = [sum(1 << n for n in o.after) for o in self.operations]
        everything = (1 << len(self.operations)) - 1
        first = (0, 0, (), tuple(self.state.values()))
        todo, seen, found = [first], {first}, set()
        while todo:
            started, ended, running, memory = todo.pop()
            if ended == everything:
                found.add(self.final(memory))
            for number in range(len(self.operations)):
                bit = 1 << number
                if not started & bit and before[number] & ended == before[number]:
                    state = self.start(number, started, ended, running, memory)
                elif started & bit and not ended & bit:
                    state = self.finish(number, started, ended, running, memory)
                else:
                    continue
                if state not in seen:
                    seen.add(state)
                    todo.append(state)
            if len(seen) > most_states:
                raise TooManyOrders
        return found

    def start(self, number, started, ended, running, memory):
        operation = self.operations[number]
        makes = tuple(self.values(number, memory))
        cells = list(memory)
        for target in operation.makes + operation.scratch:
            for cell in target:
                cells[self.cell[cell]] = ("spoiled", number)
        reads = tuple((c, cells[self.cell[c]]) for r in operation.reads for c in r)
        return started | 1 << number, ended, tuple(sorted((*running, (number, makes, reads)))), tuple(cells)

    def finish(self, number, started, ended, running, memory):
        operation = self.operations[number]
        mine = next(r for r in running if r[0] == number)
        # What it reads is as it was at its start, and nobody else has written where it writes.
        good = all(memory[self.cell[c]] == value for c, value in mine[2])
        good = good and all(memory[self.cell[c]] == ("spoiled", number)
                            for target in operation.makes + operation.scratch for c in target)
        cells = list(memory)
        for cell, value in mine[1]:
            cells[self.cell[cell]] = value if good else ("nobody's", number)
        for target in operation.scratch:
            for cell in target:
                cells[self.cell[cell]] = ("scratch", number)
        return started, ended | 1 << number, tuple(r for r in running if r[0] != number), tuple(cells)
