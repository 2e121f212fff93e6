#!/usr/bin/env python3
"""Makes a table of buffers like a given one, which still fits: a solver that was tuned to a few instances shows it on such copies.

usage: perturb_buffers.py PACKED.csv [--seed N] [--reverse] [--sizes] [--times] [--lives] [--shrink P] [-o OUT.csv]

PACKED.csv has the columns id,lower,upper,size,offset, as memplan-solve arena writes them; the packing may be bent but not broken:
  --sizes    stretches the bytes of the arena by a random increasing map that keeps the height, so that every size changes
  --times    the same for time
  --lives    lets live ranges begin earlier and end later where the packing leaves room, and shortens some
  --shrink P takes up to P percent off every size and off both ends of every life
  --reverse  turns time round
Rows come in a random order. Prints the table without offsets. Standard library only; the same seed gives the same table.
"""
import argparse
import csv
import random
import sys


def stretched(last, dice):
    """A random increasing map of 0 .. last to itself: linear between knots, with slopes that differ up to four times."""
    knots = sorted({0, last, *(dice.randrange(1, max(2, last)) for _ in range(12))})
    heights = [0.0]
    for low, high in zip(knots, knots[1:]):
        heights.append(heights[-1] + (high - low) * dice.uniform(0.5, 2))
    scale = (last - (len(knots) - 1)) / heights[-1]

    def at(value):
        k = max(i for i in range(len(knots)) if knots[i] <= value)
        if k + 1 == len(knots):
            return last
        part = (value - knots[k]) / (knots[k + 1] - knots[k])
        return int((heights[k] + part * (heights[k + 1] - heights[k])) * scale) + k

    return at


def map_ends(rows, low, high, last, dice):
    """Sends both ends of all intervals through one map; what was not empty stays so."""
    values = sorted({row[key] for row in rows for key in (low, high)})
    at, image, before = stretched(last, dice), {}, -1
    for i, value in enumerate(values):
        # Leaves room for those above.
        image[value] = before = max(before + 1, min(at(value), last - (len(values) - 1 - i)))
    for row in rows:
        row[low], row[high] = image[row[low]], image[row[high]]


def bend_lives(rows, last, dice):
    for row in rows:
        beside = [r for r in rows if r is not row and r["offset"] < row["top"] and row["offset"] < r["top"]]
        earliest = max([0] + [r["upper"] for r in beside if r["upper"] <= row["lower"]])
        latest = min([last] + [r["lower"] for r in beside if r["lower"] >= row["upper"]])
        life = row["upper"] - row["lower"]
        if dice.random() < 0.5:
            row["lower"] = max(earliest, row["lower"] - dice.randrange(life // 4 + 1))
        if dice.random() < 0.5:
            row["upper"] = min(latest, row["upper"] + dice.randrange(life // 4 + 1))
        elif dice.random() < 0.2:
            row["upper"] -= dice.randrange(life // 10 + 1)


def shrink_rows(rows, share, dice):
    for row in rows:
        life = row["upper"] - row["lower"]
        row["lower"] += int(life * dice.uniform(0, share))
        row["upper"] -= int(life * dice.uniform(0, share))
        row["top"] -= int((row["top"] - row["offset"]) * dice.uniform(0, share))


# What the suite `copies` of compare.py packs.
KINDS = {
    "reversed": {"reverse": True},
    "times": {"times": True},
    "shrunk 1 %": {"shrink": 1},
    "shrunk 4 %, reversed": {"shrink": 4, "reverse": True},
    "sizes": {"sizes": True},
    "lives": {"lives": True},
    "all": {"lives": True, "times": True, "sizes": True, "reverse": True},
}


def perturb(path, seed, reverse=False, sizes=False, times=False, lives=False, shrink=0):
    """Rows of (lower, upper, size) in a random order."""
    dice = random.Random(seed)
    with open(path, newline="") as file:
        rows = [{key: int(row[key]) for key in ("lower", "upper", "size", "offset")} for row in csv.DictReader(file)]
    for row in rows:
        row["top"] = row["offset"] + row["size"]
    last, height = max(row["upper"] for row in rows), max(row["top"] for row in rows)
    if lives:
        bend_lives(rows, last, dice)
    if times:
        map_ends(rows, "lower", "upper", last, dice)
    if sizes:
        map_ends(rows, "offset", "top", height, dice)
    if shrink:
        shrink_rows(rows, shrink / 100, dice)
    if reverse:
        for row in rows:
            row["lower"], row["upper"] = last - row["upper"], last - row["lower"]
    dice.shuffle(rows)
    return [(row["lower"], row["upper"], row["top"] - row["offset"]) for row in rows]


def write(rows, file):
    file.write("id,lower,upper,size\n")
    file.writelines(f"{i},{lower},{upper},{size}\n" for i, (lower, upper, size) in enumerate(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--seed", type=int, default=1)
    for flag in ("--sizes", "--times", "--lives", "--reverse"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--shrink", type=float, default=0)
    parser.add_argument("-o", dest="output")
    options = vars(parser.parse_args())
    path, seed, output = options.pop("file"), options.pop("seed"), options.pop("output")
    with open(output, "w", newline="") if output else sys.stdout as file:
        write(perturb(path, seed, **options), file)


if __name__ == "__main__":
    main()
