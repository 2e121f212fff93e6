//===- RowRefiner.cpp - Which rows a proof needs --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowRefiner.h"
#include "Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace memplan;

/// What a plan must cost less than to be better by more than 1e-4. Costs that
/// are whole numbers have nothing between them.
double RowRefiner::cutoff() const {
  double unit = 0;
  auto divide = [&](double cost) {
    if (cost != std::floor(cost) || cost > tuning::mostWholeCost) {
      unit = -1;
      return;
    }
    if (unit >= 0)
      unit = double(std::gcd(int64_t(unit), int64_t(cost)));
  };
  for (const Node &node : rows.step().index().graph().nodes)
    for (int32_t v = 0; v < node.numVariants(); ++v)
      divide(node.variant(v).cost);
  // A little less, for the rounding of sums.
  const double byGap = best * (1 - tuning::soughtGap);
  return unit > 0 ? std::min(byGap, best - unit * (1 - tuning::lessOfUnit))
                  : byGap;
}

/// Rows of the highest multipliers of GapDual.
void RowRefiner::firstPeaks() {
  GapDual dual(rows, budget, tuning::treeOfFirstRows);
  GapAscent ascent(
      dual, std::max(best * tuning::lessForShares, best - rows.leastCost()));
  for (int round = 0; round < tuning::sharings; ++round) {
    if (round > 0)
      dual.shareByUse();
    ascent.run(tuning::stepsOfFirstRows);
  }
  std::vector<int32_t> order;
  for (int32_t row = 0; row < rows.numRows(); ++row)
    if (ascent.bestMultipliers()[row] > 0)
      order.push_back(row);
  llvm::sort(order, [&](int32_t a, int32_t b) {
    return std::pair(-ascent.bestMultipliers()[a], a) <
           std::pair(-ascent.bestMultipliers()[b], b);
  });
  for (int32_t row : order)
    if (peaks.size() < 2)
      peaks[row] = ascent.bestMultipliers()[row];
}

/// Bytes at first runs that follow from what stays, whatever the order of runs
/// again: what is live at the start of a block and read, or kept, after the
/// op without being recomputed.
std::vector<int64_t>
RowRefiner::impliedBytes(const PeakModel &model,
                         llvm::ArrayRef<Stay> stays) const {
  std::vector<int64_t> bytes;
  for (int32_t op = 0; op < rows.numRows(); ++op)
    bytes.push_back(rows.ownBytes(op) + rows.donatedBytes(op));
  const std::optional<PeakRuns> runs = leastRuns(model, stays);
  for (const PeakModel::Value &value : model.values) {
    const int32_t producer = rows.step().values()[value.value].producer;
    for (int32_t block = value.firstBlock; block <= value.lastBlock; ++block) {
      const size_t at = value.begin + size_t(block - value.firstBlock);
      const bool isFirst = block == value.firstBlock;
      if (!isFirst && (stays[at - 1] != Stay::Kept ||
                       llvm::is_contained(runs->inBlock[block], producer)))
        continue;
      const int32_t begin = isFirst ? producer : model.peaks[size_t(block) - 1];
      const int32_t end =
          block < model.numPeaks() ? model.peaks[block] : rows.numRows() - 1;
      int32_t last = begin;
      for (int32_t user : rows.users(value.value))
        if (user > begin && user <= end)
          last = user;
      if (block < value.lastBlock && stays[at] == Stay::Kept)
        last = end + 1;
      for (int32_t op = begin + 1; op < last; ++op)
        if (!llvm::is_contained(rows.users(value.value), op))
          bytes[op] += value.bytes;
    }
  }
  return bytes;
}

/// A plan in which what stays does: in each block, runs again right before the
/// first op that needs them, or before the row if none does. Empty where a
/// node that runs once would have to run again.
std::vector<int32_t> RowRefiner::sequenceOf(const PeakModel &model,
                                            llvm::ArrayRef<Stay> stays) const {
  const ContractedStep &step = rows.step();
  std::vector<int32_t> sequence;
  std::vector<char> isThere(model.values.size(), false);
  bool works = true;
  auto run = [&](int32_t op) {
    sequence.push_back(op);
    for (int32_t output : step.ops()[op].outputs)
      isThere[output] = true;
  };
  auto provide = [&](int32_t value, auto &self) -> void {
    if (isThere[value] || !works)
      return;
    const int32_t producer = step.values()[value].producer;
    if (rows.runsOnce(producer)) {
      works = false;
      return;
    }
    for (int32_t input : step.ops()[producer].inputs)
      self(input, self);
    run(producer);
  };
  auto staysAfter = [&](const PeakModel::Value &value, int32_t block) {
    return block >= value.firstBlock && block < value.lastBlock &&
           stays[value.begin + size_t(block - value.firstBlock)] == Stay::Kept;
  };
  int32_t block = 0;
  for (int32_t op = 0; op < step.numOps() && works; ++op) {
    const bool isPeak = block < model.numPeaks() && model.peaks[block] == op;
    if (isPeak)
      for (const PeakModel::Value &value : model.values)
        if (staysAfter(value, block) &&
            step.values()[value.value].producer != op)
          provide(value.value, provide);
    for (int32_t input : step.ops()[op].inputs)
      provide(input, provide);
    run(op);
    if (!isPeak)
      continue;
    for (const PeakModel::Value &value : model.values)
      isThere[value.value] = value.bytes == 0 || staysAfter(value, block);
    ++block;
  }
  return works ? sequence : std::vector<int32_t>();
}

