//===- FreeOrderProgram.cpp - Order and recomputation as one MILP ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// X[t,i]: op i is run t.  S[t,v]: value v is live when run t begins.
//
//   sum_i X[t,i] <= 1, never rising with t     one run a position
//   sum_t X[t,i] >= 1, = 1 where it runs once  every op runs
//   X[t,j] <= S[t,v]                           for each v that j reads
//   S[t+1,v] <= S[t,v] + X[t,i]                for the i that makes v
//   sum_v M_v S[t,v] + sum_i M_i X[t,i] - savings <= limit
//
// X alone is integer: with X given, the least S that the rows ask for is 0 or
// 1. O(T (n + m)) columns and rows for T positions, n ops and m reads.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/FreeOrderProgram.h"
#include "Tuning.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

int64_t FreeOrderProgram::estimateTerms(const ContractedStep &step,
                                        int32_t positions) {
  int64_t terms = 0;
  for (const StepOp &op : step.ops())
    // Ordering rows sum over all positions before.
    terms += 6 + 2 * int64_t(op.inputs.size()) +
             3 * int64_t(op.outputs.size()) + 5 * int64_t(op.overlaps.size()) +
             2 * int64_t(op.variants.size()) +
             int64_t(op.after.size()) * positions;
  for (const DonatedInput &input : step.donated())
    terms += int64_t(input.users.size()) * (positions / 2 + 3);
  return terms * positions;
}

FreeOrderProgram::FreeOrderProgram(const ContractedStep &step,
                                   int64_t limitBytes, int32_t positions)
    : step(step), positions(positions),
      scales(step, /*hasDonated=*/true, limitBytes),
      runColumn(size_t(positions) * size_t(step.numOps()), -1),
      keepColumn(size_t(positions + 1) * size_t(step.numValues()), -1),
      heldColumn(size_t(positions + 1) * step.donated().size(), -1),
      savings(runColumn.size()) {
  findWindows();
  addColumns();
  addRuns();
  addOrder();
  for (int32_t position = 0; position < positions; ++position) {
    addLiveness(position);
    addDonated(position);
  }
  for (int32_t position = 0; position < positions; ++position)
    addMemory(position);
}

/// The first run of an op comes after those of all ops before it; the last run
/// that serves anything comes before a user's.
void FreeOrderProgram::findWindows() {
  const int32_t end = step.numOps() - 1;
  std::vector<llvm::BitVector> before(step.ops().size(),
                                      llvm::BitVector(step.ops().size()));
  earliest.assign(size_t(end), 0);
  latest.assign(size_t(end), positions - 1);
  for (int32_t op = 0; op < end; ++op) {
    auto follow = [&](int32_t other) {
      before[op] |= before[other];
      before[op].set(other);
    };
    for (int32_t value : step.ops()[op].inputs)
      follow(step.values()[value].producer);
    llvm::for_each(step.ops()[op].after, follow);
    earliest[op] = static_cast<int32_t>(before[op].count());
  }
  for (int32_t op = end; op-- > 0;) {
    int32_t last = -1;
    bool isRead = false;
    for (int32_t value : step.ops()[op].outputs)
      for (int32_t user : step.values()[value].users) {
        isRead = true;
        last = std::max(last, user == end ? positions - 1 : latest[user] - 1);
      }
    if (isRead)
      latest[op] = last;
    for (int32_t other : step.ops()[op].before)
      if (other != end)
        latest[op] = std::min(latest[op], latest[other] - 1);
  }
}

void FreeOrderProgram::addColumns() {
  const int32_t end = step.numOps() - 1;
  for (int32_t op = 0; op < end; ++op)
    for (int32_t position = earliest[op]; position <= latest[op]; ++position)
      runColumn[at(position, op, step.numOps())] =
          milp.addBinary(step.ops()[op].variants.front().cost * scales.ofCost);
  for (int32_t value = 0; value < step.numValues(); ++value) {
    const StepValue &stepValue = step.values()[value];
    int32_t last = -1;
    for (int32_t user : stepValue.users)
      last = std::max(last, user == end ? positions : latest[user]);
    for (int32_t position = earliest[stepValue.producer] + 1; position <= last;
         ++position)
      keepColumn[at(position, value, step.numValues())] =
          milp.addColumn(position == positions ? 1 : 0, 1, 0, false);
  }
  for (size_t input = 0; input < step.donated().size(); ++input)
    for (int32_t position = 0; position <= positions; ++position)
      heldColumn[at(position, int32_t(input), int32_t(step.donated().size()))] =
          milp.addColumn(0, 1, 0, false);
}

