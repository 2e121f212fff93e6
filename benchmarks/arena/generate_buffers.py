#!/usr/bin/env python3
"""Makes tables of buffers of any size: generate_buffers.py KIND COUNT SEED OUT.csv

  training  a training step, layer by layer: values that backward reads live until it has read them, in reverse order; others and gradients of
            values are short; workspaces live one step; gradients of parameters are reduced in buckets
  recomputed the same, where six layers of ten drop their values and make them again before backward reads them
  cuts      a rectangle of 2^30 bytes, cut in two again and again by straight cuts: it packs without a byte lost
  pinwheel  the same, where every second cut is a pinwheel of five pieces, which no straight cut undoes

Rows come in a random order. Standard library only; the same arguments give the same table.
"""
import argparse
import heapq
import random

GRAIN = 512
HEIGHT = 1 << 30


def layer_sizes(dice):
    """(bytes, is it read by backward?) for each operation of a layer."""
    width = dice.choice([128, 192, 256, 384, 512]) * GRAIN
    kinds = {
        "attention": [(3, True), (1, False), (dice.choice([2, 4, 8]), True), (1, True), (1, False)],
        "mlp": [(1, False), (4, True), (4, True), (1, False), (1, True)],
        "convolution": [(2, True), (dice.choice([1, 3, 9]), False), (2, True), (1, dice.random() < 0.5)],
    }
    operations = kinds[dice.choice(sorted(kinds))]
    return [(width * factor + GRAIN * dice.randrange(3), saved) for factor, saved in operations]


class TrainingStep:
    def __init__(self, count, recomputed, dice):
        self.dice, self.buffers, self.step = dice, [], 0
        # A layer makes about 15 buffers, recomputed or not.
        layers = [layer_sizes(dice) for _ in range(max(2, count // 15))]
        dropped = [recomputed and dice.random() < 0.6 for _ in layers]
        saved = [self.forward(layer, drop) for layer, drop in zip(layers, dropped)]
        buckets = []
        for layer, drop, begins in reversed(list(zip(layers, dropped, saved))):
            if drop:
                begins = self.forward(layer, False)
            self.backward(layer, begins, buckets)
            if len(buckets) > 24:
                self.reduce(buckets)
        self.reduce(buckets)

    def add(self, begin, end, size):
        self.buffers.append((begin, end, size))

    def forward(self, layer, drop):
        """When each value was made; none for those that do not live until backward."""
        begins, first = [], self.step
        for size, is_saved in layer:
            if self.dice.random() < 0.25:
                self.add(self.step, self.step + 1, GRAIN * self.dice.randint(1, 4096))
            if not is_saved or drop:
                # Live until the next operation or two, or the end of a layer that is dropped.
                self.add(self.step, min(self.step + self.dice.choice([2, 2, 3]), first + len(layer) + 1), size)
            begins.append(self.step if is_saved and not drop else None)
            self.step += 1
        return begins

    def backward(self, layer, begins, buckets):
        for (size, _), begin in reversed(list(zip(layer, begins))):
            if begin is not None:
                self.add(begin, self.step + 1 + self.dice.choice([0, 0, 1]), size)
            self.add(self.step, self.step + self.dice.choice([2, 2, 3]), size)
            if self.dice.random() < 0.3:
                self.add(self.step, self.step + 1, GRAIN * self.dice.randint(1, 8192))
            if self.dice.random() < 0.4:
                buckets.append((self.step, GRAIN * self.dice.randint(1, 9000)))
            self.step += 1

    def reduce(self, buckets):
        for begin, size in buckets:
            self.add(begin, self.step + 1, size)
        buckets.clear()


def pinwheel(piece, dice):
    """Five pieces around each other, or none where there is no room."""
    begin, end, low, high = piece
    if end - begin < 8 or high - low < 1024:
        return None
    a, b = sorted(dice.sample(range(begin + 1, end), 2))
    c, d = sorted(low + 64 * k for k in dice.sample(range(1, (high - low) // 64), 2))
    return [(begin, a, low, d), (begin, b, d, high), (b, end, c, high), (a, end, low, c), (a, b, c, d)]


def cut(piece, span, dice):
    begin, end, low, high = piece
    across_time = dice.random() < 0.5 if dice.random() < 0.5 else (end - begin) * HEIGHT > (high - low) * span
    if across_time and end - begin >= 2:
        at = begin + max(1, min(end - begin - 1, int((end - begin) * dice.uniform(0.2, 0.8))))
        return [(begin, at, low, high), (at, end, low, high)]
    if high - low >= 128:
        at = low + max(64, min(high - low - 64, int((high - low) * dice.uniform(0.2, 0.8)) // 64 * 64))
        return [(begin, end, low, at), (begin, end, at, high)]
    return None


def cut_rectangle(count, with_pinwheels, dice):
    span = max(1 << 20, 64 * count)
    heap, whole = [(-1.0, (0, span, 0, HEIGHT))], []
    while heap and len(heap) + len(whole) < count:
        _, piece = heapq.heappop(heap)
        parts = pinwheel(piece, dice) if with_pinwheels and dice.random() < 0.5 else None
        parts = parts or cut(piece, span, dice)
        if parts is None:
            whole.append(piece)
            continue
        for part in parts:
            heapq.heappush(heap, (-(part[1] - part[0]) * (part[3] - part[2]) * dice.uniform(0.3, 1), part))
    return [(begin, end, high - low) for begin, end, low, high in whole + [piece for _, piece in heap]]


KINDS = {
    "training": lambda count, dice: TrainingStep(count, False, dice).buffers,
    "recomputed": lambda count, dice: TrainingStep(count, True, dice).buffers,
    "cuts": lambda count, dice: cut_rectangle(count, False, dice),
    "pinwheel": lambda count, dice: cut_rectangle(count, True, dice),
}


def generate(kind, count, seed, path):
    dice = random.Random(f"{kind}/{count}/{seed}")
    buffers = KINDS[kind](count, dice)
    dice.shuffle(buffers)
    with open(path, "w") as file:
        file.write("id,lower,upper,size\n")
        file.writelines(f"{i},{begin},{end},{size}\n" for i, (begin, end, size) in enumerate(buffers))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("output")
    arguments = parser.parse_args()
    generate(arguments.kind, arguments.count, arguments.seed, arguments.output)


if __name__ == "__main__":
    main()
