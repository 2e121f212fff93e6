"""What PyTorch's allocators hand out while code runs: from the CUDA allocator's counters, on the CPU from profiler events."""

from __future__ import annotations

import atexit
import os

import torch
from torch.profiler import ProfilerActivity, profile, record_function

_PREFIX = "memplan::"


def events(finished: profile):
    """(memory events, marks) of a finished CPU profile: lists of (nanoseconds, signed bytes) and {name: [(begin, end)]}."""
    memory, marks = [], {}
    stack = list(finished.profiler.kineto_results.experimental_event_tree())
    while stack:
        event = stack.pop()
        stack.extend(event.children)
        if event.tag == torch._C._profiler._EventType.Allocation:
            if event.extra_fields.device.type == "cpu":
                memory.append((event.start_time_ns, event.extra_fields.alloc_size))
        elif event.name.startswith(_PREFIX):
            marks.setdefault(event.name[len(_PREFIX) :], []).append((event.start_time_ns, event.end_time_ns))
    memory.sort(key=lambda e: e[0])
    return memory, marks


def mark(name: str) -> record_function:
    """Context that shows in a profile under `name`."""
    return record_function(_PREFIX + name)


_stop_owner = None


@atexit.register
def release() -> None:
    """Ends a profile that still runs, as the watch of a step does until its report is read or the next step begins. An
    interpreter that ends inside a profile crashes."""
    global _stop_owner
    stop, _stop_owner = _stop_owner, None
    if stop is not None:
        stop()


def start_profile(stop=None) -> profile | None:
    """A running profile of the CPU allocator; None where the program profiles itself already.

    `stop` is how release() ends it; others end theirs at once. Inside a compiled forward no profile may begin where another
    has just ended (PyTorch crashes at exit): then it is None too, and the next step is watched."""
    global _stop_owner
    pending = _stop_owner is not None
    release()
    if pending and stop is not None or torch.autograd.profiler._is_profiler_enabled:
        return None
    _stop_owner = stop
    # The profiler's library reads it once. It would say that it begins and ends, and where no GPU is, that this is an error.
    os.environ.setdefault("KINETO_LOG_LEVEL", "6")
    running = profile(activities=[ProfilerActivity.CPU], profile_memory=True)
    running.__enter__()
    return running


def peaks(memory, borders=()) -> list[int]:
    """Largest sum of signed bytes in each part between the times `borders`, counted from the first event."""
    now, highest, part = 0, [0] * (len(borders) + 1), 0
    for time, change in memory:
        while part < len(borders) and time >= borders[part]:
            part += 1
            highest[part] = now
        now += change
        highest[part] = max(highest[part], now)
    return highest


def peak_of(function):
    """(bytes handed out above the start, at the highest; result) of one call on the CPU."""
    running = start_profile()
    if running is None:
        raise RuntimeError("a profile is running already")
    try:
        result = function()
    finally:
        running.__exit__(None, None, None)
    return peaks(events(running)[0])[0], result
