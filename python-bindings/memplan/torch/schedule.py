"""Schedule: the runs of a plan as PyTorch will execute them, and their bytes.

A value is released after its last reader. So a plan's frees are not read: what counts is which run each reader takes its
values from, and `Schedule` replays just that. Runs that nothing reads are dropped.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from . import operators
from .capture import COPIES, Role, StepGraph


@dataclasses.dataclass
class Run:
    """One run of a node. `reads` and `makes` are tensor ids; a made tensor that nothing wants is not in `makes`.

    over: the input whose storage its result takes; None where it has bytes of its own
    after_boundary: after the step's inputs were overwritten, as they may be before any run again of a whole step."""

    node: int
    number: int
    after_boundary: bool
    reads: list[int]
    makes: list[int]
    over: int | None = None
    replays: bool = False  # draws again from the state that the first draw saved


class Schedule:
    """Runs in execution order; `cut` is the position of the boundary, or the number of runs where there is none.

    `cost` is the work of all runs, `time` the end of the step where copies or collectives run beside them, and `exposed` how much of
    that waits for collectives, all in microseconds. Where there are copies, collectives count as if nothing ran beside them.
    A result is written over an input that its node may overwrite where the run is the last reader of that storage. A wait for a collective hands it over.
    `live_bytes` is the peak of live storages with what is held during the whole step, where operators run one by one; `peak_bytes` counts scratch
    too, and where the graph says that inductor fuses, not what no kernel stores."""

    def __init__(self, graph: StepGraph, steps: Iterable[tuple[int, list[int]]], time: float | None = None, overwrites: bool = True):
        """`steps` are the nodes in execution order, each with the outputs that this run throws away; `time` where they copy; `overwrites`
        whether results lie over inputs at all."""
        self.graph, self._overwrites = graph, overwrites
        self.runs = self._prune(self._read_runs(steps))
        roles = [graph.nodes[r.node].role for r in self.runs]
        self.cut = roles.index(Role.BOUNDARY) if Role.BOUNDARY in roles else len(roles)
        self.cost = sum(graph.nodes[r.node].cost for r in self.runs)
        busy, end = self._beside()
        self.exposed = end - busy
        self.time = end if time is None or not self.offloads else max(time, end)
        self._replay()

    @property
    def recomputations(self) -> int:
        return sum(r.number > 0 for r in self.runs)

    @property
    def offloads(self) -> int:
        """Copies to the host."""
        return sum(self.graph.nodes[r.node].role is Role.OFFLOAD for r in self.runs)

    def _beside(self) -> tuple[float, float]:
        """(time of what computes, end of the step) where collectives run beside it, one after the other, until they are waited for."""
        computing, link, done = 0.0, 0.0, {}
        busy = 0.0
        for run in self.runs:
            node = self.graph.nodes[run.node]
            if node.communicates:
                link = max(link, computing) + node.cost
                done |= {self.graph.tensors[t].base: link for t in (*run.makes, *node.writes)}
            elif node.waits:
                computing = max([computing, *(done.get(self.graph.tensors[t].base, 0.0) for t in run.reads)])
            else:
                computing, busy = computing + node.cost, busy + node.cost
        return busy, max(computing, link)

    def _read_runs(self, steps) -> list[Run]:
        runs, done, passed, whole = [], {}, False, not self.graph.tangents
        for number_of_node, discards in steps:
            node = self.graph.nodes[number_of_node]
            if node.role is Role.SEED:  # saved by the first draw, before which no other operator draws
                continue
            number = done.get(node.id, 0)
            done[node.id] = number + 1
            makes = [t for t in node.outputs if t not in discards]
            run = Run(node.id, number, passed or whole and number > 0, list(node.inputs), makes)
            if node.draws is not None:
                run.replays = number > 0
                if not run.replays:
                    run.reads.remove(node.draws)
                    run.makes.append(node.draws)
            if self._is_recomputation(run):
                run.makes = [t for t in run.makes if self.graph.tensors[t].index < operators.recomputation_of(node.fx).results]
            runs.append(run)
            passed = passed or node.role is Role.BOUNDARY
        return runs

    def _is_recomputation(self, run: Run) -> bool:
        node = self.graph.nodes[run.node]
        return run.after_boundary and node.role is Role.OPERATOR and operators.recomputation_of(node.fx) is not None

    def _prune(self, runs: list[Run]) -> list[Run]:
        """Without runs that nothing reads before the same tensors are recomputed, and without results that nothing reads."""
        wanted: set[int] = set()
        kept = []
        for run in reversed(runs):
            node = self.graph.nodes[run.node]
            read = {t for t in run.makes if t in wanted}
            read |= {self.graph.tensors[t].base for t in read} & set(run.makes)
            if node.role is Role.OPERATOR:
                draws_first = node.draws is not None and not run.replays
                if not read and node.outputs and not (draws_first or node.writes or node.collective or node.compares):
                    continue
                run.makes = [t for t in run.makes if t in read]
            elif node.role in COPIES and not wanted & {(node.outputs or node.inputs[node.role is Role.LEFT :])[0]}:
                continue
            wanted = (wanted - set(run.makes)) | set(run.reads)
            kept.append(run)
        kept.reverse()
        done: set[int] = set()
        for run in kept:
            run.number = int(run.node in done)
            done.add(run.node)
        return kept

    def _replay(self) -> None:
        """Fills `profile`, and the bytes that follow from it."""
        graph, last, storage = self.graph, {}, {}
        current: dict[int, tuple[int, int]] = {}  # tensor -> (run, tensor): the storage that its reader finds it in
        returned = {t for o in graph.forward_outputs if o not in graph.new_values for t in graph.ids(o)}
        read: list[dict] = []  # of each run: the storages of what its node may overwrite
        loads: list[list] = []  # of each run: the storages that it reads, of those that this step makes
        for at, run in enumerate(self.runs):
            found = dict.fromkeys(storage[current[t]] for t in run.reads if t in current)
            last |= {s: max(at, last.get(s, at)) for s in found}
            loads.append([s for s in found if s is not None])
            read.append(self._overwritable(run, {t: storage[current[t]] for t in run.reads if t in current}))
            if at == self.cut:  # the caller holds what the forward returns until the step ends
                last |= {storage[current[t]]: len(self.runs) for t in returned if t in current}
            for t in run.makes:
                base = graph.tensors[t].base
                made = current[t] = at, t
                storage[made] = storage.get(current.get(base)) if base != t else made
                if base == t:
                    last[made] = len(self.runs) if graph.nodes[run.node].role is Role.BOUNDARY else at
        last.pop(None, None)
        self.profile = self._profile({made: made[0] + self._puts_over(made, read, last) for made in last}, last)
        self.live_bytes = max((live for live, _ in self.profile), default=graph.held_bytes())
        if graph.fuses:
            from .fusion import Fused  # loads a part of inductor

            fused = Fused(graph, self.runs, self.cut, loads, last)
            self.profile = self._profile({made: made[0] + (made in fused.over) for made in last if fused.stored[made]}, last)
        self.peak_bytes = max((total for _, total in self.profile), default=graph.held_bytes())

    def _overwritable(self, run: Run, found: dict) -> dict:
        """{tensor: storage} of inputs that the first result of `run` may lie over: no other input is in that storage."""
        node = self.graph.nodes[run.node]
        over = [node.hands_over] if node.hands_over is not None else node.over if self._overwrites else []
        if node.outputs[:1] != run.makes[:1]:
            return {}
        return {t: found[t] for t in over if found.get(t) is not None and list(found.values()).count(found[t]) == 1}

    def _puts_over(self, made: tuple[int, int], read: list[dict], last: dict) -> bool:
        """Puts the first that a run made over an input, of whose storage it is the last reader. True where there is one: then its bytes count from the next run on."""
        at, run = made[0], self.runs[made[0]]
        if made[1] != self.graph.nodes[run.node].outputs[0]:
            return False
        run.over = next((t for t, storage in read[at].items() if last[storage] == at), None)
        return run.over is not None

    def _profile(self, begin: dict, last: dict) -> list[tuple[int, int]]:
        """Of each run the live bytes while it runs, and those with its scratch, where storages live from `begin` to `last`."""
        change = [0] * (len(self.runs) + 2)
        for made, at in begin.items():
            change[at] += self.graph.tensors[made[1]].bytes
            change[last[made] + 1] -= self.graph.tensors[made[1]].bytes
        now, profile = self.graph.held_bytes(), []
        for at, run in enumerate(self.runs):
            now += change[at]
            node = self.graph.nodes[run.node]
            dead = [t for t in node.outputs if t not in run.makes and self.graph.tensors[t].base == t and self._exists(run, t)]
            live = now + sum(self.graph.tensors[t].bytes for t in dead)
            unused = self.graph.tensors[node.draws].bytes if node.draws is not None and not run.replays else 0  # no state to put back
            profile.append((live, live + node.workspace_bytes - unused))
        return profile

    def _exists(self, run: Run, tensor: int) -> bool:
        index = self.graph.tensors[tensor].index
        return not self._is_recomputation(run) or index is None or index < operators.recomputation_of(self.graph.nodes[run.node].fx).results
