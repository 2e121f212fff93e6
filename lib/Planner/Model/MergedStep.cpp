//===- MergedStep.cpp - A step with fewer ops and values ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules (proofs in docs/Planner/Remat.md, "Merging"):
//   identical outputs: outputs of one op that the same ops read are one value.
//   free values: what an op without cost makes is recomputed right before each
//     user, where all that it reads is live anyway.
//   series: a value that only the next op reads is passed on: the two ops are
//     one, if the next one makes no more than it reads, and runs within the
//     bytes of the first.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Model/MergedStep.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <utility>

using namespace memplan;

/// Decides on the original step, and then writes the merged one.
struct MergedStep::Rules {
  Rules(const ContractedStep &step, MergedStep &out)
      : step(step), index(step.index()), graph(index.graph()), out(out),
        ops(step.ops()), values(step.values()),
        isFreed(size_t(step.numValues()), false),
        isPart(size_t(step.numOps()), false) {
    for (const StepOp &op : ops)
      for (const StepOverlap &overlap : op.overlaps)
        overlapping.insert(overlapping.end(), {overlap.output, overlap.input});
    llvm::sort(overlapping);
    touchesDonated.assign(size_t(step.numOps()), false);
    for (const DonatedInput &input : step.donated())
      for (int32_t op : input.users)
        touchesDonated[op] = true;
    out.before.resize(size_t(step.numOps()));
    for (int32_t op = 0; op < step.numOps(); ++op)
      out.parts.push_back({op});
  }

  void run() {
    for (int32_t op = 0; op + 1 < step.numOps(); ++op) {
      joinIdentical(op);
      freeOutput(op);
    }
    // In order, so that a chain becomes one op.
    for (int32_t op = 0, first = 0; op + 1 < step.numOps(); ++op) {
      if (op > 0 && passesOn(first, op))
        absorb(first, op);
      else
        first = op;
    }
    write();
  }

private:
  /// Nothing but its users' runs depends on when it runs, or how often.
  bool isPlain(int32_t op) const {
    return !step.ops()[op].runsOnce && step.ops()[op].after.empty() &&
           step.ops()[op].before.empty() && !touchesDonated[op];
  }
  /// Views of the value, if any, come back at no cost, and nothing writes it.
  bool isPlainValue(int32_t value) const {
    const TensorId tensor = values[value].tensor;
    if (!index.writersOf(tensor).empty())
      return false;
    return llvm::all_of(index.aliasSet(tensor), [&](TensorId each) {
      const std::optional<NodeId> producer = index.producer(each);
      return each == tensor || (producer && step.vanishes(*producer) &&
                                graph[*producer].leastCost() == 0);
    });
  }
  bool mayOverlap(int32_t value) const {
    return llvm::binary_search(overlapping, value);
  }
  /// The op reads the bytes of its inputs, not just makes views of them.
  bool readsAll(int32_t op) const;
  int64_t bytesOf(llvm::ArrayRef<int32_t> list) const {
    int64_t bytes = 0;
    for (int32_t value : list)
      bytes += values[value].bytes;
    return bytes;
  }
  void remove(int32_t value);
  void joinIdentical(int32_t op);
  void freeOutput(int32_t op);
  bool hasAllBefore(int32_t user, int32_t op) const;
  bool passesOn(int32_t first, int32_t op) const;
  void absorb(int32_t first, int32_t op);
  void write();

  const ContractedStep &step;
  const GraphIndex &index;
  const Graph &graph;
  MergedStep &out;
  std::vector<StepOp> ops;
  std::vector<StepValue> values;
  std::vector<char> isFreed;        ///< By value.
  std::vector<char> isPart;         ///< By op: of an earlier one.
  std::vector<int32_t> overlapping; ///< Values of overlaps, sorted.
  std::vector<char> touchesDonated; ///< By op.
};

bool MergedStep::Rules::readsAll(int32_t op) const {
  const NodeId id = step.ops()[op].node;
  return !id.isValid() ||
         llvm::all_of(step.ops()[op].inputs, [&](int32_t value) {
           return llvm::any_of(graph[id].inputs, [&](TensorId tensor) {
             return index.base(tensor) == step.values()[value].tensor;
           });
         });
}

/// Takes the value from the lists of those who read it.
void MergedStep::Rules::remove(int32_t value) {
  isFreed[value] = true;
  for (int32_t user : values[value].users)
    llvm::erase(ops[user].inputs, value);
}

