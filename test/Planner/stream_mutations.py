"""Ways to break a plan of several streams and copies. Each yields broken drafts of the plan, one for each place where it
can be broken so; the keys of MUTATIONS say what is wrong with them."""
import copy

MUTATIONS = {}


def kind(function):
    MUTATIONS[function.__name__.replace("_", " ")] = function
    return function


class Draft:
    """A plan whose placements keep to their steps while steps come, go and move."""

    def __init__(self, plan):
        self.head = {key: value for key, value in plan.items() if key not in ("steps", "arenas", "time")}
        self.steps = copy.deepcopy(plan["steps"])
        self.arenas = copy.deepcopy(plan.get("arenas", []))
        for arena in self.arenas:
            arena.pop("live_bytes", None)
            for row in arena["placements"]:
                begin, end = row.pop("step_begin"), row.pop("step_end")
                last = begin if "tensor" not in row else end
                row["steps"] = (self.steps[begin], self.steps[last] if last < len(self.steps) else None, end - last)
                row["initial"] = begin == 0 and not self.takes(self.steps[0], row, arena["space"])
        self.count = len(self.steps)

    @staticmethod
    def takes(step, row, space):
        if space == "host":
            return step.get("evict") == row.get("tensor")
        return "compute" in step or step.get("fetch") == row.get("tensor")

    def copy(self):
        return copy.deepcopy(self)

    def at(self, key):
        return [number for number, step in enumerate(self.steps) if key in step]

    def jobs(self):
        return [number for number, step in enumerate(self.steps) if "compute" in step or "evict" in step or "fetch" in step]

    def rows(self, space="device"):
        return [row for arena in self.arenas if arena["space"] == space for row in arena["placements"]]

    def move(self, number, to):
        self.steps.insert(to, self.steps.pop(number))

    def plan(self):
        place = {id(step): number for number, step in enumerate(self.steps)}
        arenas = copy.deepcopy([{key: value for key, value in arena.items() if key != "placements"} for arena in self.arenas])
        for written, arena in zip(arenas, self.arenas):
            written["placements"] = []
            for row in arena["placements"]:
                first, last, more = row["steps"]
                begin = 0 if row["initial"] else place.get(id(first), self.count)
                end = len(self.steps) if last is None else place.get(id(last), self.count) + more
                rest = {key: value for key, value in row.items() if key not in ("steps", "initial")}
                written["placements"].append({**rest, "step_begin": begin, "step_end": end})
        plan = {**self.head, "steps": copy.deepcopy(self.steps)}
        return {**plan, "arenas": arenas} if arenas else plan


def node_of(graph, step):
    return next(node for node in graph["nodes"] if node["id"] == step["compute"])


# --- Waits ---


@kind
def a_wait_removed(draft, graph):
    for number in draft.at("wait"):
        other = draft.copy()
        del other.steps[number]
        yield other


@kind
def a_wait_issued_one_job_later(draft, graph):
    for number in draft.at("wait"):
        after = [job for job in draft.jobs() if job > number]
        if after:
            other = draft.copy()
            other.move(number, after[0])
            yield other


@kind
def a_wait_issued_at_the_end(draft, graph):
    for number in draft.at("wait"):
        other = draft.copy()
        other.move(number, len(draft.steps) - 1)
        yield other


def bound_to(draft, later):
    for number in draft.at("wait"):
        step = draft.steps[number]
        for signal in draft.at("event"):
            if draft.steps[signal]["event"] != step["wait"] and (signal > number) == later:
                other = draft.copy()
                other.steps[number]["wait"] = draft.steps[signal]["event"]
                yield other


@kind
def a_wait_bound_to_another_event(draft, graph):
    yield from bound_to(draft, later=False)


@kind
def a_wait_bound_to_an_event_that_is_still_to_come(draft, graph):
    yield from bound_to(draft, later=True)


@kind
def a_wait_issued_before_its_event(draft, graph):
    for number in draft.at("wait"):
        signal = next(s for s in draft.at("event") if draft.steps[s]["event"] == draft.steps[number]["wait"])
        other = draft.copy()
        other.move(number, signal)
        yield other


