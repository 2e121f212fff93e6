#!/usr/bin/env python3
"""Is a network's output the same, bit for bit, with its buffers in an arena as with allocations of their own?

usage: check.py NAME [--size small|large] [--build FOLDER]
Brings the network down by mlir-opt, plans it, lowers and runs it unplanned, with an arena that it allocates and with one that it is given.
Prints the bytes; exit status 1 when an output differs, when an allocation stays, when the arena is larger than the live bound without
proof, or larger than best fit in program order.
"""
import argparse
import sys

import lower
import networks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=list(networks.NETWORKS))
    parser.add_argument("--size", choices=["small", "large"], default="small")
    parser.add_argument("--build", help="folder of a build; default: memplan-opt in PATH, or build/")
    args = parser.parse_args()
    network = networks.NETWORKS[args.name](args.size)
    text = lower.bufferize(network.text)
    allocated, row = lower.plan_reported(text, "", args.build and f"{args.build}/bin/memplan-opt")
    given, _ = lower.plan_reported(text, "arena=argument", args.build and f"{args.build}/bin/memplan-opt")
    _, peer = lower.plan_reported(text, "solver=best-fit", args.build and f"{args.build}/bin/memplan-opt")
    printed = lower.execute(lower.lower(lower.with_main([text, allocated, given], network)), level="-O0").split()
    count = len(network.results)
    outputs = [printed[i * count:(i + 1) * count] for i in range(3)]
    print(f"{args.name}: {row['buffers']} buffers of {row['separate_bytes']} bytes in {row['arena_bytes']}, live bound {row['bound_bytes']}, "
          f"best fit {peer['arena_bytes']}, outputs {' '.join(outputs[0])}")
    faults = [what for what, wrong in (
        ("an output differs", outputs[1:] != outputs[:1] * 2 or len(printed) != 3 * count),
        ("an allocation stays", row["kept"] or "memref.alloc" in given),
        ("the arena is not proved", not row["optimal"]),
        ("the arena is above best fit", row["arena_bytes"] > peer["arena_bytes"])) if wrong]
    print("\n".join(f"error: {fault}" for fault in faults) or "the same bits in an arena")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
