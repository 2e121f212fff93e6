"""Mixed precision: what memplan-autocast casts is what torch.autocast casts, and steps in 16 bits learn as PyTorch's do."""

import copy
import pathlib
import re
import subprocess

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

import memplan.torch  # noqa: E402

F = torch.nn.functional
X, W, V = torch.ones(2, 4), torch.ones(4, 4), torch.ones(4)
IMAGE, KERNEL = torch.ones(2, 3, 6, 6), torch.ones(3, 3, 3, 3)
HEADS = torch.ones(2, 2, 4, 4)
LABELS = torch.zeros(2, dtype=torch.int64)

# operation -> (its text with %0, %1, ... for operands and {0}, {1}, ... for their types, operands, the same in torch, names of torch's list).
OPERATIONS = {
    "add": ("memplan.add %0, %1 : ({0}, {1}) -> {0}", (X, X), torch.add, ()),
    "attention": ("memplan.attention %0, %1, %2 {{scale = 0.5 : f64}} : ({0}, {1}, {2}) -> ({0}, tensor<2x2x4xf32>)", (HEADS,) * 3,
                  F.scaled_dot_product_attention, ("scaled_dot_product_attention",)),
    "avg_pool2d": ("memplan.avg_pool2d %0 {{kernel = [2, 2]}} : ({0}) -> tensor<2x3x5x5xf32>", (IMAGE,), lambda x: F.avg_pool2d(x, 2, 1), ()),
    "batch_norm": ("memplan.batch_norm %0, %1, %2 {{epsilon = 1.0e-5 : f64}} : ({0}, {1}, {2}) -> ({0}, {1}, {1}, {1})",
                   (IMAGE, torch.ones(3), torch.ones(3)), lambda x, g, b: F.batch_norm(x, None, None, g, b, True), ()),
    "bce_with_logits": ("memplan.bce_with_logits %0, %1 : ({0}, {1}) -> tensor<f32>", (X, X), F.binary_cross_entropy_with_logits,
                        ("binary_cross_entropy_with_logits",)),
    "concat": ("memplan.concat %0, %1 {{dim = 0 : i64}} : ({0}, {1}) -> tensor<4x4xf32>", (X, X), lambda a, b: torch.cat([a, b]), ()),
    "conv2d": ("memplan.conv2d %0, %1 : ({0}, {1}) -> tensor<2x3x4x4xf32>", (IMAGE, KERNEL), F.conv2d, ("conv2d",)),
    "conv_transpose2d": ("memplan.conv_transpose2d %0, %1 : ({0}, {1}) -> tensor<2x3x8x8xf32>", (IMAGE, KERNEL), F.conv_transpose2d, ("conv_transpose2d",)),
    "cross_entropy": ("memplan.cross_entropy %0, %1 : ({0}, {1}) -> (tensor<f32>, tensor<2xf32>)", (X, LABELS), F.cross_entropy, ("nll_loss", "log_softmax")),
    "gelu": ("memplan.gelu %0 : ({0}) -> {0}", (X,), F.gelu, ()),
    "layer_norm": ("memplan.layer_norm %0, %1, %2 {{epsilon = 1.0e-5 : f64}} : ({0}, {1}, {2}) -> ({0}, tensor<2xf32>, tensor<2xf32>)", (X, V, V),
                   lambda x, g, b: F.layer_norm(x, (4,), g, b), ("layer_norm",)),
    "map": ('memplan.map %0 {{expression = "x0 exp"}} : ({0}) -> {0}', (X,), torch.exp, ("exp",)),
    "matmul": ("memplan.matmul %0, %1 : ({0}, {1}) -> {0}", (X, W), torch.matmul, ("matmul", "linear", "mm", "addmm", "bmm")),
    "max_pool2d": ("memplan.max_pool2d %0 {{kernel = [2, 2]}} : ({0}) -> (tensor<2x3x5x5xf32>, tensor<2x3x5x5xi8>)", (IMAGE,),
                   lambda x: F.max_pool2d(x, 2, 1), ()),
    "mse_loss": ("memplan.mse_loss %0, %1 : ({0}, {1}) -> tensor<f32>", (X, X), F.mse_loss, ("mse_loss",)),
    "mul": ("memplan.mul %0, %1 : ({0}, {1}) -> {0}", (X, X), torch.mul, ()),
    "reduce_mean": ("memplan.reduce_mean %0 {{dims = [0]}} : ({0}) -> tensor<4xf32>", (X,), lambda x: x.mean(0), ()),
    "reduce_sum": ("memplan.reduce_sum %0 {{dims = [0]}} : ({0}) -> tensor<4xf32>", (X,), lambda x: x.sum(0), ("sum",)),
    "relu": ("memplan.relu %0 : ({0}) -> {0}", (X,), F.relu, ()),
    "softmax": ("memplan.softmax %0 : ({0}) -> {0}", (X,), lambda x: F.softmax(x, -1), ("softmax",)),
    "tanh": ("memplan.tanh %0 : ({0}) -> {0}", (X,), torch.tanh, ()),
}
NAMES = {torch.float32: "f32", torch.bfloat16: "bf16", torch.float16: "f16"}


