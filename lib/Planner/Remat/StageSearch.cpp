//===- StageSearch.cpp - Moves on what is kept, evaluated by stage --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageSearch.h"
#include <algorithm>
#include <limits>

using namespace memplan;

StageSearch::StageSearch(const StageGraph &graph, int64_t limitBytes)
    : graph(graph), limit(limitBytes),
      kept(graph.numStages(), graph.numValues()),
      isDirty(graph.numStages(), false), opStamp(graph.numStages(), 0),
      valueStamp(graph.numValues(), 0), freedBy(graph.numValues(), -1) {}

void StageSearch::reset(const Retention &start) {
  const int32_t stages = numStages();
  kept = start;
  StageRows solved = solveRows(graph, kept);
  baseBytes.assign(stages, 0);
  peaks.assign(stages, 0);
  costs.assign(stages, 0);
  rows.assign(stages, {});
  starts.assign(stages, {});
  stagesOf.assign(stages, {});
  sumCost = 0;
  sumExcess = 0;
  numOver = 0;
  for (int32_t value = 0; value < graph.numValues(); ++value)
    for (int32_t stage = 0; stage < stages; ++stage) {
      if (kept.kept(value, stage))
        baseBytes[stage] += graph.values()[value].bytes;
      else if (stage + 1 < stages && kept.kept(value, stage + 1))
        starts[stage].push_back(value);
    }
  begin();
  for (int32_t stage = 0; stage < stages; ++stage) {
    for (int32_t op : solved[stage])
      stagesOf[op].push_back(stage);
    rows[stage].assign(solved[stage].rbegin(), solved[stage].rend());
    for (int32_t value = 0; value < graph.numValues(); ++value)
      if (kept.kept(value, stage) && !kept.kept(value, stage + 1))
        loose.push_back({value, stage});
  }
  for (int32_t stage = 0; stage < stages; ++stage)
    markDirty(stage);
  settle(std::numeric_limits<size_t>::max());
  begin();
}

void StageSearch::begin() {
  changes.clear();
  numEvaluations = 0;
  savedCost = sumCost;
  savedExcess = sumExcess;
  savedOver = numOver;
  loose.clear();
  for (int32_t stage : dirty)
    isDirty[stage] = false;
  dirty.clear();
}

void StageSearch::rollback() {
  for (size_t i = changes.size(); i-- > 0;) {
    const Change &change = changes[i];
    if (change.value >= 0)
      applyFlip(change.value, change.first, change.last, !change.on);
    else
      replaceRow(change.first, evaluations[change.last], /*loosen=*/false);
  }
  sumCost = savedCost;
  sumExcess = savedExcess;
  numOver = savedOver;
  begin();
}

void StageSearch::markDirty(int32_t stage) {
  if (stage < 0 || isDirty[stage])
    return;
  isDirty[stage] = true;
  dirty.push_back(stage);
}

void StageSearch::flip(int32_t value, int32_t first, int32_t last, bool on) {
  if (first > last)
    return;
  applyFlip(value, first, last, on);
  changes.push_back({value, first, last, on});
}

void StageSearch::applyFlip(int32_t value, int32_t first, int32_t last,
                            bool on) {
  kept.set(value, first, last, on);
  const int64_t bytes =
      on ? graph.values()[value].bytes : -graph.values()[value].bytes;
  int64_t excess = 0;
  int32_t over = 0;
  for (int32_t stage = first; stage <= last; ++stage) {
    const int64_t before = peaks[stage] - limit, after = before + bytes;
    excess += std::max<int64_t>(after, 0) - std::max<int64_t>(before, 0);
    over += int32_t(after > 0) - int32_t(before > 0);
    baseBytes[stage] += bytes;
    peaks[stage] += bytes;
  }
  sumExcess += excess;
  numOver += over;
  refreshStart(value, first - 1);
  if (last + 1 < numStages())
    refreshStart(value, last);
}

void StageSearch::refreshStart(int32_t value, int32_t stage) {
  if (stage < 0)
    return;
  std::vector<int32_t> &list = starts[stage];
  auto at = std::find(list.begin(), list.end(), value);
  const bool isStart = kept.kept(value, stage + 1) && !kept.kept(value, stage);
  if (isStart && at == list.end())
    list.push_back(value);
  else if (!isStart && at != list.end())
    list.erase(at);
}