@kind
def a_wait_on_another_stream(draft, graph):
    for number in draft.at("wait"):
        other = draft.copy()
        other.steps[number]["stream"] = 1 - min(draft.steps[number].get("stream", 0), 1)
        yield other


@kind
def a_wait_for_nothing_known(draft, graph):
    for number in draft.at("wait"):
        other = draft.copy()
        other.steps[number]["wait"] = 999
        yield other


# --- Events ---


@kind
def an_event_signalled_twice(draft, graph):
    signals = draft.at("event")
    for number in signals[1:]:
        other = draft.copy()
        other.steps[number]["event"] = draft.steps[signals[0]]["event"]
        yield other


@kind
def an_event_taken_off_a_run(draft, graph):
    for number in draft.at("event"):
        if "compute" in draft.steps[number]:
            other = draft.copy()
            del other.steps[number]["event"]
            yield other


@kind
def an_event_taken_off_a_copy(draft, graph):
    for number in draft.at("event"):
        if "compute" not in draft.steps[number]:
            other = draft.copy()
            del other.steps[number]["event"]
            yield other


@kind
def an_event_moved_to_the_run_before(draft, graph):
    runs = draft.at("compute")
    for before, number in zip(runs, runs[1:]):
        if "event" in draft.steps[number] and "event" not in draft.steps[before]:
            other = draft.copy()
            other.steps[before]["event"] = other.steps[number].pop("event")
            yield other


# --- Streams ---


def on_stream(draft, key, stream_of):
    for number in draft.at(key):
        other = draft.copy()
        other.steps[number]["stream"] = stream_of(draft.steps[number].get("stream", 0))
        yield other


@kind
def a_run_on_the_other_stream(draft, graph):
    yield from on_stream(draft, "compute", lambda stream: 1 - min(stream, 1))


@kind
def a_run_on_a_stream_of_its_own(draft, graph):
    yield from on_stream(draft, "compute", lambda stream: 7)


@kind
def an_evict_issued_from_another_stream(draft, graph):
    yield from on_stream(draft, "evict", lambda stream: stream + 1)


@kind
def a_fetch_issued_from_another_stream(draft, graph):
    yield from on_stream(draft, "fetch", lambda stream: stream + 1)


@kind
def a_drop_on_another_stream(draft, graph):
    yield from on_stream(draft, "drop_host", lambda stream: stream + 1)


@kind
def a_negative_stream(draft, graph):
    yield from on_stream(draft, "compute", lambda stream: -1)


# --- The order of the list ---


@kind
def two_jobs_issued_in_the_other_order(draft, graph):
    for first, second in zip(draft.jobs(), draft.jobs()[1:]):
        other = draft.copy()
        other.move(second, first)
        yield other


@kind
def a_run_issued_first(draft, graph):
    for number in draft.at("compute")[1:]:
        other = draft.copy()
        other.move(number, 0)
        yield other


@kind
def a_run_left_out(draft, graph):
    for number in draft.at("compute"):
        other = draft.copy()
        del other.steps[number]
        yield other


@kind
def a_run_repeated(draft, graph):
    for number in draft.at("compute"):
        other = draft.copy()
        other.steps.insert(number + 1, {key: value for key, value in draft.steps[number].items() if key != "event"})
        yield other


@kind
def a_free_before_the_last_job(draft, graph):
    for number in draft.at("free"):
        before = [job for job in draft.jobs() if job < number]
        other = draft.copy()
        other.move(number, before[-1])
        yield other


@kind
def a_free_repeated(draft, graph):
    for number in draft.at("free"):
        other = draft.copy()
        other.steps.insert(number + 1, {"free": list(draft.steps[number]["free"])})
        yield other


# --- Bytes ---


def with_rows(draft, change, space="device"):
    for number, row in enumerate(draft.rows(space)):
        other = draft.copy()
        if change(other, other.rows(space)[number]) is not False:
            yield other


@kind
def bytes_of_another_storage(draft, graph):
    for target in {row["offset"] for row in draft.rows()}:
        yield from with_rows(draft, lambda other, row: row["offset"] != target and row.update(offset=target))


@kind
def bytes_given_back_a_step_early(draft, graph):
    def change(other, row):
        row["steps"] = (*row["steps"][:2], row["steps"][2] - 1)
        return row["steps"][1] is not None

    yield from with_rows(draft, change)


