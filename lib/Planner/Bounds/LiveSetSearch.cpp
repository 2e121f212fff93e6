//===- LiveSetSearch.cpp - Shortest paths over what is live ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tighter the budget, the fewer sets fit: complements the search over rows,
// which is good where little has to be dropped. Keeping more is never worse,
// since it can be dropped later; so a run is preceded only by drops none of
// which could be spared, and a set that another one contains at no higher cost
// is not followed. Where only the existence of a plan matters, costs are left
// out, and whatever can be made beside all that lives is made at once.
//
//===----------------------------------------------------------------------===//

#include "LiveSetSearch.h"
#include "Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_map>

using namespace memplan;

namespace {
struct State {
  int32_t done = 0; ///< First runs.
  LiveSet live{};
  bool operator==(const State &) const = default;
};
struct StateHash {
  size_t operator()(const State &state) const {
    uint64_t hash = uint64_t(state.done) * 0x9E3779B97F4A7C15ull;
    for (uint64_t word : state.live.words)
      hash = (hash ^ word ^ (hash >> 29)) * 0xBF58476D1CE4E5B9ull;
    return size_t(hash ^ (hash >> 32));
  }
};
struct Arrival {
  double cost = 0; ///< Beyond one cheapest run of each op.
  const State *from = nullptr;
  int32_t op = -1;
};

class LiveSetSearch {
public:
  LiveSetSearch(const OrderRows &rows, int64_t budget, int64_t mostStates,
                const std::atomic<bool> *stop)
      : rows(rows), step(rows.step()), budget(budget), mostStates(mostStates),
        stop(stop), target(step.numOps()) {}

  /// Looks for the cheapest plan below `most`, not for any plan.
  void guideBy(const LiveSetBound &by, double most) {
    bound = &by;
    cutoff = most - rows.leastCost();
  }
  /// Asks only for the first run of that op, whatever comes later.
  void aimAt(int32_t op) { target = op + 1; }
  /// Asks only for that segment.
  void keepTo(const Segment &part) {
    segment = &part;
    target = part.end;
  }

  LiveSetAnswer run();

private:
  void listUses();
  LiveSetAnswer answerAt(const Arrival &goal) const;
  void expand(const State &state, double cost);
  bool mayRunAgain(int32_t op) const {
    return !rows.runsOnce(op) && (!segment || segment->mayRun[op]);
  }
  bool isWorse(const State &state, double cost);
  bool makesSomething(const State &state, int32_t op) const;
  int64_t countBytes(const State &state, int32_t op);
  bool runBeside(const State &state, int32_t op);
  void tryRun(const State &state, double cost, int32_t op);
  void drop(size_t from, int64_t over, LiveSet live, double least);
  void dropFor(int64_t over);
  void reach(State state, double cost, const State *from, int32_t op);
  int64_t bytesOf(int32_t value) const { return step.values()[value].bytes; }
  int64_t savedBytes(const State &state, int32_t op, const LiveSet &live) const;
  int64_t gainOf(size_t which, const LiveSet &without) const;

  const OrderRows &rows;
  const ContractedStep &step;
  int64_t budget;
  double cutoff = std::numeric_limits<double>::infinity();
  const LiveSetBound *bound = nullptr; ///< Null: any plan will do.
  int64_t mostStates;
  const std::atomic<bool> *stop;
  const Segment *segment = nullptr; ///< Null: the whole step.
  int32_t target;                   ///< First runs.
  std::vector<int32_t> lastUse; ///< By value: while so many are done or fewer,
                                ///< a run can need it.
  std::vector<int32_t> heldUntil; ///< By value: likewise, and it must not go.
  std::unordered_map<State, Arrival, StateHash> states;
  /// By first runs done: sets that were followed, and their costs.
  std::vector<std::vector<std::pair<LiveSet, double>>> followed;
  struct Entry {
    double least; ///< Cost of any plan by way of the state.
    int32_t done;
    double cost;
    const State *state;
    bool operator<(const Entry &other) const { // The first one comes last.
      return std::tuple(-least, done) < std::tuple(-other.least, other.done);
    }
  };
  std::priority_queue<Entry> queue;
  // Of the run that is tried:
  struct Droppable {
    int32_t value;
    int64_t bytes;        ///< At most, for what an output may lie over.
    bool isInput = false; ///< What it gives depends on the others.
    double loss = 0;      ///< At least, in cost.
  };
  std::vector<Droppable> droppable;
  std::vector<int64_t> rest; ///< Sums of `droppable` from each place on.
  std::vector<size_t> dropped;
  const State *at = nullptr;
  double costAfter = 0;
  int32_t opRun = -1;
  int64_t choices = 0;
  bool isCut = false;
};
} // namespace

