"""Evaluates the text of a program in tensor form with torch operators.

It shares no code with the exporter or the compiler and reads only the text, so that it tells whether the text means what a module
computes. Reads what the exporter writes and what memplan-opt prints.
"""

from __future__ import annotations

import dataclasses
import json
import re
import struct

import torch
from torch.nn import functional as F

import philox

_DTYPES = {"f32": torch.float32, "i64": torch.int64, "i8": torch.int8}
_TYPE = re.compile(r"tensor<((?:\d+x)*)(f32|i64|i8)>")
_OP = re.compile(r"    (%\S+(?:, %\S+)*) = memplan\.(\w+)\s*((?:%[^\s,{]+(?:, )?)*)\s*(\{.*\})? : \(.*?\) -> (.*)$")
_TOKEN = re.compile(r'"[^"]*"|0x[0-9A-F]+|dense<[^>]*>|tensor<[^>]*>|-?\d+\.\d*(?:e[-+]?\d+)?|-?\d+|[\w.]+|[{}\[\],=:]')


@dataclasses.dataclass
class Operand:
    """A function argument or result."""

    name: str
    shape: tuple
    dtype: torch.dtype
    marks: dict


@dataclasses.dataclass
class Program:
    arguments: list
    results: list
    ops: list  # (results, op, operands, attributes, result types, location)
    returned: list
    attributes: dict


def _types(text: str) -> list:
    return [(tuple(int(d) for d in dims.split("x") if d), _DTYPES[dtype]) for dims, dtype in _TYPE.findall(text)]


class _Attributes:
    """Recursive descent over `{name = value, unit}`."""

    def __init__(self, text):
        self.tokens, self.at = _TOKEN.findall(text), 0

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def dictionary(self):
        assert self.take() == "{"
        result = {}
        while self.peek() != "}":
            name = self.take()
            result[name] = True
            if self.peek() == "=":
                self.take()
                result[name] = self.value()
            if self.peek() == ",":
                self.take()
        self.take()
        return result

    def value(self):
        token = self.take()
        if token == "{":
            self.at -= 1
            return self.dictionary()
        if token == "[":
            items = []
            while self.peek() != "]":
                if self.peek() == ",":
                    self.take()
                items.append(int(self.take()))
            self.take()
            return items
        value = self.scalar(token)
        if self.peek() == ":":
            self.take()
            kind = self.take()
            if token.startswith("dense<"):
                # Numbers that are not finite are written as the bits of an f32.
                value = re.sub("0x[0-9A-F]{8}", lambda m: json.dumps(struct.unpack(">f", bytes.fromhex(m[0][2:]))[0]), value)
                return torch.tensor(json.loads(value), dtype=_types(kind)[0][1]).expand(_types(kind)[0][0])
        return value

    def scalar(self, token):
        if token.startswith('"'):
            return token[1:-1]
        if token.startswith("dense<"):
            return token[len("dense<"):-1]
        if token.startswith("0x"):
            return struct.unpack(">d", bytes.fromhex(token[2:]))[0]
        if token in ("true", "false"):
            return token == "true"
        return float(token) if "." in token else int(token)


