//===- BlockChain.cpp - The forward pass as a chain of blocks -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockChain.h"
#include "Tuning.h"
#include "memplan/Planner/Remat/Baselines.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include <algorithm>

using namespace memplan;

namespace {
/// Bytes without recomputation of what is not made in the forward pass.
struct Beside {
  std::vector<int64_t> before; ///< By stage: when it begins.
  std::vector<int64_t> during; ///< By stage: while its op runs.
};
} // namespace

static Beside bytesBeside(const StageGraph &graph) {
  std::vector<int64_t> made(size_t(graph.numStages()) + 1, 0), freed = made;
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    const StepValue &entry = graph.values()[value];
    if (graph.ops()[entry.producer].forward)
      continue;
    made[size_t(entry.producer)] += entry.bytes;
    freed[size_t(graph.lastUser(value)) + 1] += entry.bytes;
  }
  Beside beside;
  int64_t live = 0;
  for (int32_t stage = 0; stage < graph.numStages(); ++stage) {
    live -= freed[size_t(stage)];
    beside.before.push_back(live);
    live += made[size_t(stage)];
    const StepOp &op = graph.ops()[stage];
    // One output over an input at most is counted on.
    int64_t saved = 0;
    for (auto [output, input] : op.inPlace)
      if (graph.lastUser(input) == stage)
        saved = std::max(saved, graph.values()[output].bytes);
    beside.during.push_back(op.forward ? live
                                       : live + op.workspaceBytes - saved);
  }
  return beside;
}

/// Runs the block alone, freeing what nothing in or after it reads, and with
/// `keep` nothing that the backward pass reads.
static int64_t peakOf(const StageGraph &graph, const Block &block, bool keep) {
  int64_t live = 0, peak = 0;
  for (int32_t op : block.ops) {
    live += graph.bytesMade(op);
    peak = std::max(peak, live + graph.ops()[op].workspaceBytes);
    auto isOver = [&](int32_t value) {
      if (graph.values()[value].producer == block.last ||
          (keep && graph.isReadBackward(value)))
        return false;
      return graph.lastForwardUser(value) == op;
    };
    for (int32_t value : graph.ops()[op].inputs)
      if (graph.values()[value].producer >= block.first && isOver(value))
        live -= graph.values()[value].bytes;
    for (int32_t value : graph.ops()[op].outputs)
      if (isOver(value))
        live -= graph.values()[value].bytes;
  }
  return peak;
}

/// Cost of the ops that the backward pass needs again if the output is live.
static double insideCost(const StageGraph &graph, const Block &block) {
  double cost = 0;
  std::vector<int32_t> needed; // Values, of ops still to come.
  for (size_t i = block.ops.size(); i-- > 0;) {
    const int32_t op = block.ops[i];
    if (op == block.last || graph.ops()[op].runsOnce)
      continue;
    bool isNeeded = false;
    for (int32_t value : graph.ops()[op].outputs)
      isNeeded |=
          graph.isReadBackward(value) ||
          std::find(needed.begin(), needed.end(), value) != needed.end();
    if (!isNeeded)
      continue;
    cost += graph.ops()[op].cost;
    const std::vector<int32_t> &inputs = graph.ops()[op].inputs;
    needed.insert(needed.end(), inputs.begin(), inputs.end());
  }
  return cost;
}

static void measureBlock(const StageGraph &graph, Block &block) {
  block.first = block.ops.front();
  block.last = block.ops.back();
  block.outputBytes = graph.bytesMade(block.last);
  block.back = graph.numStages();
  block.cost = 0;
  block.keptBytes = 0;
  for (int32_t op : block.ops) {
    block.cost += graph.ops()[op].runsOnce ? 0 : graph.ops()[op].cost;
    if (op != block.last)
      block.back = std::min(block.back, comesBack(graph, op));
    for (int32_t value : graph.ops()[op].outputs)
      if (op == block.last || graph.isReadBackward(value))
        block.keptBytes += graph.values()[value].bytes;
  }
  block.insideCost = insideCost(graph, block);
  const int32_t outputBack = comesBack(graph, block.last);
  if (block.back == graph.numStages())
    block.back = outputBack; // Nothing inside is read again.
  block.outputIsBack = outputBack < block.back;
  block.peakKept = peakOf(graph, block, /*keep=*/true);
  block.peakFreed = peakOf(graph, block, /*keep=*/false);
}

/// At most so many, evenly spread: the dynamic program is cubic in them.
static Checkpoints boundaries(const StageGraph &graph) {
  const Checkpoints points = articulationCandidates(graph);
  const size_t group = points.size() / tuning::mostBoundaries + 1;
  Checkpoints chosen;
  for (size_t i = group - 1; i < points.size(); i += group)
    chosen.push_back(points[i]);
  return chosen;
}

/// The backward pass goes from the last block to the first; blocks that it does
/// not tell apart are one.
static void joinThoseThatComeBackTogether(const StageGraph &graph,
                                          std::vector<Block> &blocks) {
  std::vector<Block> joined; // The last block first.
  for (size_t i = blocks.size(); i-- > 0;) {
    Block &block = blocks[i];
    if (!joined.empty() &&
        (block.back == graph.numStages() || block.back <= joined.back().back)) {
      block.ops.insert(block.ops.end(), joined.back().ops.begin(),
                       joined.back().ops.end());
      const int32_t back = joined.back().back;
      measureBlock(graph, block);
      block.back = std::min(block.back, back);
      joined.pop_back();
    }
    joined.push_back(std::move(block));
  }
  blocks.assign(std::make_move_iterator(joined.rbegin()),
                std::make_move_iterator(joined.rend()));
}

std::vector<Block> memplan::makeBlocks(const StageGraph &graph) {
  const Checkpoints points = boundaries(graph);
  std::vector<Block> blocks(1);
  size_t next = 0;
  for (int32_t op = 0; op < graph.numStages(); ++op) {
    if (!graph.ops()[op].forward)
      continue;
    blocks.back().ops.push_back(op);
    if (next < points.size() && points[next] == op) {
      ++next;
      blocks.emplace_back();
    }
  }
  if (blocks.back().ops.empty())
    blocks.pop_back();
  for (Block &block : blocks)
    measureBlock(graph, block);
  joinThoseThatComeBackTogether(graph, blocks);
  const Beside beside = bytesBeside(graph);
  for (size_t i = 0; i < blocks.size(); ++i) {
    Block &block = blocks[i];
    if (block.back >= graph.numStages())
      continue;
    block.besideBefore = beside.before[size_t(block.back)];
    const int32_t end = i > 0 ? std::max(blocks[i - 1].back, block.back + 1)
                              : graph.numStages();
    for (int32_t stage = block.back; stage < end; ++stage)
      block.besideWhile =
          std::max(block.besideWhile, beside.during[size_t(stage)]);
  }
  return blocks;
}
