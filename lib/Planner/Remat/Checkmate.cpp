//===- Checkmate.cpp - The integer program of the stages ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The paper's program has one value per op. Here an op may make several, each
// with its own S and FREE; for one value per op the rows are the paper's.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Checkmate.h"
#include "Tuning.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

/// Last stage in which a run of each op can serve anything: itself, a later run
/// that it feeds, or what is kept for one.
static std::vector<int32_t> lastUsefulStages(const StageGraph &graph) {
  std::vector<int32_t> last(graph.numStages());
  for (int32_t op = graph.numStages() - 1; op >= 0; --op) {
    last[op] = op;
    for (int32_t value : graph.ops()[op].outputs)
      for (int32_t user : graph.values()[value].users)
        last[op] =
            std::max(last[op], std::min(last[user], graph.lastStage(user)));
  }
  return last;
}

static bool mayRun(const StageGraph &graph,
                   const std::vector<int32_t> &lastUseful, int32_t stage,
                   int32_t op) {
  return stage == op ||
         (stage > op && stage <= std::min(lastUseful[op], graph.lastStage(op)));
}

/// Values that take bytes for more than one run.
bool Checkmate::isTracked(int32_t value) const {
  return graph.values()[value].bytes > 0 &&
         !graph.values()[value].users.empty();
}

int64_t Checkmate::estimateTerms(const StageGraph &graph) {
  std::vector<int32_t> lastUseful = lastUsefulStages(graph);
  int64_t terms = 0;
  for (int32_t op = 0; op < graph.numStages(); ++op) {
    const int64_t stages =
        std::min(lastUseful[op], graph.lastStage(op)) - op + 1;
    terms += stages * (3 + 3 * int64_t(graph.ops()[op].inputs.size()) +
                       5 * int64_t(graph.ops()[op].overlaps.size()) +
                       2 * int64_t(graph.ops()[op].variants.size() - 1));
    for (int32_t value : graph.ops()[op].outputs) {
      const int64_t users =
          static_cast<int64_t>(graph.values()[value].users.size());
      terms += stages * (4 + users * (8 + 2 * users));
    }
  }
  return terms;
}

Checkmate::Checkmate(const StageGraph &graph, int64_t limitBytes,
                     CheckmateOptions options)
    : graph(graph), options(options), limitBytes(limitBytes),
      scales(graph, /*hasDonated=*/false, limitBytes),
      lastUseful(lastUsefulStages(graph)) {
  const size_t stages = size_t(graph.numStages());
  runColumn.assign(stages * stages, -1);
  bytesColumn.assign(stages * stages, -1);
  keepColumn.assign(stages * size_t(graph.numValues()), -1);
  freeColumn.assign(
      stages, std::vector<std::vector<int32_t>>(size_t(graph.numValues())));
  savings.assign(stages * stages, {});
  addColumns();
  for (int32_t stage = 0; stage < graph.numStages(); ++stage)
    addDependencies(stage);
  for (int32_t stage = 0; stage < graph.numStages(); ++stage)
    addMemory(stage);
}

int32_t Checkmate::keep(int32_t stage, int32_t value) const {
  if (stage >= graph.numStages())
    return -1;
  return keepColumn[size_t(stage) * size_t(graph.numValues()) + size_t(value)];
}

/// Column of FREE[t,i,k], or -1 where it is 0. Free points of a value: its
/// producer, then its users.
int32_t Checkmate::free(int32_t stage, int32_t value, int32_t op) const {
  const std::vector<int32_t> &columns = freeColumn[stage][value];
  if (columns.empty())
    return -1;
  const std::vector<int32_t> &users = graph.values()[value].users;
  if (op == graph.values()[value].producer)
    return columns[0];
  return columns[1 + size_t(std::lower_bound(users.begin(), users.end(), op) -
                            users.begin())];
}

void Checkmate::addColumns() {
  for (int32_t stage = 0; stage < graph.numStages(); ++stage) {
    // R and S are lower triangular; outside the windows both are 0 in some
    // optimum.
    for (int32_t op = 0; op <= stage; ++op) {
      if (!mayRun(graph, lastUseful, stage, op))
        continue;
      // Eq. (1c): the stage's own op runs.
      runColumn[at(stage, op)] =
          milp.addColumn(stage == op ? 1 : 0, 1,
                         graph.ops()[op].variants.front().cost * scales.ofCost,
                         /*isInteger=*/true);
    }
    for (int32_t value = 0; value < graph.numValues(); ++value) {
      const StepValue &stepValue = graph.values()[value];
      if (!isTracked(value) || stage <= stepValue.producer ||
          stage > lastUseful[stepValue.producer])
        continue;
      bool useful = false;
      for (int32_t user : stepValue.users)
        useful |= stage <= std::max(user, std::min(lastUseful[user],
                                                   graph.lastStage(user)));
      if (useful)
        keepColumn[size_t(stage) * size_t(graph.numValues()) + size_t(value)] =
            milp.addBinary();
    }
  }
}

