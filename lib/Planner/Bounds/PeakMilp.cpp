//===- PeakMilp.cpp - Peaks as an integer program -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeakMilp.h"
#include "Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <numeric>

using namespace memplan;

PeakMilp::PeakMilp(const PeakModel &model) : model(&model) {
  const double total = model.rows->step().totalCost();
  costScale = total > 0 ? tuning::scaledTotal / total : 1;
  int64_t unit = 0, most = 1;
  for (int32_t row = 0; row < model.numPeaks(); ++row) {
    unit = std::gcd(unit, model.excess[row]);
    most = std::max(most, -model.excess[row]);
    for (auto [at, bytes] : model.atRow[row])
      unit = std::gcd(unit, bytes);
    for (int64_t bytes : model.variantSizes(row))
      unit = std::gcd(unit, bytes);
  }
  unit = std::max<int64_t>(unit, 1);
  // Solvers' tolerances are absolute.
  byteScale = most / unit <= tuning::mostUnits
                  ? 1 / double(unit)
                  : tuning::scaledTotal / double(most);
  addColumns();
  for (const PeakModel::Value &value : model.values)
    addLiveness(value);
  addRuns();
  addMemory();
}

void PeakMilp::addColumns() {
  const ContractedStep &step = model->rows->step();
  stays.assign(model->numPlaces(), -1);
  livenessRows.assign(model->numPlaces(), -1);
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
        run = milp.addBinary(step.ops()[op].variants.front().cost * costScale);
    }
  }
}