void MergedStep::Rules::joinIdentical(int32_t op) {
  std::vector<int32_t> &outputs = ops[op].outputs;
  auto mayJoin = [&](int32_t value) {
    return !isFreed[value] && isPlainValue(value) && !mayOverlap(value) &&
           llvm::all_of(values[value].users,
                        [&](int32_t user) { return readsAll(user); });
  };
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!mayJoin(outputs[i]))
      continue;
    for (size_t j = i + 1; j < outputs.size(); ++j) {
      if (!mayJoin(outputs[j]) ||
          values[outputs[j]].users != values[outputs[i]].users)
        continue;
      values[outputs[i]].bytes += values[outputs[j]].bytes;
      remove(outputs[j]);
      ++out.identical;
    }
  }
  llvm::erase_if(outputs, [&](int32_t value) { return bool(isFreed[value]); });
}

/// Beside a run of the user the op finds its inputs and its workspace.
bool MergedStep::Rules::hasAllBefore(int32_t user, int32_t op) const {
  const StepOp &of = step.ops()[user], &made = step.ops()[op];
  int64_t room = of.variants.back().workspaceBytes;
  for (int32_t output : of.outputs)
    room += step.values()[output].bytes;
  for (const StepOverlap &overlap : of.overlaps)
    room -= overlap.savedBytes;
  return readsAll(user) && made.variants.front().workspaceBytes <= room &&
         llvm::all_of(made.inputs, [&](int32_t value) {
           return llvm::is_contained(of.inputs, value);
         });
}

void MergedStep::Rules::freeOutput(int32_t op) {
  const StepOp &made = step.ops()[op];
  if (made.outputs.size() != 1 || made.variants.front().cost != 0 ||
      !isPlain(op))
    return;
  const int32_t value = made.outputs.front();
  if (step.values()[value].users.empty() || !isPlainValue(value) ||
      llvm::any_of(made.inputs,
                   [&](int32_t input) { return !isPlainValue(input); }) ||
      llvm::any_of(step.ops(),
                   [&](const StepOp &of) {
                     return llvm::any_of(of.overlaps,
                                         [&](const StepOverlap &o) {
                                           return o.input == value;
                                         });
                   }) ||
      llvm::any_of(step.values()[value].users,
                   [&](int32_t user) { return !hasAllBefore(user, op); }))
    return;
  for (int32_t user : step.values()[value].users) {
    llvm::erase(ops[user].inputs, value);
    for (NodeVariant &variant : ops[user].variants)
      variant.workspaceBytes += values[value].bytes;
    out.before[user].push_back(op);
  }
  values[value].users.clear();
  ++out.frees;
}

/// `first` is a merged op so far, `op` the next one after its parts.
bool MergedStep::Rules::passesOn(int32_t first, int32_t op) const {
  const StepOp &from = ops[first], &to = ops[op];
  if (from.outputs.size() != 1 || from.runsOnce || !from.node.isValid() ||
      !isPlain(op) || to.variants.size() != 1 || to.outputs.empty() ||
      !out.before[op].empty() || !readsAll(op))
    return false;
  const int32_t value = from.outputs.front();
  const int64_t made = bytesOf(to.outputs);
  if (values[value].users != std::vector<int32_t>{op} ||
      made > values[value].bytes || !isPlainValue(value) ||
      !llvm::all_of(to.outputs, [&](int32_t o) { return isPlainValue(o); }))
    return false;
  int64_t more = made + to.variants.front().workspaceBytes;
  if (to.outputs.size() == 1 &&
      llvm::is_contained(to.inPlace, std::pair(to.outputs.front(), value)))
    more -= made; // Over what it reads, which goes.
  return more <= from.variants.back().workspaceBytes &&
         llvm::all_of(to.inputs, [&](int32_t input) {
           return input == value || (llvm::is_contained(from.inputs, input) &&
                                     isPlainValue(input) && !mayOverlap(input));
         });
}

