#!/usr/bin/env python3
"""Reads the table of allowed edges between rooms and proves that they form no cycle.

usage: check_cycles.py TABLE
Rooms with * may know any room; no other room may name them. Prints one line for each cycle and each such name; exit
status 1 when there is one.
"""
import pathlib
import sys

from check_includes import read_table, room_of


def edges(table):
    """Room to the rooms that it may include. An entry may name a room, one header, or the beginning of several."""
    plain = {room: entries for room, entries in table.items() if "*" not in entries}
    graph = {room: set() for room in plain}
    for room, entries in plain.items():
        for entry in entries:
            targets = {room_of(entry.rstrip("*"), table)}
            if entry.endswith("*"):
                targets |= {other for other in table if other.startswith(entry[:-1])}
            graph[room] |= targets - {None, room}
    return graph


def find_cycle(graph):
    """One cycle as a list of rooms whose first is also its last, or None."""
    done, path = set(), []

    def visit(room):
        if room in path:
            return path[path.index(room) :] + [room]
        if room in done:
            return None
        path.append(room)
        for target in sorted(graph.get(room, ())):
            if cycle := visit(target):
                return cycle
        path.pop()
        done.add(room)
        return None

    for room in sorted(graph):
        if cycle := visit(room):
            return cycle
    return None


def main(path):
    table = read_table(pathlib.Path(path))
    graph = edges(table)
    problems = []
    for room, targets in graph.items():
        problems += [f"{room} may not name {t}, which may include anything" for t in targets if t not in graph]
    while cycle := find_cycle(graph):
        problems.append("cycle of rooms: " + " -> ".join(cycle))
        graph[cycle[-2]].discard(cycle[-1])
    print("\n".join(problems or [f"{len(table)} rooms form no cycle"]))
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_cycles.py TABLE")
    sys.exit(main(sys.argv[1]))
