//===- Placements.cpp - Do the arenas hold what the replay found? ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placements.h"
#include "SharedBytes.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;

namespace memplan {

namespace {
class ArenaVerifier {
public:
  ArenaVerifier(const GraphIndex &index, const ReplayMachine &machine,
                const PlanArena &arena)
      : index(index), graph(index.graph()), machine(machine), arena(arena),
        isHost(arena.space == "host") {}

  Error verify(std::optional<int64_t> limit);
  Error verifySameOrder(const BatchRange &range);

private:
  /// What is placed, which, and by which step it is taken.
  using Key = std::tuple<PlacementKind, int32_t, int32_t>;
  static Key keyOf(const Placement &placement);
  static Key keyOf(const Storage &storage);

  Error checkFields() const;
  Error checkBudget(std::optional<int64_t> limit) const;
  Error collectPlacements();
  void collectStorages();
  Error place(const Storage &storage, SharedBytes &bytes) const;
  Error checkPlacement(const Placement &placement,
                       const Storage &storage) const;
  Error checkLive() const;
  Error checkCallers() const;
  const Placement *find(const Storage &storage) const;
  /// True for what the arena holds: not the caller's, unless it owns them.
  bool isInside(const Storage &storage) const {
    return isHost || storage.kind != PlacementKind::Tensor ||
           index.producer(storage.tensor) || isOwned(storage.tensor);
  }
  /// By the device: what lives on the host is nowhere else there.
  bool isOwned(TensorId id) const {
    return llvm::is_contained(arena.owns, id) || machine.isHosted(id);
  }
  int64_t bytesOutside() const;
  std::string name(const Storage &storage) const {
    return describe(graph, storage) + " taken at step " +
           std::to_string(storage.begin);
  }