def parse(text: str) -> Program:
    """The one function of a module."""
    lines = [line for line in text.splitlines() if not line.startswith("//")]
    first = next(i for i, line in enumerate(lines) if re.match(r"    %\S+(, %\S+)* = ", line))
    header = "\n".join(lines[:first])
    signature, _, attributes = header.partition("attributes {")
    inputs, _, outputs = re.sub(r"\)\s*->\s*\(?", ") -> ", signature, count=1).partition(") -> ")
    arguments = [_operand("%" + name, kind, marks) for name, kind, marks in
                 re.findall(r"%([\w.$-]+): (tensor<[^>]*>)(?: (\{[^{}]*\}))?", inputs)]
    results = [_operand("", kind, marks) for kind, marks in re.findall(r"(tensor<[^>]*>)(?: (\{[^{}]*\}))?", outputs)]
    ops, returned = [], []
    for line in lines[first:]:
        if line.startswith("    return "):
            returned = line.removeprefix("    return ").split(" : ")[0].split(", ")
        elif line.startswith("    "):
            match = _OP.match(line)
            assert match, line
            types, _, location = match[5].partition(' loc("')
            marks = _Attributes(match[4]).dictionary() if match[4] else {}
            operands = [o for o in match[3].strip().split(", ") if o]
            ops.append((_result_names(match[1]), match[2], operands, marks, _types(types), location.removesuffix('")')))
    assert len(returned) == len(results)
    return Program(arguments, results, ops, returned, _Attributes("{" + attributes.rsplit(" {", 1)[0]).dictionary() if attributes else {})


def _operand(name, kind, marks) -> Operand:
    (shape, dtype), = _types(kind)
    return Operand(name, shape, dtype, _Attributes(marks).dictionary() if marks else {})


def _result_names(text: str) -> list:
    """`%a, %b`, or `%0:2` for %0#0 and %0#1."""
    name, _, count = text.partition(":")
    return [f"{name}#{i}" for i in range(int(count))] if count else text.split(", ")


def _agrees(dtype, declared) -> bool:
    # Doubles in place of f32 make comparisons sharp: what is left is rounding of the 16th digit.
    return dtype == declared or (dtype, declared) == (torch.float64, torch.float32)


def evaluate(program: Program, values: dict, dropout=None) -> list:
    """Results for `values` (argument name of `memplan.name` -> tensor). dropout(value, p, salt) computes a dropout."""
    environment = {}
    for argument in program.arguments:
        value = values[argument.marks["memplan.name"]]
        assert tuple(value.shape) == argument.shape and _agrees(value.dtype, argument.dtype), argument
        environment[argument.name] = value
    double = any(value.dtype == torch.float64 for value in environment.values())
    for names, op, operands, attributes, types, _ in program.ops:
        inputs = [environment[o] for o in operands]
        attributes = {**attributes, "result_shapes": [shape for shape, _ in types]}
        outputs = dropout(inputs[0], attributes["p"], attributes["salt"]) if op == "dropout" else OPS[op](attributes, *inputs)
        outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
        assert len(outputs) == len(names) == len(types), (names, op)
        for name, output, (shape, dtype) in zip(names, outputs, types):
            # Constants are f32 in the text, whatever the precision of this evaluation.
            output = output.double() if op == "constant" and double and dtype == torch.float32 else output
            assert tuple(output.shape) == shape and _agrees(output.dtype, dtype), f"{op} {name}: {tuple(output.shape)} is not {shape}"
            environment[name] = output
    return [environment[name] for name in program.returned]


def _conv(a, x, w, b=None):
    return F.conv2d(x, w, b, a.get("strides", 1), a.get("padding", 0), a.get("dilation", 1), a.get("groups", 1))


def _conv_transpose(a, x, w, b=None):
    return F.conv_transpose2d(x, w, b, a.get("strides", 1), a.get("padding", 0), a.get("output_padding", 0), a.get("groups", 1),
                              a.get("dilation", 1))


def _matmul(a, x, w, b=None):
    x = x.mT if a.get("transpose_lhs") else x
    product = x @ (w.mT if a.get("transpose_rhs") else w)
    return product if b is None else product + b


def _batch_norm(a, x, scale, bias):
    dims = [d for d in range(x.dim()) if d != 1]
    variance, mean = torch.var_mean(x, dims, correction=0)
    count = x.numel() // x.shape[1]
    invstd = (variance + a["epsilon"]).rsqrt()
    shape = [1, -1] + [1] * (x.dim() - 2)
    output = (x - mean.view(shape)) * (invstd * scale).view(shape) + bias.view(shape)
    return output, mean, invstd, variance * count / max(count - 1, 1)