/// A recomputation of a user needs its inputs while it can serve a later run.
/// What cannot be recomputed stays up to the last first run that reads it.
void LiveSetSearch::listUses() {
  std::vector<int32_t> serves(size_t(step.numOps()), -1);
  lastUse.assign(size_t(step.numValues()), -1);
  heldUntil = lastUse;
  for (int32_t op = target - 1; op >= 0; --op) {
    if (!segment || op >= segment->begin)
      serves[op] = op;
    for (int32_t output : step.ops()[op].outputs) {
      for (int32_t user : rows.users(output)) {
        if (user >= target)
          continue;
        const bool isAhead = !segment || user >= segment->begin;
        lastUse[output] = std::max(lastUse[output], serves[user]);
        if (isAhead && !mayRunAgain(op))
          heldUntil[output] = std::max(heldUntil[output], user);
      }
      if (segment && segment->after.has(output)) {
        lastUse[output] = target;
        if (!mayRunAgain(op))
          heldUntil[output] = target;
      }
      if (mayRunAgain(op))
        serves[op] = std::max(serves[op], lastUse[output]);
    }
  }
}

/// What outputs over inputs save at most at a run of the op in `state` before
/// which all values go that `live` lacks.
int64_t LiveSetSearch::savedBytes(const State &state, int32_t op,
                                  const LiveSet &live) const {
  const int32_t done = state.done + (op == state.done);
  return rows.savedBytes(op, [&](int32_t input) {
    return lastUse[input] < done || !live.has(input);
  });
}

void LiveSetSearch::reach(State state, double cost, const State *from,
                          int32_t op) {
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (state.live.has(value) && lastUse[value] < state.done)
      state.live.set(value, false);
  if (segment && state.done == target && !state.live.contains(segment->after))
    return;
  const double least = bound ? cost + bound->least(state.done, state.live) : 0;
  if (least >= cutoff) {
    isCut |= least < std::numeric_limits<double>::infinity();
    return;
  }
  auto [entry, isNew] = states.try_emplace(state, Arrival{cost, from, op});
  Arrival &arrival = entry->second;
  if (!isNew && arrival.cost <= cost)
    return;
  arrival = {cost, from, op};
  queue.push({least, state.done, cost, &entry->first});
}

/// A set that contains this one was followed at no higher cost. Looks at some
/// of them only.
bool LiveSetSearch::isWorse(const State &state, double cost) {
  constexpr size_t most = tuning::mostCompared;
  auto &list = followed[state.done];
  for (size_t i = list.size(); i-- > 0 && i + most >= list.size();)
    if (list[i].second <= cost && list[i].first.contains(state.live)) {
      mostStates -= int64_t(list.size() - i) / tuning::comparisonsOfState;
      return true;
    }
  mostStates -=
      int64_t(std::min(list.size(), most)) / tuning::comparisonsOfState;
  list.push_back({state.live, cost});
  return false;
}

/// Bytes that the drop gives beside the others that `without` lacks.
int64_t LiveSetSearch::gainOf(size_t which, const LiveSet &without) const {
  const Droppable &one = droppable[which];
  if (!one.isInput)
    return one.bytes;
  LiveSet live = without;
  live.set(one.value, true);
  return savedBytes(*at, opRun, without) - savedBytes(*at, opRun, live);
}

