#!/usr/bin/env python3
"""What breaks budgets: takes each rule of docs/Torch.md away, and says which test fails then.

usage: rules.py [RULE...] [--list]
A rule is taken away by replacing the function that holds it; its test is run in the same process. It must fail then, and pass with the rule.
The exit status is 1 where one does not.
"""
import argparse
import contextlib
import io
import os
import pathlib
import sys
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "build/python"), str(ROOT / "python-bindings/tests")]
import pytest  # noqa: E402
import torch  # noqa: E402
from memplan.torch import capture, emit, front, inductor, measure, operators, session, simplify, trace, verify  # noqa: E402
from memplan.torch.schedule import Schedule  # noqa: E402

replace = unittest.mock.patch.object


def nothing(*_, **__):
    return None


class Apart(dict):
    """Owners of storages that know of none."""

    def setdefault(self, key, default=None):
        return default


def storages_apart():
    add = capture.StepGraph._add_primals

    def without(self, static):
        self._owners = Apart()
        add(self, static)

    return replace(capture.StepGraph, "_add_primals", without)


def without_keys(*names):
    """Nodes for planners do not say these things."""
    say = capture.Node.json
    return replace(capture.Node, "json", lambda self: {k: v for k, v in say(self).items() if k not in names})


def fixed_bytes_without(*, gradients=False, modules=False):
    make = front.CompiledStep._make

    def without(self, fixed, module_bytes, *rest, **more):
        return make(self, self._fixed_bytes + self._needs.state_bytes if gradients else fixed, 0 if modules else module_bytes, *rest, **more)

    return replace(front.CompiledStep, "_make", without)


def any_graph():
    """Steps of several graphs are compiled, each with the whole budget."""
    compiled, backend = torch.compile, session.Session.backend

    def without(self, gm, inputs, **more):
        gm.compile_subgraph_reason, self._frame = None, None
        return backend(self, gm, inputs, **more)

    stack = contextlib.ExitStack()
    stack.enter_context(replace(torch, "compile", lambda step, **options: compiled(step, **{**options, "fullgraph": False})))
    stack.enter_context(replace(session.Session, "backend", without))
    return stack


def loss_outside():
    made = session.Session.__init__

    def without(self, budget, *, outside=None, **options):
        made(self, budget, outside=0, **options)

    return replace(session.Session, "__init__", without)


def draws_anew(state, target, *args, **kwargs):
    """A random operator that runs again from where the generator is."""
    return target(*args, **kwargs)


def draws_on(state, target, *args, **kwargs):
    """A random operator that runs again and leaves the generator where it got to."""
    if not emit._is_fake():
        torch.set_rng_state(state)
    return target(*args, **kwargs)


def over_what_is_read_later():
    """Results lie over the first argument that they may lie over, whoever reads that later."""

    def without(self, made, read, last):
        run = self.runs[made[0]]
        run.over = next(iter(read[made[0]]), None)
        return run.over is not None

    return replace(Schedule, "_puts_over", without)


def without_autocast():
    """Steps are traced and run as if no autocast were around them."""
    call = front.CompiledStep.__call__

    def without(self, *args, **kwargs):
        with torch.autocast("cpu", enabled=False):
            return call(self, *args, **kwargs)

    return replace(front.CompiledStep, "__call__", without)


def one_plan():
    """The first plan of a step serves all of its calls."""
    find = front.CompiledStep._session_for

    def without(self, args):
        if not self._sessions:
            return find(self, args)
        self._session, call = next(iter(self._sessions.values()))
        return call

    return replace(front.CompiledStep, "_session_for", without)


def plans_by_graph():
    """A cache of plans whose key is the graph alone."""
    known, make = {}, session.solve_together

    def without(graph, *rest, **more):
        key = str(graph.json())
        known[key] = known.get(key) or make(graph, *rest, **more)
        return known[key]

    return replace(session, "solve_together", without)


def buffers_for_later_results():
    """Inductor keeps buffers for later results where its own estimate allows that."""
    compile_fx = inductor.compile_fx
    return replace(inductor, "compile_fx", lambda *args, config_patches, **rest: compile_fx(*args, config_patches={**config_patches, "allow_buffer_reuse": True}, **rest))


def as_if_nothing_fused():
    """Each operator stores its result."""
    made = capture.StepGraph.__init__

    def without(self, *args, fuses=False, **options):
        made(self, *args, **options)

    return replace(capture.StepGraph, "__init__", without)


def in_ranks(code):
    """Python text that the processes of torch_ranks.py run first."""
    return unittest.mock.patch.dict(os.environ, MEMPLAN_TAKE_AWAY=code)


