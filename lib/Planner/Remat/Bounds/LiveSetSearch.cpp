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
// which could be spared.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Bounds/LiveSetSearch.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <queue>
#include <unordered_map>

using namespace memplan;

namespace {
using LiveSet = std::array<uint64_t, 4>;

struct State {
  int32_t done = 0; ///< First runs.
  LiveSet live{};
  bool operator==(const State &) const = default;
};
struct StateHash {
  size_t operator()(const State &state) const {
    uint64_t hash = uint64_t(state.done) * 0x9E3779B97F4A7C15ull;
    for (uint64_t word : state.live)
      hash = (hash ^ word ^ (hash >> 29)) * 0xBF58476D1CE4E5B9ull;
    return size_t(hash ^ (hash >> 32));
  }
};
struct Arrival {
  double cost = 0; ///< Beyond one cheapest run of each op.
  const State *from = nullptr;
  int32_t op = -1;
  bool done = false;
};

class LiveSetSearch {
public:
  LiveSetSearch(const OrderRows &rows, int64_t budget, double cutoff,
                int64_t mostStates, const std::atomic<bool> *stop)
      : rows(rows), step(rows.step()), budget(budget),
        cutoff(cutoff - rows.leastCost()), mostStates(mostStates), stop(stop) {}

  LiveSetAnswer run();

private:
  void listUses();
  void expand(const State &state, double cost);
  void tryRun(const State &state, double cost, int32_t op);
  void drop(size_t from, int64_t over, LiveSet live);
  void reach(State state, double cost, const State *from, int32_t op);
  bool has(const LiveSet &live, int32_t value) const {
    return live[size_t(value) / 64] >> (value % 64) & 1;
  }
  static void set(LiveSet &live, int32_t value, bool on) {
    const uint64_t bit = uint64_t(1) << (value % 64);
    uint64_t &word = live[size_t(value) / 64];
    word = on ? word | bit : word & ~bit;
  }
  int64_t bytesOf(int32_t value) const { return step.values()[value].bytes; }
  int64_t savedBytes(int32_t op, int32_t input) const;

