"""Text of memplan programs: values, types, attributes, operations. Knows no framework."""

from __future__ import annotations

import dataclasses
import math
import re
import struct


@dataclasses.dataclass(frozen=True)
class Value:
    """One SSA value.

    shape holds the sizes at the exported batch; batch_dims are the dimensions whose size is a multiple of it.
    argument is the function argument that this value is, or is only a reshape of, else None.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str = "f32"
    batch_dims: tuple[int, ...] = ()
    # Arguments whose elements it holds, each as it is.
    arguments: "tuple[Argument, ...]" = dataclasses.field(default=(), compare=False)

    @property
    def type(self) -> str:
        return tensor_type(self.shape, self.dtype)

    @property
    def rank(self) -> int:
        return len(self.shape)


@dataclasses.dataclass
class Argument:
    """A function argument with the markers that planners and the runtime read."""

    value_name: str
    kind: str  # parameter | state | input
    name: str
    shape: tuple[int, ...]
    dtype: str = "f32"
    batch_dim: int | None = None
    init: str | None = None
    high: int | None = None

    def text(self) -> str:
        marks = []
        if self.batch_dim is not None:
            marks.append(f"memplan.batch = {self.batch_dim}")
        if self.high is not None:
            marks.append(f"memplan.high = {self.high}")
        if self.init is not None:
            marks.append(f"memplan.init = {quoted(self.init)}")
        marks.append(f"memplan.kind = {quoted(self.kind)}")
        marks.append(f"memplan.name = {quoted(self.name)}")
        return f"%{self.value_name}: {tensor_type(self.shape, self.dtype)} {{{', '.join(marks)}}}"


@dataclasses.dataclass
class Result:
    """A function result: the loss, an output, or the new version of an argument."""

    value: Value
    name: str
    kind: str | None = None
    updates: int | None = None

    def text(self) -> str:
        marks = []
        if self.kind is not None:
            marks.append(f"memplan.kind = {quoted(self.kind)}")
        marks.append(f"memplan.name = {quoted(self.name)}")
        if self.updates is not None:
            marks.append(f"memplan.updates = {self.updates}")
        return f"{self.value.type} {{{', '.join(marks)}}}"


class Unit:
    """The attribute that is present without a value."""


@dataclasses.dataclass(frozen=True)
class Raw:
    """An attribute given as MLIR text."""

    text: str


def tensor_type(shape, dtype: str) -> str:
    return "tensor<" + "".join(f"{size}x" for size in shape) + dtype + ">"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def float_text(value: float) -> str:
    """An f64 literal that MLIR reads back exactly. Non-finite numbers are written as their bits."""
    if not math.isfinite(value):
        return f"0x{struct.pack('>d', value).hex().upper()} : f64"
    text = repr(float(value))
    mantissa, exponent, power = text.partition("e")
    # MLIR wants digits on both sides of a decimal point: 1e-05 is not a number there.
    return (mantissa if "." in mantissa else mantissa + ".0") + exponent + power


def attribute_text(value) -> str:
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(str(int(v)) for v in value)}]"
    if isinstance(value, dict):
        return "{" + attributes_text(value) + "}"
    raise TypeError(f"no attribute text for a {type(value).__name__}")


def attributes_text(attributes: dict) -> str:
    parts = []
    for name in sorted(attributes):
        value = attributes[name]
        parts.append(name if isinstance(value, Unit) else f"{name} = {attribute_text(value)}")
    return ", ".join(parts)


class FunctionText:
    """Collects the operations of one function and prints it."""

    def __init__(self, name: str):
        self.name = name
        self.arguments: list[Argument] = []
        self.results: list[Result] = []
        self.attributes: dict = {}
        self.lines: list[str] = []
        self._names: dict[str, int] = {}

    def unique_name(self, wanted: str) -> str:
        """A valid SSA name that no other value has, `wanted` itself if it is free."""
        name = re.sub(r"[^A-Za-z0-9_.$-]", "_", wanted) or "v"
        if not (name[0].isalpha() or name[0] == "_"):
            name = "_" + name
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        return name if count == 0 else self.unique_name(f"{name}_{count}")

    def mark(self):
        """Where the function is now, for reset()."""
        return len(self.lines), dict(self._names)

    def reset(self, mark) -> None:
        """Takes back the operations since mark(); arguments stay."""
        count, names = mark
        del self.lines[count:]
        self._names = {**names, **{a.value_name: self._names[a.value_name] for a in self.arguments}}

    def add_argument(self, argument: Argument) -> Value:
        argument.value_name = self.unique_name(argument.value_name)
        self.arguments.append(argument)
        batch = () if argument.batch_dim is None else (argument.batch_dim,)
        return Value(argument.value_name, argument.shape, argument.dtype, batch, (argument,))

    def add_op(self, op: str, operands: list[Value], attributes: dict, results: list[Value], location: str) -> None:
        """Appends `memplan.op`; the names of `results` come from unique_name."""
        names = ", ".join(f"%{r.name}" for r in results)
        inputs = ", ".join(f"%{o.name}" for o in operands)
        marks = f" {{{attributes_text(attributes)}}}" if attributes else ""
        types = ", ".join(r.type for r in results)
        types = types if len(results) == 1 else f"({types})"
        self.lines.append(f"    {names} = memplan.{op}{' ' if inputs else ''}{inputs}{marks} : "
                          f"({', '.join(o.type for o in operands)}) -> {types} loc({quoted(location)})")

    def text(self, header: str = "") -> str:
        comment = "".join(f"// {line}".rstrip() + "\n" for line in header.splitlines())
        separator = ",\n" + " " * 6
        attributes = f"\n    attributes {{{attributes_text(self.attributes)}}}" if self.attributes else ""
        returned = ", ".join(f"%{r.value.name}" for r in self.results)
        types = ", ".join(r.value.type for r in self.results)
        return (f"{comment}module {{\n  func.func @{self.name}(\n      "
                f"{separator.join(a.text() for a in self.arguments)}\n  ) -> (\n      "
                f"{separator.join(r.text() for r in self.results)}\n  ){attributes} {{\n" + "\n".join(self.lines) +
                f"\n    return {returned} : {types}\n  }}\n}}\n")
