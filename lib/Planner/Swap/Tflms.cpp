//===- Tflms.cpp - Swapping by graph rewriting ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Le, Imai, Negishi, Kawachiya, "TFLMS: Large Model Support in TensorFlow by
// Graph Rewriting", 2018. The rewriting knows distances between ops and no
// bytes. Which distances are right is found as IBM's later versions find it, by
// trying them in a simulation: nothing where everything fits, else the largest
// threshold that fits, since fewer and longer swaps are cheaper; then, if asked
// for, the lb that is fastest. Where not even threshold 1 fits, tensors come
// back no earlier than their consumers run.
//
//===----------------------------------------------------------------------===//

#include "Tflms.h"
#include "PlaceCopies.h"
#include "Tuning.h"

using namespace memplan;

namespace {
class Tuner {
public:
  Tuner(const SwapProblem &problem, const SolveLimits &limits)
      : problem(problem), clock(limits), graph(problem), rewriter(graph) {}

  llvm::Expected<SwapPlan> tune();

private:
  struct Trial {
    SwapPlan plan;
    bool fits = false;
  };
  llvm::Expected<Trial> simulate(const SwapDistances &distances);
  llvm::Expected<std::optional<Trial>> findThreshold(SwapDistances &distances);
  /// The last of the thresholds, ascending, that fits.
  llvm::Expected<std::optional<Trial>>
  findLargest(const std::vector<int64_t> &thresholds, SwapDistances &distances);
  /// Takes another lb where that is faster and fits.
  llvm::Error findFastest(SwapDistances &distances, Trial &best);
  /// Takes the fewest tensors that fit, unless all of them are faster.
  llvm::Error findFewest(SwapDistances &distances, Trial &best);
  std::string describe(const SwapDistances &distances);

  const SwapProblem &problem;
  SolveClock clock;
  RunGraph graph;
  Rewriter rewriter;
  int64_t leastPeak = std::numeric_limits<int64_t>::max();
};
} // namespace

llvm::Expected<Tuner::Trial> Tuner::simulate(const SwapDistances &distances) {
  Trial trial;
  trial.plan.actions = placeCopies(graph, rewriter.rewrite(distances));
  if (llvm::Error error = measureSwap(*problem.index, trial.plan))
    return error;
  leastPeak = std::min(leastPeak, trial.plan.peakBytes);
  trial.fits =
      trial.plan.peakBytes <= problem.budgetBytes.value_or(leastPeak) ||
      !problem.budgetBytes;
  return trial;
}

llvm::Expected<std::optional<Tuner::Trial>>
Tuner::findLargest(const std::vector<int64_t> &thresholds,
                   SwapDistances &distances) {
  std::optional<Trial> best;
  size_t low = 0, high = thresholds.size();
  while (low < high && !(best && clock.isStopped())) {
    const size_t middle =
        high - low <= tuning::fewThresholds ? high - 1 : low + (high - low) / 2;
    SwapDistances tried = distances;
    tried.threshold = thresholds[middle];
    llvm::Expected<Trial> trial = simulate(tried);
    if (!trial)
      return trial.takeError();
    if (!trial->fits) {
      high = middle;
      continue;
    }
    low = middle + 1;
    best = std::move(*trial);
    distances = tried;
  }
  return best;
}

llvm::Error Tuner::findFastest(SwapDistances &distances, Trial &best) {
  // Every lb at first, then each half as large again.
  for (int64_t lb = 2; lb <= rewriter.highestLevel() && !clock.isStopped();
       lb += std::max<int64_t>(lb < tuning::everyDistance ? 1 : lb / 2, 1)) {
    SwapDistances tried = distances;
    tried.lb = lb;
    llvm::Expected<Trial> trial = simulate(tried);
    if (!trial)
      return trial.takeError();
    if (trial->fits && trial->plan.time < best.plan.time) {
      best = std::move(*trial);
      distances = tried;
    }
  }
  return llvm::Error::success();
}

llvm::Error Tuner::findFewest(SwapDistances &distances, Trial &best) {
  int64_t fails = -1;
  auto fits = int64_t(rewriter.rewrite(distances).swapped.size());
  while (fits - fails > 1 && !clock.isStopped()) {
    SwapDistances tried = distances;
    tried.mostTensors = fails + (fits - fails) / 2;
    llvm::Expected<Trial> trial = simulate(tried);
    if (!trial)
      return trial.takeError();
    (trial->fits ? fits : fails) = *tried.mostTensors;
    if (trial->fits && trial->plan.time <= best.plan.time) {
      best = std::move(*trial);
      distances = tried;
    }
  }
  return llvm::Error::success();
}

llvm::Expected<std::optional<Tuner::Trial>>
Tuner::findThreshold(SwapDistances &distances) {
  // An edge is rewritten above the threshold, so that all that matter lie one
  // below a distance, or at the largest.
  std::vector<int64_t> thresholds;
  for (int64_t distance : rewriter.distances())
    thresholds.push_back(distance - 1);
  if (!rewriter.distances().empty())
    thresholds.push_back(rewriter.distances().back());
  else
    thresholds.push_back(1);
  return findLargest(thresholds, distances);
}

std::string Tuner::describe(const SwapDistances &distances) {
  const Rewriting rewriting = rewriter.rewrite(distances);
  const size_t ins = rewriting.numSwapIns();
  const size_t alone = rewriting.numWithoutControl();
  if (rewriting.swapped.empty())
    return "no tensor is swapped";
  std::string text = "threshold " + std::to_string(distances.threshold) +
                     ", lb " + std::to_string(distances.lb) + ": " +
                     std::to_string(rewriting.swapped.size()) + " tensors, " +
                     std::to_string(ins) + " swap-ins";
  if (alone > 0)
    text += ", " + std::to_string(alone) +
            " of them without a control op and placed before their consumers";
  if (problem.tflms.codec != "none")
    text += "; what they copy is encoded as " + problem.tflms.codec +
            ", which loses bits";
  return text;
}

llvm::Expected<SwapPlan> Tuner::tune() {
  const TflmsParameters &parameters = problem.tflms;
  SwapDistances distances{parameters.threshold.value_or(1),
                          parameters.lb.value_or(1)};
  std::optional<Trial> best;
  // Only a budget is a reason to tune.
  const bool isTuned = problem.budgetBytes && !parameters.threshold;
  for (bool isLate : {false, true}) {
    distances.isLate = isLate;
    if (isTuned) {
      llvm::Expected<std::optional<Trial>> found = findThreshold(distances);
      if (!found)
        return found.takeError();
      best = std::move(*found);
    } else {
      llvm::Expected<Trial> trial = simulate(distances);
      if (!trial)
        return trial.takeError();
      if (trial->fits)
        best = std::move(*trial);
    }
    if (best || !isTuned)
      break;
  }
  SwapPlan plan;
  if (!best) {
    plan.report.status = SolveStatus::NoPlan;
    plan.report.note = "swapping leaves " + std::to_string(leastPeak) +
                       " live bytes at the least: " + describe(distances);
    return plan;
  }
  if (!parameters.lb && !distances.isLate)
    if (llvm::Error error = findFastest(distances, *best))
      return error;
  if (!parameters.nTensors && problem.budgetBytes)
    if (llvm::Error error = findFewest(distances, *best))
      return error;
  plan = std::move(best->plan);
  plan.report.note = describe(distances);
  return plan;
}

llvm::Expected<SwapPlan> memplan::solveTflms(const SwapProblem &problem,
                                             const SolveLimits &limits) {
  return Tuner(problem, limits).tune();
}