void Checkmate::addDependencies(int32_t stage) {
  for (int32_t op = 0; op <= stage; ++op) {
    if (run(stage, op) < 0)
      continue;
    for (int32_t value : graph.ops()[op].inputs) {
      if (!isTracked(value))
        continue;
      // Eq. (1a): R[t,j] <= R[t,i] + S[t,i].
      std::vector<MilpTerm> terms{{run(stage, op), 1}};
      if (int32_t column = run(stage, graph.values()[value].producer);
          column >= 0)
        terms.push_back({column, -1});
      if (int32_t column = keep(stage, value); column >= 0)
        terms.push_back({column, -1});
      milp.addRow(terms, MilpModel::atMost(0));
    }
  }
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    const int32_t kept = keep(stage, value),
                  producer = graph.values()[value].producer;
    if (kept < 0)
      continue;
    // Eq. (1b): S[t,i] <= R[t-1,i] + S[t-1,i].
    std::vector<MilpTerm> terms{{kept, 1}};
    if (int32_t column = run(stage - 1, producer); column >= 0)
      terms.push_back({column, -1});
    if (int32_t column = keep(stage - 1, value); column >= 0)
      terms.push_back({column, -1});
    milp.addRow(terms, MilpModel::atMost(0));
    // Not in the paper: a run comes before all users of the stage, so that
    // keeping the value as well is idle. Needed where an op is recomputed for
    // another of its values.
    if (int32_t column = run(stage, producer); column >= 0 && ownFree(producer))
      milp.addRow({{kept, 1}, {column, 1}}, MilpModel::atMost(1));
  }
}

/// Eq. (5), (6a) to (6c): FREE[t,i,k] = 1 iff num_hazards = (1 - R[t,k]) +
/// S[t+1,i] + sum of R[t,j], j > k using i, is 0.
void Checkmate::addFree(int32_t stage, int32_t value, int32_t op) {
  const StepValue &stepValue = graph.values()[value];
  std::vector<int32_t> &columns = freeColumn[stage][value];
  if (columns.empty())
    columns.assign(stepValue.users.size() + 1, -1);
  size_t place = op == stepValue.producer
                     ? 0
                     : 1 + size_t(std::lower_bound(stepValue.users.begin(),
                                                   stepValue.users.end(), op) -
                                  stepValue.users.begin());
  const int32_t freed = columns[place] = milp.addBinary();
  std::vector<MilpTerm> hazards{{run(stage, op), -1}}; // And a constant 1.
  if (int32_t column = keep(stage + 1, value); column >= 0)
    hazards.push_back({column, 1});
  for (int32_t user : stepValue.users)
    if (user > op && user <= stage && run(stage, user) >= 0)
      hazards.push_back({run(stage, user), 1});
  const double most = double(hazards.size());
  if (!options.freeNeedsRun) {
    // FREE + S <= 1 and FREE + R <= 1 alone.
    for (size_t i = 1; i < hazards.size(); ++i)
      milp.addRow({{freed, 1}, {hazards[i].column, 1}}, MilpModel::atMost(1));
    return;
  }
  // (6b): 1 - FREE <= num_hazards.
  std::vector<MilpTerm> terms = hazards;
  terms.push_back({freed, 1});
  milp.addRow(terms, MilpModel::atLeast(0));
  // (6c): kappa (1 - FREE) >= num_hazards, kappa its largest value.
  terms.back().coefficient = most;
  milp.addRow(terms, MilpModel::atMost(most - 1));
}

/// Outputs over inputs: I <= FREE of the input, one output each. A donated
/// input can be taken where its last user first runs; later it counts nothing.
void Checkmate::addInPlace(int32_t stage, int32_t op,
                           std::vector<MilpTerm> &peak) {
  auto allowed = [&](const StepOverlap &overlap) {
    if (overlap.input >= 0)
      return free(stage, overlap.input, op);
    return graph.isLastTouch(stage, overlap.source) ? run(stage, op) : -1;
  };
  RunSavings &list = savings[at(stage, op)];
  for (const StepOverlap &overlap : graph.ops()[op].overlaps)
    if (allowed(overlap) >= 0)
      list.addPair(overlap, scales, milp, peak);
  list.addPairRows(run(stage, op), allowed, milp);
}

/// Workspace of the cheapest variant and outputs that nothing reads.
int64_t Checkmate::scratchBytes(int32_t op) const {
  int64_t bytes = graph.ops()[op].variants.front().workspaceBytes;
  for (int32_t value : graph.ops()[op].outputs)
    if (!isTracked(value))
      bytes += graph.values()[value].bytes;
  return bytes;
}