  const OrderRows &rows;
  const ContractedStep &step;
  int64_t budget;
  double cutoff;
  int64_t mostStates;
  const std::atomic<bool> *stop;
  std::vector<int32_t> lastUse; ///< By value: while so many are done or fewer,
                                ///< a run can need it.
  std::unordered_map<State, Arrival, StateHash> states;
  using Entry = std::pair<std::pair<double, int32_t>, const State *>;
  struct Later {
    bool operator()(const Entry &a, const Entry &b) const {
      return a.first > b.first;
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, Later> queue;
  // Of the run that is tried:
  struct Droppable {
    int32_t value;
    int64_t bytes;
  };
  std::vector<Droppable> droppable;
  std::vector<int64_t> rest; ///< Sums of `droppable` from each place on.
  std::vector<int64_t> dropped;
  const State *at = nullptr;
  double costAfter = 0;
  int32_t opRun = -1;
  int64_t choices = 0;
  bool isCut = false;
};
} // namespace

/// A rerun of a reader needs its inputs while it can serve a later run.
void LiveSetSearch::listUses() {
  std::vector<int32_t> serves(size_t(step.numOps()));
  lastUse.assign(size_t(step.numValues()), -1);
  for (int32_t op = step.numOps() - 1; op >= 0; --op) {
    serves[op] = op;
    for (int32_t output : step.ops()[op].outputs) {
      for (int32_t reader : rows.readers(output))
        lastUse[output] = std::max(
            lastUse[output], rows.runsOnce(reader) ? reader : serves[reader]);
      serves[op] = std::max(serves[op], lastUse[output]);
    }
  }
}

/// What an output over the input saves at most, the input being gone then.
int64_t LiveSetSearch::savedBytes(int32_t op, int32_t input) const {
  int64_t most = 0;
  for (const StepOverlap &overlap : step.ops()[op].overlaps)
    if (overlap.input == input)
      most = std::max(most, overlap.savedBytes);
  return most;
}

void LiveSetSearch::reach(State state, double cost, const State *from,
                          int32_t op) {
  if (cost >= cutoff) {
    isCut = true;
    return;
  }
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (has(state.live, value) && lastUse[value] < state.done)
      set(state.live, value, false);
  auto [entry, isNew] = states.try_emplace(state, Arrival{cost, from, op});
  Arrival &arrival = entry->second;
  if (!isNew && (arrival.done || arrival.cost <= cost))
    return;
  arrival = {cost, from, op};
  queue.push({{cost, -state.done}, &entry->first});
}

/// Every choice of drops that makes room and none of which could be spared.
void LiveSetSearch::drop(size_t from, int64_t over, LiveSet live) {
  if (over <= 0) {
    for (int64_t bytes : dropped)
      if (over + bytes <= 0)
        return; // That one could be spared.
    State next{at->done + (opRun == at->done), live};
    for (int32_t output : step.ops()[opRun].outputs)
      if (bytesOf(output) > 0)
        set(next.live, output, true);
    reach(std::move(next), costAfter, at, opRun);
    return;
  }
  if (from == droppable.size() || rest[from] < over || --choices < 0)
    return;
  LiveSet without = live;
  set(without, droppable[from].value, false);
  dropped.push_back(droppable[from].bytes);
  drop(from + 1, over - droppable[from].bytes, without);
  dropped.pop_back();
  drop(from + 1, over, live);
}

void LiveSetSearch::tryRun(const State &state, double cost, int32_t op) {
  const StepOp &stepOp = step.ops()[op];
  const bool isFirst = op == state.done;
  bool makesSomething = isFirst;
  for (int32_t output : stepOp.outputs)
    makesSomething |= bytesOf(output) > 0 && !has(state.live, output) &&
                      lastUse[output] >= state.done;
  if (!makesSomething)
    return;
  for (int32_t input : rows.inputs(op))
    if (bytesOf(input) > 0 && !has(state.live, input))
      return;
  // What is needed, and what may go for it.
  int64_t bytes = step.residentBytes() + rows.donatedBytes(state.done);
  droppable.clear();
  auto isTouched = [&](int32_t value) {
    return llvm::is_contained(rows.inputs(op), value) ||
           llvm::is_contained(stepOp.outputs, value);
  };
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (has(state.live, value) && !isTouched(value)) {
      bytes += bytesOf(value);
      droppable.push_back({value, bytesOf(value)});
    }
  for (int32_t input : rows.inputs(op)) {
    bytes += bytesOf(input);
    const int64_t saved = savedBytes(op, input);
    if (lastUse[input] <= (isFirst ? op : state.done - 1))
      bytes -= saved; // It goes anyway.
    else if (saved > 0)
      droppable.push_back({input, saved});
  }
  for (int32_t output : stepOp.outputs)
    bytes += bytesOf(output);
  bytes -= savedBytes(op, -1);
  rest.assign(droppable.size() + 1, 0);
  for (size_t i = droppable.size(); i-- > 0;)
    rest[i] = rest[i + 1] + droppable[i].bytes;
  at = &state;
  opRun = op;
  for (const NodeVariant &way : stepOp.ways) {
    costAfter = cost + way.cost - (isFirst ? stepOp.ways.front().cost : 0);
    drop(0, bytes + way.workspaceBytes - budget, state.live);
  }
}

void LiveSetSearch::expand(const State &state, double cost) {
  tryRun(state, cost, state.done);
  for (int32_t op = 0; op < state.done; ++op)
    if (!rows.runsOnce(op))
      tryRun(state, cost, op);
}

LiveSetAnswer LiveSetSearch::run() {
  LiveSetAnswer answer;
  if (step.numValues() > int32_t(sizeof(LiveSet) * 8))
    return answer;
  listUses();
  choices = mostStates * 20;
  reach({}, 0, nullptr, -1);
  while (!queue.empty()) {
    const State &state = *queue.top().second;
    queue.pop();
    Arrival &arrival = states.at(state);
    if (std::exchange(arrival.done, true))
      continue;
    if (state.done == step.numOps()) {
      answer.outcome = LiveSetAnswer::Outcome::Cheapest;
      answer.cost = arrival.cost + rows.leastCost();
      for (const Arrival *now = &arrival; now->from;
           now = &states.at(*now->from))
        answer.sequence.push_back(now->op);
      std::reverse(answer.sequence.begin(), answer.sequence.end());
      return answer;
    }
    expand(state, arrival.cost);
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
                                      int64_t mostStates,
                                      const std::atomic<bool> *stop) {
  return LiveSetSearch(rows, budgetBytes, cutoff, mostStates, stop).run();
}