@kind
def bytes_beyond_the_arena(draft, graph):
    yield from with_rows(draft, lambda other, row: row.update(offset=10**6))


@kind
def bytes_below_the_arena(draft, graph):
    yield from with_rows(draft, lambda other, row: row.update(offset=-4))


def without_row(draft, space):
    for number in range(len(draft.rows(space))):
        other = draft.copy()
        arena = next(arena for arena in other.arenas if arena["space"] == space)
        del arena["placements"][number]
        yield other


@kind
def no_place_on_the_device(draft, graph):
    yield from without_row(draft, "device")


@kind
def two_places_for_one_storage(draft, graph):
    for number in range(len(draft.rows())):
        other = draft.copy()
        arena = next(arena for arena in other.arenas if arena["space"] == "device")
        arena["placements"].append(dict(arena["placements"][number]))
        yield other


def smaller(draft, space):
    for number, arena in enumerate(draft.arenas):
        if arena["space"] == space and arena["bytes"]:
            other = draft.copy()
            other.arenas[number]["bytes"] -= 1
            yield other


@kind
def a_device_arena_one_byte_short(draft, graph):
    yield from smaller(draft, "device")


@kind
def a_host_arena_one_byte_short(draft, graph):
    yield from smaller(draft, "host")


@kind
def no_place_on_the_host(draft, graph):
    yield from without_row(draft, "host")


@kind
def bytes_of_another_stay_on_the_host(draft, graph):
    for target in {row["offset"] for row in draft.rows("host")}:
        yield from with_rows(draft, lambda other, row: row["offset"] != target and row.update(offset=target), "host")


def with_owns(draft, space, change):
    for number, arena in enumerate(draft.arenas):
        if arena["space"] == space:
            for owns in change(arena.get("owns", [])):
                other = draft.copy()
                other.arenas[number]["owns"] = owns
                yield other


def of_kind(graph, *kinds):
    return [tensor["id"] for tensor in graph["tensors"] if tensor.get("kind", "activation") in kinds and "view_of" not in tensor]


@kind
def a_tensor_between_steps_that_the_host_does_not_own(draft, graph):
    yield from with_owns(draft, "host", lambda owns: [[t for t in owns if t != one] for one in owns])


@kind
def a_tensor_between_steps_owned_twice(draft, graph):
    yield from with_owns(draft, "host", lambda owns: [owns + [one] for one in owns])


@kind
def a_tensor_between_steps_that_the_device_owns_too(draft, graph):
    hosted = [t for arena in draft.arenas if arena["space"] == "host" for t in arena.get("owns", [])]
    yield from with_owns(draft, "device", lambda owns: [owns + [one] for one in hosted])


@kind
def an_input_between_steps_on_the_host(draft, graph):
    yield from with_owns(draft, "host", lambda owns: [owns + [one] for one in of_kind(graph, "input")])


@kind
def a_made_tensor_between_steps_on_the_host(draft, graph):
    yield from with_owns(draft, "host", lambda owns: [owns + [one] for one in of_kind(graph, "activation", "output", "gradient")])


@kind
def an_unknown_tensor_between_steps_on_the_host(draft, graph):
    yield from with_owns(draft, "host", lambda owns: [owns + [997]])


@kind
def a_tensor_on_the_device_that_the_host_owns(draft, graph):
    yield from with_owns(draft, "host", lambda owns: [owns + [one] for one in of_kind(graph, "parameter", "state") if one not in owns])


@kind
def a_tensor_between_steps_dropped(draft, graph):
    for arena in draft.arenas:
        for one in arena.get("owns", []) if arena["space"] == "host" else ():
            other = draft.copy()
            other.steps.append({"drop_host": one})
            yield other


@kind
def a_tensor_between_steps_placed_from_its_evict_on(draft, graph):
    for number, row in enumerate(draft.rows("host")):
        evicts = [k for k in draft.at("evict") if draft.steps[k]["evict"] == row["tensor"]]
        if row["initial"] and evicts:
            other = draft.copy()
            other.rows("host")[number].update(initial=False, steps=(other.steps[evicts[0]], *row["steps"][1:]))
            yield other