def _layer_norm(a, x, scale, bias):
    variance, mean = torch.var_mean(x, -1, correction=0)
    rstd = (variance + a["epsilon"]).rsqrt()
    return (x - mean[..., None]) * rstd[..., None] * scale + bias, mean, rstd


def _max_pool(a, x):
    """Output, and the position row * kw + column of the largest element inside its window."""
    (kh, kw), (ph, pw) = a["kernel"], a.get("padding", [0, 0])
    padded = F.pad(x, (pw, pw, ph, ph), value=-torch.inf)
    windows = F.unfold(padded, a["kernel"], a.get("dilation", 1), 0, a.get("strides", 1))
    windows = windows.reshape(*x.shape[:2], kh * kw, *a["result_shapes"][0][2:])
    output, positions = windows.max(2)
    return output, positions.to(torch.int8)


def _reshape(a, x):
    assert a["shape"].count(-1) <= 1
    return x.reshape(a["shape"])


def _reduce(function):
    return lambda a, x: function(x, dim=a["dims"], keepdim=a.get("keepdims", False))


def _broadcast(a, x):
    rank = x.dim() + len(a["dims"])
    sizes = dict(zip(a["dims"], a["sizes"]))
    for d in sorted(sizes):
        x = x.unsqueeze(d)
    return x.expand([sizes.get(d, x.shape[d]) for d in range(rank)])


_FUNCTIONS = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.true_divide, "mod": torch.remainder, "pow": torch.pow, "min": torch.minimum,
    "max": torch.maximum, "lt": torch.lt, "le": torch.le, "eq": torch.eq, "ne": torch.ne, "neg": torch.neg, "abs": torch.abs, "sign": torch.sign,
    "floor": torch.floor, "ceil": torch.ceil, "round": torch.round, "exp": torch.exp, "log": torch.log, "log1p": torch.log1p,
    "expm1": torch.expm1, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt, "sin": torch.sin, "cos": torch.cos, "tanh": torch.tanh,
    "sigmoid": torch.sigmoid, "erf": torch.erf, "select": lambda c, a, b: torch.where(c != 0, a, b),
}
_OPERANDS = {"select": 3} | {name: 2 for name in "add sub mul div mod pow min max lt le eq ne".split()}


def _map(a, *given):
    """Statements in postfix order; computed in double where a number is an integer."""
    wide = any(x.dtype in (torch.float64, torch.int64) for x in given) or a.get("element") == "i64"
    dtype = torch.float64 if wide else torch.float32
    inputs, steps, result = [x.to(dtype) for x in given], [], None
    for statement in a["expression"].split(";"):
        stack = []
        for word in statement.split():
            if word in _FUNCTIONS:
                count = _OPERANDS.get(word, 1)
                steps.append(_FUNCTIONS[word](*stack[-count:]).to(dtype))
                stack[-count:] = [steps[-1]]
            else:
                stack.append(inputs[int(word[1:])] if word[0] == "x" else steps[int(word[1:])] if word[0] == "t" else torch.tensor(float(word), dtype=dtype))
        result, = stack
    whole = a["result_shapes"][0]
    element = {"i64": torch.int64, "i8": torch.int8}.get(a.get("element"))
    single = torch.float64 if any(x.dtype == torch.float64 for x in given) else torch.float32
    return result.expand(whole).to(element or single)


def _causal_mask(a, x):
    return x.masked_fill(torch.ones(x.shape[-2:], dtype=torch.bool).triu(1), a["fill"])


def attention_scores(a, query, key, mask=None):
    scores = a["scale"] * query @ key.mT
    if mask is not None:
        scores = scores + mask
    if a.get("causal"):
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -torch.inf)
    return scores


def kept(a, scores, seed):
    """What a dropout with these attributes multiplies the softmax of the scores with."""
    return torch.from_numpy(philox.dropout_mask(tuple(scores.shape), a["p"], seed.item(), a["salt"])).to(scores.dtype)