void FreeOrderProgram::addRuns() {
  const int32_t end = step.numOps() - 1;
  auto runsAt = [&](int32_t position, double sign,
                    std::vector<MilpTerm> &terms) {
    for (int32_t op = 0; op < end; ++op)
      if (int32_t column = run(position, op); column >= 0)
        terms.push_back({column, sign});
  };
  for (int32_t position = 0; position < positions; ++position) {
    std::vector<MilpTerm> terms;
    runsAt(position, 1, terms);
    milp.addRow(terms,
                position < end ? MilpModel::equalTo(1) : MilpModel::atMost(1));
    // Positions without a run come last: they are all alike.
    if (position <= end)
      continue;
    runsAt(position - 1, -1, terms);
    milp.addRow(terms, MilpModel::atMost(0));
  }
  for (int32_t op = 0; op < end; ++op)
    milp.addRow(runsBefore(positions, op), step.ops()[op].runsOnce
                                               ? MilpModel::equalTo(1)
                                               : MilpModel::atLeast(1));
}

std::vector<MilpTerm> FreeOrderProgram::runsBefore(int32_t position,
                                                   int32_t op) const {
  std::vector<MilpTerm> terms;
  for (int32_t earlier = 0; earlier < position; ++earlier)
    if (int32_t column = run(earlier, op); column >= 0)
      terms.push_back({column, 1});
  return terms;
}

/// Ops all of whose runs come before all runs of another: one of the two runs
/// once.
void FreeOrderProgram::addOrder() {
  const int32_t end = step.numOps() - 1;
  for (int32_t second = 0; second < end; ++second)
    for (int32_t first : step.ops()[second].after)
      for (int32_t position = 0; position < positions; ++position) {
        if (int32_t column = run(position, second); column >= 0) {
          std::vector<MilpTerm> terms = runsBefore(position, first);
          for (MilpTerm &term : terms)
            term.coefficient = -1;
          terms.push_back({column, 1});
          milp.addRow(terms, MilpModel::atMost(0));
        }
        if (int32_t column = run(position, first);
            column >= 0 && step.ops()[second].runsOnce) {
          std::vector<MilpTerm> terms = runsBefore(position, second);
          terms.push_back({column, 1});
          milp.addRow(terms, MilpModel::atMost(1));
        }
      }
}

void FreeOrderProgram::addLiveness(int32_t position) {
  for (int32_t op = 0; op + 1 < step.numOps(); ++op)
    if (int32_t column = run(position, op); column >= 0)
      for (int32_t value : step.ops()[op].inputs)
        milp.addRow({{column, 1}, {keep(position, value), -1}},
                    MilpModel::atMost(0));
  for (int32_t value = 0; value < step.numValues(); ++value) {
    const int32_t next = keep(position + 1, value);
    if (next < 0)
      continue;
    std::vector<MilpTerm> terms{{next, 1}};
    for (int32_t column :
         {keep(position, value), run(position, step.values()[value].producer)})
      if (column >= 0)
        terms.push_back({column, -1});
    milp.addRow(terms, MilpModel::atMost(0));
  }
}

/// A donated input is held until every op that touches it has run, and beside
/// each run of one: nothing recomputes it.
void FreeOrderProgram::addDonated(int32_t position) {
  for (size_t i = 0; i < step.donated().size(); ++i) {
    const auto input = static_cast<int32_t>(i);
    const int32_t now = held(position, input);
    milp.addRow({{now, 1}, {held(position + 1, input), -1}},
                MilpModel::atLeast(0));
    for (int32_t user : step.donated()[i].users) {
      if (user + 1 == step.numOps()) { // Until the end of the step.
        milp.addRow({{held(position + 1, input), 1}}, MilpModel::atLeast(1));
        continue;
      }
      std::vector<MilpTerm> terms = runsBefore(position, user);
      terms.push_back({now, 1});
      milp.addRow(terms, MilpModel::atLeast(1));
      if (int32_t column = run(position, user); column >= 0)
        milp.addRow({{now, 1}, {column, -1}}, MilpModel::atLeast(0));
    }
  }
}

/// Whether the overlap is over a donated input, and which.
bool FreeOrderProgram::isDonated(const StepOverlap &overlap,
                                 int32_t &input) const {
  if (overlap.input >= 0)
    return false;
  const auto found =
      llvm::find_if(step.donated(), [&](const DonatedInput &donated) {
        return donated.tensor == overlap.source;
      });
  if (found == step.donated().end())
    return false;
  input = static_cast<int32_t>(found - step.donated().begin());
  return true;
}

/// The column that says that the input of an overlap stays; -1 where none does.
int32_t FreeOrderProgram::stays(int32_t position,
                                const StepOverlap &overlap) const {
  int32_t input = -1;
  return isDonated(overlap, input) ? held(position + 1, input)
                                   : keep(position + 1, overlap.input);
}

