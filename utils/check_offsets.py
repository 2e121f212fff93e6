#!/usr/bin/env python3
"""Checks a table of buffers with offsets: buffers alive together must not share a byte. Uses none of memplan's code.

usage: check_offsets.py FILE.csv [--input ORIGINAL.csv] [--alignment N] [--capacity BYTES]

Columns: id,lower,upper,size,offset and perhaps alignment, fixed_offset, gaps ("3-7 9-12"), space, conflicts ("b;c": ids of
buffers that must not share bytes with this one, though none of its steps may see them alive).
Exit status: 0 it holds, 1 a violation (printed), 2 a file cannot be read. Standard library only.
"""
import argparse
import bisect
import csv
import lzma
import sys
from dataclasses import dataclass, replace


class Violation(Exception):
    """The table breaks a rule."""


@dataclass(frozen=True)
class Buffer:
    id: str
    lower: int
    upper: int
    size: int
    alignment: int
    fixed: int | None
    gaps: tuple
    space: str
    conflicts: frozenset

    def lives(self):
        """The intervals in which it is alive."""
        at = self.lower
        for begin, end in self.gaps:
            if begin > at:
                yield at, begin
            at = max(at, end)
        if at < self.upper:
            yield at, self.upper


def number(row, column, default=None):
    text = (row.get(column) or "").strip()
    if not text and default is not None:
        return default
    try:
        return int(text)
    except ValueError:
        raise Violation(f"buffer {row.get('id')}: {column} '{text}' is not an integer") from None


def parse_gaps(row):
    gaps = []
    for part in (row.get("gaps") or "").split():
        begin, dash, end = part.partition("-")
        try:
            whole = dash and begin.isdecimal() and (int(begin), int(end))
        except ValueError:
            whole = None
        if not whole:
            raise Violation(f"buffer {row.get('id')}: gap '{part}' is not an interval")
        gaps.append(whole)
    return tuple(sorted(gaps))


def parse_conflicts(row):
    text = (row.get("conflicts") or "").strip()
    return frozenset(part.strip() for part in text.split(";")) if text else frozenset()


def complete_conflicts(buffers):
    """Names each pair at both of its buffers."""
    others = {id: set(buffer.conflicts) for id, buffer in buffers.items()}
    for buffer in buffers.values():
        for other in buffer.conflicts:
            if other not in buffers or other == buffer.id or buffers[other].space != buffer.space:
                raise Violation(f"buffer {buffer.id} conflicts with {other}, which is no other buffer of its space")
            others[other].add(buffer.id)
    return {id: replace(buffer, conflicts=frozenset(others[id])) for id, buffer in buffers.items()}


