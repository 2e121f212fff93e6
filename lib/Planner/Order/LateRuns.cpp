//===- LateRuns.cpp - First runs that wait --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: a value that is made early for a late user is dropped and recomputed
//   once memory is short, so that its first evaluation was redundant. The
//   gradient of a large weight, made when most activations live, waits with its
//   update for a place where it is not in the way of them.
// Cost: linear in the edges, and sorting.
// Guarantee: an order that the graph allows.
//
//===----------------------------------------------------------------------===//

#include "LateRuns.h"
#include "Tuning.h"
#include "memplan/Schedule/Liveness.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace memplan;

namespace {
/// A sequence that grows at its front and in front of its members.
class Sequence {
public:
  explicit Sequence(size_t nodes) : links(nodes) {}

  NodeId front() const { return first; }
  bool has(NodeId node) const { return links[node.index].isIn; }
  bool isBefore(NodeId a, NodeId b) const {
    return links[a.index].label < links[b.index].label;
  }
  void pushFront(NodeId node);
  void insertBefore(NodeId node, NodeId next);
  std::vector<NodeId> list() const;

private:
  struct Link {
    NodeId previous, next;
    double label = 0; ///< Ascending.
    bool isIn = false;
  };
  void relabel();

  std::vector<Link> links; ///< By node.
  NodeId first;
};

class LateRuns {
public:
  LateRuns(const GraphIndex &index, std::vector<NodeId> order)
      : index(index), graph(index.graph()), order(std::move(order)),
        sequence(graph.nodes.size()), lastUse(graph.tensors.size()) {
    number();
  }

  /// Puts off gradients with their updates.
  void deferUpdates();
  /// Puts off all nodes to their first users.
  void sink();
  std::vector<NodeId> take() { return std::move(order); }

private:
  void number();
  bool isOwned(TensorId base) const;
  int64_t bytesMade(NodeId node) const;
  int64_t bytesRead(NodeId node) const;
  bool isViewOnly(NodeId node) const;
  bool mayWait(NodeId node) const;
  NodeId firstUser(NodeId node) const;
  bool maySink(NodeId node, NodeId user) const;
  std::vector<NodeId> chainOf(NodeId node) const;
  bool isRewritten(llvm::ArrayRef<NodeId> chain) const;
  int64_t largestUse() const;

  const GraphIndex &index;
  const Graph &graph;
  std::vector<NodeId> order;
  ScheduleMetrics metrics;                  ///< Metrics of `order`.
  std::vector<int32_t> places;              ///< By node, in `order`.
  std::vector<std::vector<NodeId>> usersOf; ///< By base, in order.
  Sequence sequence;                        ///< What stands already.
  std::vector<NodeId> lastUse;              ///< By base, in the sequence.
};
} // namespace

void Sequence::pushFront(NodeId node) {
  Link &link = links[node.index];
  link.isIn = true;
  link.next = first;
  if (first.isValid()) {
    links[first.index].previous = node;
    link.label = links[first.index].label - 1;
  }
  first = node;
}

void Sequence::insertBefore(NodeId node, NodeId next) {
  if (next == first)
    return pushFront(node);
  const NodeId previous = links[next.index].previous;
  auto middle = [&] {
    return (links[previous.index].label + links[next.index].label) / 2;
  };
  if (middle() <= links[previous.index].label ||
      middle() >= links[next.index].label)
    relabel();
  links[node.index] = {previous, next, middle(), true};
  links[previous.index].next = node;
  links[next.index].previous = node;
}

void Sequence::relabel() {
  double label = 0;
  for (NodeId node = first; node.isValid(); node = links[node.index].next)
    links[node.index].label = ++label;
}

std::vector<NodeId> Sequence::list() const {
  std::vector<NodeId> nodes;
  for (NodeId node = first; node.isValid(); node = links[node.index].next)
    nodes.push_back(node);
  return nodes;
}

void LateRuns::number() {
  places.assign(graph.nodes.size(), 0);
  usersOf.assign(graph.tensors.size(), {});
  for (size_t at = 0; at < order.size(); ++at) {
    places[order[at].index] = int32_t(at);
    for (TensorId base : index.usedBases(order[at]))
      usersOf[base.index].push_back(order[at]);
  }
}

/// The step makes the value and may free it.
bool LateRuns::isOwned(TensorId base) const {
  if (isCallerOwned(graph[base].kind))
    return graph[base].donated;
  return index.producer(base) && !index.isKept(base);
}

int64_t LateRuns::bytesMade(NodeId node) const {
  int64_t bytes = 0;
  for (TensorId base : index.madeBases(node))
    bytes += graph[base].bytes;
  return bytes;
}

int64_t LateRuns::bytesRead(NodeId node) const {
  int64_t bytes = 0;
  for (TensorId base : index.usedBases(node))
    if (isOwned(base))
      bytes += graph[base].bytes;
  return bytes;
}

bool LateRuns::isViewOnly(NodeId node) const {
  return !graph[node].outputs.empty() && index.madeBases(node).empty() &&
         !graph[node].runsOnce();
}

bool LateRuns::mayWait(NodeId node) const {
  return !graph[node].outputs.empty() && !graph[node].runsOnce() &&
         llvm::none_of(index.madeBases(node),
                       [&](TensorId base) { return index.isKept(base); });
}

/// Or the first who writes what it makes; no node where there is none.
NodeId LateRuns::firstUser(NodeId node) const {
  NodeId first;
  auto note = [&](NodeId user) {
    if (sequence.has(user) &&
        (!first.isValid() || sequence.isBefore(user, first)))
      first = user;
  };
  for (TensorId output : graph[node].outputs) {
    llvm::for_each(index.users(output), note);
    llvm::for_each(index.writersOf(output), note);
  }
  return first;
}