void Checkmate::addMemory(int32_t stage) {
  const double limit = scales.bytes(limitOf(stage));
  int32_t previous = -1;
  for (int32_t op = 0; op <= stage; ++op) {
    if (run(stage, op) < 0)
      continue;
    const StepOp &stepOp = graph.ops()[op];
    for (int32_t value : stepOp.inputs)
      if (isTracked(value))
        addFree(stage, value, op);
    if (ownFree(op))
      for (int32_t value : stepOp.outputs)
        if (isTracked(value))
          addFree(stage, value, op);

    const int32_t bytes = bytesColumn[at(stage, op)] =
        milp.addColumn(0, MilpModel::infinity, 0, false);
    std::vector<MilpTerm> terms{{bytes, -1}};
    const double scratch = scales.bytes(scratchBytes(op));
    double made = 0;
    for (int32_t value : stepOp.outputs)
      made += isTracked(value) ? size(value) : 0;
    terms.push_back({run(stage, op), made});
    if (previous < 0) {
      // Eq. (1): U[t,0] = R[t,0] M_0 + sum of M_i S[t,i].
      for (int32_t value = 0; value < graph.numValues(); ++value)
        if (int32_t column = keep(stage, value); column >= 0)
          terms.push_back({column, size(value)});
    } else {
      // Eq. (2), (3): U[t,k+1] = U[t,k] - sum of M_i FREE[t,i,k] + R[t,k+1]
      // M_{k+1}.
      terms.push_back({bytesColumn[at(stage, previous)], 1});
      auto subtract = [&](int32_t value) {
        if (int32_t column = free(stage, value, previous);
            isTracked(value) && column >= 0)
          terms.push_back({column, -size(value)});
      };
      for (int32_t value : graph.ops()[previous].inputs)
        subtract(value);
      if (ownFree(previous))
        for (int32_t value : graph.ops()[previous].outputs)
          subtract(value);
    }
    milp.addRow(terms, MilpModel::equalTo(0));
    previous = op;

    std::vector<MilpTerm> peak{{bytes, 1}};
    if (scratch > 0)
      peak.push_back({run(stage, op), scratch});
    addInPlace(stage, op, peak);
    savings[at(stage, op)].addVariants(stepOp, run(stage, op), scales, milp,
                                       peak);
    milp.addRow(peak, MilpModel::atMost(limit));
  }
}

/// Sets what a run saves beside what is live.
void Checkmate::takeSavings(int32_t stage, int32_t op, double live,
                            std::vector<double> &point) const {
  auto isFree = [&](const StepOverlap &overlap) {
    return overlap.input < 0 || point[free(stage, overlap.input, op)] > 0;
  };
  savings[at(stage, op)].take(isFree, live + scales.bytes(scratchBytes(op)),
                              scales.bytes(limitOf(stage)), scales, point);
}

std::vector<double> Checkmate::pointOf(const StageRows &rows) const {
  Retention retention = retentionOf(graph, rows);
  std::vector<std::vector<int64_t>> bytes = stageBytes(graph, rows, retention);
  std::vector<double> point(size_t(milp.numColumns()), 0);
  auto set = [&](int32_t column, double value) {
    if (column >= 0)
      point[column] = value;
  };
  for (int32_t stage = 0; stage < graph.numStages(); ++stage) {
    for (int32_t op : rows[stage])
      set(run(stage, op), 1);
    // Values without bytes are in no column, and always there.
    for (int32_t value = 0; value < graph.numValues(); ++value) {
      if (retention.kept(value, stage))
        set(keep(stage, value), 1);
      if (freeColumn[stage][value].empty())
        continue;
      const StepValue &stepValue = graph.values()[value];
      set(freeColumn[stage][value][0],
          isFreed(graph, rows, retention, stage, value, stepValue.producer));
      for (size_t i = 0; i < stepValue.users.size(); ++i)
        set(freeColumn[stage][value][i + 1],
            isFreed(graph, rows, retention, stage, value, stepValue.users[i]));
    }
    for (int32_t op = 0; op <= stage; ++op) {
      double live = scales.bytes(bytes[stage][op]);
      if (std::binary_search(rows[stage].begin(), rows[stage].end(), op))
        for (int32_t value : graph.ops()[op].outputs)
          if (!isTracked(value))
            live -= size(value); // Counted with the workspace.
      set(bytesColumn[at(stage, op)], live);
      if (!std::binary_search(rows[stage].begin(), rows[stage].end(), op))
        continue;
      takeSavings(stage, op, live, point);
    }
  }
  if (!milp.isFeasible(point))
    return {};
  return point;
}

Retention Checkmate::retentionAt(llvm::ArrayRef<double> point,
                                 llvm::function_ref<bool(double)> keeps) const {
  Retention retention(graph.numStages(), graph.numValues());
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    const StepValue &stepValue = graph.values()[value];
    if (!isTracked(value)) {
      if (graph.lastUser(value) > stepValue.producer)
        retention.set(value, stepValue.producer + 1, graph.numStages() - 1,
                      true);
      continue;
    }
    for (int32_t stage = 0; stage < graph.numStages(); ++stage)
      if (int32_t column = keep(stage, value);
          column >= 0 && keeps(point[column]))
        retention.set(value, stage, stage, true);
  }
  return retention;
}
