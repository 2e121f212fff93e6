//===- PeakMilp.cpp - Peaks as an integer program -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Bounds/PeakMilp.h"
#include <algorithm>
#include <map>
#include <numeric>

using namespace memplan;

PeakMilp::PeakMilp(const PeakModel &model) : model(&model) {
  const double total = model.rows->step().totalCost();
  costScale = total > 0 ? 1000 / total : 1;
  int64_t unit = 0, most = 1;
  for (int32_t row = 0; row < model.numPeaks(); ++row) {
    unit = std::gcd(unit, model.excess[row]);
    most = std::max(most, -model.excess[row]);
    for (auto [at, bytes] : model.atRow[row])
      unit = std::gcd(unit, bytes);
    for (int64_t bytes : model.waySizes(row))
      unit = std::gcd(unit, bytes);
  }
  unit = std::max<int64_t>(unit, 1);
  // Solvers' tolerances are absolute.
  byteScale = most / unit <= 10000 ? 1 / double(unit) : 1000 / double(most);
  addColumns();
  for (const PeakModel::Value &value : model.values)
    addLiveness(value);
  addRuns();
  addMemory();
}

int64_t PeakMilp::estimateTerms(const PeakModel &model) {
  return 6 * int64_t(model.numPlaces()) + 3 * int64_t(model.needs.size());
}

void PeakMilp::addColumns() {
  const ContractedStep &step = model->rows->step();
  stays.assign(model->numPlaces(), -1);
  runs.assign(size_t(step.numOps()) * size_t(model->numPeaks() + 1), -1);
  for (const PeakModel::Value &value : model->values) {
    const int32_t op = step.values()[value.value].producer;
    for (int32_t block = value.firstBlock; block <= value.lastBlock; ++block) {
      const size_t at = value.begin + size_t(block - value.firstBlock);
      if (block < value.lastBlock)
        stays[at] = milp.addBinary();
      int32_t &run =
          runs[size_t(op) * size_t(model->numPeaks() + 1) + size_t(block)];
      if (block > value.firstBlock && block <= value.lastAgain && run < 0)
        run = milp.addBinary(step.ops()[op].ways.front().cost * costScale);
    }
  }
}

/// What is read first in a block or stays after it was there before or is made
/// again.
void PeakMilp::addLiveness(const PeakModel::Value &value) {
  const int32_t op = model->rows->step().values()[value.value].producer;
  for (int32_t block = value.firstBlock + 1; block <= value.lastBlock;
       ++block) {
    const size_t at = value.begin + size_t(block - value.firstBlock);
    std::vector<MilpTerm> terms{{stays[at - 1], 1}};
    if (block <= value.lastAgain)
      terms.push_back({runColumn(op, block), 1});
    if (model->read[at]) {
      milp.addRow(terms, MilpModel::atLeast(1));
    } else if (stays[at] >= 0) {
      terms.push_back({stays[at], -1});
      milp.addRow(terms, MilpModel::atLeast(0));
    }
  }
}

/// An op that runs again finds its inputs. Needs are those of the output that
/// pays for the op.
void PeakMilp::addRuns() {
  std::map<std::pair<size_t, size_t>, size_t> needOf;
  for (size_t i = 0; i < model->needs.size(); ++i)
    needOf[{size_t(model->needs[i].run), size_t(model->needs[i].input)}] = i;
  needRows.assign(model->needs.size(), -1);
  std::vector<const PeakModel::Value *> payer(
      size_t(model->rows->step().numOps()));
  for (const PeakModel::Value &value : model->values)
    if (model->rows->paysFor(value.value))
      payer[model->rows->step().values()[value.value].producer] = &value;
  const ContractedStep &step = model->rows->step();
  for (int32_t op = 0; op < step.numOps(); ++op)
    for (int32_t block = 0; block <= model->numPeaks(); ++block) {
      if (runColumn(op, block) < 0)
        continue;
      for (int32_t input : model->rows->inputs(op)) {
        const PeakModel::Value &value = model->values[input];
        if (value.bytes == 0 || block <= value.firstBlock ||
            block > value.lastBlock)
          continue;
        const size_t before =
            value.begin + size_t(block - value.firstBlock) - 1;
        std::vector<MilpTerm> terms{{runColumn(op, block), -1},
                                    {stays[before], 1}};
        if (block <= value.lastAgain)
          terms.push_back({runColumn(step.values()[input].producer, block), 1});
        if (const PeakModel::Value *of = payer[op]) {
          auto need = needOf.find(
              {of->begin + size_t(block - of->firstBlock), before + 1});
          if (need != needOf.end())
            needRows[need->second] = milp.numRows();
        }
        milp.addRow(terms, MilpModel::atLeast(0));
      }
    }
}