/// One output over one input that does not stay. Its bytes leave the peak only.
void FreeOrderProgram::addInPlace(int32_t position, int32_t op,
                                  std::vector<MilpTerm> &bytes) {
  RunSavings &list = savings[at(position, op, step.numOps())];
  for (const StepOverlap &overlap : step.ops()[op].overlaps) {
    int32_t input = -1;
    if (overlap.input < 0 && !isDonated(overlap, input))
      continue;
    const int32_t column = list.addPair(overlap, scales, milp, bytes);
    if (const int32_t kept = stays(position, overlap); kept >= 0)
      milp.addRow({{column, 1}, {kept, 1}}, MilpModel::atMost(1));
  }
  auto mayTake = [&](const StepOverlap &) { return run(position, op); };
  list.addPairRows(run(position, op), mayTake, milp);
}

/// Outputs and the workspace of the cheapest variant.
int64_t FreeOrderProgram::bytesOfRun(int32_t op) const {
  int64_t bytes = step.ops()[op].variants.front().workspaceBytes;
  for (int32_t value : step.ops()[op].outputs)
    bytes += step.values()[value].bytes;
  return bytes;
}

void FreeOrderProgram::addMemory(int32_t position) {
  std::vector<MilpTerm> bytes;
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (int32_t column = keep(position, value); column >= 0)
      bytes.push_back({column, scales.bytes(step.values()[value].bytes)});
  for (size_t i = 0; i < step.donated().size(); ++i)
    bytes.push_back(
        {held(position, int32_t(i)), scales.bytes(step.donated()[i].bytes)});
  for (int32_t op = 0; op + 1 < step.numOps(); ++op) {
    if (run(position, op) < 0)
      continue;
    bytes.push_back({run(position, op), scales.bytes(bytesOfRun(op))});
    addInPlace(position, op, bytes);
    savings[at(position, op, step.numOps())].addVariants(
        step.ops()[op], run(position, op), scales, milp, bytes);
  }
  milp.addRow(bytes, MilpModel::atMost(scales.limit));
}

/// Sets what a run saves; `live` counts it without.
void FreeOrderProgram::takeSavings(int32_t position, int32_t op, double live,
                                   std::vector<double> &point) const {
  auto isFree = [&](const StepOverlap &overlap) {
    const int32_t kept = stays(position, overlap);
    return kept < 0 || point[kept] == 0;
  };
  savings[at(position, op, step.numOps())].take(isFree, live, scales.limit,
                                                scales, point);
}

std::vector<double>
FreeOrderProgram::pointOf(llvm::ArrayRef<int32_t> sequence) const {
  const auto count = static_cast<int32_t>(sequence.size());
  const int32_t end = step.numOps() - 1;
  if (count > positions)
    return {};
  std::vector<double> point(size_t(milp.numColumns()), 0);
  // Backwards: what is read later and not recomputed before stays.
  std::vector<bool> needed(size_t(step.numValues()), false);
  for (int32_t value : step.ops()[end].inputs)
    needed[value] = true;
  std::vector<bool> isHeld(step.donated().size(), false);
  for (int32_t position = positions; position >= 0; --position) {
    if (position < count) {
      const int32_t op = sequence[position];
      if (run(position, op) < 0)
        return {};
      point[run(position, op)] = 1;
      for (int32_t value : step.ops()[op].outputs)
        needed[value] = false;
      for (int32_t value : step.ops()[op].inputs)
        needed[value] = true;
    }
    for (int32_t value = 0; value < step.numValues(); ++value)
      if (needed[value]) {
        if (keep(position, value) < 0)
          return {};
        point[keep(position, value)] = 1;
      }
    for (size_t i = 0; i < isHeld.size(); ++i) {
      const std::vector<int32_t> &users = step.donated()[i].users;
      isHeld[i] =
          isHeld[i] || llvm::is_contained(users, end) ||
          (position < count && llvm::is_contained(users, sequence[position]));
      point[held(position, int32_t(i))] = isHeld[i];
    }
  }
  for (int32_t position = 0; position < count; ++position) {
    const int32_t op = sequence[position];
    double live = scales.bytes(bytesOfRun(op));
    for (int32_t value = 0; value < step.numValues(); ++value)
      if (int32_t column = keep(position, value); column >= 0)
        live += point[column] * scales.bytes(step.values()[value].bytes);
    for (size_t i = 0; i < isHeld.size(); ++i)
      live += point[held(position, int32_t(i))] *
              scales.bytes(step.donated()[i].bytes);
    takeSavings(position, op, live, point);
  }
  if (!milp.isFeasible(point))
    return {};
  return point;
}

std::vector<int32_t>
FreeOrderProgram::sequenceAt(llvm::ArrayRef<double> point) const {
  std::vector<int32_t> sequence;
  for (int32_t position = 0; position < positions; ++position)
    for (int32_t op = 0; op + 1 < step.numOps(); ++op)
      if (int32_t column = run(position, op);
          column >= 0 && point[column] > 0.5)
        sequence.push_back(op);
  return sequence;
}
