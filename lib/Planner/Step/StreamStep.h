//===- StreamStep.h - A planned step on several streams ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_STREAMSTEP_H
#define MEMPLAN_LIB_PLANNER_STEP_STREAMSTEP_H

#include "StreamPlanner.h"

namespace memplan {

class StepFront;

/// Plans on several streams for any budget, so that more budget never takes
/// longer there either: on the same walk as plans for one stream. A search at a
/// budget starts from what walks for one stream have found as far down, and
/// from the fastest plans on several that are known.
class StreamFront {
public:
  /// Both are kept by reference.
  StreamFront(const StepContext &context, StepFront &single)
      : StreamFront(context, single, /*mayCopy=*/true) {}

  /// All plans that count for the budget.
  llvm::Expected<FrontOf<StreamPlan>> plansFor(int64_t budget);

private:
  /// Without `mayCopy`: from plans on one stream that copy nothing.
  StreamFront(const StepContext &context, StepFront &single, bool mayCopy);

  using Walk = BudgetWalk<StreamPlan>;
  llvm::Expected<std::vector<StreamPlan>> search(const Walk::Place &place);
  llvm::Expected<std::vector<StreamPlan>> searchFrom(const ParetoFront &sources,
                                                     const StreamPlan *known,
                                                     int64_t bytes);
  llvm::Error addFrom(const ParetoFront &sources, int64_t bytes,
                      FrontOf<StreamPlan> &front);
  llvm::Error addLevels(int64_t leastBytes);
  llvm::Expected<FrontOf<StreamPlan>> walkTo(int64_t budget);
  llvm::Error addSpacious(int64_t budget, FrontOf<StreamPlan> &front);

  const StepContext &context;
  StepFront &single;
  const bool mayCopy;
  const StreamPlanner planner;
  /// How far a walk goes: levels before it, halvings, whether orders are
  /// searched, and the shares of a budget at which plans for one stream are
  /// taken, in percent.
  struct Breadth {
    int levels, depth;
    bool searches;
    llvm::ArrayRef<int64_t> sources;
  };
  static Breadth breadthOf(const StepContext &context);
  const Breadth breadth;
  const double leastTime;   ///< Proved: no plan is faster.
  int64_t mostBytes = 0;    ///< Bytes that plans for one stream have use of.
  FrontOf<StreamPlan> base; ///< Plans of all budgets.
  std::unique_ptr<Walk> walk;
  /// What is there where no copies are asked for: a plan that copies and is
  /// faster on one stream may be slower on several. Null: the same.
  std::unique_ptr<StreamFront> withoutCopies;
};

/// What any plan takes on so many streams, with copies or without.
double leastTimeOn(const GraphIndex &index, int64_t streams);

/// A plan for one stream, with copies or without, on the streams that the
/// options ask for. It keeps the budgets that the plan keeps: in the worst case
/// it takes the same bytes. One without steps stays as it is. `front` has plans
/// for other budgets; null: there is the one.
llvm::Expected<Plan> spreadOverStreams(const StepContext &context, Plan plan,
                                       StepFront *front);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_STREAMSTEP_H