/// Ops of the stage by "solve R given S", descending; notes inputs that cannot
/// be recomputed in `missing`.
void StageSearch::closeRow(int32_t stage, std::vector<int32_t> &row) {
  const std::vector<StepOp> &ops = graph.ops();
  row.clear();
  missing.clear();
  stack.clear();
  auto need = [&](int32_t op) {
    if (opStamp[op] == stamp)
      return;
    opStamp[op] = stamp;
    stack.push_back(op);
  };
  need(stage);
  for (int32_t value : starts[stage])
    need(graph.values()[value].producer);
  while (!stack.empty()) {
    int32_t op = stack.back();
    stack.pop_back();
    row.push_back(op);
    for (int32_t value : ops[op].inputs) {
      if (kept.kept(value, stage))
        continue;
      int32_t producer = graph.values()[value].producer;
      if (stage <= graph.lastStage(producer))
        need(producer);
      else if (std::find(missing.begin(), missing.end(), value) ==
               missing.end())
        missing.push_back(value);
    }
  }
  std::sort(row.begin(), row.end(), std::greater<int32_t>());
}

void StageSearch::evaluate(int32_t stage, Evaluation &result) {
  const std::vector<StepOp> &ops = graph.ops();
  const std::vector<StepValue> &values = graph.values();
  ++stamp;
  closeRow(stage, result.row);
  result.cost = 0;
  opBytes.clear();
  // Backwards: the first user met is the last one of the stage.
  for (int32_t op : result.row) {
    result.cost += ops[op].cost;
    OpBytes bytes{0, ops[op].workspaceBytes, 0};
    for (int32_t value : ops[op].outputs) {
      // A value that is live already, or that nothing wants, is scratch of
      // this run.
      const bool wanted =
          valueStamp[value] == stamp || kept.kept(value, stage + 1);
      (wanted && !kept.kept(value, stage) ? bytes.stays : bytes.scratch) +=
          values[value].bytes;
    }
    for (int32_t value : ops[op].inputs) {
      if (valueStamp[value] == stamp)
        continue;
      valueStamp[value] = stamp;
      freedBy[value] = -1;
      if (!kept.kept(value, stage + 1)) {
        freedBy[value] = op;
        bytes.freed += values[value].bytes;
      }
    }
    if (!ops[op].inPlace.empty())
      bytes.scratch -= savedInPlace(op, stage);
    opBytes.push_back(bytes);
  }
  int64_t live = baseBytes[stage], peak = live;
  for (size_t i = opBytes.size(); i-- > 0;) {
    peak = std::max(peak, live + opBytes[i].stays + opBytes[i].scratch);
    live += opBytes[i].stays - opBytes[i].freed;
  }
  result.peak = peak;
}

/// Bytes of outputs that take the storage of an input freed by this run, first
/// listed pair first.
int64_t StageSearch::savedInPlace(int32_t op, int32_t stage) {
  const StepOp &stepOp = graph.ops()[op];
  int64_t saved = 0;
  int32_t lastOutput = -1;
  for (size_t i = 0; i < stepOp.inPlace.size(); ++i) {
    auto [output, input] = stepOp.inPlace[i];
    const bool wanted =
        valueStamp[output] == stamp || kept.kept(output, stage + 1);
    if (output == lastOutput || valueStamp[input] != stamp ||
        freedBy[input] != op || !wanted || kept.kept(output, stage))
      continue;
    freedBy[input] = -1; // One output takes it.
    lastOutput = output;
    saved += graph.values()[output].bytes;
  }
  return saved;
}

void StageSearch::reevaluate(int32_t stage) {
  if (numEvaluations == evaluations.size())
    evaluations.emplace_back();
  Evaluation &evaluation = evaluations[numEvaluations];
  evaluate(stage, evaluation);
  changes.push_back({-1, stage, static_cast<int32_t>(numEvaluations), false});
  ++numEvaluations;
  replaceRow(stage, evaluation,
             /*loosen=*/true); // Leaves what was there before in `evaluation`.
  for (size_t i = 0; i < missing.size(); ++i) {
    int32_t value = missing[i];
    int32_t since = lastLive(value, stage);
    flip(value, since + 1, stage, true);
    markDirty(since);
    markDirty(stage);
  }
}

