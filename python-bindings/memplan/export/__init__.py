"""Training steps of PyTorch modules as memplan programs.

    with record_initializers() as record, torch.device("meta"):
        model = torchvision.models.resnet50()
    text = export_training_step(model, {"image": image}, {"label": label}, torch.nn.functional.cross_entropy,
                                record=record, batch=32)

The program holds the forward pass and the loss; `memplan-opt --memplan-autodiff` adds the backward pass and the update of
every parameter by the optimizer that the program names.
"""

from __future__ import annotations

from . import operators_attention, operators_elementwise, operators_index, operators_joint, operators_map, operators_nn, operators_random, operators_routing, operators_shape, operators_windows  # noqa: F401  (they register themselves)
from .capture import capture_step
from .errors import ExportError, UnsupportedOperatorError
from .initializers import record_initializers, with_reset_parameters
from .joint import JointLowering, coverage, trace_step
from .lower import Lowering, lowering
from .optimizers import optimizer
from .text import FunctionText

__all__ = ["ExportError", "UnsupportedOperatorError", "coverage", "export_joint_step", "export_training_step", "lowering", "optimizer", "record_initializers"]


def export_training_step(model, inputs, targets, loss, *, record=None, batch=None, optimizer_settings=None, name="train_step", header="",
                         attention_as_products=False, progress=None):
    """Returns MLIR text of one training step of `model`.

    model               a torch.nn.Module in training mode, with real values or on the meta device
    inputs, targets     name -> example tensor; dimension 0 of each is the batch. model(**inputs) is called where forward() has parameters of all these names,
                        else model(*inputs), then loss(output, *targets)
    loss                a function or module that gives a scalar; None: the model's own, `output.loss`, as those of `transformers` have where `labels` are an input
    record              what record_initializers() gave around the construction of the module; without it the initialisers are read
                        off the values, or on the meta device are what reset_parameters() of the modules fills
    batch               the batch of the program, that of the examples if not given
    optimizer_settings  what optimizer() returns; plain SGD if not given
    name, header        name of the function; comment lines at the top
    attention_as_products   whether scaled_dot_product_attention becomes products and a softmax of all scores
                        instead of one operation that keeps no scores
    progress            called with a few words on what is being done

    Raises UnsupportedOperatorError for an operator without counterpart, ExportError for anything else that cannot be exported.
    """
    function = FunctionText(name)
    if progress:
        progress("tracing the step")
    captured = capture_step(model, inputs, targets, loss, batch)
    Lowering(captured, function, with_reset_parameters(model, record), attention_as_products, progress).run()
    function.attributes["memplan.optimizer"] = optimizer_settings or optimizer("sgd")
    return function.text(header)


def export_joint_step(model, inputs, targets, loss, *, record=None, optimizer_settings=None, opaque=True, name="train_step", header="",
                      attention_as_products=False, progress=None):
    """Returns MLIR text of one training step of `model` with the backward pass of PyTorch itself.

    Arguments are those of export_training_step; the batch is that of the examples and cannot be changed afterwards.

    opaque              whether an operator without counterpart becomes `memplan.opaque`, which is planned and not run; if not, it
                        raises UnsupportedOperatorError. coverage() says what share of the step can run
    """
    function = FunctionText(name)
    if progress:
        progress("tracing the step with its backward pass")
    scale = (optimizer_settings or {}).get("loss_scale")


    def lower(function, lines: bool) -> None:
        captured = trace_step(model, inputs, targets, loss, attention_as_products, scaled=scale is not None, lines=lines)
        JointLowering(captured, function, with_reset_parameters(model, record), opaque, progress, scale).run()

    try:
        lower(function, lines=False)
    except UnsupportedOperatorError:
        lower(FunctionText(name), lines=True)  # which raises it again, with the lines
        raise
    function.attributes["memplan.optimizer"] = optimizer_settings or optimizer("sgd")
    return function.text(header)