/// What is read first in a block or stays after it was live before or is made
/// again.
void PeakMilp::addLiveness(const PeakModel::Value &value) {
  const int32_t op = model->rows->step().values()[value.value].producer;
  for (int32_t block = value.firstBlock + 1; block <= value.lastBlock;
       ++block) {
    const size_t at = value.begin + size_t(block - value.firstBlock);
    std::vector<MilpTerm> terms{{stays[at - 1], 1}};
    if (block <= value.lastAgain)
      terms.push_back({runColumn(op, block), 1});
    if (model->read[at] || stays[at] >= 0)
      livenessRows[at] = milp.numRows();
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
  // What an output that pays for no run is worth in a block, its op earns.
  for (size_t i = 0; i < model->needs.size(); ++i)
    needRows.push_back(
        model->needs[i].ofRun ? livenessRows[size_t(model->needs[i].run)] : -1);
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
    const std::vector<NodeVariant> &all =
        step.ops()[model->peaks[row]].variants;
    variants.emplace_back();
    for (const NodeVariant &variant : all) {
      if (all.size() == 1)
        break;
      const int32_t column =
          milp.addBinary((variant.cost - all.front().cost) * costScale);
      variants.back().push_back(column);
      one.push_back({column, 1});
      const int64_t more = variant.workspaceBytes - all.back().workspaceBytes;
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

PeakMultipliers PeakMilp::multipliersOf(llvm::ArrayRef<double> rowDuals) const {
  PeakMultipliers multipliers;
  for (int32_t row : memoryRows)
    multipliers.ofRow.push_back(
        std::max(0.0, -rowDuals[size_t(row)] * byteScale / costScale));
  for (int32_t row : needRows)
    multipliers.ofNeed.push_back(
        row < 0 ? 0 : std::max(0.0, rowDuals[size_t(row)] / costScale));
  return multipliers;
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
  std::vector<Stay> decisions(model->numPlaces(), Stay::Freed);
  for (size_t at = 0; at < stays.size(); ++at)
    if (stays[at] >= 0 && point[stays[at]] > 0.5)
      decisions[at] = Stay::Kept;
  return decisions;
}

std::vector<std::vector<int32_t>>
PeakMilp::runsAt(llvm::ArrayRef<double> point) const {
  std::vector<std::vector<int32_t>> again(size_t(model->numPeaks()) + 1);
  for (int32_t op = 0; op < model->rows->numRows(); ++op)
    for (int32_t block = 0; block <= model->numPeaks(); ++block)
      if (int32_t column = runColumn(op, block);
          column >= 0 && point[column] > 0.5)
        again[block].push_back(op);
  return again;
}

/// What a block costs beyond the least, in all.
void PeakMilp::addCosts(int32_t block, std::vector<MilpTerm> &terms) {
  if (extras.empty())
    extras.assign(size_t(model->numPeaks()) + 1, -1);
  if (extras[block] < 0)
    extras[block] = milp.addColumn(0, MilpModel::infinity, 1, false);
  terms.push_back({extras[block], 1});
  for (int32_t op = 0; op < model->rows->numRows(); ++op)
    if (const int32_t column = runColumn(op, block); column >= 0)
      terms.push_back({column, milp.columnCost[column]});
  if (block < model->numPeaks())
    for (int32_t column : variants[block])
      terms.push_back({column, milp.columnCost[column]});
}

void PeakMilp::addCut(const SegmentCut &cut) {
  auto rowOf = [&](int32_t op) {
    return int32_t(llvm::lower_bound(model->peaks, op) - model->peaks.begin());
  };
  const int32_t first = cut.first < 0 ? -1 : rowOf(cut.first);
  const int32_t second = rowOf(cut.second);
  // A broken condition counts for the whole cost.
  const double weight = cut.cost > 0 ? cut.cost * costScale : 1;
  std::vector<MilpTerm> terms;
  double least = weight;
  auto stayAt = [&](int32_t row, int32_t number) {
    const PeakModel::Value &value = model->values[number];
    return row >= value.firstBlock && row < value.lastBlock
               ? stays[value.begin + size_t(row - value.firstBlock)]
               : -1;
  };
  for (int32_t value : cut.absent)
    if (int32_t column = stayAt(first, value); column >= 0)
      terms.push_back({column, weight});
  for (int32_t op : cut.idle)
    for (int32_t block = first + 1; block <= second; ++block)
      if (int32_t column = runColumn(op, block); column >= 0)
        terms.push_back({column, weight});
  for (int32_t value : cut.kept) {
    terms.push_back({stayAt(second, value), -weight});
    least -= weight;
  }
  for (int32_t block = first + 1; cut.cost > 0 && block <= second; ++block)
    addCosts(block, terms);
  milp.addRow(terms, MilpModel::atLeast(least));
}

bool PeakMilp::isBroken(const SegmentCut &cut,
                        llvm::ArrayRef<double> point) const {
  PeakMilp with = *this;
  with.addCut(cut);
  double sum = 0;
  for (int64_t i = with.milp.rowStart[size_t(milp.numRows())];
       i < with.milp.numTerms(); ++i) {
    const MilpTerm &term = with.milp.terms[size_t(i)];
    if (size_t(term.column) < point.size())
      sum += term.coefficient * point[size_t(term.column)];
  }
  const double least = with.milp.rowLower.back();
  return sum < least - tuning::brokenBy * std::max(1.0, cut.cost * costScale);
}

/// Values that may be live in a block, by what says so when it ends.
std::vector<PeakMilp::Present> PeakMilp::presentAt(int32_t block) const {
  const int32_t last = lastOp(block);
  std::vector<Present> present;
  for (const PeakModel::Value &value : model->values) {
    if (value.bytes == 0 || block <= value.firstBlock ||
        block > value.lastBlock)
      continue;
    Present one{value.value, -1, -1, AtEnd::Never};
    if (llvm::is_contained(model->rows->inputs(last), value.value)) {
      one.atEnd = AtEnd::Always;
    } else if (block < value.lastBlock) {
      one.stay = stays[value.begin + size_t(block - value.firstBlock)];
      one.atEnd = AtEnd::IfItStays;
    }
    const int32_t op = model->rows->step().values()[value.value].producer;
    if (block <= value.lastAgain)
      one.run = runColumn(op, block);
    present.push_back(one);
  }
  return present;
}

void PeakMilp::addRecomputations(int32_t block) {
  const std::vector<Present> present = presentAt(block);
  LastRun lastRun{block, {}};
  if (block > 0 && model->peaks[size_t(block) - 1] + 1 == lastOp(block))
    lastRun = addLastRun(block, present);
  addThroughs(block, present, lastRun);
  lastRuns.push_back(std::move(lastRun));
}

/// Own bytes of the op where it runs again by that column, and those of the
/// terms beside it, within what is left of the budget.
void PeakMilp::addRecomputation(int32_t block, int32_t op, int32_t column,
                                llvm::ArrayRef<Beside> beside) {
  const OrderRows &rows = *model->rows;
  const ContractedStep &step = rows.step();
  double room = double(model->budgetBytes - step.residentBytes() -
                       rows.donatedBytes(lastOp(block)));
  const double own = double(rows.ownBytes(op) - step.residentBytes());
  std::vector<MilpTerm> terms{{column, own * byteScale}};
  double sum = own;
  for (const Beside &one : beside) {
    if (llvm::is_contained(rows.inputs(op), one.value) ||
        step.values()[one.value].producer == op)
      continue;
    const double bytes = double(step.values()[one.value].bytes);
    sum += bytes;
    if (one.column >= 0)
      terms.push_back({one.column, bytes * byteScale});
    else
      room -= bytes, sum -= bytes; // It is live in any case.
  }
  if (sum > room)
    milp.addRow(terms, MilpModel::atMost(room * byteScale));
}

/// What is live at the end of a block, or when its last run again begins, and
/// is not made in the block is live at all of its runs.
void PeakMilp::addThroughs(int32_t block, llvm::ArrayRef<Present> present,
                           const LastRun &lastRun) {
  std::vector<Beside> beside;
  for (const Present &value : present) {
    Through through{milp.addColumn(0, 1, 0, false), value, {}};
    const double atLeast = value.atEnd == AtEnd::Always ? 1 : 0;
    std::vector<MilpTerm> terms{{through.column, 1}};
    if (value.run >= 0)
      terms.push_back({value.run, 1});
    std::vector<MilpTerm> needed = terms;
    if (value.stay >= 0)
      terms.push_back({value.stay, -1});
    if (value.atEnd != AtEnd::Never)
      milp.addRow(terms, MilpModel::atLeast(atLeast));
    for (auto [op, column] : lastRun.ops)
      if (llvm::is_contained(model->rows->inputs(op), value.value)) {
        needed.push_back({column, -1});
        through.lasts.push_back(column);
      }
    if (!through.lasts.empty() && value.atEnd != AtEnd::Always)
      milp.addRow(needed, MilpModel::atLeast(0));
    beside.push_back({value.value, through.column});
    throughs.push_back(std::move(through));
  }
  for (int32_t op = 0; op < model->rows->numRows(); ++op)
    if (const int32_t column = runColumn(op, block); column >= 0)
      addRecomputation(block, op, column, beside);
}

/// Adds the last one of the recomputations in a block of one op. It makes what
/// is needed at the end of the block, and all else that is live then is live.
PeakMilp::LastRun PeakMilp::addLastRun(int32_t block,
                                       llvm::ArrayRef<Present> present) {
  const ContractedStep &step = model->rows->step();
  std::vector<Beside> beside;
  std::vector<MilpTerm> lasts;
  LastRun lastRun{block, {}};
  for (const Present &value : present) {
    if (value.atEnd == AtEnd::Never)
      continue;
    beside.push_back({value.value, value.stay});
    const int32_t op = step.values()[value.value].producer;
    if (value.run < 0 ||
        llvm::is_contained(llvm::make_first_range(lastRun.ops), op))
      continue;
    const int32_t column = milp.addBinary();
    lastRun.ops.push_back({op, column});
    lasts.push_back({column, 1});
    milp.addRow({{value.run, 1}, {column, -1}}, MilpModel::atLeast(0));
    if (value.stay >= 0 && step.ops()[op].outputs.size() == 1)
      milp.addRow({{value.stay, 1}, {column, -1}}, MilpModel::atLeast(0));
  }
  milp.addRow(lasts, MilpModel::atMost(1));
  for (auto [op, column] : lastRun.ops)
    addRecomputation(block, op, column, beside);
  for (int32_t op = 0; op < step.numOps(); ++op)
    if (const int32_t column = runColumn(op, block); column >= 0) {
      lasts.push_back({column, -1});
      milp.addRow(lasts, MilpModel::atLeast(0));
      lasts.pop_back();
    }
  return lastRun;
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
  std::vector<int32_t> lastAgain(size_t(model->numPeaks()) + 1, -1);
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
    if (int32_t column = runColumn(op, blockAt[i]); ran[op] && column >= 0) {
      if (point[column] > 0 && !extras.empty() && extras[blockAt[i]] >= 0)
        point[extras[blockAt[i]]] += milp.columnCost[column];
      point[column] = 1;
      lastAgain[blockAt[i]] = op;
    }
    ran[op] = true;
  }
  for (const std::vector<int32_t> &list : variants)
    if (!list.empty())
      point[list.back()] = 1;
  for (const LastRun &lastRun : lastRuns)
    for (auto [op, column] : lastRun.ops)
      point[column] = op == lastAgain[lastRun.block];
  for (const Through &through : throughs) {
    const Present &value = through.value;
    double needed = value.atEnd == AtEnd::Always ? 1 : 0;
    if (value.stay >= 0)
      needed = point[value.stay];
    for (int32_t column : through.lasts)
      needed = std::max(needed, point[column]);
    point[through.column] =
        std::max(0.0, needed - (value.run < 0 ? 0 : point[value.run]));
  }
  return milp.isFeasible(point) ? point : std::vector<double>();
}
