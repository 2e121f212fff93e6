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

Expected<NodeVariant>
ReplayMachine::findVariant(const PlanAction &action) const {
  if (!contains(graph, action.node))
    return refuse("plan_c1", "runs node index " + Twine(action.node.index) +
                                 ", which does not exist");
  const Node &node = graph[action.node];
  std::string name = describe(graph, action.node);
  if (action.variant < 0 ||
      static_cast<size_t>(action.variant) > node.variants.size())
    return refuse("plan_c1", name + " has no variant " + Twine(action.variant));
  if (node.runsOnce() && result.runsOfNode[action.node.index] > 0)
    return refuse("plan_c5", name + " may run only once");
  return action.variant == 0 ? NodeVariant{node.cost, node.workspaceBytes}
                             : node.variants[action.variant - 1];
}

Error ReplayMachine::compute(const PlanAction &action) {
  Expected<NodeVariant> variant = findVariant(action);
  if (!variant)
    return variant.takeError();
  Run run{action, graph[action.node], *variant,
          order.compute(action.stream, variant->cost),
          describe(graph, action.node)};
  if (Error error = signal(action, run.now))
    return error;
  if (Error error = readInputs(run))
    return error;
  if (Error error = checkOutputs(run))
    return error;
  if (Error error = checkInPlace(run))
    return error;
  if (Error error = makeOutputs(run))
    return error;
  if (Error error = makeViews(run))
    return error;
  if (Error error = applyWrites(run))
    return error;
  ++result.runsOfNode[action.node.index];
  firstRunOn.try_emplace({action.stream, run.node.stream}, action.node);
  if (run.node.keepsPlace())
    collectives.push_back(action.node);
  result.cost += variant->cost;
  return Error::success();
}

/// The run reads a resident tensor: after what made its bytes and, for a view,
/// after what made the view.
Error ReplayMachine::read(TensorId tensor, const Moment &now,
                          const Twine &text) {
  Storage &storage = residents.home(tensor);
  if (!now.includes(storage.made))
    return refuseRace(text, storage.made, "makes it");
  if (!now.includes(viewMade[tensor.index]))
    return refuseRace(text, viewMade[tensor.index], "makes the view");
  storage.touch(now.mark);
  return Error::success();
}

/// The run replaces what the storage holds: after all its users.
Error ReplayMachine::overwrite(Storage &storage, const Moment &now,
                               int32_t version, const Twine &text) const {
  if (storage.leaving)
    return refuse("plan_c9", text + " while it is being copied out");
  if (std::optional<Mark> user = storage.findUser(now))
    return refuseRace(text, *user, "uses it");
  storage.made = now.mark;
  storage.version = version;
  storage.touch(now.mark);
  return Error::success();
}

Error ReplayMachine::checkVersion(const Run &run, TensorId tensor,
                                  const char *doing) const {
  int32_t wanted = index.versionBefore(run.action.node, tensor);
  int32_t found = residents.home(tensor).version;
  // A producer that runs again after a write brings the first version back.
  if (writes[index.base(tensor).index] == wanted && found == wanted)
    return Error::success();
  return refuse("plan_c7", run.name + " " + doing + " version " + Twine(found) +
                               " of " + describe(graph, tensor) +
                               ", in source order version " + Twine(wanted));
}

Error ReplayMachine::readInputs(const Run &run) {
  for (TensorId input : run.node.inputs) {
    std::string reads = run.name + " reads " + describe(graph, input);
    if (!residents.isReadable(input))
      return refuse("plan_c2", reads + ", which is not resident");
    if (Error error = checkVersion(run, input, "reads"))
      return error;
    if (Error error = read(input, run.now, reads))
      return error;
  }
  return Error::success();
}

Error ReplayMachine::checkOutputs(const Run &run) const {
  ArrayRef<TensorId> discards = run.action.discard;
  for (size_t i = 0; i < discards.size(); ++i) {
    TensorId discard = discards[i];
    std::string name = contains(graph, discard) ? describe(graph, discard)
                                                : std::string("a tensor");
    if (!llvm::is_contained(run.node.outputs, discard))
      return refuse("plan_c3", run.name + " discards " + name +
                                   ", which is none of its outputs");
    if (llvm::is_contained(discards.take_front(i), discard))
      return refuse("plan_c3", run.name + " discards " + name + " twice");
  }
  for (TensorId output : run.node.outputs)
    if (residents.isReadable(output) && !llvm::is_contained(discards, output))
      return refuse("plan_c3", run.name + " makes " + describe(graph, output) +
                                   ", which is resident already");
  return Error::success();
}