  const GraphIndex &index;
  const Graph &graph;
  const ReplayMachine &machine;
  const PlanArena &arena;
  bool isHost;
  std::vector<const Placement *> placements; ///< Sorted by key.
  std::vector<const Storage *> storages;     ///< In the order taken.
};
} // namespace

template <typename... Values>
static Error wrong(const char *format, Values &&...values) {
  return violation("plan_c11", (std::string("arena: ") + format).c_str(),
                   std::forward<Values>(values)...);
}

ArenaVerifier::Key ArenaVerifier::keyOf(const Placement &placement) {
  bool isNode = placement.kind == PlacementKind::Workspace;
  return {placement.kind,
          isNode ? placement.node.index : placement.tensor.index,
          placement.stepBegin};
}

ArenaVerifier::Key ArenaVerifier::keyOf(const Storage &storage) {
  bool isNode = storage.kind == PlacementKind::Workspace;
  return {storage.kind, isNode ? storage.node.index : storage.tensor.index,
          storage.begin};
}

Error ArenaVerifier::checkFields() const {
  if (arena.bytes < 0)
    return wrong("negative bytes: {0}", arena.bytes);
  if (arena.alignment < 1)
    return wrong("alignment must be positive, not {0}", arena.alignment);
  for (TensorId id : arena.owns) {
    if (id.index < 0 || static_cast<size_t>(id.index) >= graph.tensors.size())
      return wrong("owns a tensor that does not exist");
    if (index.producer(id) || graph[id].viewOf)
      return wrong("owns {0}, which is not a base tensor of the caller",
                   describe(graph, id));
  }
  return Error::success();
}

/// Bytes of the caller's tensors that no arena owns, and fixed_bytes.
int64_t ArenaVerifier::bytesOutside() const {
  int64_t outside = graph.fixedBytes;
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    if (isCallerOwned(graph.tensors[i].kind) && !graph.tensors[i].viewOf &&
        !isOwned(TensorId(i)))
      outside += graph.tensors[i].bytes;
  return outside;
}

Error ArenaVerifier::checkBudget(std::optional<int64_t> limit) const {
  if (isHost && arena.bytes > graph.hostBudgetBytes.value_or(arena.bytes))
    return violation(
        "plan_c16", "arena: {0} bytes on the host exceed host_budget_bytes {1}",
        arena.bytes, *graph.hostBudgetBytes);
  if (isHost || !limit)
    return Error::success();
  // The bytes outside are below 2^61, so that this cannot overflow.
  int64_t outside = bytesOutside();
  if (arena.bytes > *limit || outside + arena.bytes > *limit)
    return wrong("{0} bytes outside and {1} bytes inside exceed the budget of "
                 "{2}",
                 outside, arena.bytes, *limit);
  return Error::success();
}

Error ArenaVerifier::collectPlacements() {
  auto precedes = [](const Placement *a, const Placement *b) {
    return keyOf(*a) < keyOf(*b);
  };
  for (const Placement &placement : arena.placements) {
    auto [kind, id, begin] = keyOf(placement);
    size_t count = kind == PlacementKind::Workspace ? graph.nodes.size()
                                                    : graph.tensors.size();
    if (id < 0 || static_cast<size_t>(id) >= count)
      return wrong("a placement names nothing that exists");
    placements.push_back(&placement);
  }
  llvm::sort(placements, precedes);
  for (size_t i = 1; i < placements.size(); ++i)
    if (keyOf(*placements[i - 1]) == keyOf(*placements[i])) {
      const Placement &twice = *placements[i];
      Storage named;
      named.kind = twice.kind;
      named.tensor = twice.tensor;
      named.node = twice.node;
      named.begin = twice.stepBegin;
      return wrong("two placements for {0}", name(named));
    }
  return Error::success();
}

void ArenaVerifier::collectStorages() {
  for (const Storage &storage :
       isHost ? machine.hostStays() : machine.storages())
    if (isInside(storage))
      storages.push_back(&storage);
}

const Placement *ArenaVerifier::find(const Storage &storage) const {
  auto found = llvm::lower_bound(placements, storage,
                                 [](const Placement *a, const Storage &b) {
                                   return keyOf(*a) < keyOf(b);
                                 });
  bool isThere = found != placements.end() && keyOf(**found) == keyOf(storage);
  return isThere ? *found : nullptr;
}

Error ArenaVerifier::checkPlacement(const Placement &placement,
                                    const Storage &storage) const {
  if (placement.stepEnd < storage.end)
    return wrong("{0} lives until step {1}, its placement until {2}",
                 name(storage), storage.end, placement.stepEnd);
  int64_t offset = placement.offset;
  if (offset < 0 || offset % arena.alignment != 0)
    return wrong("{0} is at offset {1}, alignment {2}", name(storage), offset,
                 arena.alignment);
  if (storage.bytes > arena.bytes || offset > arena.bytes - storage.bytes)
    return wrong("{0} ({1} bytes at offset {2}) ends beyond the arena of {3} "
                 "bytes",
                 name(storage), storage.bytes, offset, arena.bytes);
  return Error::success();
}

Error ArenaVerifier::place(const Storage &storage, SharedBytes &bytes) const {
  const Placement *placement = find(storage);
  // It is not asked where no bytes lie.
  if (storage.bytes == 0)
    return Error::success();
  if (!placement)
    return wrong("no placement for {0}", name(storage));
  if (Error error = checkPlacement(*placement, storage))
    return error;
  return bytes.take(placement->offset, storage);
}

/// What the arena says of its live bytes. What is brought and given back before
/// the first step is live at it.
Error ArenaVerifier::checkLive() const {
  if (!arena.liveBytes)
    return Error::success();
  std::map<int32_t, int64_t> changes; // By step.
  for (const Storage *storage : storages) {
    changes[storage->begin] += storage->bytes;
    changes[std::max(storage->end, storage->begin + 1)] -= storage->bytes;
  }
  int64_t live = 0, most = 0;
  for (auto [step, change] : changes)
    most = std::max(most, live += change);
  if (most == *arena.liveBytes)
    return Error::success();
  return wrong("says that {0} bytes are live, replaying gives {1}",
               *arena.liveBytes, most);
}

/// A caller's tensor outside keeps one place: a fetch returns there, after all
/// that touched it before.
Error ArenaVerifier::checkCallers() const {
  std::map<TensorId, SharedBytes> places;
  for (const Storage &storage : machine.storages()) {
    if (isHost || isInside(storage))
      continue;
    auto [place, isNew] =
        places.try_emplace(storage.tensor, graph, machine.queues());
    if (Error error = place->second.take(0, storage))
      return error;
  }
  return Error::success();
}

Error ArenaVerifier::verify(std::optional<int64_t> limit) {
  if (Error error = checkFields())
    return error;
  if (Error error = checkBudget(limit))
    return error;
  if (Error error = collectPlacements())
    return error;
  collectStorages();
  std::vector<Key> taken;
  for (const Storage *storage : storages)
    taken.push_back(keyOf(*storage));
  llvm::sort(taken);
  for (const Placement *placement : placements)
    if (!std::binary_search(taken.begin(), taken.end(), keyOf(*placement))) {
      Storage named;
      named.kind = placement->kind;
      named.tensor = placement->tensor;
      named.node = placement->node;
      named.begin = placement->stepBegin;
      return wrong("a placement for {0}, where nothing is taken", name(named));
    }
  SharedBytes bytes(graph, machine.queues());
  for (const Storage *storage : storages)
    if (Error error = place(*storage, bytes))
      return error;
  if (Error error = checkLive())
    return error;
  return checkCallers();
}

namespace {
/// Where a storage lies at each breakpoint.
struct PlacesAt {
  const Storage *storage;
  std::vector<std::pair<int64_t, int64_t>> ranges;

