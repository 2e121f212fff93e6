"""Windows that the dialect has in one form only: averages with cut windows or a divisor, three dimensions, columns of an image, borders."""

from __future__ import annotations

import dataclasses
import math

import torch

from .lower import Constant, Lowering, joint_lowering
from .operators_index import Indexed
from .operators_nn import _POOL_DEFAULTS, _need_rank, _pair, _window
from .operators_shape import emit_split, padded, put_every, take_every
from .text import Unit, Value

# Averages -------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Averages:
    """Average pooling of [N, C, H, W] over windows of any kind: means over the padded image, times what a window counts less."""

    lower: Lowering
    size: tuple  # height and width of the image
    out: tuple
    kernel: list
    stride: list
    padding: list
    include: bool
    divisor: int | None

    @property
    def _more(self) -> list[int]:
        """Rows and columns behind the padding that the last windows reach."""
        return [max(0, (o - 1) * s + k - n - 2 * p) for o, s, k, n, p in zip(self.out, self.stride, self.kernel, self.size, self.padding)]

    def _counts(self, dim: int) -> torch.Tensor:
        starts = torch.arange(self.out[dim]) * self.stride[dim] - self.padding[dim]
        ends = (starts + self.kernel[dim]).clamp(max=self.size[dim] + self.padding[dim])
        return ends - starts if self.include else ends.clamp(max=self.size[dim]) - starts.clamp(min=0)

    def _weighed(self, value: Value) -> Value:
        full = math.prod(self.kernel)
        counts = self._counts(0)[:, None] * self._counts(1) if self.divisor is None else torch.full(self.out, self.divisor)
        factors = full / counts.float()
        if bool((factors == factors[0, 0]).all()):
            factor = factors[0, 0].item()
            return value if factor == 1 else self.lower.emit("scale", [value], {"factor": factor})
        return self.lower.emit("mul", [value, Constant(factors)])

    @property
    def _attributes(self) -> dict:
        return {"kernel": self.kernel, **_window(_POOL_DEFAULTS, strides=self.stride)}

    @property
    def _plain(self) -> dict | None:
        """Attributes of the one operation that these are, if they are one."""
        if any(self._more) or self.divisor is not None:
            return None
        return {**self._attributes, **_window(_POOL_DEFAULTS, padding=self.padding), **({"count_include_pad": Unit()} if self.include else {})}

    def forward(self, value: Value) -> Value:
        shape = (*value.shape[:2], *self.out)
        if self._plain is not None:
            return self.lower.emit("avg_pool2d", [value], self._plain, shape, value.batch_dims)
        for i in range(2):
            value = padded(self.lower, value, 2 + i, self.padding[i], self.padding[i] + self._more[i], 0)
        return self._weighed(self.lower.emit("avg_pool2d", [value], self._attributes, shape, ()))

    def backward(self, grad: Value) -> Value:
        if self._plain is not None:
            return self.lower.emit("avg_pool2d_grad", [grad], {**self._plain, "input_size": list(self.size)}, (*grad.shape[:2], *self.size), ())
        whole = [n + 2 * p + m for n, p, m in zip(self.size, self.padding, self._more)]
        grad = self.lower.emit("avg_pool2d_grad", [self._weighed(grad)], {**self._attributes, "input_size": whole}, (*grad.shape[:2], *whole), ())
        for i in range(2):
            grad = padded(self.lower, grad, 2 + i, -self.padding[i], -self.padding[i] - self._more[i], 0)
        return grad


def _averages(lower, size, out, kernel, stride, padding, include, divisor=None) -> _Averages:
    kernel = _pair(kernel)
    return _Averages(lower, tuple(size), tuple(out), kernel, _pair(stride) if stride else kernel, _pair(padding), include, divisor)


@joint_lowering("aten.avg_pool2d.default")
def _avg_pool(lower, node, value, kernel, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor=None):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    return _averages(lower, value.shape[2:], lower.node_type(node)[0][2:], kernel, stride, padding, count_include_pad, divisor).forward(value)


@joint_lowering("aten.avg_pool2d_backward.default")
def _avg_pool_backward(lower, node, grad, value, kernel, stride, padding, ceil_mode, count_include_pad, divisor):
    grad = _need_rank(lower, grad, 4, "[N, C, H, W]")
    return _averages(lower, lower.node_type(node)[0][2:], grad.shape[2:], kernel, stride, padding, count_include_pad, divisor).backward(grad)


