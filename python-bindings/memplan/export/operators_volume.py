"""Convolution and pooling of three dimensions by operations of two: depth is a dimension of pieces, or of rows."""

from __future__ import annotations

import dataclasses

from .capture import operator_name
from .lower import Lowering
from .operators_nn import _CONV_DEFAULTS, _POOL_DEFAULTS, _window
from .operators_shape import emit_slice, emit_split, padded, put_every, take_every, wanted_results
from .text import Value


@dataclasses.dataclass(frozen=True)
class Convolution3d:
    """A convolution of three dimensions as one of two, whose channels are those of all pieces of depth that the kernel reaches.

    `size` are depth, height and width of the wide side, which a plain convolution reads and a transposed one gives."""

    lower: Lowering
    stride: list
    padding: list
    dilation: list
    groups: int
    size: tuple

    def depth(self, kernel: int) -> int:
        """Depth of the narrow side."""
        return (self.size[0] + 2 * self.padding[0] - self.dilation[0] * (kernel - 1) - 1) // self.stride[0] + 1

    def _window(self, **more) -> dict:
        return _window(_CONV_DEFAULTS, strides=list(self.stride[1:]), padding=list(self.padding[1:]), dilation=list(self.dilation[1:]),
                       groups=self.groups, **more)

    def _unfolded(self, value: Value, kernel: int) -> Value:
        """[N, C, D, H, W] as [N * Do, groups * kernel * C / groups, H, W]: an image for each place of the kernel along the depth."""
        batch, channels, _, height, width = value.shape
        parts, count = channels // self.groups, self.depth(kernel)
        turned = self.lower.transpose(value, [0, 2, 1, 3, 4])
        grouped = self.lower.reshape(turned, (batch, self.size[0], self.groups, parts, height, width), ())
        grouped = padded(self.lower, grouped, 1, self.padding[0], self.padding[0], 0)
        taps = [take_every(self.lower, grouped, 1, k * self.dilation[0], self.stride[0], count) for k in range(kernel)]
        whole = taps[0] if kernel == 1 else self.lower.emit("concat", taps, {"dim": 3}, (batch, count, self.groups, kernel * parts, height, width), ())
        return self.lower.reshape(whole, (batch * count, kernel * channels, height, width), ())

    def _folded(self, images: Value, batch: int, channels: int, kernel: int) -> Value:
        """The gradient of _unfolded."""
        height, width = images.shape[2:]
        parts, count, deep = channels // self.groups, self.depth(kernel), self.size[0] + 2 * self.padding[0]
        whole = self.lower.reshape(images, (batch, count, self.groups, kernel * parts, height, width), ())
        taps = [whole] if kernel == 1 else emit_split(self.lower, whole, 3, [parts] * kernel)
        total = None
        for k, tap in enumerate(taps):
            spread = put_every(self.lower, tap, 1, k * self.dilation[0], self.stride[0], deep)
            total = spread if total is None else self.lower.emit("add", [total, spread])
        total = padded(self.lower, total, 1, -self.padding[0], -self.padding[0], 0)
        return self.lower.transpose(self.lower.reshape(total, (batch, self.size[0], channels, height, width), ()), [0, 2, 1, 3, 4])

    def _filter(self, weight: Value) -> Value:
        outputs, parts, kernel, rows, columns = weight.shape
        return self.lower.reshape(self.lower.transpose(weight, [0, 2, 1, 3, 4]), (outputs, kernel * parts, rows, columns), ())

    def _images(self, narrow: Value) -> Value:
        batch, channels, depth, height, width = narrow.shape
        return self.lower.reshape(self.lower.transpose(narrow, [0, 2, 1, 3, 4]), (batch * depth, channels, height, width), ())

    def forward(self, wide: Value, weight: Value) -> Value:
        """What a plain convolution gives: from the wide side to the narrow one."""
        images, filters = self._unfolded(wide, weight.shape[2]), self._filter(weight)
        size = [(images.shape[2 + i] + 2 * self.padding[1 + i] - self.dilation[1 + i] * (filters.shape[2 + i] - 1) - 1) // self.stride[1 + i] + 1
                for i in range(2)]
        out = self.lower.emit("conv2d", [images, filters], self._window(), (images.shape[0], filters.shape[0], *size), ())
        out = self.lower.reshape(out, (wide.shape[0], self.depth(weight.shape[2]), filters.shape[0], *size), ())
        return self.lower.transpose(out, [0, 2, 1, 3, 4])

    def backward(self, narrow: Value, weight: Value) -> Value:
        """The gradient of forward by the wide side."""
        images, filters = self._images(narrow), self._filter(weight)
        rest = [self.size[1 + i] - ((images.shape[2 + i] - 1) * self.stride[1 + i] - 2 * self.padding[1 + i] +
                                    self.dilation[1 + i] * (filters.shape[2 + i] - 1) + 1) for i in range(2)]
        channels, kernel = weight.shape[1] * self.groups, weight.shape[2]
        wide = self.lower.emit("conv2d_input_grad", [images, filters], self._window(output_padding=rest),
                               (images.shape[0], channels * kernel, *self.size[1:]), ())
        return self._folded(wide, narrow.shape[0], channels, kernel)

    def weight_grad(self, wide: Value, narrow: Value, weight: Value) -> Value:
        outputs, parts, kernel, rows, columns = weight.shape
        images = self._unfolded(wide, kernel)
        grad = self.lower.emit("conv2d_filter_grad", [images, self._images(narrow)], {**self._window(), "kernel": [rows, columns]},
                               (outputs, kernel * parts, rows, columns), ())
        return self.lower.transpose(self.lower.reshape(grad, (outputs, kernel, parts, rows, columns), ()), [0, 2, 1, 3, 4])


