"""What the backward and update operations mean, for mlir_interpreter. Written from their descriptions, mostly as the
vector-Jacobian product of the forward operation."""

import torch
from torch.nn import functional as F
from torch.nn import grad as conv_grad

import mlir_interpreter
from mlir_interpreter import OPS


def _product(forward, inputs, output_grad):
    """Gradients of forward(*inputs) with respect to inputs, given that of its output."""
    return torch.func.vjp(forward, *inputs)[1](output_grad)


def _window(a):
    return a.get("strides", [1, 1]), a.get("padding", [0, 0]), a.get("dilation", [1, 1]), a.get("groups", 1)


def _of_input(function):
    """The gradient of an elementwise function from (input, outputGrad)."""
    return lambda a, x, dy: _product(lambda v: function(a, v), [x], dy)[0]


def _batch_norm_grad(a, dy, x, scale, mean, invstd):
    shape, dims = [1, -1] + [1] * (x.dim() - 2), [d for d in range(x.dim()) if d != 1]
    normalized = (x - mean.view(shape)) * invstd.view(shape)
    bias_grad, scale_grad = dy.sum(dims), (dy * normalized).sum(dims)
    count = x.numel() // x.shape[1]
    correction = (bias_grad.view(shape) + normalized * scale_grad.view(shape)) / count
    return (scale * invstd).view(shape) * (dy - correction), scale_grad, bias_grad


def _layer_norm_grad(a, dy, x, scale, mean, rstd):
    normalized, g = (x - mean[..., None]) * rstd[..., None], dy * scale
    input_grad = rstd[..., None] * (g - g.mean(-1, True) - normalized * (g * normalized).mean(-1, True))
    rows = tuple(range(x.dim() - 1))
    return input_grad, (dy * normalized).sum(rows), dy.sum(rows)


def _max_pool_grad(a, dy, positions):
    (kh, kw), padding = a["kernel"], a.get("padding", [0, 0])
    spread = F.one_hot(positions.long(), kh * kw).permute(0, 1, 4, 2, 3) * dy[:, :, None]
    return F.fold(spread.reshape(dy.shape[0], -1, dy.shape[2] * dy.shape[3]), a["input_size"], a["kernel"], a.get("dilation", 1), padding,
                  a.get("strides", 1))


def _pool_grad(name):
    def gradient(a, dy):
        forward = lambda x: OPS[name](a, x)  # noqa: E731
        return _product(forward, [dy.new_zeros(*dy.shape[:2], *a["input_size"])], dy)[0]

    return lambda a, dy: gradient({**a, "output_size": list(dy.shape[2:])}, dy)


def _attention_grad(a, dy, query, key, value, output, logsumexp, mask=None):
    """From the operands of the description, so that wrong statistics give wrong gradients."""
    scores = mlir_interpreter.attention_scores(a, query, key, mask)
    weights = (scores - logsumexp[..., None]).exp()
    grads = a["scale"] * weights * (dy @ value.mT - (dy * output).sum(-1, keepdim=True))
    return grads @ key, grads.mT @ query, weights.mT @ dy


def _attention_dropout_grad(a, dy, query, key, value, output, logsumexp, seed, mask=None):
    scores = mlir_interpreter.attention_scores(a, query, key, mask)
    weights, kept = (scores - logsumexp[..., None]).exp(), mlir_interpreter.kept(a, scores, seed)
    grads = a["scale"] * weights * (kept * (dy @ value.mT) - (dy * output).sum(-1, keepdim=True))
    return grads @ key, grads.mT @ query, (weights * kept).mT @ dy


def _slice_grad(a, dy):
    result = dy.new_zeros(a["result_shapes"][0])
    result.narrow(a["dim"], a["start"], dy.shape[a["dim"]]).copy_(dy)
    return result


def _reduce_mean_grad(a, dy):
    for d in sorted(a["dims"]) if not a.get("keepdims") else []:
        dy = dy.unsqueeze(d)
    shape = a["result_shapes"][0]
    return dy.expand(shape) * (dy.numel() / torch.Size(shape).numel())


def _embedding_grad(a, ids, dy):
    return dy.new_zeros(a["num_embeddings"], dy.shape[-1]).index_add(0, ids.reshape(-1), dy.reshape(-1, dy.shape[-1]))


def _loss_grad(name):
    def gradient(a, prediction, target, *rest):
        forward = lambda x: OPS[name](a, x, target)  # noqa: E731
        first = (lambda x: forward(x)[0]) if name == "cross_entropy" else forward
        return _product(first, [prediction], rest[-1])[0]

    return gradient


def _decayed(a, parameter, gradient):
    return gradient + a.get("weight_decay", 0.0) * parameter


def _sgd(a, p, g):
    return p - a["lr"] * _decayed(a, p, g)


def _momentum(a, p, velocity, g):
    g = _decayed(a, p, g)
    velocity = a["momentum"] * velocity + g
    return p - a["lr"] * (g + a["momentum"] * velocity if a.get("nesterov") else velocity), velocity


