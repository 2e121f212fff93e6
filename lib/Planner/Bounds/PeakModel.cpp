//===- PeakModel.cpp - Rows, blocks, and what runs need -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeakDual.h"
#include "SubsetSum.h"
#include "Tuning.h"
#include <algorithm>

using namespace memplan;

PeakModel::PeakModel(const OrderRows &rows, int64_t budgetBytes,
                     std::vector<int32_t> peakOps, int32_t horizon,
                     int32_t endOp)
    : rows(&rows), budgetBytes(budgetBytes), peaks(std::move(peakOps)) {
  const ContractedStep &step = rows.step();
  // Block j ends with the first run of peaks[j]; one more follows the last.
  std::vector<int32_t> blockOf;
  for (int32_t op = 0, block = 0; op < step.numOps(); ++op) {
    block += block < numPeaks() && peaks[block] < op;
    blockOf.push_back(block);
  }
  findLastUses(blockOf, horizon);
  for (int32_t peak : peaks) {
    excess.push_back(rows.ownBytes(peak) + rows.donatedBytes(peak) -
                     budgetBytes);
    allBytes = std::max(allBytes, std::abs(excess.back()));
  }
  for (const StepOp &op : step.ops())
    allBytes = std::max(allBytes, op.variants.front().workspaceBytes);
  for (const StepValue &value : step.values())
    allBytes += value.bytes;
  addValues(blockOf, endOp);
  addNeeds(blockOf);
  roundExcess();
}

/// What is read once more lives on for that; what is recomputed for a user
/// that runs again lives on too, up to the horizon.
void PeakModel::findLastUses(const std::vector<int32_t> &blockOf,
                             int32_t horizon) {
  const ContractedStep &step = rows->step();
  lastUse = blockOf;
  lastUseOf.assign(size_t(step.numValues()), 0);
  for (int32_t op = step.numOps() - 1; op >= 0; --op)
    for (int32_t value : step.ops()[op].outputs) {
      int32_t &last = lastUseOf[value] = blockOf[op];
      for (int32_t user : rows->users(value)) {
        last = std::max(last, blockOf[user]);
        const int32_t most =
            horizon < numPeaks() ? blockOf[op] + horizon : numPeaks();
        if (!rows->runsOnce(user))
          last = std::max(last, std::min(lastUse[user], most));
      }
      lastUse[op] = std::max(lastUse[op], last);
    }
}

void PeakModel::addValues(const std::vector<int32_t> &blockOf, int32_t endOp) {
  const ContractedStep &step = rows->step();
  for (int32_t v = 0; v < step.numValues(); ++v) {
    const StepValue &made = step.values()[v];
    if (made.producer >= endOp)
      return;
    Value value{v,
                blockOf[made.producer],
                blockOf[made.producer],
                places,
                -1,
                made.bytes,
                0};
    if (rows->paysFor(v))
      value.cost = step.ops()[made.producer].variants.front().cost;
    // What takes no bytes always stays. One that pays for runs does so for
    // those that serve the other outputs too.
    if (made.bytes > 0)
      value.lastBlock =
          rows->paysFor(v) ? lastUse[made.producer] : lastUseOf[v];
    places += size_t(value.lastBlock - value.firstBlock) + 1;
    read.resize(places, 0);
    touched.resize(places, 0);
    auto touch = [&](int32_t op) {
      const int32_t block = blockOf[op];
      const size_t at = value.begin + size_t(block - value.firstBlock);
      read[at] |= op != made.producer;
      touched[at] |= block < numPeaks() && peaks[block] == op;
    };
    touch(made.producer);
    for (int32_t user : rows->users(v))
      if (blockOf[user] <= value.lastBlock)
        touch(user);
    // After a write a run of the producer brings nothing back.
    const int32_t written = rows->firstWriter(v);
    if (!rows->runsOnce(made.producer))
      value.lastAgain = written < 0 ? numPeaks() : blockOf[written];
    values.push_back(value);
  }
}

/// The runs of an op are those of the output that pays for them.
void PeakModel::addNeeds(const std::vector<int32_t> &blockOf) {
  const ContractedStep &step = rows->step();
  for (const Value &value : values) {
    const int32_t op = step.values()[value.value].producer;
    firstNeed.push_back(needs.size());
    if (value.bytes == 0 || value.lastAgain < 0)
      continue;
    const int32_t last = std::min(value.lastBlock, value.lastAgain);
    auto need = [&](int32_t block, int32_t other, bool ofRun) {
      const Value &of = values[other];
      if (of.bytes > 0 && block <= of.lastBlock)
        needs.push_back({int32_t(value.begin) + block - value.firstBlock,
                         int32_t(of.begin) + block - of.firstBlock, ofRun});
    };
    for (int32_t block = blockOf[op] + 1; block <= last; ++block) {
      if (rows->paysFor(value.value)) {
        for (int32_t input : rows->inputs(op))
          need(block, input, false);
        continue;
      }
      // The op runs, which the output that pays for it sees.
      for (int32_t output : step.ops()[op].outputs)
        if (rows->paysFor(output) && block <= values[output].lastAgain)
          need(block, output, true);
    }
  }
  firstNeed.push_back(needs.size());
}

void PeakModel::roundExcess() {
  atRow.resize(peaks.size());
  for (const Value &value : values)
    for (int32_t row = value.firstBlock;
         row < std::min(value.lastBlock, numPeaks()); ++row) {
      const size_t at = value.begin + size_t(row - value.firstBlock);
      if (!touched[at])
        atRow[row].push_back({at, value.bytes});
    }
  for (int32_t row = 0; row < numPeaks(); ++row) {
    std::vector<int64_t> sizes = variantSizes(row);
    for (auto [at, bytes] : atRow[row])
      sizes.push_back(bytes);
    if (excess[row] <= 0)
      excess[row] = -largestSumWithin(sizes, -excess[row], tuning::mostSums);
  }
}

std::vector<int64_t> PeakModel::variantSizes(int32_t row) const {
  const std::vector<NodeVariant> &variants =
      rows->step().ops()[peaks[row]].variants;
  std::vector<int64_t> sizes;
  for (const NodeVariant &variant : variants)
    if (variant.workspaceBytes > variants.back().workspaceBytes)
      sizes.push_back(variant.workspaceBytes - variants.back().workspaceBytes);
  return sizes;
}
