"""Changes of one thing in the text of a planned function. Each kind gives all places where it applies."""
import re

COMPUTE = re.compile(r"\s*memplan\.(?!wait)\w+ ins\(")


def kinds():
    return {name[3:]: f for name, f in sorted(globals().items()) if name.startswith("at_")}


def find(lines, pattern):
    return [k for k, line in enumerate(lines) if re.search(pattern, line)]


def edit(lines, k, *new):
    return [*lines[:k], *new, *lines[k + 1 :]]


def move(lines, k, to):
    rest = edit(lines, k)
    return [*rest[:to], lines[k], *rest[to:]]


def body(lines):
    return range(2, len(lines) - 3)


def swap_operand(line, old, new):
    return re.sub(re.escape(old) + r"\b", new, line, count=1)


# --- Waits and events ---


def at_wait_removed(lines):
    return [edit(lines, k) for k in find(lines, "memplan.wait")]


def at_wait_later(lines):
    return [move(lines, k, k + by) for k in find(lines, "memplan.wait") for by in (1, 2, 3) if k + by in body(lines)]


def at_wait_at_the_end(lines):
    return [move(lines, k, len(lines) - 4) for k in find(lines, "memplan.wait")]


def at_wait_earlier(lines):
    return [move(lines, k, k - 1) for k in find(lines, "memplan.wait")]


def at_wait_for_another(lines):
    made = []
    for k in find(lines, "memplan.wait"):
        mine = re.search(r"wait (%\d+)", lines[k])[1]
        events = re.findall(r"(%\d+) = memplan.(?:evict|fetch|record)", "\n".join(lines[:k]))
        made += [edit(lines, k, lines[k].replace(mine, other)) for other in events if other != mine]
    return made


def at_wait_on_another_stream(lines):
    return [edit(lines, k, re.sub(r"( on stream \d+)?$", f" on stream {s}", lines[k])) for k in find(lines, "memplan.wait")
            for s in (0, 1, 2, 7)]


def at_all_waits_for_an_event_removed(lines):
    events = set(re.findall(r"memplan.wait (%\d+)", "\n".join(lines)))
    return [[line for line in lines if not re.search(rf"memplan.wait {e}\b", line)] for e in sorted(events)]


def at_waits_changed_over(lines):
    waits = find(lines, "memplan.wait")
    made = []
    for i, k in enumerate(waits):
        for other in waits[i + 1 :]:
            new = list(lines)
            one, two = (re.search(r"wait (%\d+)", lines[n])[1] for n in (k, other))
            new[k], new[other] = lines[k].replace(one, two), lines[other].replace(two, one)
            made.append(new)
    return made


def at_record_of_another_stream(lines):
    return [edit(lines, k, re.sub(r"( on stream \d+)?$", f" on stream {s}", lines[k])) for k in find(lines, "memplan.record")
            for s in (0, 1, 2, 7)]


def at_record_before_its_run(lines):
    return [move(lines, k, k - by) for k in find(lines, "memplan.record") for by in (1, 2)]


def at_record_later(lines):
    return [move(lines, k, k + 1) for k in find(lines, "memplan.record")]


# --- Streams ---


def at_run_on_another_stream(lines):
    made = []
    for k in find(lines, COMPUTE.pattern):
        for s in (0, 1, 2):
            bare = re.sub(r", memplan.stream = \d+", "", lines[k])
            made.append(edit(lines, k, bare.replace("memplan.node =", f"memplan.stream = {s}, memplan.node =")))
    return made


def at_stream_forgotten(lines):
    return [edit(lines, k, re.sub(r", memplan.stream = \d+", "", lines[k])) for k in find(lines, "memplan.stream")]


def at_copy_issued_elsewhere(lines):
    return [edit(lines, k, re.sub(r"( on stream \d+)?( \{|\s:)", rf" on stream {s}\2", lines[k], count=1))
            for k in find(lines, "memplan.(evict|fetch)") for s in (0, 1, 2, 7)]


def at_streams_changed_over(lines):
    text = "\n".join(lines)
    return [re.sub(r"stream (=? ?)1\b", r"stream \g<1>2", re.sub(r"stream (=? ?)2\b", r"stream \g<1>x", text))
            .replace("stream x", "stream 1").replace("stream = x", "stream = 1").split("\n")]


# --- Copies ---