Error ReplayMachine::checkInPlace(const Run &run) const {
  ArrayRef<InPlacePair> pairs = run.action.inPlace;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (Error error = checkInPlacePair(run, pairs[i]))
      return error;
    for (const InPlacePair &other : pairs.take_front(i)) {
      std::string output = describe(graph, other.output);
      if (other.output == pairs[i].output)
        return refuse("plan_c4", output + " is put in place twice");
      if (residents.find(other.input) == residents.find(pairs[i].input))
        return refuse("plan_c4",
                      output + " and " + describe(graph, pairs[i].output) +
                          " are both put in place over the storage of " +
                          describe(graph, other.input));
    }
  }
  return Error::success();
}

Error ReplayMachine::checkInPlacePair(const Run &run,
                                      const InPlacePair &pair) const {
  if (!llvm::is_contained(run.node.inPlace, pair))
    return refuse(
        "plan_c4",
        run.name + " may not put this output over this input: " +
            (contains(graph, pair.output) && contains(graph, pair.input)
                 ? describe(graph, pair.output) + " over " +
                       describe(graph, pair.input)
                 : std::string("no such tensor")));
  std::string output = describe(graph, pair.output);
  std::string input = describe(graph, pair.input);
  if (llvm::is_contained(run.action.discard, pair.output))
    return refuse("plan_c4", output + " is both discarded and in place");
  if (!findKeeper(index, pair.input).empty() ||
      graph[index.base(pair.input)].kind == TensorKind::Output)
    return refuse("plan_c4", output + " may not overwrite " + input +
                                 ", which must outlive the run");
  const Storage &storage = residents.home(pair.input);
  for (TensorId other : run.node.inputs)
    if (other != pair.input && &residents.home(other) == &storage)
      return refuse("plan_c4", output + " may not overwrite " + input +
                                   ", whose bytes are read as " +
                                   describe(graph, other) + " too");
  if (storage.bytes < graph[pair.output].bytes)
    return refuse("plan_c4", output + " (" + Twine(graph[pair.output].bytes) +
                                 " bytes) does not fit over " + input + " (" +
                                 Twine(storage.bytes) + " bytes)");
  return Error::success();
}

/// Takes what exists during this step only; returns its bytes.
int64_t ReplayMachine::addScratch(const Run &run) {
  int64_t total = 0;
  auto add = [&](PlacementKind kind, int64_t bytes) -> Storage & {
    Storage &scratch = residents.addScratch();
    scratch.kind = kind;
    scratch.begin = step;
    scratch.end = step + 1;
    scratch.bytes = bytes;
    scratch.taken = run.now;
    scratch.touch(run.now.mark);
    total += bytes;
    return scratch;
  };
  add(PlacementKind::Workspace, run.variant.workspaceBytes).node =
      run.action.node;
  for (TensorId discard : run.action.discard)
    if (!graph[discard].viewOf)
      add(PlacementKind::Discard, graph[discard].bytes).tensor = discard;
  return total;
}

Error ReplayMachine::makeInPlace(const Run &run, const InPlacePair &pair) {
  int32_t storage = residents.find(pair.input);
  std::string puts = run.name + " puts " + describe(graph, pair.output) +
                     " over " + describe(graph, pair.input);
  if (Error error = overwrite(residents.at(storage), run.now, 0, puts))
    return error;
  residents.forgetMembers(storage);
  residents.hold(pair.output, storage);
  return Error::success();
}

/// Takes storage for the outputs that have bytes of their own.
Error ReplayMachine::makeOutputs(const Run &run) {
  int64_t scratchBytes = addScratch(run);
  for (TensorId output : run.node.outputs) {
    if (graph[output].viewOf || llvm::is_contained(run.action.discard, output))
      continue;
    auto over = llvm::find_if(run.action.inPlace, [&](const InPlacePair &pair) {
      return pair.output == output;
    });
    if (Error error = over != run.action.inPlace.end() ? makeInPlace(run, *over)
                                                       : take(output, run.now))
      return error;
  }
  return growTo(residents.liveBytes() + scratchBytes);
}

Error ReplayMachine::makeViews(const Run &run) {
  for (TensorId output : run.node.outputs) {
    std::optional<TensorId> parent = graph[output].viewOf;
    if (!parent || llvm::is_contained(run.action.discard, output))
      continue;
    std::string makes = run.name + " makes " + describe(graph, output) +
                        ", a view of " + describe(graph, *parent);
    if (!residents.isReadable(*parent))
      return refuse("plan_c2", makes + ", which is not resident");
    if (Error error = read(*parent, run.now, makes))
      return error;
    residents.hold(output, residents.find(*parent));
    viewMade[output.index] = run.now.mark;
  }
  return Error::success();
}

Error ReplayMachine::applyWrites(const Run &run) {
  for (TensorId target : run.node.writes) {
    std::string text = run.name + " writes " + describe(graph, target);
    if (!residents.isReadable(target))
      return refuse("plan_c2", text + ", which is not resident");
    if (Error error = checkVersion(run, target, "overwrites"))
      return error;
    int32_t version = ++writes[index.base(target).index];
    if (Error error = overwrite(residents.home(target), run.now, version, text))
      return error;
  }
  return Error::success();
}

} // namespace memplan
