//===- LayerCheckpoints.cpp - What frameworks recompute, layer by layer ---===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: activation checkpointing as PyTorch and its trainers have it: `full`
//   keeps what layers hand to one another, `selective` the results of expensive
//   ops besides. Layers are found from the graph: they are equal, or end at
//   articulation points of the forward pass. Each, every second one or so is
//   recomputed as a whole.
// Idea: a value that is not kept is recomputed once, right before the backward
//   pass needs it, and then stays to its last user.
// Cost: O(members * (nodes + edges)).
// Guarantee: valid schedules, each op at most twice but for those that other
//   ops bring back before. No optimality.
//
//===----------------------------------------------------------------------===//

#include "LayerCheckpoints.h"
#include "Tuning.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Search/Repeats.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

namespace {
/// When the backward pass reads a value, itself or by what it recomputes.
struct Need {
  int32_t first, last = -1;
};

/// What is dropped between the passes, from the last op of the forward pass to
/// the first.
class Dropping {
public:
  /// `isKept`: by value.
  Dropping(const StageGraph &graph, const std::vector<bool> &isKept)
      : graph(graph), isKept(isKept), never(graph.numStages()),
        recomputedAt(graph.ops().size(), never) {}
  Retention run();

private:
  Need needOf(int32_t value) const;

  const StageGraph &graph;
  const std::vector<bool> &isKept;
  const int32_t never;
  std::vector<int32_t> recomputedAt; ///< By op: `never` where all of it stays.
};
} // namespace

Need Dropping::needOf(int32_t value) const {
  Need need{never};
  for (int32_t user : graph.values()[value].users) {
    const int32_t at = graph.ops()[user].forward ? recomputedAt[user] : user;
    if (at == never)
      continue;
    need.first = std::min(need.first, at);
    need.last = std::max(need.last, at);
  }
  return need;
}

Retention Dropping::run() {
  Retention retention = keepAll(graph);
  for (int32_t op = graph.numStages() - 1; op >= 0; --op) {
    if (!graph.ops()[op].forward)
      continue;
    for (int32_t value : graph.ops()[op].outputs) {
      const Need need = needOf(value);
      if (need.first == never)
        continue;
      const int32_t last = graph.lastForwardUser(value);
      if (isKept[value] || need.first <= last ||
          need.first > graph.lastStage(op)) {
        retention.set(value, last + 1, need.last, true);
        continue;
      }
      recomputedAt[op] = std::min(recomputedAt[op], need.first);
      retention.set(value, last + 1, need.first, false);
      retention.set(value, need.first + 1, need.last, true);
    }
  }
  return retention;
}

Retention memplan::recomputeOnce(const StageGraph &graph,
                                 const std::vector<bool> &isKept) {
  return Dropping(graph, isKept).run();
}

/// Values in the order in which `selective` keeps them: those that cost most
/// for their bytes first. Only those that a backward pass reads.
static std::vector<int32_t> byCostOfByte(const StageGraph &graph) {
  std::vector<int32_t> values;
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    const StepValue &entry = graph.values()[value];
    if (graph.ops()[entry.producer].forward && entry.bytes > 0 &&
        graph.isReadBackward(value))
      values.push_back(value);
  }
  auto costOf = [&](int32_t value) {
    return graph.ops()[graph.values()[value].producer].cost;
  };
  auto bytesOf = [&](int32_t value) {
    return double(graph.values()[value].bytes);
  };
  llvm::sort(values, [&](int32_t a, int32_t b) {
    const double its = costOf(a) * bytesOf(b), others = costOf(b) * bytesOf(a);
    return its != others ? its > others : a < b;
  });
  return values;
}

/// Bytes that forward ops from `cut` on read of what the ops [first, cut) make.
static int64_t bytesAcross(const StageGraph &graph, int32_t first,
                           int32_t cut) {
  int64_t bytes = 0;
  for (int32_t op = first; op < cut; ++op)
    for (int32_t value : graph.ops()[op].outputs)
      if (graph.lastForwardUser(value) >= cut)
        bytes += graph.values()[value].bytes;
  return bytes;
}

/// First op of each layer, those included that stand beside the equal ones: the
/// place where layers hand least to one another. Empty where none are found.
static std::vector<int32_t> firstOpsOfLayers(const StageGraph &graph) {
  std::vector<int32_t> cuts;
  const std::optional<StepRepeat> layers = findLayers(SearchStep(graph));
  if (!layers)
    return cuts;
  const int32_t second = layers->begin + layers->period;
  int32_t best = second;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int32_t cut = second; cut < second + layers->period; ++cut)
    if (const int64_t bytes = bytesAcross(graph, layers->begin, cut);
        bytes < least) {
      least = bytes;
      best = cut;
    }
  while (best > layers->period)
    best -= layers->period;
  const int32_t end = layers->begin + layers->period * (layers->turns + 1);
  for (; best <= end && graph.ops()[best].forward; best += layers->period)
    cuts.push_back(best);
  return cuts;
}

/// What is read behind one of the cuts, and what is made behind the last one.
static std::vector<bool> keptAcross(const StageGraph &graph,
                                    llvm::ArrayRef<int32_t> cuts) {
  std::vector<bool> isKept(size_t(graph.numValues()), false);
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    const auto *cut = llvm::upper_bound(cuts, graph.values()[value].producer);
    isKept[value] = cut == cuts.end() || *cut <= graph.lastForwardUser(value);
  }
  return isKept;
}

/// Whether values are kept, for each way to choose boundaries.
static std::vector<std::vector<bool>> boundaries(const StageGraph &graph) {
  std::vector<std::vector<bool>> choices;
  std::vector<int32_t> cuts = firstOpsOfLayers(graph);
  if (cuts.empty())
    for (int32_t point : articulationCandidates(graph))
      cuts.push_back(point + 1);
  for (size_t every = 1;
       every <= std::min(tuning::mostLayersApart, cuts.size()); ++every) {
    std::vector<int32_t> chosen;
    for (size_t i = (cuts.size() - 1) % every; i < cuts.size(); i += every)
      chosen.push_back(cuts[i]);
    choices.push_back(keptAcross(graph, chosen));
  }
  return choices;
}

void memplan::forEachLayerCheckpoint(
    const StageGraph &graph,
    llvm::function_ref<void(Retention, const char *)> consider) {
  const int parts = graph.numStages() > largestStep ? tuning::sharesOfLarge
                                                    : tuning::sharesOfSelective;
  const std::vector<int32_t> expensive = byCostOfByte(graph);
  int64_t all = 0;
  for (int32_t value : expensive)
    all += graph.values()[value].bytes;
  for (std::vector<bool> &isKept : boundaries(graph)) {
    consider(recomputeOnce(graph, isKept), "full");
    int64_t bytes = 0;
    size_t next = 0;
    for (int part = 1; part < parts; ++part) {
      for (; next < expensive.size() && bytes < all / parts * part; ++next) {
        isKept[expensive[next]] = true;
        bytes += graph.values()[expensive[next]].bytes;
      }
      consider(recomputeOnce(graph, isKept), "selective");
    }
  }
}