@kind
def a_lent_tensor_that_nobody_owns(draft, graph):
    for number, arena in enumerate(draft.arenas):
        if arena.get("owns"):
            other = draft.copy()
            other.arenas[number]["owns"] = []
            yield other


# --- Copies ---


@kind
def an_evict_before_its_tensor_is_made(draft, graph):
    for number in draft.at("evict"):
        other = draft.copy()
        other.move(number, 0)
        yield other


@kind
def an_evict_left_out(draft, graph):
    for number in draft.at("evict"):
        other = draft.copy()
        event = other.steps.pop(number)["event"]
        other.steps = [step for step in other.steps if step.get("wait") != event]
        yield other


@kind
def an_evict_repeated(draft, graph):
    for number in draft.at("evict"):
        other = draft.copy()
        other.steps.insert(number + 1, {**draft.steps[number], "event": 998})
        yield other


@kind
def an_evict_that_nobody_waits_for(draft, graph):
    for number in draft.at("evict"):
        other = draft.copy()
        other.steps = [step for step in other.steps if step.get("wait") != draft.steps[number]["event"]]
        yield other


@kind
def a_fetch_before_its_evict(draft, graph):
    for number in draft.at("fetch"):
        evict = next((k for k in draft.at("evict") if draft.steps[k]["evict"] == draft.steps[number]["fetch"]), 0)
        other = draft.copy()
        other.move(number, evict)
        yield other


@kind
def a_fetch_started_before_the_wait_for_the_evict(draft, graph):
    for number in draft.at("fetch"):
        evicts = [draft.steps[k]["event"] for k in draft.at("evict") if draft.steps[k]["evict"] == draft.steps[number]["fetch"]]
        waits = [k for k in draft.at("wait") if draft.steps[k]["wait"] in evicts and k < number]
        if waits:
            other = draft.copy()
            other.move(number, waits[-1])
            yield other


@kind
def a_fetch_left_out(draft, graph):
    for number in draft.at("fetch"):
        other = draft.copy()
        event = other.steps.pop(number)["event"]
        other.steps = [step for step in other.steps if step.get("wait") != event]
        yield other


@kind
def a_fetch_repeated(draft, graph):
    for number in draft.at("fetch"):
        other = draft.copy()
        other.steps.insert(number + 1, {**draft.steps[number], "event": 998})
        yield other


@kind
def a_fetch_waited_for_after_its_user(draft, graph):
    for number in draft.at("fetch"):
        waits = [k for k in draft.at("wait") if draft.steps[k]["wait"] == draft.steps[number]["event"]]
        users = [k for k in draft.at("compute") if waits and k > waits[0]
                   and draft.steps[number]["fetch"] in node_of(graph, draft.steps[k])["inputs"]]
        if users:
            other = draft.copy()
            other.move(waits[0], users[0])
            yield other


@kind
def a_fetch_of_another_tensor(draft, graph):
    for number in draft.at("fetch"):
        for tensor in graph["tensors"]:
            if tensor["id"] != draft.steps[number]["fetch"]:
                other = draft.copy()
                other.steps[number]["fetch"] = tensor["id"]
                yield other


@kind
def a_tensor_freed_while_it_is_copied(draft, graph):
    for key in ("evict", "fetch"):
        for number in draft.at(key):
            other = draft.copy()
            other.steps.insert(number + 1, {"free": [draft.steps[number][key]]})
            yield other


@kind
def a_drop_before_the_copy(draft, graph):
    for number in draft.at("drop_host"):
        copies = [k for key in ("evict", "fetch") for k in draft.at(key)
                  if k < number and draft.steps[k][key] == draft.steps[number]["drop_host"]]
        other = draft.copy()
        other.move(number, max(copies))
        yield other


@kind
def a_drop_repeated(draft, graph):
    for number in draft.at("drop_host"):
        other = draft.copy()
        other.steps.insert(number + 1, dict(draft.steps[number]))
        yield other


@kind
def an_output_over_what_others_read(draft, graph):
    for number in draft.at("compute"):
        node = node_of(graph, draft.steps[number])
        for pair in node.get("in_place", []):
            if not draft.steps[number].get("in_place"):
                other = draft.copy()
                other.steps[number]["in_place"] = [pair]
                yield other
