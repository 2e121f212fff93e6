//===- ReplayCompute.cpp - Replays the run of one node --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replay.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

Error ReplayMachine::compute(const PlanAction &action) {
  if (!isNode(action.node))
    return refuse("runs node index " + Twine(action.node.index) +
                  ", which does not exist");
  const Node &node = graph[action.node];
  if (action.stream != 0)
    return refuse("runs on stream " + Twine(action.stream) +
                  "; only plans with one compute stream can be verified");
  if (action.variant < 0 ||
      static_cast<size_t>(action.variant) > node.variants.size())
    return refuse(describe(graph, action.node) + " has no variant " +
                  Twine(action.variant));
  NodeVariant way = action.variant == 0
                        ? NodeVariant{node.cost, node.workspaceBytes}
                        : node.variants[action.variant - 1];
  if (Error error = checkMayRun(action.node))
    return error;
  if (Error error = checkInputs(action.node))
    return error;
  if (Error error = checkDiscards(action))
    return error;
  if (Error error = checkInPlace(action))
    return error;
  int64_t scratchBytes = 0;
  if (Error error = addScratch(action, way.workspaceBytes, scratchBytes))
    return error;
  if (Error error = placeOutputs(action, scratchBytes))
    return error;
  if (Error error = placeViews(action))
    return error;
  if (Error error = applyWrites(action.node))
    return error;
  ++result.runsOfNode[action.node.index];
  if (node.keepsPlace())
    collectives.push_back(action.node);
  result.cost += way.cost;
  return Error::success();
}

Error ReplayMachine::checkMayRun(NodeId id) const {
  const Node &node = graph[id];
  bool once = !node.recompute || node.keepsPlace() || !node.writes.empty();
  if (once && result.runsOfNode[id.index] > 0)
    return refuse(describe(graph, id) + " may run only once");
  return Error::success();
}

Error ReplayMachine::checkInputs(NodeId id) const {
  const Node &node = graph[id];
  for (TensorId input : node.inputs) {
    if (!readable[input.index])
      return refuse(describe(graph, id) + " reads " + describe(graph, input) +
                    ", which is not resident");
    TensorId base = index.base(input);
    int32_t wanted = index.versionBefore(id, input);
    // A producer that runs again after a write brings the first version back.
    if (writes[base.index] != wanted || contents[base.index] != wanted)
      return refuse(describe(graph, id) + " reads version " +
                    Twine(contents[base.index]) + " of " +
                    describe(graph, input) + ", in source order version " +
                    Twine(wanted));
  }
  return Error::success();
}

Error ReplayMachine::checkDiscards(const PlanAction &action) const {
  const Node &node = graph[action.node];
  for (size_t i = 0; i < action.discard.size(); ++i) {
    TensorId discard = action.discard[i];
    if (!isTensor(discard) || !llvm::is_contained(node.outputs, discard))
      return refuse(describe(graph, action.node) + " discards " +
                    (isTensor(discard) ? describe(graph, discard)
                                       : std::string("a tensor")) +
                    ", which is none of its outputs");
    if (llvm::is_contained(ArrayRef(action.discard).take_front(i), discard))
      return refuse(describe(graph, action.node) + " discards " +
                    describe(graph, discard) + " twice");
  }
  for (TensorId output : node.outputs)
    if (readable[output.index] && !llvm::is_contained(action.discard, output))
      return refuse(describe(graph, action.node) + " makes " +
                    describe(graph, output) + ", which is resident already");
  return Error::success();
}

Error ReplayMachine::checkInPlace(const PlanAction &action) const {
  ArrayRef<InPlacePair> pairs = action.inPlace;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (Error error = checkInPlacePair(action, pairs[i]))
      return error;
    for (const InPlacePair &other : pairs.take_front(i)) {
      if (other.output == pairs[i].output)
        return refuse(describe(graph, other.output) + " is put in place twice");
      if (storageOf[other.input.index] == storageOf[pairs[i].input.index])
        return refuse(describe(graph, other.output) + " and " +
                      describe(graph, pairs[i].output) +
                      " are both put in place over the storage of " +
                      describe(graph, other.input));
    }
  }
  return Error::success();
}

