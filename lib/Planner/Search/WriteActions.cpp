//===- WriteActions.cpp - From a sequence to plan actions -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteActions.h"
#include "memplan/Planner/Model/ViewRuns.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
/// What one run or fetch makes, until its last user. Places are those in the
/// sequence; -1 is before it.
struct Instance {
  int32_t value = 0;
  int32_t madeAt = -1;
  int32_t firstRead = -1; ///< -1: not read.
  int32_t lastUse = -1;
  int32_t evictAt = -1; ///< Place of an evict that reads it; -1: none.
  int64_t fetchEvent = -1, evictEvent = -1;
  bool isLastFetch = false;
};

class Writer {
public:
  Writer(const ContractedStep &contracted, const SearchStep &step,
         llvm::ArrayRef<PlannedRun> sequence)
      : contracted(contracted), step(step), index(contracted.index()),
        sequence(sequence), views(contracted) {}
  std::vector<PlanAction> write();

private:
  void findInstances();
  void use(int32_t value, int32_t at);
  void make(int32_t op, int32_t at);
  void number();
  void writeRun(int32_t at);
  void writeViews();
  void writeWaitsBefore(int32_t at);
  void writeAfter(int32_t at);
  std::vector<InPlacePair> pairsAt(int32_t at, bool again) const;
  InPlacePair listedPair(int32_t op, int32_t output, int32_t input) const;
  int32_t variantAt(int32_t at) const;
  bool isFreedAfter(const Instance &instance, int32_t at) const;
  const Instance &madeOf(int32_t at, int32_t value) const;
  const Instance &readOf(int32_t at, int32_t value) const;
  int32_t end() const { return static_cast<int32_t>(sequence.size()); }

  const ContractedStep &contracted;
  const SearchStep &step;
  const GraphIndex &index;
  llvm::ArrayRef<PlannedRun> sequence;
  ViewRuns views;
  std::vector<NodeId> viewRuns;
  std::vector<Instance> instances;
  std::vector<int32_t> current; ///< By value: its latest instance.
  /// Instances by place, from the one before the sequence to the end: that
  /// begin or end there, are read first there, or are evicted from there on.
  std::vector<std::vector<int32_t>> made, ended, readFirst, evicted;
  std::vector<bool> ran; ///< By op.
  std::vector<InPlacePair> taken;
  std::vector<PlanAction> actions;
};
} // namespace

void Writer::use(int32_t value, int32_t at) {
  Instance &instance = instances[current[value]];
  if (instance.firstRead < 0)
    instance.firstRead = at;
  instance.lastUse = at;
}

void Writer::make(int32_t op, int32_t at) {
  for (int32_t value : step.outputs(op)) {
    current[value] = static_cast<int32_t>(instances.size());
    Instance &instance = instances.emplace_back();
    instance.value = value;
    instance.madeAt = instance.lastUse = at;
  }
}

void Writer::findInstances() {
  current.assign(step.numValues(), -1);
  std::vector<int32_t> lastFetch(step.numValues(), -1);
  make(step.begin(), -1);
  for (int32_t at = 0; at < end(); ++at) {
    const int32_t op = sequence[at].op;
    for (int32_t value : step.inputs(op)) {
      use(value, at);
      if (step.isEvict(op))
        instances[current[value]].evictAt = at;
    }
    make(op, at);
    if (step.isFetch(op))
      lastFetch[step.copiedValue(op)] = current[step.copiedValue(op)];
  }
  for (int32_t value : step.inputs(step.end()))
    use(value, end());
  std::vector<bool> isOwned(index.graph().tensors.size());
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (step.isHosted(value))
      isOwned[step.tensor(value).index] = true;
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (lastFetch[value] >= 0 && !isOwned[step.tensor(value).index])
      instances[lastFetch[value]].isLastFetch = true;
}

/// Gives copies their events, and lists what happens at every place.
void Writer::number() {
  const size_t places = sequence.size() + 2;
  for (auto *list : {&made, &ended, &readFirst, &evicted})
    list->assign(places, {});
  int64_t event = 0;
  for (size_t i = 0; i < instances.size(); ++i) {
    Instance &instance = instances[i];
    const auto number = static_cast<int32_t>(i);
    made[instance.madeAt + 1].push_back(number);
    ended[instance.lastUse + 1].push_back(number);
    if (instance.madeAt >= 0 && step.isFetch(sequence[instance.madeAt].op)) {
      instance.fetchEvent = event++;
      if (instance.firstRead >= 0)
        readFirst[instance.firstRead + 1].push_back(number);
    }
    if (instance.evictAt >= 0) {
      instance.evictEvent = event++;
      evicted[instance.madeAt + 1].push_back(number);
    }
  }
  for (std::vector<int32_t> &list : evicted)
    llvm::sort(list, [&](int32_t a, int32_t b) {
      return instances[a].evictAt < instances[b].evictAt;
    });
}

const Instance &Writer::madeOf(int32_t at, int32_t value) const {
  for (int32_t one : made[at + 1])
    if (instances[one].value == value)
      return instances[one];
  llvm_unreachable("a run makes its outputs");
}

/// The instance of an input that ends at the place; one that does not matters
/// to nothing.
const Instance &Writer::readOf(int32_t at, int32_t value) const {
  static const Instance none;
  for (int32_t one : ended[at + 1])
    if (instances[one].value == value && instances[one].madeAt < at)
      return instances[one];
  return none;
}

