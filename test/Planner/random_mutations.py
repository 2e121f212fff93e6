"""Mutations of a random plan. Each changes one thing, or returns False where there is nothing to change."""
import copy


def some(r, steps, key):
    found = [k for k, step in enumerate(steps) if key in step]
    return r.choice(found) if found else None


def drop_wait(r, draft):
    k = some(r, draft.steps, "wait")
    if k is not None:
        del draft.steps[k]
    return k is not None


def redirect_wait(r, draft):
    k, events = some(r, draft.steps, "wait"), [s["event"] for s in draft.steps if "event" in s]
    if k is not None:
        draft.steps[k]["wait"] = r.choice(events)
    return k is not None


def add_wait(r, draft):
    events = [s["event"] for s in draft.steps if "event" in s]
    draft.steps.insert(r.randint(0, len(draft.steps)), {"wait": r.choice(events), "stream": r.randrange(3)})
    return True


def swap_steps(r, draft):
    k = r.randrange(len(draft.steps) - 1)
    draft.steps[k : k + 2] = reversed(draft.steps[k : k + 2])
    return True


def change_stream(r, draft):
    draft.steps[r.randrange(len(draft.steps))]["stream"] = r.randrange(4)
    return True


def drop_step(r, draft):
    del draft.steps[r.randrange(len(draft.steps))]
    return True


def repeat_step(r, draft):
    draft.steps.insert(r.randint(0, len(draft.steps)), copy.copy(r.choice(draft.steps)))
    return True


def rows_of(draft):
    return [row for arena in draft.arenas for row in arena["placements"]]


def move_row(r, draft):
    rows = rows_of(draft)
    if rows:
        row = r.choice(rows)
        row["offset"] = r.choice([row["offset"] + 1, row["offset"] - 1, r.choice(rows)["offset"]])
    return bool(rows)


def cut_row(r, draft):
    rows = rows_of(draft)
    if rows:
        r.choice(rows)["more"] -= 1
    return bool(rows)


def lose_row(r, draft):
    arenas = [a for a in draft.arenas if a["placements"]]
    if arenas:
        rows = r.choice(arenas)["placements"]
        del rows[r.randrange(len(rows))]
    return bool(arenas)


def shrink_arena(r, draft):
    if draft.arenas:
        r.choice(draft.arenas)["bytes"] -= 1
    return bool(draft.arenas)


def lose_in_place(r, draft):
    k = some(r, draft.steps, "in_place")
    if k is not None:
        del draft.steps[k]["in_place"]
    return k is not None


MUTATIONS = [drop_wait, drop_wait, drop_wait, redirect_wait, add_wait, swap_steps, swap_steps, change_stream, change_stream, drop_step]
MUTATIONS += [repeat_step, move_row, move_row, cut_row, lose_row, shrink_arena, lose_in_place]


def mutate(r, draft):
    while not r.choice(MUTATIONS)(r, draft):
        pass
