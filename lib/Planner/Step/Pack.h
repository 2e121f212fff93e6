//===- Pack.h - From a schedule to offsets ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_PACK_H
#define MEMPLAN_LIB_PLANNER_STEP_PACK_H

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Planner/Step/Buffers.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Planner/Swap/SwapProblem.h"

namespace memplan {

/// The solvers that PlanOptions names.
struct StepSolvers {
  const RematSolver *remat = nullptr;
  const OrderSolver *order = nullptr;
  const SharingSolver *sharing = nullptr;
  const ArenaSolver *arena = nullptr;
  const SwapSolver *swap = nullptr;
};

/// Whether runs go side by side: on several streams, or on one and on that of
/// nodes that communicate. A plan of live bytes is for one stream.
inline bool isSideBySide(const Graph &graph, const PlanOptions &options) {
  return options.arena != noArena().name &&
         (options.streams > 1 || graph.communicates());
}

/// Whether the sharing solver decides what shares bytes, not offsets alone.
inline bool sharesStorages(const StepSolvers &solvers) {
  return solvers.sharing->traits.family != SolverFamily::Baseline;
}

/// Whether nodes have to run for the first time in the order in which they
/// stand.
inline bool keepsSourceOrder(const StepSolvers &solvers) {
  return solvers.order &&
         solvers.order->traits.family == SolverFamily::Baseline;
}

/// Offsets that are known, by buffer of a list of actions; empty: they are not.
using OffsetsOf = llvm::function_ref<std::vector<int64_t>(
    llvm::ArrayRef<PlanAction>, const StepBuffers &)>;

/// A list of actions on its way to offsets: the one packer.
class ActionPacker {
public:
  ActionPacker(const GraphIndex &index, std::vector<PlanAction> actions,
               StepBuffers buffers)
      : index(index), actions(std::move(actions)), buffers(std::move(buffers)) {
  }

  /// Lets offsets within that many device bytes, and the host's budget, count
  /// only. False where there are none.
  bool setBudget(int64_t deviceBytes);
  /// Lets the arena solver end at offsets within that many device bytes, and
  /// the host's budget.
  void setEnough(int64_t deviceBytes);
  /// Empty where the budget is not met.
  llvm::Expected<std::optional<PackedPlan>> pack(const ArenaSolver &solver,
                                                 const SolveLimits &limits);
  /// The same at these offsets; empty where they do not hold.
  llvm::Expected<std::optional<PackedPlan>> packAt(OffsetsOf offsetsOf);
  /// Lists of a verified schedule have these, and are not replayed.
  void setTotals(double cost, int64_t peakBytes) { totals = {cost, peakBytes}; }

private:
  int64_t besideBytes() const;
  llvm::Expected<std::optional<PackedPlan>> countLiveBytes();
  llvm::Expected<std::optional<PackedPlan>> placeAt(const ArenaPlan &offsets,
                                                    llvm::StringRef solver);

  const GraphIndex &index;
  std::vector<PlanAction> actions;
  StepBuffers buffers;
  std::optional<std::pair<double, int64_t>> totals;
  std::optional<int64_t> mostBytes;
};

/// The plan of a list with arenas; without `totals`, replayed and verified.
/// `boundBytes` are those that any offsets need in the arena.
llvm::Expected<PackedPlan>
packWithArenas(const GraphIndex &index, std::vector<PlanAction> actions,
               std::vector<PlanArena> arenas, int64_t boundBytes,
               const std::optional<std::pair<double, int64_t>> &totals,
               llvm::StringRef solver);

/// Live ranges, storages, buffers and offsets for a schedule without its runs
/// in vain, with the report of its solver. Leaves the graph's hash and the
/// budget open. `limits` are those of sharing and packing. Fewer device bytes
/// than `enoughBytes` are of no use.
llvm::Expected<PackedPlan>
packStep(const GraphIndex &index, RematPlan remat, const StepSolvers &solvers,
         const PlanOptions &options, const SolveLimits &limits,
         std::optional<int64_t> enoughBytes = std::nullopt);

/// The same within that many device bytes, which the arena solver knows, so
/// that it looks for nothing else; empty if it does not come to that.
llvm::Expected<std::optional<PackedPlan>>
packStepWithin(const GraphIndex &index, RematPlan remat, int64_t targetBytes,
               const StepSolvers &solvers, const PlanOptions &options,
               const SolveLimits &limits);

/// The same at offsets that are known; empty where they do not hold.
llvm::Expected<std::optional<PackedPlan>>
packStepAt(const GraphIndex &index, RematPlan remat, const StepSolvers &solvers,
           const PlanOptions &options, const SolveLimits &limits,
           OffsetsOf offsetsOf);

/// What a solver says of its plan, in the plan.
void setReport(const SolveReport &report, Plan &plan);
/// What setReport() put there.
SolveReport reportOf(const Plan &plan);
/// The schedule that was packed: without copies.
RematPlan rematPlanOf(const Plan &plan);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_PACK_H
