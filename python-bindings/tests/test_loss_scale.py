"""A scaled loss: gradients, skipped steps and the scale itself are those of torch.amp.GradScaler."""

import copy

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

from torch.nn import functional as F  # noqa: E402

import memplan.torch  # noqa: E402
from memplan.export import export_joint_step, optimizer as exported  # noqa: E402

pytest.importorskip("memplan._compiler", reason="the compiler is not in this build")

STEPS = 9
OPTIMIZERS = {"momentum": lambda p: torch.optim.SGD(p, lr=0.001, momentum=0.9), "adamw": lambda p: torch.optim.AdamW(p, lr=0.01),
              "rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.003), "adafactor": lambda p: torch.optim.Adafactor(p, lr=0.01)}
# Factors so large that no rounding decides whether a gradient overflows.
GROWTH = {"growth_factor": 2.0**20, "backoff_factor": 2.0**-20, "growth_interval": 2}


def loss_of(output, labels):
    """So large that its gradients overflow in f32 at the largest scale."""
    return F.cross_entropy(output, labels) * 64


def start():
    torch.manual_seed(6)
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.Linear(32, 4))
    return model, [(torch.randn(8, 16), torch.randint(0, 4, (8,))) for _ in range(STEPS)]


def learn(model, data, optimizer, scaler, dtype, max_norm):
    scales = []
    for x, labels in data:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype or torch.bfloat16, enabled=dtype is not None):
            loss = loss_of(model(x), labels)
        scaler.scale(loss).backward()
        if max_norm:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
        scales.append((scaler.get_scale(), scaler.state_dict()["_growth_tracker"]))
    return scales


def ours(model, data, optimizer, scaler, dtype, road, max_norm=None):
    scales, runner = [], None
    options = {"precision": {torch.float16: "f16", None: "f32"}[dtype]} if road == "precision" else {}
    with torch.autocast("cpu", dtype or torch.bfloat16, enabled=dtype is not None and road == "autocast"):
        for batch in data:
            if runner is None:
                runner = memplan.torch.run(model, "100%", [batch], loss=loss_of, optimizer=optimizer, scaler=scaler, max_norm=max_norm, quiet=True, **options)
            else:
                runner(*batch)
            scales.append((scaler.get_scale(), scaler.state_dict()["_growth_tracker"]))
    return scales


# A step that is not skipped makes parameters NaN; one that is skipped wrongly, or counted by Adam, parts from torch; so does a scale that grows a step late.
@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("dtype, road, scale, max_norm", [(None, "precision", 2.0**127, None), (None, "precision", 2.0**127, 0.3),
                                                          (torch.float16, "precision", 2.0**24, None), (torch.float16, "autocast", 2.0**24, None)])
def test_scaling_is_that_of_torch(name, dtype, road, scale, max_norm):
    model, data = start()
    mine = copy.deepcopy(model)
    optimizers = [OPTIMIZERS[name](m.parameters()) for m in (mine, model)]
    scalers = [torch.amp.GradScaler("cpu", init_scale=scale, **GROWTH) for _ in range(2)]
    expected = learn(model, data, optimizers[1], scalers[1], dtype, max_norm)
    assert ours(mine, data, optimizers[0], scalers[0], dtype, road, max_norm) == expected
    values = [s for s, _ in expected]
    skipped = sum(a > b for a, b in zip([scale, *values], values))
    assert skipped >= 1 and any(a < b for a, b in zip(values, values[1:])), "no step was skipped or the scale never grew, so this test says nothing"
    for (key, parameter), wanted in zip(mine.named_parameters(), model.parameters()):
        torch.testing.assert_close(parameter, wanted, rtol=2e-3, atol=2e-3 if dtype else 1e-5, msg=lambda m: f"{key}: {m}")
    for state, wanted in zip(optimizers[0].state.values(), optimizers[1].state.values()):
        assert state.get("step") == wanted.get("step") and (name == "momentum" or state["step"] == STEPS - skipped)


# Unscaled gradients below f16's smallest number are zero, so that nothing is learned: what a scale is for.
def test_a_scale_keeps_small_gradients():
    model, data = start()
    changes = []
    for scaler in (None, torch.amp.GradScaler("cpu", init_scale=2.0**16)):
        mine = copy.deepcopy(model)
        memplan.torch.run(mine, None, data[:1], loss=lambda x, y: F.cross_entropy(x, y) * 1e-7, optimizer=torch.optim.SGD(mine.parameters(), lr=1e6), scaler=scaler,
                          quiet=True, precision="f16")
        changes.append((mine[0].weight - model[0].weight).abs().max().item())
    assert changes[0] == 0 and changes[1] > 0


# A program that brings torch's backward pass begins it with the scale, and says so as an argument with a file's name.
def test_the_joint_road_takes_a_scale():
    model, data = start()
    text = export_joint_step(model, {"x": data[0][0]}, {"y": data[0][1]}, F.cross_entropy, optimizer_settings=exported("sgd", loss_scale=1024))
    assert '{memplan.init = "constant:1024", memplan.kind = "state", memplan.name = "optimizer.loss_scale"}' in text
    compiled = memplan.compile_step(text)
    assert {"optimizer.loss_scale", "optimizer.good_steps"} <= {a.name for a in compiled.program.arguments}


def test_wrong_settings_are_named():
    for settings, message in [({"loss_scale": 0}, "loss_scale is 0, but must be above 0"), ({"loss_scale": 1e39}, "finite in float32"),
                              ({"growth_factor": 4.0}, "growth_factor does nothing without a loss_scale"),
                              ({"loss_scale": 8, "backoff_factor": 1.0}, "backoff_factor is 1.0"),
                              ({"loss_scale": 8, "growth_factor": 1.0}, "growth_factor is 1.0"),
                              ({"loss_scale": 8, "growth_interval": 2.5}, "growth_interval is 2.5")]:
        with pytest.raises(ValueError, match=message):
            exported("sgd", **settings)
    model, data = start()
    with pytest.raises(ValueError, match="scaler skips updates whose gradients are not finite, and there is no optimizer"):
        memplan.torch.run(model, None, data, loss=F.cross_entropy, scaler=torch.amp.GradScaler("cpu"))