void PeakMilp::addMemory() {
  const ContractedStep &step = model->rows->step();
  for (int32_t row = 0; row < model->numPeaks(); ++row) {
    std::vector<MilpTerm> terms, one;
    for (auto [at, bytes] : model->atRow[row])
      terms.push_back({stays[at], double(bytes) * byteScale});
    // Variants of the row's op: the excess has the least workspace.
    const std::vector<NodeVariant> &all = step.ops()[model->peaks[row]].ways;
    ways.emplace_back();
    for (const NodeVariant &way : all) {
      if (all.size() == 1)
        break;
      const int32_t column =
          milp.addBinary((way.cost - all.front().cost) * costScale);
      ways.back().push_back(column);
      one.push_back({column, 1});
      const int64_t more = way.workspaceBytes - all.back().workspaceBytes;
      terms.push_back({column, double(more) * byteScale});
    }
    if (!one.empty())
      milp.addRow(one, MilpModel::equalTo(1));
    memoryRows.push_back(milp.numRows());
    milp.addRow(terms,
                MilpModel::atMost(-double(model->excess[row]) * byteScale));
  }
}

MilpModel PeakMilp::relaxation() const {
  MilpModel relaxed = milp;
  relaxed.columnInteger.assign(relaxed.columnInteger.size(), false);
  return relaxed;
}

PeakPrices PeakMilp::pricesOf(llvm::ArrayRef<double> rowDuals) const {
  PeakPrices prices;
  for (int32_t row : memoryRows)
    prices.ofRow.push_back(
        std::max(0.0, -rowDuals[size_t(row)] * byteScale / costScale));
  for (int32_t row : needRows)
    prices.ofNeed.push_back(
        row < 0 ? 0 : std::max(0.0, rowDuals[size_t(row)] / costScale));
  return prices;
}

void PeakMilp::fix(llvm::ArrayRef<Stay> decisions) {
  for (size_t at = 0; at < stays.size(); ++at) {
    if (stays[at] < 0 || decisions[at] == Stay::Open)
      continue;
    const double value = decisions[at] == Stay::Kept ? 1 : 0;
    milp.columnLower[size_t(stays[at])] = value;
    milp.columnUpper[size_t(stays[at])] = value;
  }
}

double PeakMilp::cost(double objective) const {
  return objective / costScale + model->rows->leastCost();
}

std::vector<Stay> PeakMilp::staysAt(llvm::ArrayRef<double> point) const {
  std::vector<Stay> decisions(model->numPlaces(), Stay::Gone);
  for (size_t at = 0; at < stays.size(); ++at)
    if (stays[at] >= 0 && point[stays[at]] > 0.5)
      decisions[at] = Stay::Kept;
  return decisions;
}

std::vector<double> PeakMilp::pointOf(llvm::ArrayRef<int32_t> sequence) const {
  const ContractedStep &step = model->rows->step();
  std::vector<double> point(size_t(milp.numColumns()), 0);
  // The last use of each live range, from the end.
  std::vector<int32_t> blockAt;
  int32_t block = 0, next = 0;
  for (int32_t op : sequence) {
    blockAt.push_back(block);
    if (op != next)
      continue;
    block += block < model->numPeaks() && model->peaks[block] == op;
    ++next;
  }
  std::vector<int32_t> lastUse(model->values.size(), -1);
  std::vector<char> ran(size_t(step.numOps()), false);
  for (size_t i = sequence.size(); i-- > 0;) {
    const int32_t op = sequence[i];
    for (int32_t output : step.ops()[op].outputs) {
      const PeakModel::Value &value = model->values[output];
      for (int32_t row = blockAt[i]; row < lastUse[output]; ++row)
        if (row >= value.firstBlock && row < value.lastBlock)
          point[stays[value.begin + size_t(row - value.firstBlock)]] = 1;
      lastUse[output] = -1;
    }
    for (int32_t input : model->rows->inputs(op))
      lastUse[input] = std::max(lastUse[input], blockAt[i]);
  }
  for (size_t i = 0; i < sequence.size(); ++i) {
    const int32_t op = sequence[i];
    if (int32_t column = runColumn(op, blockAt[i]); ran[op] && column >= 0)
      point[column] = 1;
    ran[op] = true;
  }
  for (const std::vector<int32_t> &list : ways)
    if (!list.empty())
      point[list.back()] = 1;
  return milp.isFeasible(point) ? point : std::vector<double>();
}