/// Every choice of drops that makes room and none of which could be spared.
/// `least` is what a plan costs with those made so far.
void LiveSetSearch::drop(size_t from, int64_t over, LiveSet live,
                         double least) {
  if (least >= cutoff) {
    isCut |= least < std::numeric_limits<double>::infinity();
    return;
  }
  if (over <= 0) {
    for (size_t which : dropped)
      if (over + gainOf(which, live) <= 0)
        return; // That one could be spared.
    State next{at->done + (opRun == at->done), live};
    for (int32_t output : step.ops()[opRun].outputs)
      if (bytesOf(output) > 0)
        next.live.set(output, true);
    reach(std::move(next), costAfter, at, opRun);
    return;
  }
  if (from == droppable.size() || rest[from] < over || --choices < 0)
    return;
  LiveSet without = live;
  without.set(droppable[from].value, false);
  dropped.push_back(from);
  drop(from + 1, over - gainOf(from, without), without,
       least + droppable[from].loss);
  dropped.pop_back();
  drop(from + 1, over, live, least);
}

/// The op can run, and that is good for something.
bool LiveSetSearch::makesSomething(const State &state, int32_t op) const {
  bool makes = op == state.done;
  for (int32_t output : step.ops()[op].outputs)
    makes |= bytesOf(output) > 0 && !state.live.has(output) &&
             lastUse[output] >= state.done;
  return makes && llvm::all_of(rows.inputs(op), [&](int32_t input) {
           return bytesOf(input) == 0 || state.live.has(input);
         });
}

/// Bytes at a run, workspace left out, and what may go for it.
int64_t LiveSetSearch::countBytes(const State &state, int32_t op) {
  const StepOp &stepOp = step.ops()[op];
  const int32_t done = state.done + (op == state.done);
  int64_t bytes = step.residentBytes() + rows.donatedBytes(state.done);
  droppable.clear();
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (state.live.has(value) && !llvm::is_contained(rows.inputs(op), value) &&
        !llvm::is_contained(stepOp.outputs, value)) {
      bytes += bytesOf(value);
      if (heldUntil[value] < state.done)
        droppable.push_back({value, bytesOf(value)});
    }
  for (int32_t input : rows.inputs(op)) {
    bytes += bytesOf(input);
    const int64_t saved = rows.savedOver(op, input);
    if (saved > 0 && lastUse[input] >= done && heldUntil[input] < done)
      droppable.push_back({input, saved, /*isInput=*/true});
  }
  for (int32_t output : stepOp.outputs)
    bytes += bytesOf(output);
  return bytes - savedBytes(state, op, state.live);
}

void LiveSetSearch::tryRun(const State &state, double cost, int32_t op) {
  if (!makesSomething(state, op))
    return;
  const StepOp &stepOp = step.ops()[op];
  const int64_t bytes = countBytes(state, op);
  rest.assign(droppable.size() + 1, 0);
  for (size_t i = droppable.size(); i-- > 0;)
    rest[i] = rest[i + 1] + droppable[i].bytes;
  at = &state;
  opRun = op;
  if (!bound) {
    costAfter = 0;
    return dropFor(bytes + stepOp.variants.back().workspaceBytes - budget);
  }
  for (const NodeVariant &variant : stepOp.variants) {
    costAfter = cost + variant.cost -
                (op == state.done ? stepOp.variants.front().cost : 0);
    dropFor(bytes + variant.workspaceBytes - budget);
  }
}

void LiveSetSearch::dropFor(int64_t over) {
  if (!bound)
    return drop(0, over, at->live, 0);
  const int32_t done = at->done + (opRun == at->done);
  LiveSet all = at->live;
  for (int32_t output : step.ops()[opRun].outputs)
    all.set(output, bytesOf(output) > 0 || all.has(output));
  const llvm::ArrayRef<double> losses = bound->losses(done);
  for (Droppable &one : droppable)
    one.loss =
        losses.empty() ? 0 : losses[one.value] * (1 - tuning::lessForSums);
  drop(0, over, at->live,
       costAfter + bound->least(done, all) * (1 - tuning::lessForSums));
}