def _attention(a, query, key, value, mask=None):
    scores = attention_scores(a, query, key, mask)
    return scores.softmax(-1) @ value, scores.logsumexp(-1)


def _attention_dropout(a, query, key, value, seed, mask=None):
    scores = attention_scores(a, query, key, mask)
    return (scores.softmax(-1) * kept(a, scores, seed)) @ value, scores.logsumexp(-1)


def _topk(a, x):
    values, indices = x.sort(dim=a.get("axis", -1), descending=not a.get("smallest"), stable=True)
    return values.narrow(a.get("axis", -1), 0, a["k"]), indices.narrow(a.get("axis", -1), 0, a["k"])


def _scatter(a, indices, source, base=None):
    return (source.new_zeros(a["result_shapes"][0]) if base is None else base).scatter(a.get("axis", -1), indices, source)


def _cross_entropy(a, logits, labels):
    return F.cross_entropy(logits, labels, ignore_index=a.get("ignore_index", -100), reduction="sum" if a.get("sum") else "mean"), logits.logsumexp(-1)


OPS = {
    "conv2d": _conv,
    "conv_transpose2d": _conv_transpose,
    "matmul": _matmul,
    "batch_norm": _batch_norm,
    "batch_norm_update_stats": lambda a, m, v, new_m, new_v: (torch.lerp(m, new_m, a["momentum"]), torch.lerp(v, new_v, a["momentum"])),
    "layer_norm": _layer_norm,
    "relu": lambda a, x: x.relu(),
    "clamp": lambda a, x: x.clamp(a["min"], a["max"]),
    "sigmoid": lambda a, x: x.sigmoid(),
    "tanh": lambda a, x: x.tanh(),
    "silu": lambda a, x: F.silu(x),
    "gelu": lambda a, x: F.gelu(x, approximate=a["approximate"]),
    "softmax": lambda a, x: x.softmax(a["axis"]),
    "max_pool2d": _max_pool,
    "avg_pool2d": lambda a, x: F.avg_pool2d(x, a["kernel"], a.get("strides", 1), a.get("padding", 0),
                                            count_include_pad=a.get("count_include_pad", False)),
    "adaptive_avg_pool2d": lambda a, x: F.adaptive_avg_pool2d(x, a["output_size"]),
    "add": lambda a, x, y: x + y,
    "sub": lambda a, x, y: x - y,
    "mul": lambda a, x, y: x * y,
    "div": lambda a, x, y: x / y,
    "scale": lambda a, x: x * a["factor"],
    "causal_mask": _causal_mask,
    "attention": _attention,
    "attention_dropout": _attention_dropout,
    "map": _map,
    "reshape": _reshape,
    "split": lambda a, x: x.split(a["sizes"], a["dim"]),
    "slice": lambda a, x: x.narrow(a["dim"], a["start"], a["size"]),
    "transpose": lambda a, x: x.permute(a["perm"]),
    "concat": lambda a, *xs: torch.cat(xs, a["dim"]),
    "reduce_sum": _reduce(torch.sum),
    "reduce_mean": _reduce(torch.mean),
    "broadcast": _broadcast,
    "embedding": lambda a, table, ids: table[ids],
    "topk": _topk,
    "gather": lambda a, x, i: x.gather(a.get("axis", -1), i),
    "scatter": _scatter,
    "cumsum": lambda a, x: x.flip(a["axis"]).cumsum(a["axis"]).flip(a["axis"]) if a.get("reverse") else x.cumsum(a["axis"]),
    "iota": lambda a: torch.arange(a["size"]),
    "constant": lambda a: a["value"],
    "cross_entropy": _cross_entropy,
    "bce_with_logits": lambda a, x, t: F.binary_cross_entropy_with_logits(x, t),
    "mse_loss": lambda a, x, t: F.mse_loss(x, t),
}
