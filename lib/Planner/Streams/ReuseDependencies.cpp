//===- ReuseDependencies.cpp - Which storage reuses whose bytes -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/ActionStorages.h"
#include "memplan/Planner/Streams/Streams.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace memplan;

namespace {
/// The bytes of an arena, each with the last storage that took it.
class Bytes {
public:
  /// Calls `meet` with each storage that had some of the bytes.
  template <typename Meet>
  void take(int64_t begin, int64_t end, const ActionStorage *storage,
            Meet meet) {
    cut(begin);
    cut(end);
    auto first = pieces.lower_bound(begin), last = pieces.lower_bound(end);
    for (auto piece = first; piece != last; ++piece)
      meet(*piece->second.second);
    pieces.erase(first, last);
    pieces[begin] = {end, storage};
  }

private:
  void cut(int64_t at) {
    auto piece = pieces.lower_bound(at);
    if (piece == pieces.begin())
      return;
    --piece;
    auto [end, owner] = piece->second;
    if (end <= at)
      return;
    piece->second.first = at;
    pieces[at] = {end, owner};
  }

  /// By first byte: one past the last, and whose.
  std::map<int64_t, std::pair<int64_t, const ActionStorage *>> pieces;
};

using PlacementKey = std::tuple<MemorySpace, PlacementKind, int32_t, int32_t>;
} // namespace

static PlacementKey keyOf(MemorySpace space, const Placement &placement) {
  return {space, placement.kind,
          placement.kind == PlacementKind::Workspace ? placement.node.index
                                                     : placement.tensor.index,
          placement.stepBegin};
}

ReuseDependencies
memplan::findReuseDependencies(const GraphIndex &index,
                               const std::vector<PlanAction> &actions,
                               const std::vector<PlanArena> &arenas) {
  ReuseDependencies reuse(actions.size());
  std::map<PlacementKey, int64_t> offsets;
  for (const PlanArena &arena : arenas)
    for (const Placement &placement : arena.placements)
      offsets[keyOf(arena.space == spaceName(MemorySpace::Host)
                        ? MemorySpace::Host
                        : MemorySpace::Device,
                    placement)] = placement.offset;
  const ActionStorages storages = findStorages(index, actions);
  std::map<MemorySpace, Bytes> spaces;
  std::map<TensorId, const ActionStorage *> atCallers;
  for (const ActionStorage &storage : storages.all) {
    auto offset = offsets.find(keyOf(storage.space, storage.placement));
    auto meet = [&](const ActionStorage &before) {
      if (storage.users.empty())
        return;
      auto &list = reuse[storage.users.front()];
      list.append(before.users.begin(), before.users.end());
    };
    if (storage.bytes == 0)
      continue;
    if (offset != offsets.end()) {
      spaces[storage.space].take(offset->second, offset->second + storage.bytes,
                                 &storage, meet);
      continue;
    }
    // A fetch returns to the caller's own place, where nothing else lies.
    if (storage.placement.kind != PlacementKind::Tensor ||
        storage.space != MemorySpace::Device ||
        index.producer(storage.placement.tensor))
      continue;
    if (const ActionStorage *before =
            std::exchange(atCallers[storage.placement.tensor], &storage))
      meet(*before);
  }
  for (size_t i = 0; i < reuse.size(); ++i) {
    llvm::sort(reuse[i]);
    reuse[i].erase(llvm::unique(reuse[i]), reuse[i].end());
  }
  return reuse;
}
