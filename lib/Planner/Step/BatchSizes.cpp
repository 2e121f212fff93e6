//===- BatchSizes.cpp - Bytes as functions of the batch -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchSizes.h"
#include "Tuning.h"
#include "memplan/Plan/BatchPlan.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

static llvm::Expected<Graph> checkedStep(const StepAtBatch &stepAt,
                                         int64_t batch) {
  llvm::Expected<Graph> step = stepAt(batch);
  if (!step)
    return step.takeError();
  if (llvm::Error error = step->check())
    return error;
  return step;
}

static llvm::Error
readTensors(const std::vector<std::pair<int64_t, const Graph *>> &steps,
            BatchRange &range) {
  const Graph &most = *steps.front().second, &least = *steps.back().second;
  const int64_t samples = steps.front().first - steps.back().first;
  range.bytesPerSample.resize(most.tensors.size());
  for (size_t i = 0; i < most.tensors.size() && samples > 0; ++i)
    if (i < least.tensors.size() && !most.tensors[i].viewOf)
      range.bytesPerSample[i] =
          std::max<int64_t>(0, most.tensors[i].bytes - least.tensors[i].bytes) /
          samples;
  range.stepHash = hashStep(most, range, range.most());
  for (const auto &[batch, step] : steps) {
    if (step->tensors.size() != most.tensors.size() ||
        step->nodes.size() != most.nodes.size())
      return llvm::createStringError(
          "the step at batch " + llvm::Twine(batch) + " has " +
          llvm::Twine(step->tensors.size()) + " tensors and " +
          llvm::Twine(step->nodes.size()) + " nodes, that at batch " +
          llvm::Twine(range.most()) + " has " +
          llvm::Twine(most.tensors.size()) + " and " +
          llvm::Twine(most.nodes.size()));
    for (size_t i = 0; i < step->tensors.size(); ++i)
      if (const int64_t wanted = range.affine(
              batch, {most.tensors[i].bytes, range.bytesPerSample[i]});
          !step->tensors[i].viewOf && step->tensors[i].bytes != wanted)
        return llvm::createStringError(
            describe(most, TensorId(i)) + " takes " +
            llvm::Twine(most.tensors[i].bytes) + " bytes at batch " +
            llvm::Twine(range.most()) + ", " +
            llvm::Twine(least.tensors[i].bytes) + " at " +
            llvm::Twine(steps.back().first) + " and " +
            llvm::Twine(step->tensors[i].bytes) + " at " + llvm::Twine(batch) +
            ", which is no A + B * batch that grows with the batch; plan each "
            "batch by itself");
    if (hashStep(*step, range, batch) != range.stepHash)
      return llvm::createStringError(
          "the steps at batches " + llvm::Twine(batch) + " and " +
          llvm::Twine(range.most()) + " differ in more than bytes");
  }
  for (size_t i = 0; i < most.tensors.size(); ++i)
    if (range.affine(range.least(),
                     {most.tensors[i].bytes, range.bytesPerSample[i]}) < 0)
      return llvm::createStringError(
          describe(most, TensorId(i)) + " takes " +
          llvm::Twine(most.tensors[i].bytes) + " bytes at batch " +
          llvm::Twine(range.most()) + " and " +
          llvm::Twine(range.bytesPerSample[i]) +
          " for each sample: less than nothing at batch " +
          llvm::Twine(range.least()));
  return llvm::Error::success();
}

/// At batch 1 a slice along another dimension is dense, and a view.
static bool hasOtherViews(const Graph &step, const Graph &most) {
  for (size_t i = 0; i < step.tensors.size() && i < most.tensors.size(); ++i)
    if (step.tensors[i].viewOf && !most.tensors[i].viewOf)
      return true;
  return false;
}

static int64_t mostScratch(const Node &node) {
  int64_t bytes = node.workspaceBytes;
  for (const NodeVariant &variant : node.variants)
    bytes = std::max(bytes, variant.workspaceBytes);
  return bytes;
}

static bool takesScratch(const Graph &graph) {
  return llvm::any_of(graph.nodes,
                      [](const Node &node) { return mostScratch(node) > 0; });
}

static llvm::Error readScratch(const StepAtBatch &stepAt, BatchSteps &found) {
  BatchRange &range = found.range;
  const size_t nodes = found.most().nodes.size();
  range.scratch.resize(nodes);
  if (llvm::none_of(found.steps,
                    [](const auto &at) { return takesScratch(at.second); }))
    return llvm::Error::success();
  const int64_t stride =
      (range.most() - range.least()) / tuning::mostAskedBatches + 1;
  // By node: at each of these batches.
  std::vector<int64_t> batches;
  std::vector<std::vector<int64_t>> bytes(nodes);
  for (int64_t batch = range.most(); batch >= range.least();
       batch = batch == range.least()
                   ? 0
                   : std::max(range.least(), batch - stride)) {
    llvm::Expected<Graph> step = checkedStep(stepAt, batch);
    if (!step)
      return step.takeError();
    if (step->nodes.size() != nodes)
      return llvm::createStringError("the step at batch " + llvm::Twine(batch) +
                                     " has other nodes");
    batches.push_back(batch);
    for (size_t n = 0; n < nodes; ++n)
      bytes[n].push_back(mostScratch(step->nodes[n]));
  }
  for (size_t n = 0; n < nodes; ++n) {
    BatchBytes &scratch = range.scratch[n];
    scratch.most = *llvm::max_element(bytes[n]);
    int64_t perSample = scratch.most;
    for (size_t b = 0; b < batches.size(); ++b)
      if (batches[b] < range.most())
        perSample = std::min(perSample, (scratch.most - bytes[n][b]) /
                                            (range.most() - batches[b]));
    scratch.perSample = range.most() > range.least() ? perSample : 0;
  }
  return llvm::Error::success();
}

llvm::Expected<BatchSteps> memplan::readBatchSizes(const StepAtBatch &stepAt,
                                                   int64_t least,
                                                   int64_t most) {
  if (least < 1 || least > most)
    return llvm::createStringError("there are no batches from " +
                                   llvm::Twine(least) + " to " +
                                   llvm::Twine(most));
  BatchSteps found;
  // Each half of the one above, so that what bends there costs little at any.
  for (int64_t batch = most; batch > least; batch /= 2)
    found.range.breakpoints.push_back(batch);
  found.range.breakpoints.push_back(least);
  std::reverse(found.range.breakpoints.begin(), found.range.breakpoints.end());
  for (int64_t batch : {most, std::max(least, most / 2), least}) {
    if (!found.steps.empty() && found.steps.back().first == batch)
      continue;
    llvm::Expected<Graph> step = checkedStep(stepAt, batch);
    if (!step)
      return step.takeError();
    found.steps.push_back({batch, std::move(*step)});
  }
  std::vector<std::pair<int64_t, const Graph *>> alike;
  for (const auto &[batch, step] : found.steps)
    alike.push_back({batch, &step});
  std::optional<Graph> above;
  if (least == 1 && most > 2 &&
      hasOtherViews(found.steps.back().second, found.most())) {
    // The step at 2 shows what it would be without these views.
    alike.pop_back();
    if (alike.back().first != 2) {
      llvm::Expected<Graph> step = checkedStep(stepAt, 2);
      if (!step)
        return step.takeError();
      above = std::move(*step);
      alike.push_back({2, &*above});
    }
  }
  if (llvm::Error error = readTensors(alike, found.range))
    return error;
  if (llvm::Error error = readScratch(stepAt, found))
    return error;
  return found;
}