/// Runs the op again if nothing has to go for it.
bool LiveSetSearch::runBeside(const State &state, int32_t op) {
  if (!makesSomething(state, op) ||
      countBytes(state, op) + step.ops()[op].variants.back().workspaceBytes >
          budget)
    return false;
  tryRun(state, 0, op);
  return true;
}

void LiveSetSearch::expand(const State &state, double cost) {
  if (!bound)
    for (int32_t op = 0; op < state.done; ++op)
      if (mayRunAgain(op) && runBeside(state, op))
        return;
  tryRun(state, cost, state.done);
  for (int32_t op = 0; op < state.done; ++op)
    if (mayRunAgain(op))
      tryRun(state, cost, op);
}

LiveSetAnswer LiveSetSearch::answerAt(const Arrival &goal) const {
  LiveSetAnswer answer;
  answer.outcome = LiveSetAnswer::Outcome::Cheapest;
  answer.cost = goal.cost + rows.leastCost();
  for (const Arrival *now = &goal; now->from; now = &states.at(*now->from))
    answer.sequence.push_back(now->op);
  std::reverse(answer.sequence.begin(), answer.sequence.end());
  return answer;
}

LiveSetAnswer LiveSetSearch::run() {
  LiveSetAnswer answer;
  if (step.numValues() > LiveSet::mostValues)
    return answer;
  listUses();
  followed.resize(size_t(step.numOps()) + 1);
  choices = mostStates * tuning::choicesOfState;
  reach(segment ? State{segment->begin, segment->before} : State{}, 0, nullptr,
        -1);
  while (!queue.empty()) {
    const Entry next = queue.top();
    queue.pop();
    const Arrival &arrival = states.at(*next.state);
    if (next.cost > arrival.cost)
      continue;
    answer.firstRuns = std::max(answer.firstRuns, next.done);
    if (next.done == target)
      return answerAt(arrival);
    if (isWorse(*next.state, next.cost))
      continue;
    expand(*next.state, next.cost);
    if (choices < 0 || int64_t(states.size()) > mostStates ||
        (stop && stop->load(std::memory_order_relaxed)))
      return answer;
  }
  if (isCut) {
    answer.outcome = LiveSetAnswer::Outcome::Cheapest;
    answer.cost = cutoff + rows.leastCost();
    return answer;
  }
  answer.outcome = LiveSetAnswer::Outcome::Impossible;
  return answer;
}

LiveSetAnswer memplan::searchLiveSets(const OrderRows &rows,
                                      int64_t budgetBytes, double cutoff,
                                      const LiveSetBound &bound,
                                      int64_t mostStates,
                                      const std::atomic<bool> *stop) {
  LiveSetSearch search(rows, budgetBytes, mostStates, stop);
  search.guideBy(bound, cutoff);
  return search.run();
}

LiveSetAnswer memplan::searchSegment(const OrderRows &rows, int64_t budgetBytes,
                                     const Segment &segment, double cutoff,
                                     int64_t mostStates) {
  LiveSetSearch search(rows, budgetBytes, mostStates, nullptr);
  const LiveSetBound noBound;
  search.guideBy(noBound, cutoff);
  search.keepTo(segment);
  return search.run();
}

LiveSetAnswer memplan::searchAnyPlan(const OrderRows &rows, int64_t budgetBytes,
                                     int64_t mostStates,
                                     const std::atomic<bool> *stop) {
  // What is needed later multiplies the sets; often it is not what breaks.
  for (int64_t states = tuning::firstStates; states <= mostStates;
       states *= tuning::growthOfStates) {
    LiveSetAnswer answer = LiveSetSearch(rows, budgetBytes, states, stop).run();
    if (answer.outcome != LiveSetAnswer::Outcome::Stopped)
      return answer;
    LiveSetSearch search(rows, budgetBytes, tuning::growthOfStates * states,
                         stop);
    search.aimAt(answer.firstRuns);
    answer = search.run();
    if (answer.outcome == LiveSetAnswer::Outcome::Impossible ||
        (stop && stop->load(std::memory_order_relaxed)))
      return answer;
  }
  return {};
}