Error ReplayMachine::checkInPlacePair(const PlanAction &action,
                                      const InPlacePair &pair) const {
  const Node &node = graph[action.node];
  if (!llvm::is_contained(node.inPlace, pair))
    return refuse(describe(graph, action.node) +
                  " may not put this output over this input: " +
                  (isTensor(pair.output) && isTensor(pair.input)
                       ? describe(graph, pair.output) + " over " +
                             describe(graph, pair.input)
                       : std::string("no such tensor")));
  if (llvm::is_contained(action.discard, pair.output))
    return refuse(describe(graph, pair.output) +
                  " is both discarded and in place");
  const Tensor &owner = graph[index.base(pair.input)];
  if (owner.kind == TensorKind::Parameter || owner.kind == TensorKind::State ||
      owner.kind == TensorKind::Output ||
      (owner.kind == TensorKind::Input && !owner.donated))
    return refuse(describe(graph, pair.output) + " may not overwrite " +
                  describe(graph, pair.input) + ", which must outlive the run");
  int32_t storage = storageOf[pair.input.index];
  for (TensorId other : node.inputs)
    if (other != pair.input && storageOf[other.index] == storage)
      return refuse(describe(graph, pair.output) + " may not overwrite " +
                    describe(graph, pair.input) + ", whose bytes are read as " +
                    describe(graph, other) + " too");
  if (storages[storage].bytes < graph[pair.output].bytes)
    return refuse(describe(graph, pair.output) + " (" +
                  Twine(graph[pair.output].bytes) +
                  " bytes) does not fit over " + describe(graph, pair.input) +
                  " (" + Twine(storages[storage].bytes) + " bytes)");
  return Error::success();
}

Error ReplayMachine::addScratch(const PlanAction &action,
                                int64_t workspaceBytes, int64_t &bytes) {
  bytes = workspaceBytes;
  if (workspaceBytes > 0)
    scratchList.push_back({PlacementKind::Workspace, TensorId(), action.node,
                           step, workspaceBytes});
  for (TensorId discard : action.discard) {
    if (graph[discard].viewOf)
      continue;
    bytes += graph[discard].bytes;
    scratchList.push_back({PlacementKind::Discard, discard, NodeId(), step,
                           graph[discard].bytes});
  }
  return Error::success();
}

/// Takes storage for the outputs that have bytes of their own.
Error ReplayMachine::placeOutputs(const PlanAction &action,
                                  int64_t scratchBytes) {
  auto overOf = [&](TensorId output) {
    return llvm::find_if(action.inPlace, [&](const InPlacePair &pair) {
      return pair.output == output;
    });
  };
  for (TensorId output : graph[action.node].outputs) {
    if (graph[output].viewOf || llvm::is_contained(action.discard, output))
      continue;
    // A copy on its way in holds the tensor's place.
    if (storageOf[output.index] >= 0)
      return refuse(describe(graph, action.node) + " makes " +
                    describe(graph, output) + " while it is being fetched");
    contents[output.index] = 0;
    auto over = overOf(output);
    if (over != action.inPlace.end()) {
      int32_t storage = storageOf[over->input.index];
      forgetOccupant(storage);
      storages[storage].occupant = output;
      storageOf[output.index] = storage;
    } else {
      Expected<int32_t> storage = take(output);
      if (!storage)
        return storage.takeError();
      storageOf[output.index] = *storage;
    }
    readable[output.index] = true;
  }
  return growTo(live + scratchBytes);
}

Error ReplayMachine::placeViews(const PlanAction &action) {
  for (TensorId output : graph[action.node].outputs) {
    std::optional<TensorId> parent = graph[output].viewOf;
    if (!parent || llvm::is_contained(action.discard, output))
      continue;
    int32_t storage = storageOf[parent->index];
    if (storage < 0 || !readable[parent->index])
      return refuse(describe(graph, action.node) + " makes " +
                    describe(graph, output) + ", a view of " +
                    describe(graph, *parent) + ", which is not resident");
    storageOf[output.index] = storage;
    readable[output.index] = true;
  }
  return Error::success();
}

Error ReplayMachine::applyWrites(NodeId id) {
  for (TensorId target : graph[id].writes) {
    TensorId base = index.base(target);
    if (!readable[target.index])
      return refuse(describe(graph, id) + " writes " + describe(graph, target) +
                    ", which is not resident");
    int32_t wanted = index.versionBefore(id, target);
    if (writes[base.index] != wanted || contents[base.index] != wanted)
      return refuse(describe(graph, id) + " overwrites version " +
                    Twine(contents[base.index]) + " of " +
                    describe(graph, target) + ", in source order version " +
                    Twine(wanted));
    ++writes[base.index];
    ++contents[base.index];
  }
  return Error::success();
}

} // namespace memplan