BUDGET, RULES_, WHOLE, IN_PLACE, SIMPLE = "test_torch_budget.py", "test_torch_rules.py", "test_torch_whole.py", "test_torch_in_place.py", "test_torch_simplify.py"
FUSED = "test_torch_inductor.py"
# {rule: (how it is taken away, file and name of its test)}
RULES = {
    "scratch inside operators": (lambda: replace(measure.Measurements, "scratch", lambda *_, **__: {}), BUDGET, "scratch_of_operators_is_measured"),
    "a result lies over an argument that nothing reads later": (over_what_is_read_later, IN_PLACE, "nothing_is_read_after_something_was_written"),
    "batch norm that runs again reads no running statistics": (lambda: replace(operators, "RECOMPUTATIONS", {}), BUDGET, "a_real_step_keeps_its_budget_to_the_byte"),
    "copies for in-place activations are not made": (lambda: replace(simplify, "drop_copies", nothing), SIMPLE, "copies_for_in_place_activations"),
    "a ReLU before a pool is not kept": (lambda: replace(simplify, "mask_after_pool", nothing), SIMPLE, "a_relu_before_a_pool"),
    "backwards of ReLU6 read the result": (lambda: replace(simplify, "read_results_for_inputs", nothing), SIMPLE, "what_only_a_backward_of_relu6"),
    "the backward of batch norm is given no statistics": (lambda: replace(operators, "drop_unread_statistics", nothing), RULES_, "the_backward_of_batch_norm_reads_no"),
    "nothing reads an old value after it was overwritten": (lambda: without_keys("writes"), BUDGET, "mutated_inputs_keep_their_old_value"),
    "memory that is filled later is never recomputed": (lambda: replace(operators, "written_arguments", lambda node: []), WHOLE, "memory_that_is_filled_later"),
    "outputs that are views keep their base": (storages_apart, RULES_, "outputs_that_are_views_keep"),
    "parameters of one memory count once": (storages_apart, BUDGET, "parameters_of_one_memory"),
    "what the graph does not read counts": (lambda: fixed_bytes_without(modules=True), BUDGET, "what_the_graph_does_not_read"),
    "a loss outside is refused or measured": (loss_outside, BUDGET, "a_loss_outside_is_refused"),
    "gradients that are already there": (lambda: fixed_bytes_without(gradients=True), BUDGET, "gradients_that_are_there_count"),
    "state and temporaries of the optimizer": (lambda: replace(front.optimizers, "needs", lambda _: front.optimizers.Needs(0, 0)), BUDGET, "state_and_temporaries_of_the_optimizer"),
    "graph breaks are refused": (any_graph, BUDGET, "graph_breaks_are_refused"),
    "dropout draws again from its saved state": (lambda: replace(emit, "draw_again", draws_anew), BUDGET, "dropout_runs_again_from_its_saved"),
    "the generator goes on as if a draw had not run again": (lambda: replace(emit, "draw_again", draws_on), RULES_, "a_draw_may_run_again_several_times"),
    "the plan of a batch is made for the largest": (lambda: replace(session.Session, "_set_sizes", nothing), RULES_, "the_first_plan_may_be_for_a_larger"),
    "retain_graph is refused": (lambda: replace(torch._C._autograd, "_get_current_graph_task_keep_graph", lambda: False), BUDGET, "retain_graph_is_refused"),
    "saved-tensor hooks are refused": (lambda: replace(torch._C._autograd, "_top_saved_tensors_default_hooks", nothing), RULES_, "saved_tensor_hooks_are_refused"),
    "runs that nothing reads are dropped": (lambda: replace(Schedule, "_prune", lambda self, runs: runs), BUDGET, "a_first_run_that_nobody_reads"),
    "what a collective writes into counts once": (lambda: replace(operators, "given_result", nothing), WHOLE, "what_a_collective_writes_into"),
    "what was emitted is run on fake tensors": (lambda: replace(verify, "true_live_bytes", lambda graph, *_: 0), BUDGET, "modules_that_take_more_than_their_plan"),
    "casts of autocast are in the graph": (without_autocast, BUDGET, "autocast_is_in_the_graph"),
    "a second micro-batch has a plan of its own": (one_plan, BUDGET, "gradients_that_are_there_count"),
    "a plan is made anew for each budget": (plans_by_graph, RULES_, "compile_caches_do_not_mix"),
    "under DDP the step is one graph, and buckets are reduced after it": (
        lambda: in_ranks("from memplan.torch import front; front._under_ddp = lambda ddp, call: call"), WHOLE, "a_module_under_ddp_keeps"),
    "what inductor fuses takes no bytes": (as_if_nothing_fused, FUSED, "fused_steps_keep_budgets"),
    "scratch of kernels that inductor calls": (lambda: replace(session.Session, "_scratch", nothing), FUSED, "scratch_of_kernels_that_inductor_calls"),
    "inductor keeps no buffer for a later result": (buffers_for_later_results, FUSED, "buffers_are_released_when"),
    "layouts that miss a budget are given up before the plan": (lambda: replace(session.Session, "chooses_layouts", False), FUSED, "layouts_that_break_a_budget"),
    "steps without gradients are looked at": (lambda: replace(session.Session, "_check_inference", nothing), BUDGET, "without_gradients_the_budget_holds"),
}


def passes(file, test) -> bool:
    """Whether a test passes; there must be one of this name."""
    torch._dynamo.reset()
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = pytest.main(["-q", "-c", str(ROOT / "test/pytest.ini"), f"--rootdir={ROOT}", "-p", "no:cacheprovider", "-k", test, str(ROOT / "python-bindings/tests" / file)])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        sys.exit(f"{file} has no test *{test}*, or it does not start:\n{said.getvalue()[-2000:]}")
    return status == pytest.ExitCode.OK


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: ") :])
    parser.add_argument("rules", nargs="*", help="words of rules; all of them without")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    chosen = {rule: how for rule, how in RULES.items() if not options.rules or any(word in rule for word in options.rules)}
    if options.list:
        print(*chosen, sep="\n")
        return 0
    wrong = 0
    print("| rule | without it fails |\n|---|---|", flush=True)
    for rule, (take_away, file, test) in chosen.items():
        with take_away():
            failed = not passes(file, test)
        shown = "**nothing**" if not failed else f"`{file}`, `test_{test}...`" if passes(file, test) else "**fails with it too**"
        wrong += shown.startswith("*")
        print(f"| {rule} | {shown} |", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