def type_of(tensor) -> str:
    return f"tensor<{'x'.join(map(str, tensor.shape))}x{'i64' if tensor.dtype == torch.int64 else 'f32'}>"


def computed_in(tool, operation: str, is_low, device: str) -> str:
    """The element type of result 0 of `operation` after memplan-autocast; operands are of 16 bits where `is_low` says so, as a product gives them."""
    text, operands, *_ = OPERATIONS[operation]
    types = [type_of(o) for o in operands]
    arguments, lines, used = [f"%a{i}: {t}" for i, t in enumerate(types)], [], text.format(*types)
    for i, (operand, wanted) in enumerate(zip(types, is_low)):
        used = used.replace(f"%{i}", f"%v{i}" if wanted else f"%a{i}")
        if wanted:
            size = re.search(r"(\d+)xf32>", operand)[1]
            arguments.append(f"%w{i}: tensor<{size}x{size}xf32>")
            lines.append(f"%v{i} = memplan.matmul %a{i}, %w{i} : ({operand}, tensor<{size}x{size}xf32>) -> {operand}")
    results = text.split("->")[1].count("tensor") + text.split("->")[1].count("{")
    body = "\n  ".join([*lines, f"{'%r' if results == 1 else f'%r:{results}'} = {used}"])
    source = f"func.func @f({', '.join(arguments)}) {{\n  {body}\n  return\n}}\n"
    done = subprocess.run([tool("memplan-opt"), "-", f"--memplan-autocast=device={device}"], input=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + source
    made = next(line for line in done.stdout.splitlines()[::-1] if f"memplan.{operation} " in line)
    return re.search(r"-> \(?tensor<(?:\d+x)*(\w+)>", made)[1]


def low_operands(operation: str):
    """Which operands of an operation are real, but for parameters of norms, which no product gives."""
    operands = OPERATIONS[operation][1]
    return [o.is_floating_point() and not (o.dim() == 1) for o in operands]


# Another type than torch's in one place is another precision, or a loss in 16 bits.
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("low", ["none", "first", "all"])
def test_the_table_is_torchs_on_the_processor(operation, low, tool):
    _, operands, function, _ = OPERATIONS[operation]
    real = low_operands(operation)
    is_low = {"none": [False] * len(real), "first": [True] + [False] * (len(real) - 1), "all": real}[low]
    given = [o.bfloat16() if wanted else o for o, wanted in zip(operands, is_low)]
    with torch.autocast("cpu", torch.bfloat16):
        wanted = function(*given).dtype
    assert computed_in(tool, operation, is_low, "cpu") == NAMES[wanted]


def torchs_lists() -> dict[str, set]:
    """Names of the lists that torch's headers have for CUDA."""
    header = pathlib.Path(torch.__file__).parent / "include/ATen/autocast_mode.h"
    text = header.read_text()
    return {name: set(re.findall(r"_\((\w+)", re.search(rf"#define AT_FORALL_{name}\(_\)((?:.*\\\n)*.*\n)", text)[1]))
            for name in ("LOWER_PRECISION_FP", "FP32", "FP32_SET_OPT_DTYPE")}


# There is no GPU to ask, so that the header is read.
@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_table_is_torchs_on_cuda(operation, tool):
    lists, names = torchs_lists(), OPERATIONS[operation][3]
    is_lower = any(n in lists["LOWER_PRECISION_FP"] for n in names)
    is_single = any(n in lists["FP32"] | lists["FP32_SET_OPT_DTYPE"] for n in names)
    real = low_operands(operation)
    assert computed_in(tool, operation, [False] * len(real), "cuda") == ("bf16" if is_lower else "f32")
    assert computed_in(tool, operation, real, "cuda") == ("f32" if is_single else "bf16")


class Perceptron(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = torch.nn.Linear(16, 32), torch.nn.LayerNorm(32), torch.nn.Linear(32, 4)

    def forward(self, x):
        return self.last(F.gelu(self.norm(self.first(x))) * 0.5)


class Convolutions(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.last = torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.Linear(8 * 16, 4)

    def forward(self, x):
        return self.last(F.max_pool2d(torch.relu(self.norm(self.conv(x))), 2).flatten(1))


MODELS = {"perceptron": (Perceptron, (16,)), "convolutions": (Convolutions, (3, 8, 8))}


def batches(shape, dtype=torch.float32, count=3):
    generator = torch.Generator().manual_seed(3)
    return [(torch.randn(8, *shape, generator=generator).to(dtype), torch.randint(0, 4, (8,), generator=generator)) for _ in range(count)]


def learn(model, data, dtype=None):
    optimizer, losses = torch.optim.SGD(model.parameters(), lr=0.05), []
    for x, labels in data:
        with torch.autocast("cpu", dtype or torch.bfloat16, enabled=dtype is not None):
            loss = F.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def both(name, dtype=torch.float32):
    """Twice the same model."""
    build, shape = MODELS[name]
    torch.manual_seed(5)
    model = build().train().to(dtype)
    other = build().train().to(dtype)
    other.load_state_dict(model.state_dict())
    return model, other, shape


def check_parameters(ours, theirs, tolerance):
    for (name, a), b in zip(ours.named_parameters(), theirs.parameters()):
        assert a.dtype == b.dtype
        assert (a - b).norm() <= tolerance * (b.norm() + 1e-2), name


# A step in mixed precision must learn what torch's learns: on both roads, in both types.
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("road", ["precision", "autocast"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=["bf16", "f16"])
def test_mixed_precision_learns_as_torch(name, road, dtype):
    ours, theirs, shape = both(name)
    data = batches(shape)
    optimizer = torch.optim.SGD(ours.parameters(), lr=0.05)
    if road == "precision":
        runner = memplan.torch.run(ours, None, data, loss=F.cross_entropy, optimizer=optimizer, quiet=True, precision=NAMES[dtype])
    else:
        with torch.autocast("cpu", dtype):
            runner = memplan.torch.run(ours, None, data, loss=F.cross_entropy, optimizer=optimizer, quiet=True)
    assert f"x{NAMES[dtype]}" in runner.compiled.planned_ir
    tolerance = 2**-7 if dtype == torch.bfloat16 else 2**-10
    assert runner.losses == pytest.approx(learn(theirs, data, dtype), rel=tolerance)
    check_parameters(ours, theirs, tolerance)


# Modules in 16 bits are trained in their own memory.
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=["bf16", "f16"])
def test_a_module_of_16_bits_learns_as_torch(name, dtype):
    ours, theirs, shape = both(name, dtype)
    data = batches(shape, dtype)
    runner = memplan.torch.run(ours, None, data, loss=F.cross_entropy, optimizer=torch.optim.SGD(ours.parameters(), lr=0.05), quiet=True)
    tolerance = 2**-6 if dtype == torch.bfloat16 else 2**-9
    assert runner.losses == pytest.approx(learn(theirs, data), rel=tolerance)
    check_parameters(ours, theirs, tolerance)


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = torch.nn.LayerNorm(16), torch.nn.Linear(16, 48), torch.nn.Linear(16, 16)
        self.last = torch.nn.Linear(16, 4)

    def forward(self, x):
        q, k, v = (part.unflatten(2, (2, 8)).transpose(1, 2) for part in self.qkv(self.norm(x)).chunk(3, 2))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        return self.last((x + self.out(mixed)).mean(1))


class Residual(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = torch.nn.Conv2d(3, 8, 3, padding=1, bias=False), torch.nn.BatchNorm2d(8)
        self.second, self.last = torch.nn.Conv2d(8, 8, 3, padding=1), torch.nn.Linear(8, 4)

    def forward(self, x):
        y = torch.relu(self.norm(self.first(x)))
        return self.last((y + self.second(y)).mean((2, 3)))


SMALL = MODELS | {"attention": (Attention, (6, 16)), "residual": (Residual, (3, 8, 8))}


def distance(model, exact):
    """Of all parameters together."""
    moved = sum((a.double() - b).pow(2).sum() for a, b in zip(model.parameters(), exact.parameters()))
    return float(moved.sqrt())


# Rounding to 16 bits costs accuracy that nobody can give back; ours must cost no more than torch's, against the same step in f64.
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=["bf16", "f16"])
def test_mixed_precision_is_as_exact_as_torch(name, dtype):
    build, shape = SMALL[name]
    errors = {"ours": [], "theirs": []}
    for seed in range(4):
        torch.manual_seed(seed)
        ours = build().train()
        theirs, exact = copy.deepcopy(ours), copy.deepcopy(ours).double()
        data = batches(shape)
        optimizer = torch.optim.SGD(ours.parameters(), lr=0.05)
        runner = memplan.torch.run(ours, None, data, loss=F.cross_entropy, optimizer=optimizer, quiet=True, precision=NAMES[dtype])
        assert f"x{NAMES[dtype]}" in runner.compiled.planned_ir
        learn(theirs, data, dtype)
        learn(exact, [(x.double(), labels) for x, labels in data])
        errors["ours"].append(distance(ours, exact))
        errors["theirs"].append(distance(theirs, exact))
    assert min(errors["theirs"]) > 0
    assert sum(errors["ours"]) <= 1.1 * sum(errors["theirs"]), errors