void MergedStep::Rules::absorb(int32_t first, int32_t op) {
  StepOp &into = ops[first];
  const StepOp &from = ops[op];
  const int32_t value = into.outputs.front();
  const int64_t less = values[value].bytes - bytesOf(from.outputs);
  for (NodeVariant &variant : into.variants) {
    variant.cost += from.variants.front().cost;
    variant.workspaceBytes += less;
  }
  into.cost += from.cost;
  into.workspaceBytes += less;
  for (StepOverlap &overlap : into.overlaps)
    overlap.output = from.outputs.front();
  into.inPlace.clear();
  for (int32_t input : from.inputs)
    llvm::erase(values[input].users, op);
  isFreed[value] = true;
  into.outputs = from.outputs;
  for (int32_t output : into.outputs)
    values[output].producer = first;
  isPart[op] = true;
  out.parts[first].push_back(op);
  ++out.series;
}

/// Numbers what is left anew.
void MergedStep::Rules::write() {
  auto numbered = [](llvm::ArrayRef<char> freed) {
    std::vector<int32_t> numbers;
    int32_t next = 0;
    for (char each : freed)
      numbers.push_back(each ? -1 : next++);
    return numbers;
  };
  const std::vector<int32_t> op = numbered(isPart), value = numbered(isFreed);
  auto renumber = [](std::vector<int32_t> &list,
                     const std::vector<int32_t> &numbers) {
    for (int32_t &each : list)
      each = numbers[each];
  };
  ContractedStep &merged = out.merged;
  merged.opList.clear();
  merged.valueList.clear();
  std::vector<std::vector<int32_t>> parts, before;
  for (size_t o = 0; o < ops.size(); ++o) {
    if (isPart[o])
      continue;
    renumber(ops[o].inputs, value);
    renumber(ops[o].outputs, value);
    renumber(ops[o].after, op);
    renumber(ops[o].before, op);
    ops[o].inPlace.clear(); // For the models of stages only.
    for (StepOverlap &overlap : ops[o].overlaps) {
      overlap.output = value[overlap.output];
      overlap.input = overlap.input < 0 ? -1 : value[overlap.input];
    }
    merged.opList.push_back(std::move(ops[o]));
    parts.push_back(std::move(out.parts[o]));
    before.push_back(std::move(out.before[o]));
  }
  for (size_t v = 0; v < values.size(); ++v) {
    if (isFreed[v])
      continue;
    values[v].producer = op[values[v].producer];
    renumber(values[v].users, op);
    merged.valueList.push_back(std::move(values[v]));
  }
  for (DonatedInput &input : merged.donatedList)
    renumber(input.users, op);
  out.parts = std::move(parts);
  out.before = std::move(before);
}

MergedStep::MergedStep(const ContractedStep &step) : merged(step) {
  Rules(step, *this).run();
}

std::vector<int32_t> MergedStep::expand(llvm::ArrayRef<int32_t> sequence,
                                        bool keepFree) const {
  std::vector<int32_t> ops;
  for (int32_t op : sequence) {
    if (!keepFree) {
      const std::vector<int32_t> &needed = before[op];
      // Those that ran just now are still there.
      size_t fresh = ops.size();
      while (fresh > 0 && llvm::is_contained(needed, ops[fresh - 1]))
        --fresh;
      const std::vector<int32_t> there(ops.begin() + int64_t(fresh), ops.end());
      for (int32_t each : needed)
        if (!llvm::is_contained(there, each))
          ops.push_back(each);
    }
    llvm::append_range(ops, parts[op]);
  }
  return ops;
}

std::vector<int32_t> MergedStep::merge(llvm::ArrayRef<int32_t> sequence) const {
  std::vector<int32_t> into; // By op.
  for (size_t op = 0; op < parts.size(); ++op)
    into.insert(into.end(), parts[op].size(),
                int32_t(op)); // They are in order.
  // A run of a first part counts if the last part follows, by which its value
  // goes on; from the end.
  std::vector<char> counts(sequence.size(), false), goesOn(parts.size(), false);
  for (size_t i = sequence.size(); i-- > 0;) {
    const int32_t op = sequence[i];
    char &isUsed = goesOn[into[op]];
    isUsed |= op == parts[into[op]].back();
    if (op == parts[into[op]].front())
      counts[i] = std::exchange(isUsed, false);
  }
  std::vector<char> isFree(into.size(), false), ran(into.size(), false);
  for (const std::vector<int32_t> &list : before)
    for (int32_t op : list)
      isFree[op] = true;
  std::vector<int32_t> ops;
  for (size_t i = 0; i < sequence.size(); ++i) {
    const int32_t op = sequence[i];
    if (counts[i] && !(isFree[op] && ran[op]))
      ops.push_back(into[op]);
    ran[op] = true;
  }
  return ops;
}
