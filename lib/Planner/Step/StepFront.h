//===- StepFront.h - The plans of a step, for any budget --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kinds of plans the options ask for is decided here and nowhere else:
// plans of a solver or of searches that recompute, with copies or without. A
// plan for a budget, the least budget and a curve are three readings of one
// front.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_STEPFRONT_H
#define MEMPLAN_LIB_PLANNER_STEP_STEPFRONT_H

#include "FewTurns.h"
#include "PlanSpace.h"
#include "Prove.h"
#include "WalkBeside.h"

namespace memplan {

class StepFront {
public:
  /// The context is kept by reference.
  explicit StepFront(const StepContext &context) : context(context) {}

  /// All plans on one stream that count for the budget; where none keeps it,
  /// those on the way to the smallest one. Walks end at `lastDepth`.
  llvm::Expected<ParetoFront>
  plansFor(int64_t budget, int lastDepth = std::numeric_limits<int>::max());
  /// Plans that those on several streams begin with. Where first runs may leave
  /// the order, all of them may: one walk does, and what it leads to is never
  /// slower than with order=search.
  llvm::Expected<ParetoFront> sourcesFor(int64_t budget, int lastDepth,
                                         bool mayCopy);
  /// The plan of fewest device bytes, if there is any plan.
  llvm::Expected<std::optional<PackedPlan>>
  smallest(int lastDepth = std::numeric_limits<int>::max());

  /// The best plan within the budget, on the streams that the options ask for,
  /// or one without steps that says why there is none.
  llvm::Expected<Plan> planWithin(int64_t budget);
  llvm::Expected<Plan> planWithoutLimit();
  /// The same plan with what is proved of it within the budget.
  llvm::Expected<Plan> finish(PackedPlan packed, std::optional<int64_t> budget,
                              const std::optional<SolveReport> &report) const;

  /// Ends of what walks to such sources look at.
  llvm::Expected<std::pair<int64_t, int64_t>> rangeOfSources(bool mayCopy);

private:
  /// Beside a free order are plans in the order of the step. `Recomputation` is
  /// left for last where copies may be faster.
  /// `AllTurns` is walked where plans of few turns do not serve for all.
  enum class Role {
    Any,
    BesideFreeOrder,
    Recomputation,
    CopiesAlone,
    FewTurns,
    AllTurns
  };
  /// An answer has its cost proved anyway, before a walk that may be in vain.
  enum class Purpose { Any, Answer, Streams, StreamsWithoutCopies };
  using MakeSpace = std::function<llvm::Expected<PlanSpace>()>;
  struct Kind {
    const StepContext *within;
    Role role;
    bool mayCopy;
    std::unique_ptr<SpaceWalk> walk; ///< Null before open().
    MakeSpace make;                  ///< For open().
  };
  llvm::Error prepare();
  void addStarts(ParetoFront &front) const;
  llvm::Error addRecomputation();
  void findFewTurns();
  llvm::Error addFewTurns();
  const StepContext &contextBeside();
  bool isBeside(const Kind &kind) const {
    return beside && kind.within == &beside->context();
  }
  void walkBeside(int64_t budget, int lastDepth, Purpose purpose,
                  const ParetoFront &front);
  static bool isForStreams(Purpose purpose);
  static bool isFor(const Kind &kind, Purpose purpose);
  llvm::Error addPartsOfRules();
  void addCopies(int64_t packedBytes);
  void add(const StepContext &within, PlanSpace space, Role role = Role::Any,
           bool mayCopy = false, MakeSpace make = {});
  MakeSpace recomputation(const StepContext &within) const;
  llvm::Error open(Kind &kind);
  bool isWanted(const Kind &kind, int64_t budget, Purpose purpose,
                const ParetoFront &front);
  bool mayWin(const Kind &kind, int64_t budget, const ParetoFront &front) const;
  bool losesAlone(int64_t budget, const ParetoFront &front);
  bool isProvedBest(int64_t budget, const PackedPlan &best);
  SolveReport prove(int64_t budget, const PackedPlan &best);
  llvm::Expected<ParetoFront> gather(int64_t budget, int lastDepth,
                                     Purpose purpose);
  static llvm::Error addCheckpoints(const StepContext &context, int64_t budget,
                                    ParetoFront &front);
  llvm::Error addQuickPlan(int64_t budget, ParetoFront &front) const;
  llvm::Error addUnstopped(int64_t budget, ParetoFront &front) const;
  llvm::Error addByRules(int64_t budget, PlanOptions options,
                         ParetoFront &front) const;
  void addInstead(PackedPlan packed, ParetoFront &front) const;
  llvm::Expected<Attempts> walkWithin(int64_t budget);
  llvm::Expected<Attempts> findInTime(int64_t budget);
  llvm::Expected<Attempts> recomputeInTime(const StepContext &within,
                                           int64_t budget);
  llvm::Expected<Attempts> recomputeTurnsInTime(const StepContext &within,
                                                int64_t budget);
  llvm::Error copyInTime(int64_t budget, ParetoFront &front);
  llvm::Expected<Plan> explain(int64_t budget, Attempts tried);

  const StepContext &context;
  /// As `context`, for first runs that may leave the order; null where they are
  /// not to.
  std::unique_ptr<const StepContext> freeOrder;
  /// As `context`, for copies by rules between nodes that run once.
  std::unique_ptr<const StepContext> rulesAlone;
  /// The step with one of many turns that are alike, and its context; null
  /// where there are none.
  std::shared_ptr<const FewTurns> fewTurns;
  std::unique_ptr<const StepContext> contextOfFew;
  /// Whether a plan of theirs was not one of the whole step.
  bool needsAllTurns = false;
  bool isPrepared = false;
  std::vector<Kind> kinds;
  /// Walks one of the kinds on a second thread; null where there is none. It
  /// ends before the walks do.
  std::unique_ptr<WalkBeside> beside;
  int64_t bytesOfUnplanned = 0; ///< Packed, without recomputation.
  /// The last proof, which asking again would repeat.
  struct Proved {
    int64_t budgetBytes;
    double cost;
    SolveReport report;
  };
  std::optional<Proved> lastProved;
};

/// The smallest plan of the front, and the fastest within the budget.
Attempts readFront(const ParetoFront &front, int64_t budget);

/// Why there is no plan within the budget: proved by what has to be live,
/// proved by the solver in its space, or not proved.
Plan explainFailure(const StepContext &context, int64_t budget,
                    const Attempts &tried);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_STEPFRONT_H