/// By op: the most bytes of any run after the first one of the op before it,
/// up to its own.
std::vector<int64_t>
RowRefiner::bytesAtFirstRuns(llvm::ArrayRef<int32_t> sequence) const {
  const ContractedStep &step = rows.step();
  std::vector<int64_t> change(sequence.size() + 1, 0);
  std::vector<int32_t> last(size_t(step.numValues()), -1),
      made(size_t(step.numValues()), -1);
  auto end = [&](int32_t value) {
    if (made[value] >= 0) {
      change[made[value]] += step.values()[value].bytes;
      change[last[value] + 1] -= step.values()[value].bytes;
    }
  };
  for (int32_t at = 0; at < int32_t(sequence.size()); ++at) {
    for (int32_t input : step.ops()[sequence[at]].inputs)
      last[input] = at;
    for (int32_t output : step.ops()[sequence[at]].outputs) {
      end(output);
      made[output] = last[output] = at;
    }
  }
  for (int32_t value = 0; value < step.numValues(); ++value)
    end(value);
  std::vector<int64_t> bytes(size_t(step.numOps()), 0);
  int64_t live = step.residentBytes();
  int32_t op = 0;
  for (size_t at = 0; at < sequence.size(); ++at) {
    live += change[at];
    bytes[op] = std::max(bytes[op], live);
    op += sequence[at] == op;
  }
  return bytes;
}

/// Adds the row with most bytes over budget, or the one before it; false if
/// there is no new one.
bool RowRefiner::addPeak(llvm::ArrayRef<int64_t> bytes) {
  int32_t best = -1;
  int64_t most = budget;
  for (int32_t op = 0; op < rows.numRows(); ++op) {
    const int32_t row = !peaks.count(op) ? op : op - 1;
    if (bytes[op] <= most || row < 0 || peaks.count(row))
      continue;
    most = bytes[op];
    best = row;
  }
  if (best >= 0)
    peaks[best] = 0;
  return best >= 0;
}

/// A cheaper answer at the rows: a better plan, or a reason for more rows.
bool RowRefiner::refine(const PeakModel &model, llvm::ArrayRef<Stay> stays) {
  if (addPeak(impliedBytes(model, stays)))
    return true;
  const std::vector<int32_t> sequence = sequenceOf(model, stays);
  if (sequence.empty())
    return false;
  if (takePlan(sequence))
    return true;
  return addPeak(bytesAtFirstRuns(sequence)) ||
         splitBlock(model, stays, sequence);
}

/// Adds a row where the sequence has to run more than the blocks say.
bool RowRefiner::splitBlock(const PeakModel &model, llvm::ArrayRef<Stay> stays,
                            llvm::ArrayRef<int32_t> sequence) {
  const std::optional<PeakRuns> runs = leastRuns(model, stays);
  int32_t next = 0, block = 0;
  for (int32_t op : sequence) {
    if (op == next) {
      block += block < model.numPeaks() && model.peaks[block] == op;
      ++next;
      continue;
    }
    if (llvm::is_contained(runs->inBlock[block], op))
      continue;
    for (int32_t row : {next - 1, next})
      if (row >= 0 && !peaks.count(row)) {
        peaks[row] = 0;
        return true;
      }
  }
  return false;
}

PeakModel RowRefiner::model() const {
  std::vector<int32_t> list;
  for (auto [row, multiplier] : peaks)
    list.push_back(row);
  return PeakModel(rows, budget, std::move(list));
}

PeakMultipliers RowRefiner::multipliers(const PeakModel &model) const {
  PeakMultipliers multipliers;
  for (auto [row, multiplier] : peaks)
    multipliers.ofRow.push_back(multiplier);
  multipliers.ofNeed.assign(model.needs.size(), 0);
  return multipliers;
}

void RowRefiner::setMultipliers(const PeakMultipliers &multipliers) {
  size_t i = 0;
  for (auto &[row, multiplier] : peaks)
    multiplier = multipliers.ofRow[i++];
}

bool RowRefiner::takePlan(llvm::ArrayRef<int32_t> sequence) {
  const std::optional<double> cost = costOfPlan(sequence);
  if (!cost || *cost >= best)
    return false;
  best = *cost;
  better = sequence.vec();
  return true;
}