def views(lines, host):
    return [m[1] for line in lines if (m := re.match(r"\s*(%\w+) = memref.view .*8x8xf32", line)) and ("memplan.host" in line) == host]


def renamed(lines, pattern, old_pattern, host):
    made = []
    for k in find(lines, pattern):
        old = re.search(old_pattern, lines[k])[1]
        before = "\n".join(lines[:k])
        made += [edit(lines, k, swap_operand(lines[k], old, new)) for new in views(lines, host)
                 if new != old and re.search(rf"{new} = ", before)]
    return made


def at_evict_of_another(lines):
    return renamed(lines, "memplan.evict", r"evict (%\w+)", False)


def at_fetch_to_another(lines):
    return renamed(lines, "memplan.fetch", r" to (%\w+)", False)


def at_evict_of_the_callers(lines):
    return [edit(lines, k, re.sub(r"evict %\w+", f"evict {a}", lines[k])) for k in find(lines, "memplan.evict") for a in ("%arg2", "%arg3")]


def at_fetch_to_the_callers(lines):
    return [edit(lines, k, re.sub(r" to %\w+", f" to {a}", lines[k], count=1)) for k in find(lines, "memplan.fetch")
            for a in ("%arg2", "%arg3")]


def at_copy_removed(lines):
    made = []
    for k in find(lines, "memplan.(evict|fetch)"):
        event = re.match(r"\s*(%\d+)", lines[k])[1]
        made.append([line for n, line in enumerate(lines) if n != k and not re.search(rf"memplan.wait {event}\b", line)])
    return made


def at_evict_doubled(lines):
    return [edit(lines, k, lines[k], re.sub(r"%\d+ =", "%again =", lines[k])) for k in find(lines, "memplan.evict")]


def at_fetch_doubled(lines):
    return [edit(lines, k, lines[k], re.sub(r"%\d+ =", "%again =", lines[k])) for k in find(lines, "memplan.fetch")]


def at_fetch_again_later(lines):
    return [edit(lines, to, re.sub(r"%\d+ =", "%again =", lines[k]), lines[to]) for k in find(lines, "memplan.fetch")
            for to in body(lines) if to > k]


def at_evict_again_later(lines):
    return [edit(lines, to, re.sub(r"%\d+ =", "%again =", lines[k]), lines[to]) for k in find(lines, "memplan.evict")
            for to in body(lines) if to > k]


def at_copy_earlier(lines):
    return [move(lines, k, k - by) for k in find(lines, "memplan.(evict|fetch)") for by in (1, 2, 3)]


def at_copy_later(lines):
    return [move(lines, k, k + by) for k in find(lines, "memplan.(evict|fetch)") for by in (1, 2, 3)]


def at_fetch_before_the_evict(lines):
    made = []
    for k in find(lines, "memplan.fetch"):
        evicts = [e for e in find(lines, "memplan.evict") if e < k]
        made += [move(lines, k, e) for e in evicts]
    return made


# --- Places ---


def at_place_moved(lines):
    """Every use of a view, or what comes after some line, lies elsewhere."""
    made = []
    for k in find(lines, r"memref.view %arg0"):
        for other in set(re.findall(r"%c\d+", "\n".join(lines))):
            made.append(edit(lines, k, re.sub(r"\[%c\d+\]", f"[{other}]", lines[k])))
    return made


def at_host_place_moved(lines):
    return [edit(lines, k, re.sub(r"\[%c\d+\]", "[%c256]", lines[k])) for k in find(lines, r"memref.view %arg1")]


def at_constant_changed(lines):
    return [edit(lines, k, re.sub(r"constant \d+", f"constant {n}", lines[k])) for k in find(lines, "arith.constant")
            for n in (0, 64, 128, 256, 512, 768)]


def at_input_changed(lines):
    made = []
    for k in find(lines, COMPUTE.pattern):
        for old in set(re.findall(r"%view\w*", re.search(r"ins\(([^:]*)", lines[k])[1])):
            made += [edit(lines, k, swap_operand(lines[k], old, new)) for new in views(lines, False) if new != old]
    return made


def at_output_changed(lines):
    made = []
    for k in find(lines, COMPUTE.pattern):
        for new in views(lines, False):
            made.append(edit(lines, k, re.sub(r"outs\(%\w+", f"outs({new}", lines[k])))
    return made


def at_result_changed(lines):
    k = find(lines, r"^\s*return")[0]
    return [edit(lines, k, re.sub(r"return %\w+", f"return {new}", lines[k])) for new in views(lines, False)]