/// Swaps a stage's row, cost and peak with those of `evaluation`.
void StageSearch::replaceRow(int32_t stage, Evaluation &evaluation,
                             bool loosen) {
  std::vector<int32_t> &old = rows[stage];
  const std::vector<int32_t> &now = evaluation.row;
  size_t i = 0, j = 0;
  while (i < old.size() || j < now.size()) {
    if (j == now.size() || (i < old.size() && old[i] > now[j])) {
      int32_t op = old[i++];
      std::vector<int32_t> &stages = stagesOf[op];
      stages.erase(std::lower_bound(stages.begin(), stages.end(), stage));
      if (loosen)
        for (int32_t value : graph.ops()[op].inputs)
          loose.push_back({value, stage});
    } else if (i == old.size() || now[j] > old[i]) {
      std::vector<int32_t> &stages = stagesOf[now[j++]];
      stages.insert(std::lower_bound(stages.begin(), stages.end(), stage),
                    stage);
    } else {
      ++i;
      ++j;
    }
  }
  sumCost += evaluation.cost - costs[stage];
  const int64_t before = peaks[stage] - limit, after = evaluation.peak - limit;
  sumExcess += std::max<int64_t>(after, 0) - std::max<int64_t>(before, 0);
  numOver += int32_t(after > 0) - int32_t(before > 0);
  std::swap(rows[stage], evaluation.row);
  std::swap(costs[stage], evaluation.cost);
  std::swap(peaks[stage], evaluation.peak);
}

bool StageSearch::settle(size_t most) {
  while (!dirty.empty() || !loose.empty()) {
    if (changes.size() > most)
      return false;
    if (!dirty.empty()) {
      int32_t stage = dirty.back();
      dirty.pop_back();
      isDirty[stage] = false;
      reevaluate(stage);
      continue;
    }
    auto [value, stage] = loose.back();
    loose.pop_back();
    if (!kept.kept(value, stage) || kept.kept(value, stage + 1) ||
        usedIn(value, stage))
      continue;
    int32_t first = std::max(kept.segmentBegin(value, stage),
                             previousUse(value, stage) + 1);
    flip(value, first, stage, false);
    markDirty(first - 1);
  }
  return true;
}

bool StageSearch::runsIn(int32_t op, int32_t stage) const {
  return std::binary_search(stagesOf[op].begin(), stagesOf[op].end(), stage);
}

bool StageSearch::usedIn(int32_t value, int32_t stage) const {
  for (int32_t user : graph.values()[value].users) {
    if (user > stage)
      return false;
    if (runsIn(user, stage))
      return true;
  }
  return false;
}

int32_t StageSearch::previousUse(int32_t value, int32_t stage) const {
  int32_t latest = -1;
  for (int32_t user : graph.values()[value].users) {
    auto after =
        std::upper_bound(stagesOf[user].begin(), stagesOf[user].end(), stage);
    if (after != stagesOf[user].begin())
      latest = std::max(latest, *std::prev(after));
  }
  return latest;
}

int32_t StageSearch::nextUse(int32_t value, int32_t stage) const {
  int32_t earliest = numStages();
  for (int32_t user : graph.values()[value].users) {
    auto at =
        std::lower_bound(stagesOf[user].begin(), stagesOf[user].end(), stage);
    if (at != stagesOf[user].end())
      earliest = std::min(earliest, *at);
  }
  return earliest;
}

StageSearch::Gap StageSearch::gapAround(int32_t value, int32_t stage) const {
  int32_t first = std::max(kept.segmentBegin(value, stage),
                           previousUse(value, stage - 1) + 1);
  int32_t last = std::min(kept.segmentEnd(value, stage), nextUse(value, stage));
  return {first, last};
}

int32_t StageSearch::lastLive(int32_t value, int32_t stage) const {
  const std::vector<int32_t> &runs = stagesOf[graph.values()[value].producer];
  auto at = std::lower_bound(runs.begin(), runs.end(), stage);
  int32_t made =
      at == runs.begin() ? graph.values()[value].producer : *std::prev(at);
  return std::max(made, kept.lastKept(value, stage - 1));
}

bool StageSearch::inputsLive(int32_t op, int32_t stage) const {
  if (stage < op || stage > graph.lastStage(op))
    return false;
  for (int32_t value : graph.ops()[op].inputs)
    if (!kept.kept(value, stage) &&
        !runsIn(graph.values()[value].producer, stage))
      return false;
  return true;
}

bool StageSearch::retain(int32_t op, int32_t stage, int32_t from) {
  bool changed = false;
  for (int32_t value : graph.ops()[op].outputs) {
    if (kept.kept(value, stage) ||
        (!kept.kept(value, stage + 1) && !usedIn(value, stage)))
      continue;
    int32_t since = lastLive(value, stage);
    if (from > since && from < stage)
      since = from;
    if (since + 1 > stage)
      continue;
    flip(value, since + 1, stage, true);
    markDirty(since);
    changed = true;
  }
  markDirty(stage);
  return changed;
}
