//===- Rotor.cpp - Optimal checkpoints on a chain of blocks ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Beaumont, Eyraud-Dubois, Herrmann, Joly and Shilova, "Optimal
//   checkpointing for heterogeneous chains: how to train deep neural networks
//   with limited memory", arXiv:1911.13214 (rotor).
// Idea: a dynamic program over (first block, last block, memory): run the first
//   block and keep what its backward part reads, or run some blocks keeping the
//   first input only, store the input of the next, and come back for them.
// Cost: O(blocks^3 * slots) for memory in slots, about ten times.
// Guarantee: least cost for a chain of blocks that are run as a whole, in the
//   memory model of the program (sizes rounded up to slots, everything that the
//   backward part of a block reads held throughout it). Plans are measured in
//   bytes, and the limit of the program moved until they fit the budget as
//   closely as it finds.
//
//===----------------------------------------------------------------------===//

#include "BlockChain.h"
#include "Tuning.h"
#include "memplan/Planner/Remat/Baselines.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

static constexpr double never = std::numeric_limits<double>::infinity();

namespace {
/// The dynamic program and what it decides.
class Rotor {
public:
  Rotor(const StageGraph &graph, const std::vector<Block> &blocks,
        int64_t limitBytes)
      : graph(graph), blocks(blocks), count(int32_t(blocks.size())),
        slots(slotsFor(count)),
        slotBytes(std::max<int64_t>(1, (limitBytes + slots - 1) / slots)) {
    // Small limits are counted exactly.
    slots = int32_t(std::min<int64_t>(slots, limitBytes / slotBytes));
    least.assign(size_t(count) * size_t(count) * (size_t(slots) + 1), never);
    choice.assign(least.size(), 0);
    for (int32_t length = 1; length <= count; ++length)
      for (int32_t first = 0; first + length <= count; ++first)
        fill(first, first + length - 1);
  }

  bool hasPlan() const { return least[at(0, count - 1, slots)] < never; }

  Retention checkpoints() const {
    Retention retention = keepAll(graph);
    for (const Block &block : blocks) {
      for (int32_t op : block.ops)
        if (op != block.last)
          dropUntil(graph, op, block.back, retention);
      // Before what was made inside, the output may be wanted by the next
      // block's backward part; it stays from then on.
      dropUntil(graph, block.last,
                std::min(block.back, comesBack(graph, block.last)), retention);
    }
    unfold(0, count - 1, slots, -1, retention);
    return retention;
  }

private:
  struct Option {
    int32_t need;  ///< Slots without which it is impossible.
    int32_t taken; ///< Slots that blocks [rest, last] do without.
    int32_t rest;
    double cost;
  };

  /// As many slots as keep the table and the time small.
  static int32_t slotsFor(int32_t blocks) {
    const double cube = std::pow(double(blocks), 3) / 6;
    return int32_t(std::clamp(tuning::entriesOfTable / (cube + 1),
                              tuning::fewestSlots, tuning::mostSlots));
  }
  int32_t inSlots(int64_t bytes) const {
    return int32_t((bytes + slotBytes - 1) / slotBytes);
  }
  size_t at(int32_t first, int32_t last, int32_t memory) const {
    return (size_t(first) * size_t(count) + size_t(last)) *
               (size_t(slots) + 1) +
           size_t(memory);
  }

  /// Bytes beside those of blocks while blocks up to `last` are run forward: in
  /// the forward pass, or just before the last of them comes back.
  int64_t besideForward(int32_t last) const {
    if (last == count - 1)
      return 0;
    const Block &block = blocks[size_t(last)];
    return block.besideBefore + (block.outputIsBack ? block.outputBytes : 0);
  }
  /// What a block costs when it is run forward in a range up to `last`: the
  /// output of the last one may be live already.
  double forwardCost(int32_t block, int32_t last) const {
    const Block &run = blocks[size_t(block)];
    const bool isThere = block == last && last < count - 1 && run.outputIsBack;
    return isThere ? run.insideCost : run.cost;
  }

  void fill(int32_t first, int32_t last) {
    offer(first, last, keepOption(first, last, 0), 0, first, 0);
    // Forward through blocks [first, next) with nothing kept but the input.
    double forward = 0;
    int32_t need = 0;
    for (int32_t next = first + 1; next <= last; ++next) {
      const Block &passed = blocks[size_t(next) - 1];
      const int64_t input =
          next - 1 > first ? blocks[size_t(next) - 2].outputBytes : 0;
      forward += forwardCost(next - 1, last);
      need = std::max(need,
                      inSlots(input + passed.peakFreed + besideForward(last)));
      const int32_t stored = inSlots(passed.outputBytes);
      offer(first, last, {std::max(need, stored), stored, next, 0}, next, next,
            forward);
      // The backward part of the next block does not read its input: nothing
      // is stored if that block is kept at once.
      if (!passed.outputIsBack) {
        Option option = keepOption(next, last, passed.outputBytes);
        option.need = std::max(option.need, need);
        offer(first, last, option, -next, next, forward);
      }
    }
  }

