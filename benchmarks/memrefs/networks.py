"""Six networks on tensors, in tosa, linalg and scf, as MLIR text: weights are arguments, no constant is larger than a number.

    networks.py NAME [--size small|large]    prints one

`NETWORKS[name](size)` gives a Network: the text of @net and the types of its arguments and results.
"""
import argparse
import collections
import math

Network = collections.namedtuple("Network", "name text arguments results")


def tensor(shape, element="f32"):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>" if shape else f"tensor<{element}>"


class Builder:
    """Writes operations one after the other; a value is a pair of name and shape."""

    def __init__(self, name):
        self.name, self.arguments, self.lines, self.count, self.constants = name, [], [], 0, {}

    def fresh(self):
        self.count += 1
        return f"%{self.count}"

    def argument(self, *shape):
        self.arguments.append((f"%arg{len(self.arguments)}", shape))
        return self.arguments[-1]

    def emit(self, op, operands, shape, attributes="", element="f32"):
        types = ", ".join(tensor(s, *e) for _, s, *e in operands)
        name = self.fresh()
        self.lines.append(f"{name} = {op} {', '.join(o[0] for o in operands)}{' ' + attributes if attributes else ''} : ({types}) -> {tensor(shape, element)}")
        return (name, tuple(shape)) if element == "f32" else (name, tuple(shape), element)

    def number(self, value, shape=(1,), element="f32"):
        key = (value, shape, element)
        if key not in self.constants:
            name = self.fresh()
            self.lines.append(f'{name} = "tosa.const"() {{values = dense<{value}> : {tensor(shape, element)}}} : () -> {tensor(shape, element)}')
            self.constants[key] = (name, shape) if element == "f32" else (name, shape, element)
        return self.constants[key]

    def sizes(self, shape):
        name = self.fresh()
        self.lines.append(f"{name} = tosa.const_shape {{values = dense<[{', '.join(map(str, shape))}]> : tensor<{len(shape)}xindex>}} : () -> !tosa.shape<{len(shape)}>")
        return name

    def reshape(self, x, shape):
        sizes, name = self.sizes(shape), self.fresh()
        self.lines.append(f"{name} = tosa.reshape {x[0]}, {sizes} : ({tensor(x[1])}, !tosa.shape<{len(shape)}>) -> {tensor(shape)}")
        return name, tuple(shape)

    def unary(self, op, x):
        return self.emit(f"tosa.{op}", [x], x[1])

    def binary(self, op, x, y):
        shape = [max(a, b) for a, b in zip(x[1], y[1])]
        return self.emit(f"tosa.{op}", [x, y], shape)

    def mul(self, x, y):
        shift = self.number(0, (1,), "i8")
        return self.emit("tosa.mul", [x, y, shift], [max(a, b) for a, b in zip(x[1], y[1])])

    def scaled(self, x, factor):
        return self.mul(x, self.number(f"{factor:.8e}", (1,) * len(x[1])))

    def relu(self, x):
        return self.emit("tosa.clamp", [x], x[1], "{max_val = 3.4e38 : f32, min_val = 0.0 : f32}")

    def conv(self, x, channels, kernel=3, stride=1):
        n, h, w, c = x[1]
        pad = kernel // 2
        # tosa wants the windows to cover the padded input exactly.
        low = [pad, (-(h + 2 * pad - kernel)) % stride + pad if stride == 1 else pad - (h + 2 * pad - kernel) % stride]
        weights, bias, zero = self.argument(channels, kernel, kernel, c), self.argument(channels), self.number("0.0")
        height = (h + pad + low[1] - kernel) // stride + 1
        width = (w + pad + low[1] - kernel) // stride + 1
        return self.emit("tosa.conv2d", [x, weights, bias, zero, zero], (n, height, width, channels),
                         f"{{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: {pad}, {low[1]}, {pad}, {low[1]}>, stride = array<i64: {stride}, {stride}>}}")

    def max_pool(self, x):
        n, h, w, c = x[1]
        return self.emit("tosa.max_pool2d", [x], (n, h // 2, w // 2, c),
                         "{kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}")

    def upsample(self, x):
        """Each pixel four times."""
        n, h, w, c = x[1]
        row = self.concat([self.reshape(x, (n * h, w, 1, c))] * 2, 2)
        row = self.reshape(row, (n * h, 1, w * 2 * c))
        return self.reshape(self.concat([row] * 2, 1), (n, 2 * h, 2 * w, c))

    def concat(self, parts, axis):
        shape = list(parts[0][1])
        shape[axis] = sum(part[1][axis] for part in parts)
        return self.emit("tosa.concat", parts, shape, f"{{axis = {axis} : i32}}")

    def transpose(self, x, order):
        return self.emit("tosa.transpose", [x], [x[1][i] for i in order], f"{{perms = array<i32: {', '.join(map(str, order))}>}}")

    def matmul(self, x, y):
        zero = self.number("0.0")
        return self.emit("tosa.matmul", [x, y, zero, zero], (x[1][0], x[1][1], y[1][2]))

    def reduce(self, op, x, axis):
        shape = list(x[1])
        shape[axis] = 1
        return self.emit(f"tosa.reduce_{op}", [x], shape, f"{{axis = {axis} : i32}}")

    def mean(self, x, axis):
        return self.scaled(self.reduce("sum", x, axis), 1 / x[1][axis])

    def softmax(self, x):
        last = len(x[1]) - 1
        shifted = self.unary("exp", self.binary("sub", x, self.reduce("max", x, last)))
        return self.mul(shifted, self.unary("reciprocal", self.reduce("sum", shifted, last)))

    def layer_norm(self, x):
        last = len(x[1]) - 1
        centered = self.binary("sub", x, self.mean(x, last))
        variance = self.mean(self.mul(centered, centered), last)
        scale = self.unary("rsqrt", self.binary("add", variance, self.number("1.0e-5", (1,) * len(x[1]))))
        shape = (1,) * last + x[1][last:]
        return self.binary("add", self.mul(self.mul(centered, scale), self.argument(*shape)), self.argument(*shape))

    def dense(self, x, width):
        """x of shape (1, rows, columns)."""
        product = self.matmul(x, self.argument(1, x[1][2], width))
        return self.binary("add", product, self.argument(1, 1, width))

    def finish(self, results):
        arguments = ", ".join(f"{name}: {tensor(shape)}" for name, shape in self.arguments)
        types = ", ".join(tensor(shape) for _, shape in results)
        text = "\n  ".join([f"func.func @net({arguments}) -> ({types}) {{", *self.lines,
                            f"return {', '.join(name for name, _ in results)} : {types}"])
        return Network(self.name, text + "\n}\n", [shape for _, shape in self.arguments], [shape for _, shape in results])


def residual_cnn(size):
    """Three stages of two residual blocks, each but the first half as large and twice as wide; mean and a classifier."""
    n, pixels, width = (1, 8, 4) if size == "small" else (1, 64, 16)
    b = Builder("residual_cnn")
    x = b.relu(b.conv(b.argument(n, pixels, pixels, 3), width))
    for stage in range(3):
        for block in range(2):
            channels, stride = width << stage, 2 if stage and not block else 1
            y = b.conv(b.relu(b.conv(x, channels, 3, stride)), channels)
            short = x if x[1] == y[1] else b.conv(b.max_pool(x) if stride == 2 else x, channels, 1)
            x = b.relu(b.binary("add", y, short))
    pooled = b.reshape(b.mean(b.mean(x, 1), 2), (1, n, x[1][3]))
    return b.finish([b.softmax(b.dense(pooled, 10))])


def transformer_block(size):
    """Attention with several heads and a feed-forward part, both behind a layer norm and beside a skip connection."""
    rows, columns, heads = (8, 16, 2) if size == "small" else (128, 256, 4)
    b = Builder("transformer_block")
    x = b.argument(1, rows, columns)
    normed = b.layer_norm(x)

    def split(y):
        return b.transpose(b.reshape(y, (rows, heads, columns // heads)), [1, 0, 2])

    query, key, value = (split(b.dense(normed, columns)) for _ in range(3))
    scores = b.scaled(b.matmul(query, b.transpose(key, [0, 2, 1])), 1 / math.sqrt(columns // heads))
    mixed = b.reshape(b.transpose(b.matmul(b.softmax(scores), value), [1, 0, 2]), (1, rows, columns))
    x = b.binary("add", x, b.dense(mixed, columns))
    hidden = b.dense(b.layer_norm(x), 4 * columns)
    hidden = b.mul(hidden, b.unary("sigmoid", b.scaled(hidden, 1.702)))
    return b.finish([b.binary("add", x, b.dense(hidden, columns))])


def unet(size):
    """Down three times and up again; each level's pixels are joined with those that come up."""
    pixels, width = (16, 2) if size == "small" else (64, 8)
    b = Builder("unet")
    x = b.argument(1, pixels, pixels, 3)
    skipped = []
    for level in range(3):
        x = b.relu(b.conv(b.relu(b.conv(x, width << level)), width << level))
        skipped.append(x)
        x = b.max_pool(x)
    x = b.relu(b.conv(x, width << 3))
    for level in reversed(range(3)):
        x = b.concat([b.relu(b.conv(b.upsample(x), width << level)), skipped[level]], 3)
        x = b.relu(b.conv(b.relu(b.conv(x, width << level)), width << level))
    return b.finish([b.unary("sigmoid", b.conv(x, 1, 1))])


def two_branch(size):
    """A wide and a narrow branch of convolutions that meet, and two heads on what they give."""
    pixels, width = (12, 4) if size == "small" else (48, 16)
    b = Builder("two_branch")
    x = b.argument(1, pixels, pixels, 3)
    wide = b.relu(b.conv(b.relu(b.conv(x, 2 * width, 5)), width, 5))
    narrow = x
    for _ in range(4):
        narrow = b.relu(b.conv(narrow, width))
    both = b.concat([wide, narrow, b.binary("add", wide, narrow)], 3)
    mask = b.unary("sigmoid", b.conv(both, 1, 1))
    gated = b.mul(both, mask)
    pooled = b.reshape(b.mean(b.mean(gated, 1), 2), (1, 1, 3 * width))
    return b.finish([b.dense(b.unary("tanh", b.dense(pooled, width)), 5), mask])


def mlp_step(size):
    """Forward, backward and update of three dense layers: what training keeps for the backward pass lives long."""
    rows, widths = (4, [6, 10, 8, 3]) if size == "small" else (128, [256, 512, 256, 64])
    b = Builder("mlp_step")
    x, target = b.argument(1, rows, widths[0]), b.argument(1, rows, widths[-1])
    weights = [b.argument(1, i, o) for i, o in zip(widths, widths[1:])]
    seen = [x]
    for place, weight in enumerate(weights):
        y = b.matmul(seen[-1], weight)
        seen.append(y if place == 2 else b.relu(y))
    difference = b.binary("sub", seen[-1], target)
    loss = b.reduce("sum", b.reduce("sum", b.mul(difference, difference), 2), 1)
    gradient, results = b.scaled(difference, 2 / rows), []
    for place in reversed(range(3)):
        if place < 2:
            zero = b.number("0.0", (1, 1, 1))
            positive = b.emit("tosa.greater", [seen[place + 1], zero], seen[place + 1][1], element="i1")
            gradient = b.emit("tosa.select", [positive, gradient, zero], gradient[1])
        update = b.scaled(b.matmul(b.transpose(seen[place], [0, 2, 1]), gradient), 0.01)
        results.append(b.binary("sub", weights[place], update))
        gradient = b.matmul(gradient, b.transpose(weights[place], [0, 2, 1])) if place else None
    return b.finish([loss, *results])


def lstm(size):
    """Steps of an LSTM in a loop of scf that carries the hidden and the cell state; gates are slices of one product."""
    steps, rows, inputs, hidden = (3, 2, 5, 4) if size == "small" else (16, 32, 128, 128)
    h, g, x, row = (tensor((rows, hidden)), tensor((rows, 4 * hidden)), tensor((rows, inputs)), tensor((steps, rows, inputs)))
    w, u, bias = tensor((inputs, 4 * hidden)), tensor((hidden, 4 * hidden)), tensor((4 * hidden,))
    gates = "\n".join(f"    %gate{i} = tensor.extract_slice %sum[0, {i * hidden}] [{rows}, {hidden}] [1, 1] : {g} to {h}" for i in range(4))
    text = f"""#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @net(%x: {row}, %w: {w}, %u: {u}, %bias: {bias}, %h0: {h}, %c0: {h}) -> ({h}, {h}) {{
  %zero = arith.constant 0.0 : f32
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %steps = arith.constant {steps} : index
  %h, %c = scf.for %t = %0 to %steps step %1 iter_args(%hidden = %h0, %cell = %c0) -> ({h}, {h}) {{
    %now = tensor.extract_slice %x[%t, 0, 0] [1, {rows}, {inputs}] [1, 1, 1] : {row} to {x}
    %empty = tensor.empty() : {g}
    %start = linalg.broadcast ins(%bias : {bias}) outs(%empty : {g}) dimensions = [0]
    %one = linalg.matmul ins(%now, %w : {x}, {w}) outs(%start : {g}) -> {g}
    %sum = linalg.matmul ins(%hidden, %u : {h}, {u}) outs(%one : {g}) -> {g}
{gates}
    %in = tosa.sigmoid %gate0 : ({h}) -> {h}
    %forget = tosa.sigmoid %gate1 : ({h}) -> {h}
    %new = tosa.tanh %gate2 : ({h}) -> {h}
    %out = tosa.sigmoid %gate3 : ({h}) -> {h}
    %empty2 = tensor.empty() : {h}
    %cell2 = linalg.generic {{indexing_maps = [#both, #both, #both, #both, #both], iterator_types = ["parallel", "parallel"]}}
        ins(%in, %forget, %new, %cell : {h}, {h}, {h}, {h}) outs(%empty2 : {h}) {{
    ^bb0(%i: f32, %f: f32, %n: f32, %old: f32, %o: f32):
      %a = arith.mulf %i, %n : f32
      %b = arith.mulf %f, %old : f32
      %r = arith.addf %a, %b : f32
      linalg.yield %r : f32
    }} -> {h}
    %squashed = tosa.tanh %cell2 : ({h}) -> {h}
    %empty3 = tensor.empty() : {h}
    %hidden2 = linalg.mul ins(%out, %squashed : {h}, {h}) outs(%empty3 : {h}) -> {h}
    %next_hidden = linalg.copy ins(%hidden2 : {h}) outs(%hidden : {h}) -> {h}
    %next_cell = linalg.copy ins(%cell2 : {h}) outs(%cell : {h}) -> {h}
    scf.yield %next_hidden, %next_cell : {h}, {h}
  }}
  return %h, %c : {h}, {h}
}}
"""
    shapes = [(steps, rows, inputs), (inputs, 4 * hidden), (hidden, 4 * hidden), (4 * hidden,), (rows, hidden), (rows, hidden)]
    return Network("lstm", text, shapes, [(rows, hidden), (rows, hidden)])


NETWORKS = {make.__name__: make for make in (residual_cnn, transformer_block, unet, lstm, mlp_step, two_branch)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=list(NETWORKS))
    parser.add_argument("--size", choices=["small", "large"], default="small")
    args = parser.parse_args()
    print(NETWORKS[args.name](args.size).text, end="")