  bool isBelow(const PlacesAt &other) const {
    for (size_t b = 0; b < ranges.size(); ++b)
      if (ranges[b].second > other.ranges[b].first)
        return false;
    return true;
  }
};
} // namespace

Error ArenaVerifier::verifySameOrder(const BatchRange &range) {
  if (Error error = collectPlacements())
    return error;
  collectStorages();
  std::vector<PlacesAt> places;
  for (const Storage *storage : storages) {
    if (storage->bytes == 0)
      continue;
    const size_t number = size_t(find(*storage) - arena.placements.data());
    const BatchBytes bytes = {
        storage->bytes, storage->kind == PlacementKind::Workspace
                            ? range.scratch[storage->node.index].perSample
                            : range.bytesPerSample[storage->tensor.index]};
    PlacesAt &place = places.emplace_back();
    place.storage = storage;
    for (size_t b = 0; b < range.breakpoints.size(); ++b) {
      const int64_t begin = arena.offsetsAt[number][b];
      place.ranges.push_back(
          {begin, begin + range.affine(range.breakpoints[b], bytes)});
    }
  }
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t j = i + 1; j < places.size(); ++j) {
      const PlacesAt &first = places[i], &second = places[j];
      if (first.isBelow(second) || second.isBelow(first) ||
          !findClash(machine.queues(), *first.storage, *second.storage))
        continue;
      return violation("plan_c21",
                       "batches: {0} and {1} are live at once, and neither "
                       "lies below the other at every breakpoint",
                       name(*first.storage), name(*second.storage));
    }
  return Error::success();
}

Error verifySameOrder(const GraphIndex &index, const Plan &plan,
                      const ReplayMachine &machine) {
  for (const PlanArena &arena : plan.arenas)
    if (Error error =
            ArenaVerifier(index, machine, arena).verifySameOrder(*plan.batches))
      return error;
  return Error::success();
}

Error verifyHosted(const GraphIndex &index, const Plan &plan) {
  const Graph &graph = index.graph();
  std::vector<bool> seen(graph.tensors.size());
  for (TensorId id : plan.hosted()) {
    if (id.index < 0 || static_cast<size_t>(id.index) >= graph.tensors.size())
      return wrong("the host owns a tensor that does not exist");
    const TensorKind kind = graph[id].kind;
    if (index.producer(id) || graph[id].viewOf ||
        (kind != TensorKind::Parameter && kind != TensorKind::State))
      return wrong("the host owns {0}, which is no parameter or state of the "
                   "caller",
                   describe(graph, id));
    for (TensorId view : index.aliasSet(id))
      if (view != id && !index.producer(view))
        return wrong("the host owns {0}, of which {1} is a view that no node "
                     "makes",
                     describe(graph, id), describe(graph, view));
    if (seen[id.index])
      return wrong("the host owns {0} twice", describe(graph, id));
    seen[id.index] = true;
    for (const PlanArena &arena : plan.arenas)
      if (arena.space != "host" && llvm::is_contained(arena.owns, id))
        return wrong("both arenas own {0}", describe(graph, id));
  }
  return Error::success();
}

Error verifyArenas(const GraphIndex &index, const Plan &plan,
                   const ReplayMachine &machine, std::optional<int64_t> limit) {
  for (size_t i = 0; i < plan.arenas.size(); ++i) {
    const PlanArena &arena = plan.arenas[i];
    if (arena.space != "device" && arena.space != "host")
      return wrong("there is no space '{0}'; known are device and host",
                   arena.space);
    for (const PlanArena &other : ArrayRef(plan.arenas).take_front(i))
      if (other.space == arena.space)
        return wrong("more than one {0} arena", arena.space);
    if (Error error = ArenaVerifier(index, machine, arena).verify(limit))
      return error;
  }
  return Error::success();
}

} // namespace memplan
