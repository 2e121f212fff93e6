//===- NeedSearch.cpp - What must be there before, back to nothing --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: pebbling backwards. A set of values can be there together if one of
//   them can be made last: beside the others, from its inputs, all of which
//   must be live before. A set that contains another one that was looked at
//   is no easier, and is left alone.
// Guarantee: where all sets were looked at and none leads back to nothing, no
//   sequence of runs leads to the op. What plans may do less (runs that are
//   limited to once, versions, views) only makes that more true.
// Cost: sets times sets, of those that fit.
//
//===----------------------------------------------------------------------===//

#include "NeedSearch.h"
#include "Tuning.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <queue>
#include <set>

using namespace memplan;

namespace {
class NeedSearch {
public:
  NeedSearch(const OrderRows &rows, int64_t budget, int64_t mostSets,
             const std::atomic<bool> *stop)
      : rows(rows), step(rows.step()), budget(budget), most(mostSets),
        stop(stop) {}

  NeedAnswer run();

private:
  enum class Outcome { Reached, Impossible, Stopped };
  struct Need {
    LiveSet set; ///< Before the op runs.
    int32_t op;
    int32_t next; ///< What is needed after it; -1: the target has run.
  };

  int64_t bytesOf(int32_t value) const { return step.values()[value].bytes; }
  int64_t bytesAt(const LiveSet &after, int32_t op, LiveSet &before) const;
  bool isOnce(int32_t op) const {
    return rows.runsOnce(op) || (isAgain && step.ops()[op].runsOnce);
  }
  LiveSet heldAfter(int32_t op) const;
  int64_t distance(const LiveSet &set) const;
  Outcome reach(int32_t op, const LiveSet &there);
  bool addNeed(const LiveSet &after, int32_t op, int32_t next);
  void follow();
  void runBeside(int32_t op, const LiveSet &after);

  const OrderRows &rows;
  const ContractedStep &step;
  int64_t budget;
  int64_t most;      ///< Sets for an op.
  int64_t spent = 0; ///< For all of them.
  const std::atomic<bool> *stop;
  // Of the target:
  int32_t target = 0;
  LiveSet from{};
  std::vector<Need> needs;
  std::set<LiveSet> seen;
  std::priority_queue<std::pair<int64_t, int32_t>> queue; ///< Nearest first.
  int32_t goal = -1;
  /// All ops before the target ran, and no more than once where they must not.
  bool isAgain = true;
  // Of the sequence so far:
  LiveSet live{};
  std::vector<int32_t> sequence;
};
} // namespace

/// Bytes of the run, and what must be live before it.
int64_t NeedSearch::bytesAt(const LiveSet &after, int32_t op,
                            LiveSet &before) const {
  const StepOp &stepOp = step.ops()[op];
  int64_t bytes = step.residentBytes() + rows.donatedBytes(target) +
                  stepOp.variants.back().workspaceBytes;
  before = after;
  for (int32_t output : stepOp.outputs) {
    before.set(output, false);
    bytes += bytesOf(output);
  }
  for (int32_t input : rows.inputs(op))
    before.set(input, bytesOf(input) > 0);
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (before.has(value))
      bytes += bytesOf(value);
  return bytes -
         rows.savedBytes(op, [&](int32_t input) { return !after.has(input); });
}

/// What cannot be recomputed and is read later.
LiveSet NeedSearch::heldAfter(int32_t op) const {
  LiveSet held{};
  for (int32_t value = 0; value < step.numValues(); ++value) {
    const int32_t producer = step.values()[value].producer;
    if (producer <= op && isOnce(producer) && bytesOf(value) > 0 &&
        rows.lastUser(value) > op)
      held.set(value, true);
  }
  return held;
}

/// How far back the set reaches: by the last op that makes any of it.
int64_t NeedSearch::distance(const LiveSet &set) const {
  int64_t last = 0, sum = 0;
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (set.has(value) && !from.has(value)) {
      const int64_t op = step.values()[value].producer + 1;
      last = std::max(last, op);
      sum += op;
    }
  return last * step.numOps() * LiveSet::mostValues + sum;
}

