//===- SegmentCuts.cpp - Memory within a block, as cuts -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a block can be run is monotone: more values before it and more ops
// that may run again only help, fewer values that must be live after it too.
// So a block that cannot be run gives a cut, which is made as strong as a few
// more searches allow: nothing in it can be spared.
//
//===----------------------------------------------------------------------===//

#include "SegmentCuts.h"
#include "Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace memplan;

namespace {
class BlockReader {
public:
  BlockReader(const PeakModel &model, llvm::ArrayRef<Stay> stays,
              const std::vector<std::vector<int32_t>> &runs)
      : model(model), rows(*model.rows), stays(stays), runs(runs) {}

  SegmentAnswer read();

private:
  void cleanStays();
  Segment segmentOf(int32_t block) const;
  LiveSetAnswer search(const Segment &segment, double cutoff) const {
    return searchSegment(rows, model.budgetBytes, segment, cutoff,
                         tuning::statesOfSegment);
  }
  /// What the answer pays within the block, beyond the least.
  double costOf(int32_t block) const;
  std::optional<int32_t> rowWithin(const Segment &segment,
                                   const LiveSetAnswer &found) const;
  SegmentCut cutOf(int32_t block, Segment segment, double cost) const;
  /// Place of the value at the row that ends the block, if it may stay there.
  std::optional<size_t> placeAt(int32_t value, int32_t block) const {
    const PeakModel::Value &of = model.values[value];
    if (block < of.firstBlock || block >= of.lastBlock)
      return std::nullopt;
    return of.begin + size_t(block - of.firstBlock);
  }

  const PeakModel &model;
  const OrderRows &rows;
  llvm::ArrayRef<Stay> stays;
  const std::vector<std::vector<int32_t>> &runs;
  std::vector<LiveSet> across; ///< By row: what stays for a use.
};
} // namespace

/// What stays across a row although nothing needs it afterwards does not.
void BlockReader::cleanStays() {
  across.assign(size_t(model.numPeaks()) + 1, LiveSet{});
  for (int32_t block = model.numPeaks(); block > 0; --block) {
    LiveSet needed{};
    for (int32_t op : runs[block])
      for (int32_t input : rows.inputs(op))
        needed.set(input, true);
    for (const PeakModel::Value &value : model.values) {
      const std::optional<size_t> at = placeAt(value.value, block - 1);
      if (at && stays[*at] == Stay::Kept &&
          (model.read[*at + 1] || needed.has(value.value) ||
           across[block].has(value.value)))
        across[block - 1].set(value.value, true);
    }
  }
}

Segment BlockReader::segmentOf(int32_t block) const {
  Segment segment;
  segment.begin = block > 0 ? model.peaks[size_t(block) - 1] + 1 : 0;
  segment.end =
      block < model.numPeaks() ? model.peaks[block] + 1 : rows.numRows();
  if (block > 0)
    segment.before = across[size_t(block) - 1];
  segment.after = across[block];
  segment.mayRun.assign(size_t(rows.numRows()), false);
  for (int32_t op : runs[block])
    segment.mayRun[op] = true;
  return segment;
}

double BlockReader::costOf(int32_t block) const {
  double cost = 0;
  for (int32_t op : runs[block])
    cost += rows.step().ops()[op].variants.front().cost;
  return cost;
}

/// `cost` is what the block costs at least; 0: it cannot be run.
SegmentCut BlockReader::cutOf(int32_t block, Segment segment,
                              double cost) const {
  const double cutoff =
      cost > 0 ? rows.leastCost() + cost * (1 - tuning::lessForShares)
               : std::numeric_limits<double>::infinity();
  auto isStillSo = [&] {
    const LiveSetAnswer found = search(segment, cutoff);
    return found.outcome == LiveSetAnswer::Outcome::Impossible ||
           (found.outcome == LiveSetAnswer::Outcome::Cheapest &&
            found.cost >= cutoff);
  };
  SegmentCut cut;
  cut.cost = cost * (1 - tuning::lessForShares);
  cut.first = block > 0 ? model.peaks[size_t(block) - 1] : -1;
  cut.second =
      block < model.numPeaks() ? model.peaks[block] : rows.numRows() - 1;
  // What stays for no use is no reason; the cut must not be met by it.
  for (const PeakModel::Value &value : model.values)
    if (const auto at = block > 0 ? placeAt(value.value, block - 1)
                                  : std::optional<size_t>();
        at && stays[*at] == Stay::Kept)
      segment.before.set(value.value, true);
  for (const PeakModel::Value &value : model.values) {
    if (!segment.after.has(value.value))
      continue;
    segment.after.set(value.value, false);
    if (isStillSo())
      continue;
    segment.after.set(value.value, true);
    cut.kept.push_back(value.value);
  }
  for (int32_t op = 0; op < segment.end; ++op) {
    if (segment.mayRun[op] || rows.runsOnce(op))
      continue;
    segment.mayRun[op] = true;
    if (isStillSo())
      continue;
    segment.mayRun[op] = false;
    cut.idle.push_back(op);
  }
  for (const PeakModel::Value &value : model.values) {
    if (block == 0 || segment.before.has(value.value) ||
        !placeAt(value.value, block - 1))
      continue;
    segment.before.set(value.value, true);
    if (isStillSo())
      continue;
    segment.before.set(value.value, false);
    cut.absent.push_back(value.value);
  }
  return cut;
}

/// A row that divides the block, if there is one between two runs of one op or
/// where the search went no further.
std::optional<int32_t>
BlockReader::rowWithin(const Segment &segment,
                       const LiveSetAnswer &found) const {
  if (segment.end - segment.begin == 1)
    return std::nullopt;
  if (found.outcome != LiveSetAnswer::Outcome::Cheapest)
    return std::clamp(found.firstRuns, segment.begin, segment.end - 2);
  int32_t next = segment.begin;
  std::vector<int32_t> since(size_t(rows.numRows()), -1);
  for (int32_t op : found.sequence) {
    if (op == next)
      ++next;
    else if (since[op] >= 0 && since[op] < next)
      return std::min(next - 1, segment.end - 2);
    else
      since[op] = next;
  }
  return std::nullopt;
}

SegmentAnswer BlockReader::read() {
  SegmentAnswer answer;
  if (model.values.size() > size_t(LiveSet::mostValues))
    return answer;
  cleanStays();
  bool isWhole = true;
  for (int32_t block = 0; block <= model.numPeaks(); ++block) {
    const Segment segment = segmentOf(block);
    const LiveSetAnswer found =
        search(segment, std::numeric_limits<double>::infinity());
    const bool hasRuns = found.outcome == LiveSetAnswer::Outcome::Cheapest;
    isWhole &= hasRuns;
    llvm::append_range(answer.sequence, found.sequence);
    const double cost = hasRuns ? found.cost - rows.leastCost() : 0;
    if (hasRuns &&
        cost <= costOf(block) + tuning::lessForShares * rows.leastCost())
      continue;
    if (const std::optional<int32_t> row = rowWithin(segment, found))
      answer.rows.push_back(*row);
    else if (found.outcome != LiveSetAnswer::Outcome::Stopped)
      answer.cuts.push_back(cutOf(block, segment, cost));
  }
  if (!isWhole)
    answer.sequence.clear();
  return answer;
}

SegmentAnswer
memplan::runSegments(const PeakModel &model, llvm::ArrayRef<Stay> stays,
                     const std::vector<std::vector<int32_t>> &runs) {
  return BlockReader(model, stays, runs).read();
}
