//===- Prove.h - Bounds for plans that were chosen --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_PROVE_H
#define MEMPLAN_LIB_PLANNER_STEP_PROVE_H

#include "PlanningContext.h"

namespace memplan {

/// How much a proof for one budget may take: visits of bounds, and of branch
/// and bound where the step is small.
struct ProofEffort {
  int64_t visits = 0;
  int64_t visitsToClose = 0;

  ProofEffort dividedBy(int64_t parts) const {
    return {std::max<int64_t>(1, visits / parts),
            std::max<int64_t>(1, visitsToClose / parts)};
  }
};
ProofEffort effortOfProof(const PlanOptions &options);
/// The same for what recomputation costs, which takes more on a large step.
ProofEffort effortOfCost(const GraphIndex &index, const PlanOptions &options);

/// Whether what is proved of `boundSpace` holds for that plan, as far as that
/// is known: a search knows no stages, and where first runs moved, or were left
/// out since they were in vain, the plan is outside the order of the nodes.
bool isInSpace(const StepContext &context, const Plan &plan,
               llvm::StringRef boundSpace);

/// The bound for a plan that was made for another budget, whose bound says
/// nothing of this one.
SolveReport proveFor(const StepContext &context, int64_t budget,
                     const PackedPlan &best, const ProofEffort &effort);

/// A bound on the time of plans that only recompute, in the order of the step.
/// It need not go far beyond `time`. Plans that leave out first runs in vain
/// may be faster.
double boundAlone(const StepContext &context, int64_t budget, double time,
                  int64_t visits);

/// Proves that no plan keeps the budget in the order of a small step, if that
/// is quick; false where it is not proved.
bool proveInfeasible(const StepContext &context, int64_t budget,
                     const ProofEffort &effort,
                     std::optional<SolveReport> &report);

/// Claims what is proved of the time of plans on one stream within the plan's
/// budget, whatever they copy. The caller's tensors stay on the device, unless
/// the plan itself moves some to the host.
void claimTime(const StepContext &context, Plan &plan);
/// The same plan for the step in another order: as much of its claim as holds
/// there too.
void lowerTimeBound(const GraphIndex &given, const PlanOptions &options,
                    const ProofEffort &effort, Plan &plan);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_PROVE_H