def read(path, with_offsets):
    """Buffers and, if asked for, their offsets, by id."""
    buffers, offsets = {}, {}
    with (lzma.open if str(path).endswith(".xz") else open)(path, "rt", newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        for column in ["id", "lower", "upper", "size"] + ["offset"] * with_offsets:
            if column not in (reader.fieldnames or []):
                raise Violation(f"{path}: column {column} is missing")
        for row in reader:
            if row["id"] in buffers:
                raise Violation(f"two buffers {row['id']}")
            if None in row or None in row.values():
                raise Violation(f"buffer {row['id']}: another number of cells than the header")
            has_place = bool((row.get("fixed_offset") or "").strip())
            buffer = Buffer(
                id=row["id"],
                lower=number(row, "lower"),
                upper=number(row, "upper"),
                size=number(row, "size"),
                alignment=number(row, "alignment", 1),
                fixed=number(row, "fixed_offset") if has_place else None,
                gaps=parse_gaps(row),
                space=row.get("space") or "",
                conflicts=parse_conflicts(row),
            )
            if buffer.lower >= buffer.upper or buffer.size < 0 or buffer.alignment < 1:
                raise Violation(f"buffer {buffer.id} has an empty life, negative size or no alignment")
            buffers[buffer.id] = buffer
            if with_offsets:
                offsets[buffer.id] = number(row, "offset")
    return complete_conflicts(buffers), offsets


def check_alone(buffer, offset, alignment):
    if offset < 0:
        raise Violation(f"buffer {buffer.id} is at the negative offset {offset}")
    for step in (alignment, buffer.alignment):
        if offset % step:
            raise Violation(f"buffer {buffer.id} at offset {offset} is not aligned to {step}")
    if buffer.fixed is not None and buffer.fixed != offset:
        raise Violation(f"buffer {buffer.id} is fixed at {buffer.fixed}, not at {offset}")


class Cover:
    """The lightest cover of live ranges by chains, each range as often as it weighs, which is as heavy as the heaviest set of
    which no two follow each other (Dilworth). A chain that goes on saves what it carries; savings grow along paths."""

    def __init__(self, members):
        ranges = sorted((begin, end, b.id, b) for b in members for begin, end in b.lives())
        self.weights = [buffer.size for _, _, _, buffer in ranges]
        self.after = [0] * len(ranges)  # Bit sets of the ranges that come later.
        for i in reversed(range(len(ranges))):
            _, end, _, buffer = ranges[i]
            for j in range(i + 1, len(ranges)):
                if ranges[j][0] >= end and ranges[j][2] not in buffer.conflicts:
                    self.after[i] |= 1 << j | self.after[j]
        self.to_give = list(self.weights)
        self.to_take = list(self.weights)
        self.carried = [{} for _ in ranges]  # By range that takes: bytes by range that gives.

    def widen(self, start):
        """Saves more from range `start` on, or says that nothing is left to save."""
        came, queue, unseen = {start: None}, [start], (1 << len(self.weights)) - 1
        for giver in queue:
            found = self.after[giver] & unseen
            unseen &= ~found
            while found:
                receiver = found.bit_length() - 1
                found ^= 1 << receiver
                if self.to_take[receiver]:
                    return self.save(came, giver, receiver)
                for other, amount in self.carried[receiver].items():
                    if amount and other not in came:
                        came[other] = (giver, receiver)
                        queue.append(other)
        return False

    def save(self, came, giver, receiver):
        path, amount = [(giver, receiver, None)], self.to_take[receiver]
        while came[giver]:
            before, instead = came[giver]
            amount = min(amount, self.carried[instead][giver])
            path.append((before, instead, giver))
            giver = before
        amount = min(amount, self.to_give[giver])
        self.to_give[giver] -= amount
        self.to_take[receiver] -= amount
        for before, at, loser in path:
            self.carried[at][before] = self.carried[at].get(before, 0) + amount
            if loser is not None:
                self.carried[at][loser] -= amount
        return True

    def heaviest(self):
        for start in range(len(self.weights)):
            while self.to_give[start] and self.widen(start):
                pass
        return sum(self.to_take)


def check_conflicts(members, offsets):
    by_id = {buffer.id: buffer for buffer in members}
    for buffer in members:
        for other in buffer.conflicts & by_id.keys():
            low, high = offsets[buffer.id], offsets[buffer.id] + buffer.size
            if low < offsets[other] + by_id[other].size and offsets[other] < high:
                raise Violation(f"buffers {buffer.id} and {other} conflict and share bytes")


# Live ranges of one space up to which the bound considers further conflicts; with more it is the largest live bytes.
MOST_RANGES = 1000


def check_together(buffers, offsets):
    """For each space, cuts time at every birth and death. Returns bound and height summed over spaces, and the greatest height."""
    spaces = {}
    for buffer in buffers.values():
        if buffer.size > 0:
            spaces.setdefault(buffer.space, []).append(buffer)
    loads, heights = [0], [0]
    for members in spaces.values():
        births, deaths = {}, {}
        for buffer in members:
            for begin, end in buffer.lives():
                births.setdefault(begin, []).append(buffer)
                deaths.setdefault(end, []).append(buffer)
        # (offset, end, id), by offset and disjoint: a new one could only overlap a neighbour.
        alive, load, worst = [], 0, 0
        for time in sorted(births.keys() | deaths.keys()):
            for buffer in deaths.get(time, []):
                del alive[bisect.bisect(alive, (offsets[buffer.id],))]
                load -= buffer.size
            for buffer in births.get(time, []):
                low, high = offsets[buffer.id], offsets[buffer.id] + buffer.size
                place = bisect.bisect(alive, (low,))
                for begin, end, other in alive[max(0, place - 1):place + 1]:
                    if low < end and begin < high:
                        raise Violation(f"buffers {buffer.id} and {other} share bytes at time {time}")
                alive.insert(place, (low, high, buffer.id))
                load += buffer.size
            worst = max(worst, load)
        if any(buffer.conflicts for buffer in members):
            check_conflicts(members, offsets)
            if sum(1 for buffer in members for _ in buffer.lives()) <= MOST_RANGES:
                worst = max(worst, Cover(members).heaviest())
        loads.append(worst)
        heights.append(max(offsets[b.id] + b.size for b in members))
    return sum(loads), sum(heights), max(heights)


def check(path, original=None, alignment=1, capacity=None):
    """Raises Violation, or returns (number of buffers, lower bound, height)."""
    buffers, offsets = read(path, with_offsets=True)
    if original and read(original, with_offsets=False)[0] != buffers:
        raise Violation("the buffers are not those of the input")
    for buffer in buffers.values():
        check_alone(buffer, offsets[buffer.id], alignment)
    load, height, highest = check_together(buffers, offsets)
    if capacity is not None and highest > capacity:
        raise Violation(f"height {highest} exceeds the capacity {capacity}")
    return len(buffers), load, height


def one_line(text):
    """Cells may hold lines of their own, and be long."""
    return " ".join(text.split())[:500]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--input")
    parser.add_argument("--alignment", type=int, default=1)
    parser.add_argument("--capacity", type=int)
    options = parser.parse_args()
    if options.alignment < 1:
        parser.error(f"--alignment must be positive, not {options.alignment}")
    try:
        count, load, height = check(options.file, options.input, options.alignment, options.capacity)
    except Violation as violation:
        print(one_line(f"violation: {violation}"))
        return 1
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        print(one_line(str(error)), file=sys.stderr)
        return 2
    print(f"ok buffers={count} lower_bound={load} height={height}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
