//===- Rewriting.cpp - Which tensors are swapped, and when back -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rewriting.h"
#include "TflmsFilters.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

size_t Rewriting::numSwapIns() const {
  size_t count = 0;
  for (const SwappedValue &each : swapped)
    count += each.ins.size();
  return count;
}

size_t Rewriting::numWithoutControl() const {
  size_t count = 0;
  for (const SwappedValue &each : swapped)
    count +=
        llvm::count_if(each.ins, [](const SwapIn &in) { return !in.control; });
  return count;
}

Rewriter::Rewriter(const RunGraph &graph) : graph(graph), controls(graph) {
  std::vector<std::vector<int32_t>> madeBy(graph.numRuns());
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const int32_t producer = graph.values[i].producer;
    // With a codec, copies are of what is encoded and of nothing else.
    if (!hasCodec())
      madeBy[producer].push_back(static_cast<int32_t>(i));
    else if (graph.isEncoder(producer))
      madeBy[graph.origins[producer]].push_back(static_cast<int32_t>(i));
  }
  for (int32_t run : visit())
    if (isIncluded(run))
      for (int32_t value : madeBy[run])
        if (graph.values[value].isSwappable)
          candidates.push_back(value);
  if (hasCodec())
    return; // No threshold chooses.
  for (int32_t candidate : candidates)
    for (int32_t use : graph.values[candidate].uses)
      if (std::optional<int64_t> distance =
              distanceAcross(graph.values[candidate].producer, use))
        found.push_back(*distance);
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
}

/// 5.1: edges from the forward to the backward pass; without phases, all.
std::optional<int64_t> Rewriter::distanceAcross(int32_t producer,
                                                int32_t use) const {
  const int64_t distance = graph.levels[use] - graph.levels[producer];
  // What runs right after its producer gains nothing.
  if (distance <= 1)
    return std::nullopt;
  if (graph.rewritesAll || (!graph.backward[producer] && graph.backward[use]))
    return distance;
  return std::nullopt;
}

bool Rewriter::isRewritten(int32_t producer, int32_t use,
                           int64_t threshold) const {
  if (hasCodec())
    return graph.isCodec(use);
  if (std::optional<int64_t> distance = distanceAcross(producer, use))
    return *distance > threshold;
  const TflmsParameters &parameters = graph.problem.tflms;
  const int64_t distance = graph.levels[use] - graph.levels[producer];
  return parameters.swapBranches && !graph.backward[producer] &&
         !graph.backward[use] &&
         distance > std::max<int64_t>(parameters.branchThreshold, 1);
}

bool Rewriter::isIncluded(int32_t run) const {
  const TflmsParameters &parameters = graph.problem.tflms;
  const Node &node = graph.nodeOf(run);
  auto isAmong = [&](const std::vector<std::string> &scopes,
                     const std::vector<std::string> &types) {
    return graph.isBelow(run, scopes) || isOfType(node.name, types);
  };
  if (isAmong(parameters.exclScopes, parameters.exclTypes))
    return false;
  return (parameters.inclScopes.empty() && parameters.inclTypes.empty()) ||
         isAmong(parameters.inclScopes, parameters.inclTypes);
}

/// Where the search begins: each list is taken up when all that the ones before
/// it reach has been visited.
static std::vector<std::vector<int32_t>> findSeeds(const RunGraph &graph) {
  const Graph &owner = graph.problem.index->graph();
  const TflmsParameters &parameters = graph.problem.tflms;
  const bool isTold =
      !parameters.startingScope.empty() || !parameters.startingOpNames.empty();
  std::vector<std::vector<int32_t>> seeds(isTold ? 1 : 3);
  for (int32_t run = 0; run < graph.numRuns(); ++run) {
    const Node &node = graph.nodeOf(run);
    if (isTold) {
      auto isNamed = [&](llvm::StringRef name) {
        return llvm::is_contained(parameters.startingOpNames, name);
      };
      if (graph.isBelow(run, parameters.startingScope) ||
          isOfType(node.name, parameters.startingOpNames) ||
          llvm::any_of(graph.placesOf(run), isNamed))
        seeds[0].push_back(run);
      continue;
    }
    auto reads = [&](bool isInput) {
      return llvm::any_of(node.inputs, [&](TensorId input) {
        const TensorKind kind = owner[graph.problem.index->base(input)].kind;
        return isInput ? kind == TensorKind::Input : isCallerOwned(kind);
      });
    };
    if (reads(true))
      seeds[0].push_back(run);
    else if (reads(false))
      seeds[1].push_back(run);
    else if (node.inputs.empty())
      seeds[2].push_back(run);
  }
  return seeds;
}

std::vector<int32_t> Rewriter::visit() const {
  std::vector<bool> isVisited(graph.numRuns());
  std::vector<int32_t> order;
  size_t next = 0;
  auto add = [&](int32_t run) {
    if (!isVisited[run])
      order.push_back(run);
    isVisited[run] = true;
  };
  for (const std::vector<int32_t> &seeds : findSeeds(graph)) {
    for (int32_t seed : seeds)
      add(seed);
    for (; next < order.size(); ++next) {
      const int32_t run = order[next]; // `order` grows.
      for (int32_t user : graph.after[run])
        add(user);
    }
  }
  return order;
}

/// 4.2.3, and a control op for the consumer that runs first.
SwappedValue Rewriter::makeSwapIns(int32_t which,
                                   const SwapDistances &distances) {
  const TflmsParameters &parameters = graph.problem.tflms;
  const RunValue &value = graph.values[which];
  SwappedValue swapped;
  swapped.value = which;
  std::vector<int32_t> consumers;
  for (int32_t use : value.uses)
    if (isRewritten(value.producer, use, distances.threshold))
      (graph.isView[use] ? swapped.views : consumers).push_back(use);
  llvm::sort(consumers, [&](int32_t a, int32_t b) {
    return std::pair(graph.levels[a], a) < std::pair(graph.levels[b], b);
  });
  std::vector<SwapIn> &ins = swapped.ins;
  int32_t firstLevel = 0;
  for (int32_t consumer : consumers) {
    const int32_t level = graph.levels[consumer];
    if (ins.empty() || !parameters.fuseSwapins ||
        level - firstLevel > parameters.closeness) {
      ins.emplace_back();
      firstLevel = level;
    }
    ins.back().consumers.push_back(consumer);
  }
  for (SwapIn &in : ins) {
    const int32_t first = in.consumers.front();
    if (!distances.isLate)
      in.control = hasCodec()
                       ? controls.find(graph.origins[value.producer],
                                       graph.userOf(first), distances.lb)
                       : controls.find(value.producer, first, distances.lb);
    llvm::sort(in.consumers);
  }
  llvm::sort(ins, [](const SwapIn &a, const SwapIn &b) {
    return a.consumers.front() < b.consumers.front();
  });
  return swapped;
}

Rewriting Rewriter::rewrite(const SwapDistances &distances) {
  const int64_t limit =
      distances.mostTensors.value_or(graph.problem.tflms.nTensors.value_or(-1));
  Rewriting rewriting;
  for (int32_t candidate : candidates) {
    if (limit >= 0 && static_cast<int64_t>(rewriting.swapped.size()) >= limit)
      break;
    SwappedValue swapped = makeSwapIns(candidate, distances);
    if (!swapped.ins.empty())
      rewriting.swapped.push_back(std::move(swapped));
  }
  return rewriting;
}
