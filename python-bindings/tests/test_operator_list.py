"""Each operation of the dialect is one that the exporter emits, or stands below with who makes it instead.

That each has refused cases, a gradient test where it has a gradient, and a conformance case is held by test/Dialect/Memplan/negative-tests.test,
test/Unit/Dialect/GradientTest.cpp and test/Conformance/KernelTest.cpp."""
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
DEFINITION = re.compile(r'def Memplan_(\w+Op)\s*:\s*Memplan_\w+<\s*"(\w+)"')

# Operations that the exporter does not emit: the file that does.
MADE_BY = {
    "lib/Dialect/Memplan/Transforms/Optimizer.cpp": {
        "adagrad_update", "adam_update", "adamw_update", "all_reduce", "global_norm", "increment", "lion_update", "loss_scale_update", "non_finite",
        "rmsprop_momentum_update", "rmsprop_update", "sgd_momentum_update", "sgd_update"},
    "lib/Dialect/Memplan/Transforms/Fuse.cpp": {"matmul_bias_grad", "matmul_gelu", "matmul_gelu_grad"},
    "lib/Dialect/Memplan/IR/GradientsNorm.cpp": {"bce_with_logits_grad"},
    "lib/Dialect/Memplan/IR/GradientsShape.cpp": {"reduce_mean_grad"},
    "lib/Transforms/EncodedValues.cpp": {"encode_bf16", "decode_bf16"},
    "lib/Bridge/ApplyCopies.cpp": {"evict", "fetch", "record", "wait"},
}


def test_each_operation_is_emitted_by_the_exporter_or_by_another():
    sources = (ROOT / "include/memplan/Dialect/Memplan/IR").glob("*.td")
    operations = {name: kind for file in sources for kind, name in DEFINITION.findall(file.read_text())}
    assert len(operations) > 80
    exporter = "".join(file.read_text() for file in (ROOT / "python-bindings/memplan/export").glob("*.py"))
    emitted = {name for name in operations if re.search(rf'"{name}"|memplan\.{name} ', exporter)}
    assert operations.keys() - emitted == set().union(*MADE_BY.values())
    for file, names in MADE_BY.items():
        text = (ROOT / file).read_text()
        for name in names:
            assert re.search(rf"\b{operations[name]}\b", text), f"{file} does not make memplan.{name}"