InPlacePair Writer::listedPair(int32_t op, int32_t output,
                               int32_t input) const {
  const Node &node = index.graph()[contracted.ops()[op].node];
  for (const InPlacePair &pair : node.inPlace)
    if (pair.output == step.tensor(output) &&
        index.base(pair.input) == step.tensor(input))
      return pair;
  llvm_unreachable("pairs are those of the node");
}

/// As the sequence counts them: the first listed pair first.
std::vector<InPlacePair> Writer::pairsAt(int32_t at, bool again) const {
  std::vector<InPlacePair> pairs;
  const int32_t op = sequence[at].op;
  std::vector<int32_t> outputs, inputs;
  for (const SearchStep::Pair &pair : step.pairs(op)) {
    const int32_t output = step.outputs(op)[pair.place];
    const Instance &source = readOf(at, pair.value);
    if (source.lastUse != at || source.madeAt == at || source.evictAt >= 0 ||
        llvm::is_contained(outputs, output) ||
        llvm::is_contained(inputs, pair.value) ||
        (again && madeOf(at, output).lastUse == at))
      continue;
    outputs.push_back(output);
    inputs.push_back(pair.value);
    if (step.tensor(output) != step.tensor(pair.value))
      pairs.push_back(listedPair(op, output, pair.value));
  }
  return pairs;
}

/// The variant of the node that the op's variant stands for.
int32_t Writer::variantAt(int32_t at) const {
  const StepOp &op = contracted.ops()[sequence[at].op];
  const Node &node = index.graph()[op.node];
  const NodeVariant &variant = op.variants[sequence[at].variant];
  for (int32_t v = 0; v < node.numVariants(); ++v)
    if (node.variant(v).cost == variant.cost &&
        node.variant(v).workspaceBytes == variant.workspaceBytes)
      return v;
  llvm_unreachable("variants of an op are variants of the node");
}

void Writer::writeViews() {
  for (NodeId node : viewRuns)
    actions.push_back(PlanAction::compute(node));
  viewRuns.clear();
}

void Writer::writeWaitsBefore(int32_t at) {
  for (int32_t one : readFirst[at + 1]) {
    const Instance &instance = instances[one];
    actions.push_back(PlanAction::wait(instance.fetchEvent));
    if (instance.isLastFetch)
      actions.push_back(PlanAction::dropHost(step.tensor(instance.value)));
  }
}

/// Whether the bytes of an instance that ends there are freed: not what is
/// taken over, waited for or discarded.
bool Writer::isFreedAfter(const Instance &instance, int32_t at) const {
  if (instance.evictAt >= 0 || at == end())
    return false;
  const TensorId tensor = step.tensor(instance.value);
  for (const InPlacePair &pair : taken)
    if (index.base(pair.input) == tensor && instance.madeAt < at)
      return false;
  const int32_t op = at < 0 ? step.begin() : sequence[at].op;
  if (instance.madeAt == at)
    return at < 0 || !ran[op] || step.valueRead(op, tensor) >= 0;
  return step.valueMade(op, tensor) < 0; // The next version lies there.
}

/// Evicts, frees and the waits that give bytes back.
void Writer::writeAfter(int32_t at) {
  for (int32_t one : evicted[at + 1])
    actions.push_back(PlanAction::evict(step.tensor(instances[one].value),
                                        instances[one].evictEvent));
  std::vector<TensorId> freed;
  for (int32_t one : ended[at + 1])
    if (isFreedAfter(instances[one], at))
      freed.push_back(step.tensor(instances[one].value));
  if (!freed.empty())
    actions.push_back(PlanAction::free(std::move(freed)));
  for (int32_t one : ended[at + 1])
    if (instances[one].evictAt >= 0)
      actions.push_back(PlanAction::wait(instances[one].evictEvent));
}

void Writer::writeRun(int32_t at) {
  const int32_t op = sequence[at].op;
  if (step.isFetch(op)) {
    const int32_t value = step.copiedValue(op);
    actions.push_back(
        PlanAction::fetch(step.tensor(value), madeOf(at, value).fetchEvent));
    views.renew(step.tensor(value));
    return;
  }
  if (step.isEvict(op))
    return;
  const NodeId node = contracted.ops()[op].node;
  writeWaitsBefore(at);
  views.provideInputs(node, viewRuns);
  writeViews();
  PlanAction action = PlanAction::compute(node);
  action.variant = variantAt(at);
  taken = pairsAt(at, ran[op]);
  action.inPlace = taken;
  for (int32_t one : made[at + 1])
    if (ran[op] && instances[one].lastUse == at)
      action.discard.push_back(step.tensor(instances[one].value));
  actions.push_back(std::move(action));
  for (int32_t value : step.outputs(op))
    views.renew(step.tensor(value));
  if (!ran[op])
    views.provideUnread(op, viewRuns);
  writeViews();
}

std::vector<PlanAction> Writer::write() {
  findInstances();
  number();
  ran.assign(step.numOps(), false);
  writeAfter(-1);
  for (int32_t at = 0; at < end(); ++at) {
    taken.clear();
    writeRun(at);
    writeAfter(at);
    ran[sequence[at].op] = true;
  }
  writeWaitsBefore(end());
  views.provideOutputs(viewRuns);
  writeViews();
  writeAfter(end());
  return std::move(actions);
}

std::vector<PlanAction>
memplan::writeActions(const ContractedStep &contracted, const SearchStep &step,
                      llvm::ArrayRef<PlannedRun> sequence) {
  return Writer(contracted, step, sequence).write();
}
