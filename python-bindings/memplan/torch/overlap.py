"""Overlap: collectives are issued before their results are read and waited for where these are, within the bytes of the budget.

A collective that is issued runs beside what computes until something waits for it. A plan of live bytes has one queue, so this
room moves issues up and waits down in it. Other runs keep their order, and so do collectives, which ranks must run in one order."""

from __future__ import annotations

import dataclasses

from .capture import Node, Role
from .schedule import Run, Schedule


@dataclasses.dataclass(eq=False)
class _Step:
    """One run: the storages that it makes, reads and writes, by their base tensors, and the bytes while it runs.

    begin, end  when what computes gets to it and past it, were nothing waited for
    storages    those that it touches, each made by one run: (base, number of the making)
    done        of a wait: when its collective has ended, were each issued as it stands
    start       of an issue that moves: when it should begin"""

    run: Run
    node: Node
    makes: set[int]
    reads: set[int]
    writes: set[int]
    bytes: int
    begin: float
    end: float
    storages: set[tuple[int, int]]
    done: float
    start: float = 0.0

    @property
    def touches(self) -> set[int]:
        return self.makes | self.reads | self.writes


def _steps_of(schedule: Schedule) -> list[_Step]:
    graph, clock, link, makings, done, steps = schedule.graph, 0.0, 0.0, {}, {}, []
    for run, (_, total) in zip(schedule.runs, schedule.profile, strict=True):
        node = graph.nodes[run.node]
        makes, reads = ({graph.tensors[t].base for t in ids} for ids in (run.makes, run.reads))
        storages = {(base, makings.get(base, 0)) for base in reads | set(node.writes)}
        makings |= {t: makings.get(t, 0) + 1 for t in run.makes if graph.tensors[t].base == t}
        storages |= {(base, makings.get(base, 0)) for base in makes}
        end = clock + (0.0 if node.communicates else node.cost)
        if node.communicates:
            link = max(link, clock) + node.cost
            done |= dict.fromkeys(makes, link)
        ready = max((done.get(base, 0.0) for base in reads), default=0.0)
        steps.append(_Step(run, node, makes, reads, set(node.writes), total, clock, end, storages, ready))
        clock = end
    return steps


def _only_views(schedule: Schedule, step: _Step) -> bool:
    """Whether a run does no more than look into storages that are live: a view, or a wait."""
    node, tensors = step.node, schedule.graph.tensors
    return (node.role is Role.OPERATOR and not node.writes and node.draws is None and bool(step.run.makes)
            and (node.hands_over is not None or all(tensors[t].base != t for t in node.outputs)))


def _bytes(schedule: Schedule, bases) -> int:
    tensors = (schedule.graph.tensors[base] for base in bases)
    return sum(t.bytes for t in tensors if t.kind not in ("parameter", "state", "input"))


def _delay_waits(schedule: Schedule, budget: int) -> list[Run]:
    """Runs in which waits, and views of what they waited for, stand where their result is touched first or the collective has ended, or
    as far down as the bytes fit that a collective reads."""
    steps, order, waiting = _steps_of(schedule), [], []
    last = {storage: at for at, step in enumerate(steps) for storage in step.storages}

    def held(at):
        """Bytes that stay behind `at` for those that wait alone."""
        return _bytes(schedule, [base for base, number in set().union(*(w.storages for w in waiting)) if last[base, number] < at])

    for at, step in enumerate(steps):
        views = _only_views(schedule, step)
        follows = views and any(step.reads & w.makes for w in waiting)
        if step.node.role in (Role.BOUNDARY, Role.END):
            order, waiting = order + waiting, []
        if not follows:
            due = [w for w in waiting if w.done <= step.begin or step.touches & w.makes or (step.makes | step.writes) & w.touches]
            # A view of a result that is due stands on its wait, so all that look into its storage go together.
            bases = set().union(*(w.makes for w in due))
            due = [w for w in waiting if w in due or w.makes & bases]
            order, waiting = order + due, [w for w in waiting if w not in due]
        while waiting and step.bytes + held(at) > budget:
            bases = waiting[0].makes
            order += [w for w in waiting if w.makes & bases]
            waiting = [w for w in waiting if not w.makes & bases]
            follows = views and any(step.reads & w.makes for w in waiting)
        (waiting if follows or views and step.node.waits else order).append(step)
    return [step.run for step in order + waiting]


def _blocks(step: _Step, moved: _Step) -> bool:
    """Whether `moved` has to stay behind `step`."""
    return (step.node.role in (Role.BOUNDARY, Role.END) or bool(step.touches & moved.makes) and not moved.makes <= moved.reads
            or bool(set(step.run.makes) & set(moved.run.reads)) or bool((step.makes - step.reads | step.writes) & moved.reads)
            or step.node.role is not Role.OPERATOR and bool(step.touches & moved.reads))


def _issue_early(schedule: Schedule, budget: int) -> list[Run]:
    """Runs in which each collective is issued so early that it can end where its result is touched first, and where the next one
    begins, as far as its bytes fit. Views that it reads move up before it."""
    steps = _steps_of(schedule)
    order, moving, touched = [], [], {}  # from the end on; of `moving` the first comes out first, so that collectives keep their order
    next_start = steps[-1].end if steps else 0.0
    for step in reversed(steps):
        issues = step.node.communicates and not step.writes and step.node.role is Role.OPERATOR
        leave = 0
        for number, moved in enumerate(moving, 1):
            carried = _only_views(schedule, step) and bool(set(step.run.makes) & set(moved.run.reads)) and not step.touches & moved.makes
            if moved.start >= step.end or _blocks(step, moved) and not carried or step.node.communicates and not issues:
                leave = number
        while leave < len(moving) and not issues and step.bytes + _bytes(schedule, set().union(*(m.makes - m.reads for m in moving[leave:]))) > budget:
            leave += 1
        order, moving = order + moving[:leave], moving[leave:]
        carried = [m for m in moving if _only_views(schedule, step) and set(step.run.makes) & set(m.run.reads)]
        if issues:
            step.start = next_start = min([next_start, *(touched.get(base, next_start) for base in step.makes)]) - step.node.cost
            moving.append(step)
        elif carried:
            step.start = min(m.start for m in carried)
            moving.append(step)
        else:
            order.append(step)
        touched |= dict.fromkeys(step.touches, step.begin)
    return [step.run for step in reversed(order + moving)]


def _in_order(schedule: Schedule, runs: list[Run]) -> Schedule:
    nodes = schedule.graph.nodes
    steps = [(run.node, [t for t in nodes[run.node].outputs if t not in run.makes]) for run in runs]
    return Schedule(schedule.graph, steps, schedule.time)


def overlap(schedule: Schedule, budget: int) -> Schedule:
    """`schedule` with its collectives beside what computes, in at most `budget` bytes with scratch; as it is where that gains no time."""
    if not any(node.communicates for node in schedule.graph.nodes):
        return schedule
    best = schedule
    for move in (_delay_waits, _issue_early):
        moved = _in_order(best, move(best, budget))
        if moved.peak_bytes <= budget and (moved.exposed < best.exposed or move is _delay_waits):
            best = moved
    return best if best.exposed < schedule.exposed else schedule