  /// Run a block once and keep what its backward part reads.
  Option keepOption(int32_t kept, int32_t last, int64_t inputBytes) const {
    const Block &block = blocks[size_t(kept)];
    const int32_t taken = inSlots(block.keptBytes);
    const int32_t need =
        std::max({inSlots(inputBytes + block.peakKept + besideForward(last)),
                  inSlots(block.keptBytes + block.besideWhile), taken});
    return {need, taken, kept + 1, forwardCost(kept, last)};
  }

  /// An option for [first, last], with `forward` spent on the way to it; blocks
  /// [first, again) come back afterwards.
  void offer(int32_t first, int32_t last, const Option &option, int32_t chosen,
             int32_t again, double forward) {
    for (int32_t memory = option.need; memory <= slots; ++memory) {
      double cost = forward + option.cost;
      if (option.rest <= last)
        cost += least[at(option.rest, last, memory - option.taken)];
      if (again > first)
        cost += least[at(first, again - 1, memory)];
      const size_t place = at(first, last, memory);
      if (cost < least[place]) {
        least[place] = cost;
        choice[place] = chosen;
      }
    }
  }

  /// `now` is the stage in which the range is run forward; -1: the forward
  /// pass.
  void unfold(int32_t first, int32_t last, int32_t memory, int32_t now,
              Retention &retention) const {
    while (first <= last) {
      const int32_t chosen = choice[at(first, last, memory)];
      if (chosen == 0) {
        keepBlock(first, now, retention);
        memory -= inSlots(blocks[size_t(first)].keptBytes);
        ++first;
        continue;
      }
      const int32_t next = std::abs(chosen);
      const Block &passed = blocks[size_t(next) - 1];
      if (chosen > 0) {
        keepFrom(graph, passed.last, std::max(now, passed.last),
                 blocks[size_t(next)].back, retention);
        unfold(next, last, memory - inSlots(passed.outputBytes), now,
               retention);
      } else {
        keepBlock(next, now, retention);
        unfold(next + 1, last, memory - inSlots(blocks[size_t(next)].keptBytes),
               now, retention);
      }
      last = next - 1;
      now = blocks[size_t(last)].back;
    }
  }

  void keepBlock(int32_t kept, int32_t now, Retention &retention) const {
    for (int32_t op : blocks[size_t(kept)].ops)
      keepFrom(graph, op, std::max(now, op), blocks[size_t(kept)].back,
               retention);
  }

  const StageGraph &graph;
  const std::vector<Block> &blocks;
  int32_t count, slots;
  int64_t slotBytes;
  std::vector<double> least; ///< By first block, last block and memory.
  /// 0: keep the first block; n: pass on to block n and store its input; -n:
  /// keep block n and store nothing.
  std::vector<int32_t> choice;
};
} // namespace

/// The plan of the program for one limit, measured.
static std::optional<RematPlan> planAt(const RematProblem &problem,
                                       const StageGraph &graph,
                                       const std::vector<Block> &blocks,
                                       int64_t limitBytes) {
  Rotor rotor(graph, blocks, limitBytes);
  if (!rotor.hasPlan())
    return std::nullopt;
  Retention retention = rotor.checkpoints();
  return measurePlan(problem, graph.expand(solveRows(graph, retention)));
}

llvm::Expected<RematPlan> memplan::solveRotor(const RematProblem &problem,
                                              const SolveLimits &limits) {
  llvm::Expected<RematPlan> all = solveCheckpointAll(problem, limits);
  if (!all || !all->schedule.runs.empty())
    return all;
  StageGraph graph(*problem.index, problem.inPlace);
  const std::vector<Block> blocks = makeBlocks(graph);
  const int64_t step = *problem.budgetBytes - graph.residentBytes();
  std::optional<RematPlan> best;
  // The program counts more than plans take, or less: move its limit.
  int64_t fits = 0, exceeds = 0;
  int64_t limit = step;
  for (int round = 0; round < tuning::roundsOfRotor && limit > 0; ++round) {
    std::optional<RematPlan> plan = planAt(problem, graph, blocks, limit);
    const bool isWithin = !plan || plan->peakBytes <= *problem.budgetBytes;
    if (plan && (!best || isBetter(problem, *plan, *best)))
      best = std::move(plan);
    (isWithin ? fits : exceeds) = limit;
    if (limits.stop && limits.stop->load())
      break;
    limit = exceeds == 0
                ? limit + std::max<int64_t>(limit / tuning::partsOfRaise, 1)
                : fits + (exceeds - fits) / 2;
    if (exceeds != 0 &&
        exceeds - fits <= std::max<int64_t>(step / tuning::partsOfClose, 1))
      break;
  }
  RematPlan plan =
      best ? planWithinBudget(problem, std::move(*best))
           : withoutPlan(problem, "no plan that runs blocks as a whole fits");
  if (blocks.size() == 1)
    plan.report.note = "the forward pass is one block: it has no articulation "
                       "point, so that there is nothing to choose";
  return plan;
}