# --- Runs ---


def at_run_removed(lines):
    return [edit(lines, k) for k in find(lines, COMPUTE.pattern)]


def at_run_doubled(lines):
    return [edit(lines, k, lines[k], lines[k]) for k in find(lines, COMPUTE.pattern)]


def at_run_earlier(lines):
    return [move(lines, k, k - by) for k in find(lines, COMPUTE.pattern) for by in (1, 2, 3)]


def at_run_later(lines):
    return [move(lines, k, k + by) for k in find(lines, COMPUTE.pattern) for by in (1, 2, 3)]


def at_node_changed(lines):
    return [edit(lines, k, re.sub(r"memplan.node = \d+", f"memplan.node = {n}", lines[k])) for k in find(lines, COMPUTE.pattern)
            for n in (0, 1, 2)]


# --- What the function says of itself ---


def header(lines, pattern, *news):
    k = find(lines, "func.func")[0]
    return [edit(lines, k, re.sub(pattern, new, lines[k])) for new in news if re.search(pattern, lines[k])]


def at_time_changed(lines):
    return header(lines, r"memplan.time = [\d.e+-]+", "memplan.time = 0.0", "memplan.time = 1.0")


def at_time_forgotten(lines):
    return header(lines, r", memplan.time = [\d.e+-]+ : f64", "")


def at_time_of_copy_changed(lines):
    return [edit(lines, k, re.sub(r"memplan.cost = [\d.e+-]+", "memplan.cost = 5.0", lines[k])) for k in find(lines, "memplan.(evict|fetch)")]


def at_peak_changed(lines):
    return header(lines, r"memplan.peak_bytes = \d+", "memplan.peak_bytes = 0", "memplan.peak_bytes = 99999")


def at_arena_smaller(lines):
    size = re.search(r"%arg0: memref<(\d+)xi8>", "\n".join(lines))[1]
    return ["\n".join(lines).replace(f"memref<{size}xi8>", f"memref<{int(size) - 256}xi8>").split("\n")]


def at_host_arena_smaller(lines):
    return ["\n".join(lines).replace("memref<256xi8, #memplan.host>", "memref<0xi8, #memplan.host>").split("\n")]


def at_host_arena_on_device(lines):
    return ["\n".join(lines).replace(", #memplan.host>", ">").split("\n")]


def at_host_arena_not_marked(lines):
    return header(lines, r"(#memplan.host>) \{memplan.alignment = \d+ : i64, memplan.arena\}", r"\1")


def at_host_alignment_changed(lines):
    return header(lines, r"(#memplan.host> \{memplan.alignment = )\d+", r"\g<1>1", r"\g<1>100")


def at_value_hash_changed(lines):
    return header(lines, r"(memplan.value_hash = array<i64: )", r"\g<1>1")


# --- What is on the host between steps ---


def at_host_offset_moved(lines):
    made = []
    for k in find(lines, r"memplan.host_offset = \d+"):
        offset = int(re.search(r"memplan.host_offset = (\d+)", lines[k])[1])
        made += [edit(lines, k, re.sub(r"(memplan.host_offset = )-?\d+", rf"\g<1>{offset + by}", lines[k])) for by in (-256, 64, 256, 4096)]
    return made


def without_host_offset(line):
    return re.sub(r"memplan.host_offset = \d+ : i64(, )?|, memplan.host_offset = \d+ : i64", "", line)


def with_host_offset(line, argument, offset):
    attribute = f"memplan.host_offset = {offset} : i64"
    return re.sub(rf"({argument}: memref<[^>]*>)(?: \{{(.*?)\}})?",
                  lambda m: f"{m[1]} {{{', '.join(filter(None, (attribute, m[2])))}}}", line, count=1)


def at_host_offset_removed(lines):
    return [edit(lines, k, without_host_offset(lines[k])) for k in find(lines, "memplan.host_offset = ")]


def at_host_offset_on_another_argument(lines):
    return [edit(lines, k, with_host_offset(line, "%arg2", offset)) for k in find(lines, "memplan.host_offset = ")
            for line in (lines[k], without_host_offset(lines[k])) for offset in (0, 256)]


def at_host_offset_given(lines):
    return [edit(lines, k, with_host_offset(lines[k], argument, 0)) for k in find(lines, "func.func")
            if "memplan.host_offset" not in lines[k] for argument in ("%arg2", "%arg3")]