def _rmsprop(a, p, v, *rest):
    g = _decayed(a, p, rest[-1])
    v = a["alpha"] * v + (1 - a["alpha"]) * g * g
    step = g / (v.sqrt() + a["epsilon"])
    if len(rest) == 1:
        return p - a["lr"] * step, v
    velocity = a["momentum"] * rest[0] + step
    return p - a["lr"] * velocity, v, velocity


def _adagrad(a, p, total, g):
    g = _decayed(a, p, g)
    total = total + g * g
    return p - a["lr"] * g / (total.sqrt() + a["epsilon"]), total


def _lion(a, p, m, g):
    toward = (a["beta1"] * m + (1 - a["beta1"]) * g).sign()
    return p - a["lr"] * (toward + a.get("weight_decay", 0.0) * p), a["beta2"] * m + (1 - a["beta2"]) * g


def _adam(decoupled):
    def update(a, p, m, v, step, g):
        if decoupled:
            p = p * (1 - a["lr"] * a.get("weight_decay", 0.0))
        else:
            g = _decayed(a, p, g)
        m = a["beta1"] * m + (1 - a["beta1"]) * g
        v = a["beta2"] * v + (1 - a["beta2"]) * g * g
        count = step.item()
        mean, spread = m / (1 - a["beta1"]**count), v / (1 - a["beta2"]**count)
        return p - a["lr"] * mean / (spread.sqrt() + a["epsilon"]), m, v

    return update


def _loss_scale(a, scale, good, non_finite):
    if non_finite:
        return scale * a["backoff_factor"], good * 0
    if good.item() + 1 < a["growth_interval"]:
        return scale, good + 1
    return scale * a["growth_factor"], good * 0


OPS.update({
    "conv2d_input_grad": lambda a, dy, w: conv_grad.conv2d_input(a["result_shapes"][0], w, dy, *_window(a)),
    "conv2d_filter_grad": lambda a, x, dy: conv_grad.conv2d_weight(x, a["result_shapes"][0], dy, *_window(a)),
    "batch_norm_grad": _batch_norm_grad,
    "layer_norm_grad": _layer_norm_grad,
    "attention_grad": _attention_grad,
    "attention_dropout_grad": _attention_dropout_grad,
    "relu_grad": lambda a, y, dy: torch.where(y > 0, dy, 0),
    "clamp_grad": lambda a, y, dy: torch.where((y > a["min"]) & (y < a["max"]), dy, 0),
    "sigmoid_grad": lambda a, y, dy: dy * y * (1 - y),
    "tanh_grad": lambda a, y, dy: dy * (1 - y * y),
    "gelu_grad": _of_input(OPS["gelu"]),
    "silu_grad": _of_input(OPS["silu"]),
    "softmax_grad": lambda a, y, dy: y * (dy - (y * dy).sum(a["axis"], True)),
    "max_pool2d_grad": _max_pool_grad,
    "avg_pool2d_grad": _pool_grad("avg_pool2d"),
    "adaptive_avg_pool2d_grad": _pool_grad("adaptive_avg_pool2d"),
    "accumulate": lambda a, x, y: x + y,
    "slice_grad": _slice_grad,
    "reduce_mean_grad": _reduce_mean_grad,
    "embedding_grad": _embedding_grad,
    "gather_grad": lambda a, i, dy: dy.new_zeros(a["result_shapes"][0]).scatter_add(a.get("axis", -1), i, dy),
    "cross_entropy_grad": _loss_grad("cross_entropy"),
    "bce_with_logits_grad": _loss_grad("bce_with_logits"),
    "mse_loss_grad": _loss_grad("mse_loss"),
    "sgd_update": _sgd,
    "sgd_momentum_update": _momentum,
    "adam_update": _adam(decoupled=False),
    "adamw_update": _adam(decoupled=True),
    "rmsprop_update": _rmsprop,
    "rmsprop_momentum_update": _rmsprop,
    "adagrad_update": _adagrad,
    "lion_update": _lion,
    "non_finite": lambda a, *gs: gs[0].new_tensor(float(not all(g.isfinite().all() for g in gs))),
    "loss_scale_update": _loss_scale,
    "global_norm": lambda a, *gs: torch.stack([g.norm() for g in gs]).norm(),
    "increment": lambda a, step: step + 1,
})


def _skippable(update, operands: int):
    """An update that a further operand, a scalar that is not 0, skips."""

    def skipped(a, *values):
        if len(values) == operands or values[-1] == 0:
            return update(a, *values[:operands])
        return values[:len(a["result_shapes"])]

    return skipped


for _name, _count in {"sgd_update": 2, "sgd_momentum_update": 3, "adam_update": 5, "adamw_update": 5, "rmsprop_update": 3, "rmsprop_momentum_update": 4,
                      "adagrad_update": 3, "lion_update": 3, "increment": 1}.items():
    OPS[_name] = _skippable(OPS[_name], _count)

parse, evaluate = mlir_interpreter.parse, mlir_interpreter.evaluate