/// Right before the user, operands have the same versions, and those that
/// would stay for the node alone are no larger than what it makes, nor do they
/// raise the peak beside it.
bool LateRuns::maySink(NodeId node, NodeId user) const {
  int64_t kept = 0;
  for (TensorId base : index.usedBases(node)) {
    if (llvm::any_of(index.writersOf(base), [&](NodeId writer) {
          return sequence.has(writer) && sequence.isBefore(writer, user);
        }))
      return false;
    const NodeId last = lastUse[base.index];
    if (isOwned(base) && (!last.isValid() || sequence.isBefore(last, user)))
      kept += graph[base].bytes;
  }
  // What makes views holds nothing by itself.
  return isViewOnly(node) ||
         (kept <= bytesMade(node) &&
          metrics.bytesAtRun[places[user.index]] + kept <= metrics.peakBytes);
}

void LateRuns::sink() {
  bool moves = false;
  metrics = measureSchedule(index, Schedule{order, {}}, {});
  for (NodeId node : llvm::reverse(order)) {
    const NodeId user = mayWait(node) ? firstUser(node) : NodeId();
    if (user.isValid() && maySink(node, user)) {
      moves |= user != sequence.front() && bytesMade(node) > 0;
      sequence.insertBefore(node, user);
    } else {
      sequence.pushFront(node);
    }
    for (TensorId base : index.usedBases(node)) {
      NodeId &last = lastUse[base.index];
      if (!last.isValid() || sequence.isBefore(last, node))
        last = node;
    }
  }
  if (moves)
    order = sequence.list();
}

/// The node, views of the one value that it makes, and the update that alone
/// reads it; empty where there are other users.
std::vector<NodeId> LateRuns::chainOf(NodeId node) const {
  const llvm::ArrayRef<TensorId> made = index.madeBases(node);
  if (made.size() != 1 || graph[node].keepsPlace() ||
      !graph[node].writes.empty() || index.isKept(made.front()))
    return {};
  std::vector<NodeId> chain{node};
  for (NodeId user : usersOf[made.front().index]) {
    const bool isUpdate = !graph[user].writes.empty() &&
                          graph[user].outputs.empty() &&
                          !graph[user].keepsPlace();
    const bool isLast = user == usersOf[made.front().index].back();
    if (user == node || (isLast ? !isUpdate : !isViewOnly(user)))
      return {};
    chain.push_back(user);
  }
  const bool readsOthers =
      llvm::any_of(index.usedBases(chain.back()), [&](TensorId base) {
        return base != made.front() && isOwned(base);
      });
  return chain.size() < 2 || readsOthers ? std::vector<NodeId>() : chain;
}

/// Another node writes what the chain uses, or reads what it writes, after it.
bool LateRuns::isRewritten(llvm::ArrayRef<NodeId> chain) const {
  const NodeId update = chain.back();
  auto isAfter = [&](NodeId a, NodeId b) {
    return places[a.index] > places[b.index];
  };
  for (NodeId node : chain)
    for (TensorId base : index.usedBases(node))
      for (NodeId writer : index.writersOf(base))
        if (writer != update && isAfter(writer, node))
          return true;
  return llvm::any_of(graph[update].writes, [&](TensorId target) {
    return llvm::any_of(usersOf[index.base(target).index],
                        [&](NodeId user) { return isAfter(user, update); });
  });
}

/// Bytes that are always there, and what a single node uses and makes at most,
/// without those that make something for an update alone.
int64_t LateRuns::largestUse() const {
  int64_t largest = 0;
  for (NodeId node : order) {
    const int64_t bytes = bytesMade(node) + bytesRead(node);
    if (bytes > largest && graph[node].writes.empty() && chainOf(node).empty())
      largest = bytes;
  }
  return graph.persistentBytes() + largest;
}

void LateRuns::deferUpdates() {
  metrics = measureSchedule(index, Schedule{order, {}}, {});
  std::vector<int32_t> before = places; ///< By node: where it comes to stand.
  std::optional<int64_t> enough;
  for (NodeId node : order) {
    const int64_t bytes = bytesMade(node);
    if (bytes < metrics.peakBytes / tuning::worthOfPeak ||
        bytesRead(node) > bytes / tuning::smallShare)
      continue;
    const std::vector<NodeId> chain = chainOf(node);
    if (chain.empty() || isRewritten(chain))
      continue;
    if (!enough)
      enough = largestUse();
    // Where it fits beside the rest under any budget, else where least is live.
    int32_t best = places[chain.back().index];
    for (int32_t at = best + 1; at < int32_t(order.size()) &&
                                metrics.bytesAtRun[best] + bytes > *enough;
         ++at)
      if (metrics.bytesAtRun[at] < metrics.bytesAtRun[best])
        best = at;
    if (best > places[chain.back().index])
      for (NodeId one : chain)
        before[one.index] = best;
  }
  llvm::sort(order, [&](NodeId a, NodeId b) {
    return std::pair(before[a.index], places[a.index]) <
           std::pair(before[b.index], places[b.index]);
  });
  number();
}

std::vector<NodeId> memplan::runLate(const GraphIndex &index,
                                     std::vector<NodeId> order) {
  LateRuns late(index, order);
  late.deferUpdates();
  late.sink();
  std::vector<NodeId> found = late.take();
  // A graph may have rules that are not looked at above.
  if (llvm::Error error = verifySchedule(index, Schedule{found, {}})) {
    llvm::consumeError(std::move(error));
    return order;
  }
  return found;
}
