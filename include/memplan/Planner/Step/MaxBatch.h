//===- MaxBatch.h - The largest batch that fits -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checkmate's second experiment (Jain et al., MLSys 2020, 5.3): the largest
// batch whose step fits a budget. Recomputation costs at most one more forward
// pass, equation (7). Here the step is made anew for every batch, so that
// sizes, workspaces and costs need not be linear in it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_MAXBATCH_H
#define MEMPLAN_PLANNER_STEP_MAXBATCH_H

#include "memplan/Planner/Step/PlanStep.h"

namespace memplan {

/// What is asked of a batch besides that its step fits the budget.
struct BatchLimit {
  enum class Kind {
    Forward,   ///< Costs at most those of the unplanned step and one more
               ///< forward pass.
    Slowdown,  ///< At most so many times the cost of the unplanned step.
    Any,       ///< Whatever it costs.
    PerSample, ///< The least cost for each sample, not the largest batch.
  };
  Kind kind = Kind::Forward;
  double slowdown = 1;
  /// What every run takes beside its cost, for PerSample: batches are compared
  /// by what launches take, too, which costs of a roofline lack.
  double launchCost = 0;

  /// "forward", "any", "per-sample" or a number of at least 1.
  static llvm::Expected<BatchLimit> parse(llvm::StringRef text);
};

/// A batch that was tried.
struct TriedBatch {
  int64_t batch = 0;
  double unplannedCost = 0; ///< Cost of the step without recomputation.
  double allowedCost = 0;   ///< By the limit.
  double sampleCost = 0;    ///< Time for each sample, launches included.
  bool isEstimated = false; ///< Some costs are not measured nor between.
  bool isRefused = false;   ///< By MaxBatchWatch::confirm.
  Plan plan;                ///< May have no steps.

  bool hasPlan() const { return !plan.steps.empty(); }
  /// Copies count, and what streams save.
  bool isAllowed() const {
    return hasPlan() && !isRefused &&
           plan.makespan() <= allowedCost * (1 + 1e-9);
  }
};

/// What a search for batches tells and asks.
struct MaxBatchWatch {
  /// Hears of every batch as soon as it was tried; may be empty.
  std::function<void(const TriedBatch &)> tried;
  /// Plans a batch as it will be run, and leaves that plan in it, or one
  /// without steps. Only a batch that is still allowed then is chosen. May be
  /// empty.
  std::function<llvm::Error(TriedBatch &)> confirm;
};

struct MaxBatch {
  std::vector<TriedBatch> tried; ///< Ascending, each batch once.
  /// Place of the batch in `tried`: unset where not even one sample fits.
  std::optional<size_t> best;
};

/// The step for a batch; costs are set.
using StepAtBatch = std::function<llvm::Expected<Graph>(int64_t batch)>;

/// Doubles the batch from `first` while it is allowed (or halves it until it
/// is), then bisects. The result is allowed and confirmed. The next larger
/// batch was tried and is not allowed. For the cost per sample the batches of a
/// grid are tried, and what lies beside the best until its neighbours were.
/// Needs a budget in bytes.
llvm::Expected<MaxBatch> maxBatch(const StepAtBatch &stepAt, int64_t first,
                                  const PlanOptions &options,
                                  const BatchLimit &limit,
                                  const MaxBatchWatch &watch = {});

/// Cost of the forward pass: nodes that run before the loss and read nothing of
/// the backward pass.
double forwardCost(const GraphIndex &index);

/// Costs measured at some batches. Between two of them costs of nodes are
/// interpolated, one by one; beyond them nothing is.
class BatchCosts {
public:
  /// A step whose costs were measured. Errors where its nodes are not those of
  /// the others.
  llvm::Error add(int64_t batch, Graph step);
  /// Sets the costs of `step` by its neighbours. False where it lies beyond
  /// the measured batches: it is left as it is.
  llvm::Expected<bool> apply(int64_t batch, Graph &step) const;
  bool isEmpty() const { return measured.empty(); }

private:
  std::vector<std::pair<int64_t, Graph>> measured; ///< By batch, ascending.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_MAXBATCH_H