def _planes_and_depth(lower, size, out, kernel, stride, padding, include, divisor) -> tuple[_Averages, _Averages]:
    """Averages of each plane, then along the depth: those of boxes."""
    three = [list(v) * 3 if len(v) == 1 else list(v) for v in (kernel, stride or kernel, padding)]
    kernel, stride, padding = three
    columns = out[1] * out[2]
    planes = _averages(lower, size[1:], out[1:], kernel[1:], stride[1:], padding[1:], include, None if divisor is None else 1)
    depth = _averages(lower, (size[0], columns), (out[0], columns), [kernel[0], 1], [stride[0], 1], [padding[0], 0], include, divisor)
    return planes, depth


@joint_lowering("aten.avg_pool3d.default")
def _avg_pool3d(lower, node, value, kernel, stride=(), padding=(0,), ceil_mode=False, count_include_pad=True, divisor=None):
    value, shape = _need_rank(lower, value, 5, "[N, C, D, H, W]"), lower.node_type(node)[0]
    planes, depth = _planes_and_depth(lower, value.shape[2:], shape[2:], kernel, stride, padding, count_include_pad, divisor)
    rows = value.shape[0] * value.shape[1]
    first = planes.forward(lower.reshape(value, (rows, *value.shape[2:]), ()))
    return lower.reshape(depth.forward(lower.reshape(first, (rows, 1, value.shape[2], shape[3] * shape[4]), ())), shape, ())


@joint_lowering("aten.avg_pool3d_backward.default")
def _avg_pool3d_backward(lower, node, grad, value, kernel, stride, padding, ceil_mode, count_include_pad, divisor):
    grad, shape = _need_rank(lower, grad, 5, "[N, C, D, H, W]"), lower.node_type(node)[0]
    planes, depth = _planes_and_depth(lower, shape[2:], grad.shape[2:], kernel, stride, padding, count_include_pad, divisor)
    rows = shape[0] * shape[1]
    first = depth.backward(lower.reshape(grad, (rows, 1, grad.shape[2], grad.shape[3] * grad.shape[4]), ()))
    return lower.reshape(planes.backward(lower.reshape(first, (rows, shape[2], *grad.shape[3:]), ())), shape, ())


# Columns of an image --------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Columns:
    """The windows of [N, C, H, W] as [N, C * kh * kw, windows]: one image for each place of the kernel."""

    lower: Lowering
    size: tuple
    kernel: list
    dilation: list
    padding: list
    stride: list

    @property
    def _counts(self) -> list[int]:
        return [(n + 2 * p - d * (k - 1) - 1) // s + 1
                for n, p, d, k, s in zip(self.size, self.padding, self.dilation, self.kernel, self.stride)]

    def _places(self):
        return ((i * self.dilation[0], j * self.dilation[1]) for i in range(self.kernel[0]) for j in range(self.kernel[1]))

    def forward(self, image: Value) -> Value:
        batch, channels = image.shape[:2]
        for i in range(2):
            image = padded(self.lower, image, 2 + i, self.padding[i], self.padding[i], 0)
        rows, columns = self._counts
        taps = []
        for i, j in self._places():
            tap = take_every(self.lower, image, 2, i, self.stride[0], rows)
            tap = take_every(self.lower, tap, 3, j, self.stride[1], columns)
            taps.append(self.lower.reshape(tap, (batch, channels, 1, rows * columns), ()))
        count = len(taps)
        whole = taps[0] if count == 1 else self.lower.emit("concat", taps, {"dim": 2}, (batch, channels, count, rows * columns), ())
        return self.lower.reshape(whole, (batch, channels * count, rows * columns), ())

    def backward(self, grad: Value) -> Value:
        batch, count = grad.shape[0], math.prod(self.kernel)
        rows, columns = self._counts
        channels, total = grad.shape[1] // count, None
        grad = self.lower.reshape(grad, (batch, channels, count, rows * columns), ())
        high, wide = (n + 2 * p for n, p in zip(self.size, self.padding))
        for part, (i, j) in zip(emit_split(self.lower, grad, 2, [1] * count), self._places()):
            tap = self.lower.reshape(part, (batch, channels, rows, columns), ())
            tap = put_every(self.lower, put_every(self.lower, tap, 3, j, self.stride[1], wide), 2, i, self.stride[0], high)
            total = tap if total is None else self.lower.emit("add", [total, tap])
        for i in range(2):
            total = padded(self.lower, total, 2 + i, -self.padding[i], -self.padding[i], 0)
        return total