def _of(lower, node, value: Value, weight: Value, stride, padding, dilation, transposed, groups, result_shape) -> Convolution3d:
    three = [list(v) * 3 if len(v) == 1 else list(v) for v in (stride, padding, dilation)]
    return Convolution3d(lower, *three, groups, tuple(result_shape[2:] if transposed else value.shape[2:]))


def convolution(lower, node, value, weight, bias, stride, padding, dilation, transposed, output_padding, groups) -> Value:
    value, weight = lower.materialize(value), lower.materialize(weight)
    conv = _of(lower, node, value, weight, stride, padding, dilation, transposed, groups, lower.node_type(node)[0])
    out = conv.backward(value, weight) if transposed else conv.forward(value, weight)
    return out if bias is None else lower.emit("add", [out, lower.reshape(bias, (out.shape[1], 1, 1, 1), ())])


def convolution_backward(lower, node, grad, value, weight, stride, padding, dilation, transposed, groups, mask) -> list:
    grad, value, weight = (lower.materialize(v) for v in (grad, value, weight))
    conv = _of(lower, node, value, weight, stride, padding, dilation, transposed, groups, grad.shape)
    wanted, results = wanted_results(node, mask), [None, None, None]
    if wanted[0]:
        results[0] = conv.forward(grad, weight) if transposed else conv.backward(grad, weight)
    if wanted[1]:
        results[1] = conv.weight_grad(grad, value, weight) if transposed else conv.weight_grad(value, grad, weight)
    if wanted[2]:
        results[2] = lower.emit("reduce_sum", [grad], {"dims": [0, 2, 3, 4]}, (grad.shape[1],), ())
    return results


@dataclasses.dataclass(frozen=True)
class Positions3d:
    """Where the largest elements of each plane were, and which plane had the largest."""

    planes: Value
    plane_window: dict
    depth: Value
    depth_window: dict
    size: tuple[int, ...]  # of the input, with what ceil_mode adds behind it


_POOL_GRADIENTS = {"aten.max_pool3d_with_indices_backward.default", "aten.adaptive_max_pool3d_backward.default"}


def max_pool(lower, node, value, kernel, stride, padding, dilation) -> list:
    """The largest of each plane, then of the planes. The first of equals in row-major order is the same."""
    value = lower.materialize(value)
    where = [user for user in node.users if user.args[1] == 1]
    if any(operator_name(user) not in _POOL_GRADIENTS for w in where for user in w.users):
        raise lower.unsupported("its indices are read", "use max_pool3d, which returns no indices")
    three = [list(v) * 3 if len(v) == 1 else list(v) for v in (kernel, stride or kernel, padding, dilation)]
    kernel, stride, padding, dilation = three
    shape, _ = lower.value_type(node.meta["val"][0])
    for dim, (count, k, s, p, d) in enumerate(zip(shape[2:], *three), 2):  # with ceil_mode the last windows end beyond the padding
        value = padded(lower, value, dim, 0, max(0, (count - 1) * s + d * (k - 1) + 1 - value.shape[dim] - 2 * p), float("-inf"))
    batch, channels, depth, height, width = value.shape
    plane = {"kernel": kernel[1:], **_window(_POOL_DEFAULTS, strides=stride[1:], padding=padding[1:], dilation=dilation[1:])}
    deep = {"kernel": [kernel[0], 1], **_window(_POOL_DEFAULTS, strides=[stride[0], 1], padding=[padding[0], 0], dilation=[dilation[0], 1])}
    flat = (batch * channels, depth, *shape[3:])
    first, planes = lower.emit("max_pool2d", [lower.reshape(value, (batch * channels, depth, height, width), ())], plane,
                               outputs=[("", flat, (), "f32"), (".indices", flat, (), "i8")])
    rows = (batch * channels, 1, depth, shape[3] * shape[4])
    out = (batch * channels, 1, shape[2], shape[3] * shape[4])
    second, depths = lower.emit("max_pool2d", [lower.reshape(first, rows, ())], deep, outputs=[("", out, (), "f32"), (".indices", out, (), "i8")])
    return [lower.reshape(second, shape, ()), Positions3d(planes, plane, depths, deep, value.shape)]


def max_pool_backward(lower, node, grad, positions) -> Value:
    if not isinstance(positions, Positions3d):
        raise lower.unsupported("its indices are not those of a max_pool3d", "use max_pool3d")
    (batch, channels, depth, *plane), depths = positions.size, positions.depth.shape
    grad = lower.reshape(grad, depths, ())
    rows = lower.emit("max_pool2d_grad", [grad, positions.depth], {**positions.depth_window, "input_size": [depth, depths[3]]},
                      (depths[0], 1, depth, depths[3]), ())
    planes = lower.reshape(rows, positions.planes.shape, ())
    whole = lower.emit("max_pool2d_grad", [planes, positions.planes], {**positions.plane_window, "input_size": plane}, (depths[0], depth, *plane), ())
    whole = lower.reshape(whole, positions.size, ())
    for dim, size in enumerate(lower.node_type(node)[0]):
        whole = emit_slice(lower, whole, dim, 0, size) if whole.shape[dim] != size else whole
    return whole
