//===- ScheduleChecker.cpp - What is readable while a schedule runs -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Schedule/ScheduleChecker.h"
#include "memplan/Support/Violation.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

static std::string reason(const Graph &graph,
                          const ScheduleViolation &violation) {
  auto node = [&] { return describe(graph, violation.node); };
  auto tensor = [&] { return describe(graph, violation.tensor); };
  switch (violation.kind) {
  case ScheduleViolation::UnknownNode:
    return "no node has index " + std::to_string(violation.node.index);
  case ScheduleViolation::RunsTwice:
    return node() + " may run only once";
  case ScheduleViolation::NeverRuns:
    return node() + " never runs";
  case ScheduleViolation::NotMade:
    return node() + " needs " + tensor() + ", which no earlier run makes";
  case ScheduleViolation::StaleView:
    return node() + " needs " + tensor() +
           ", a view of a tensor that was recomputed after the view";
  case ScheduleViolation::WrongVersion:
    return node() + " needs another version of " + tensor() + " than it finds";
  case ScheduleViolation::CollectivesOrder:
    return "collective or opaque " + node() + " is out of order";
  case ScheduleViolation::StaleAtEnd:
    return tensor() + " is not available at the end in its last version";
  }
  llvm_unreachable("unknown violation");
}

static StringRef constraintOf(ScheduleViolation::Kind kind) {
  switch (kind) {
  case ScheduleViolation::UnknownNode:
  case ScheduleViolation::RunsTwice:
  case ScheduleViolation::NeverRuns:
    return "schedule_c1";
  case ScheduleViolation::NotMade:
  case ScheduleViolation::StaleView:
    return "schedule_c2";
  case ScheduleViolation::WrongVersion:
    return "schedule_c3";
  case ScheduleViolation::CollectivesOrder:
    return "schedule_c4";
  case ScheduleViolation::StaleAtEnd:
    return "schedule_c5";
  }
  llvm_unreachable("unknown violation");
}

Error toError(const Graph &graph, const ScheduleViolation &found) {
  return violation(constraintOf(found.kind), "run {0}: {1}", found.run,
                   reason(graph, found));
}

ScheduleChecker::ScheduleChecker(const GraphIndex &index) : index(&index) {
  const Graph &graph = index.graph();
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    bases.push_back(index.base(TensorId(i)).index);
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    NodeId id(n);
    if (graph[id].keepsPlace())
      collectives.push_back(id);
    usesVersions.push_back(
        llvm::any_of(index.usedBases(id), [&](TensorId base) {
          return !index.writersOf(base).empty();
        }));
  }
  reset();
}

void ScheduleChecker::reset() {
  const Graph &graph = index->graph();
  runs.assign(graph.nodes.size(), 0);
  epochs.assign(graph.tensors.size(), 0);
  viewEpochs.assign(graph.tensors.size(), 0);
  writes.assign(graph.tensors.size(), 0);
  contents.assign(graph.tensors.size(), 0);
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    if (!index->producer(TensorId(i)))
      (graph.tensors[i].viewOf ? viewEpochs : epochs)[i] = 1;
  collectivesRun = 0;
  runsSoFar = 0;
}

std::optional<TensorId> ScheduleChecker::findUnreadable(NodeId node) const {
  const Graph &graph = index->graph();
  for (TensorId input : graph[node].inputs)
    if (!isReadable(input))
      return input;
  for (TensorId target : graph[node].writes)
    if (index->producer(target) != node && !isReadable(target))
      return target;
  for (TensorId output : graph[node].outputs) {
    std::optional<TensorId> parent = graph[output].viewOf;
    if (parent && index->producer(*parent) != node && !isReadable(*parent))
      return parent;
  }
  return std::nullopt;
}

std::optional<ScheduleViolation>
ScheduleChecker::findObstacle(NodeId node) const {
  const Graph &graph = index->graph();
  auto obstacle = [&](ScheduleViolation::Kind kind, TensorId tensor = {}) {
    return ScheduleViolation{kind, runsSoFar, node, tensor};
  };
  if (!node.isValid() || static_cast<size_t>(node.index) >= graph.nodes.size())
    return obstacle(ScheduleViolation::UnknownNode);
  if (runs[node.index] > 0 && graph[node].runsOnce())
    return obstacle(ScheduleViolation::RunsTwice);
  if (graph[node].keepsPlace() && collectives[collectivesRun] != node)
    return obstacle(ScheduleViolation::CollectivesOrder);
  if (std::optional<TensorId> missing = findUnreadable(node))
    return obstacle(epochs[bases[missing->index]] == 0 ||
                            viewEpochs[missing->index] == 0
                        ? ScheduleViolation::NotMade
                        : ScheduleViolation::StaleView,
                    *missing);
  if (usesVersions[node.index])
    for (TensorId base : index->usedBases(node)) {
      int32_t wanted = index->versionBefore(node, base);
      // A tensor recomputed after a write has its first content again.
      if (writes[base.index] != wanted || contents[base.index] != wanted)
        return obstacle(ScheduleViolation::WrongVersion, base);
    }
  return std::nullopt;
}

void ScheduleChecker::run(NodeId node) {
  const Node &facts = index->graph()[node];
  ++runs[node.index];
  ++runsSoFar;
  if (facts.keepsPlace())
    ++collectivesRun;
  for (TensorId base : index->madeBases(node)) {
    ++epochs[base.index];
    contents[base.index] = 0;
  }
  for (TensorId output : facts.outputs)
    viewEpochs[output.index] = epochs[bases[output.index]];
  for (TensorId target : facts.writes) {
    ++writes[bases[target.index]];
    ++contents[bases[target.index]];
  }
}

std::optional<ScheduleViolation> ScheduleChecker::findGapAtEnd() const {
  const Graph &graph = index->graph();
  for (size_t n = 0; n < runs.size(); ++n)
    if (runs[n] == 0)
      return ScheduleViolation{
          ScheduleViolation::NeverRuns, runsSoFar, NodeId(n), {}};
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId id(i);
    if (!index->staysToTheEnd(id))
      continue;
    auto version = static_cast<int32_t>(index->writersOf(id).size());
    if (!isReadable(id) || contents[bases[i]] != version)
      return ScheduleViolation{ScheduleViolation::StaleAtEnd, runsSoFar,
                               NodeId(), id};
  }
  return std::nullopt;
}

std::optional<ScheduleViolation>
ScheduleChecker::check(ArrayRef<NodeId> schedule) {
  reset();
  for (NodeId node : schedule) {
    if (std::optional<ScheduleViolation> obstacle = findObstacle(node))
      return obstacle;
    run(node);
  }
  return findGapAtEnd();
}

} // namespace memplan