/// True where that leads back to what is live.
bool NeedSearch::addNeed(const LiveSet &after, int32_t op, int32_t next) {
  LiveSet before;
  if (bytesAt(after, op, before) > budget || !seen.insert(before).second)
    return false;
  needs.push_back({before, op, next});
  queue.push({-distance(before), int32_t(needs.size()) - 1});
  return from.contains(before);
}

NeedSearch::Outcome NeedSearch::reach(int32_t op, const LiveSet &there) {
  target = op;
  from = there;
  needs.clear();
  seen.clear();
  queue = {};
  std::vector<LiveSet> looked;
  const int64_t end = spent + most;
  bool isReached = addNeed(heldAfter(op), op, -1);
  while (!isReached && !queue.empty()) {
    const int32_t at = queue.top().second;
    queue.pop();
    const LiveSet set = needs[size_t(at)].set;
    spent += 1 + int64_t(looked.size()) / tuning::lookedOfSet;
    if (spent > end || (stop && stop->load(std::memory_order_relaxed)))
      return Outcome::Stopped;
    if (llvm::any_of(looked, [&](const LiveSet &easier) {
          return set.contains(easier);
        }))
      continue;
    looked.push_back(set);
    for (int32_t value = 0; value < step.numValues() && !isReached; ++value) {
      const int32_t producer = step.values()[value].producer;
      if (!set.has(value) || producer >= op)
        continue;
      if (!isAgain || !isOnce(producer))
        isReached = addNeed(set, producer, at);
    }
  }
  goal = int32_t(needs.size()) - 1;
  return isReached ? Outcome::Reached : Outcome::Impossible;
}

/// Drops for the run what is not needed and is read last.
void NeedSearch::runBeside(int32_t op, const LiveSet &after) {
  LiveSet needed;
  bytesAt(after, op, needed);
  auto nextRead = [&](int32_t value) {
    for (int32_t user : rows.users(value))
      if (user >= target)
        return user;
    return step.numOps();
  };
  std::vector<std::pair<int32_t, int32_t>> spare;
  LiveSet kept = after, some;
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (live.has(value) && !after.has(value)) {
      kept.set(value, true);
      spare.push_back({nextRead(value), value});
    }
  llvm::sort(spare);
  while (!spare.empty() && bytesAt(kept, op, some) > budget) {
    kept.set(spare.back().second, false);
    spare.pop_back();
  }
  live = kept;
  for (int32_t output : step.ops()[op].outputs)
    live.set(output, bytesOf(output) > 0);
  sequence.push_back(op);
}

/// Runs what was found, up to the target.
void NeedSearch::follow() {
  for (int32_t at = goal; at >= 0; at = needs[size_t(at)].next) {
    const int32_t next = needs[size_t(at)].next;
    runBeside(needs[size_t(at)].op,
              next < 0 ? heldAfter(target) : needs[size_t(next)].set);
  }
}

NeedAnswer NeedSearch::run() {
  NeedAnswer answer;
  if (step.numValues() > LiveSet::mostValues)
    return answer;
  bool isPlan = true;
  for (int32_t op = 0; op < step.numOps() && spent < tuning::mostLongOps * most;
       ++op) {
    if (isPlan) {
      // What is live leads astray now and then.
      isPlan = reach(op, live) == Outcome::Reached ||
               reach(op, heldAfter(op)) == Outcome::Reached;
      if (isPlan)
        follow();
    }
    isAgain = isPlan;
    // From the begin of the step, by any runs.
    if (!isPlan && reach(op, LiveSet{}) == Outcome::Impossible) {
      answer.outcome = NeedAnswer::Outcome::Impossible;
      answer.op = op;
      return answer;
    }
  }
  if (!isPlan || llvm::count(sequence, step.numOps() - 1) == 0)
    return answer;
  answer.outcome = NeedAnswer::Outcome::Plan;
  answer.sequence = std::move(sequence);
  return answer;
}

NeedAnswer memplan::searchNeeds(const OrderRows &rows, int64_t budgetBytes,
                                int64_t mostSets,
                                const std::atomic<bool> *stop) {
  return NeedSearch(rows, budgetBytes, mostSets, stop).run();
}