@joint_lowering("aten.im2col.default")
def _im2col(lower, node, value, kernel, dilation, padding, stride):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    return _Columns(lower, tuple(value.shape[2:]), *map(_pair, (kernel, dilation, padding, stride))).forward(value)


@joint_lowering("aten.col2im.default")
def _col2im(lower, node, value, size, kernel, dilation, padding, stride):
    value = _need_rank(lower, value, 3, "[N, C * kh * kw, windows]")
    return _Columns(lower, tuple(size), *map(_pair, (kernel, dilation, padding, stride))).backward(value)


# Borders --------------------------------------------------------------------------------------------------------------


def _border_places(size: int, before: int, after: int, reflects: bool) -> torch.Tensor:
    places = torch.arange(-before, size + after)
    if not reflects:
        return places.clamp(0, size - 1)
    return (size - 1) - ((size - 1) - places.abs()).abs()


def _border(reflects: bool):
    def forward(lower, node, value, padding):
        value = lower.materialize(value)
        for i in range(len(padding) // 2):
            dim = value.rank - 1 - i
            places = Constant(_border_places(value.shape[dim], *padding[2 * i:2 * i + 2], reflects))
            value = Indexed(lower, value.shape, [None] * dim + [places]).take(value)
        return value

    def backward(lower, node, grad, value, padding):
        grad, shape = lower.materialize(grad), lower.node_type(node)[0]
        for i in range(len(padding) // 2):
            dim = grad.rank - 1 - i
            whole = (*grad.shape[:dim], shape[dim], *grad.shape[dim + 1:])
            place = Indexed(lower, whole, [None] * dim + [Constant(_border_places(shape[dim], *padding[2 * i:2 * i + 2], reflects))])
            rows = place.result_rows(grad, grad.shape)
            grad = place.from_table(lower.emit("embedding_grad", [place.ids, rows], {"num_embeddings": place.rows}, (place.rows, rows.shape[1]), ()))
        return grad

    return forward, backward


for _kind, _reflects in (("reflection", True), ("replication", False)):
    _forward, _backward = _border(_reflects)
    for _rank in (1, 2, 3):
        joint_lowering(f"aten.{_kind}_pad{_rank}d.default")(_forward)
        joint_lowering(f"aten.{_kind}_pad{_rank}d_backward.default")(_backward)


# Adaptive pooling -----------------------------------------------------------------------------------------------------


@joint_lowering("aten._adaptive_avg_pool3d.default")
def _adaptive_avg_pool3d(lower, node, value, size):
    """Averages of each plane, then along the depth."""
    value, shape = _need_rank(lower, value, 5, "[N, C, D, H, W]"), lower.node_type(node)[0]
    rows, columns = shape[0] * shape[1], shape[3] * shape[4]
    first = _adaptive(lower, lower.reshape(value, (rows, *value.shape[2:]), ()), shape[3:])
    return lower.reshape(_adaptive(lower, lower.reshape(first, (rows, 1, value.shape[2], columns), ()), (shape[2], columns)), shape, ())


@joint_lowering("aten._adaptive_avg_pool3d_backward.default")
def _adaptive_avg_pool3d_backward(lower, node, grad, value):
    grad, shape = _need_rank(lower, grad, 5, "[N, C, D, H, W]"), lower.node_type(node)[0]
    rows, columns = shape[0] * shape[1], grad.shape[3] * grad.shape[4]
    first = _adaptive_grad(lower, lower.reshape(grad, (rows, 1, grad.shape[2], columns), ()), (shape[2], columns))
    return lower.reshape(_adaptive_grad(lower, lower.reshape(first, (rows, shape[2], *grad.shape[3:]), ()), shape[3:]), shape, ())


def _adaptive(lower, value: Value, size) -> Value:
    if tuple(size) == tuple(value.shape[2:]):
        return value
    return lower.emit("adaptive_avg_pool2d", [value], {"output_size": list(size)}, (*value.shape[:2], *size), ())


def _adaptive_grad(lower, grad: Value, size) -> Value:
    if tuple(size) == tuple(grad.shape[2:]):
        return grad
    return lower.emit("adaptive_avg_pool2d_grad", [grad], {"input_size": list(size)}, (*grad.shape[:2], *size), ())
