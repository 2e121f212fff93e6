//===- Family.cpp - Plans for a ladder of budgets -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Family.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Remat/WorkingSet.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include <algorithm>

using namespace memplan;

void Family::setRungs() {
  const int64_t nodes =
      std::max<int64_t>(1, int64_t(context.index.graph().nodes.size()));
  rungs.lowestBytes =
      largestWorkingSet(context.index, context.options.inPlace).bytes;
  rungs.highestBytes = front.all().rbegin()->first;
  rungs.count = std::clamp<int64_t>(nodes / 2, 2, 8);
  rungs.finer = 15;
  // Each rung takes a quarter of what a search for one budget may; the finer
  // ones start from a plan that is nearly theirs.
  const int64_t asked = context.options.limits.effort;
  rungs.effort = asked > 0 ? std::max<int64_t>(1, asked / 4)
                           : std::clamp<int64_t>(400 * nodes, 40'000, 250'000);
  rungs.effortFromStart = std::max<int64_t>(1, rungs.effort / 8);
  // Small steps may be nothing like a network: where the rung above is no help,
  // a plan takes about so many moves.
  if (asked <= 0 && nodes <= 200)
    rungs.effortFromStart = 15'000;
}

/// Plans for that many device bytes; says whether the solver has a plan whose
/// live bytes keep them. A cheaper plan than `leastCost` is left alone.
llvm::Expected<bool> Family::tryRung(int64_t bytes, const PackedStep *start,
                                     int64_t effort, double leastCost) {
  RematProblem problem = context.problemWithin(bytes);
  problem.takesAnyPlan = isBelow;
  if (start)
    problem.start = &start->remat.schedule;
  llvm::Expected<RematPlan> remat =
      solve(problem, solver, context.limitsWith(effort));
  if (!remat)
    return remat.takeError();
  if (!hasPlan(context, *remat))
    return false;
  if (remat->cost < leastCost)
    return true;
  llvm::Expected<PackedStep> packed = context.pack(std::move(*remat), bytes);
  if (!packed)
    return packed.takeError();
  front.add(std::move(*packed));
  return true;
}

/// Every node runs once, in its cheapest variant.
bool Family::isCheapest(const PackedStep &packed) const {
  return packed.plan.cost <=
         *reportRunOnce(context.index.graph()).bound * (1 + 1e-9);
}

llvm::Error Family::descend() {
  llvm::Expected<std::optional<PackedStep>> unlimited =
      attempt(context, solver, std::nullopt, context.options.limits.effort);
  if (!unlimited)
    return unlimited.takeError();
  if (!*unlimited)
    return llvm::Error::success();
  front.add(std::move(**unlimited));
  if (!checkpoints().empty()) {
    llvm::Expected<PackedStep> packed = context.pack(checkpoints().front());
    if (!packed)
      return packed.takeError();
    front.add(std::move(*packed));
  }
  setRungs();
  failsBytes = rungs.lowestBytes - 1;
  // A search that finds nothing twice running is unlikely to find anything
  // further down.
  int failures = 0;
  for (int64_t rung = rungs.count - 1; rung >= 0 && failures < 2; --rung) {
    if (context.isStopped())
      break;
    const int64_t bytes = rungs.bytesAt(rung);
    const PackedStep *start = front.cheapestWithin(rungs.bytesAt(rung + 1));
    llvm::Expected<bool> found = tryRung(
        bytes, start ? start : front.smallest(), rungs.effortFromStart, 0);
    if (!found)
      return found.takeError();
    if (!*found && failures == 0)
      failsBytes = std::max(failsBytes, bytes);
    failures = *found ? 0 : failures + 1;
  }
  record(rungs.bytesAt(rungs.count - 1), climbed.top);
  record(rungs.highestBytes, climbed.top);
  // Not each plan that was found keeps its rung once it is packed.
  lowestRung = 0;
  while (rungs.bytesAt(lowestRung) < front.smallest()->deviceBytes)
    ++lowestRung;
  climbed.lowestBytes = rungs.bytesAt(lowestRung);
  return llvm::Error::success();
}

llvm::Error Family::reachLeastBudget() {
  if (front.all().empty())
    return llvm::Error::success();
  if (llvm::Error error = climbOnto(lowestRung, 0))
    return error;
  leastCostBelow = front.cheapestWithin(rungs.bytesAt(lowestRung))->plan.cost;
  record(rungs.bytesAt(lowestRung), climbed.rungs);
  // What fails by prices may work by needs.
  isBelow = context.index.graph().nodes.size() <= 200;
  llvm::Expected<bool> found =
      !isBelow || failsBytes < rungs.lowestBytes
          ? llvm::Expected<bool>(false)
          : tryRung(failsBytes, front.smallest(), rungs.effort, leastCostBelow);
  if (!found)
    return found.takeError();
  if (front.smallest()->deviceBytes <= failsBytes)
    failsBytes = rungs.lowestBytes - 1;
  if (llvm::Error error = bisect(failsBytes))
    return error;
  for (const auto &[bytes, packed] : front.all())
    if (bytes < rungs.bytesAt(lowestRung))
      record(bytes, climbed.rungs);
  return llvm::Error::success();
}

/// Between what fails and the smallest plan.
llvm::Error Family::bisect(int64_t fails) {
  for (int i = 0; i < 6 && !context.isStopped(); ++i) {
    const int64_t works = front.smallest()->deviceBytes;
    fails = std::min(fails, works - 1);
    const int64_t target = fails + (works - fails) / 2;
    // Closer than this, a search down here takes too long for what it gains.
    if (target <= fails || target >= works || works - fails < works / 200)
      break;
    if (auto found =
            tryRung(target, front.smallest(), rungs.effort, leastCostBelow);
        !found)
      return found.takeError();
    if (front.smallest()->deviceBytes >= works)
      fails = target;
  }
  isBelow = false;
  return llvm::Error::success();
}

/// A search of its own and, where that gains nothing, one from the rung below.
llvm::Error Family::climbOnto(int64_t rung, double leastCost) {
  const int64_t bytes = rungs.bytesAt(rung);
  const PackedStep *known = front.cheapestWithin(bytes);
  if (!known || isCheapest(*known) || context.isStopped())
    return llvm::Error::success();
  const double cost = known->plan.cost;
  if (auto found = tryRung(bytes, nullptr, rungs.effort, leastCost); !found)
    return found.takeError();
  known = front.cheapestWithin(bytes);
  if (known->plan.cost < cost)
    return llvm::Error::success();
  return tryRung(bytes, known, rungs.effortFromStart, leastCost).takeError();
}

/// The plan for so many bytes, where streams will need it.
void Family::record(int64_t bytes, std::vector<RungPlan> &plans) const {
  if (const PackedStep *known = front.cheapestWithin(bytes);
      known && context.options.streams > 1)
    plans.push_back({bytes, known->plan});
}

llvm::Error Family::climbTo(int64_t budget) {
  if (front.all().empty() || budget >= rungs.highestBytes)
    return llvm::Error::success();
  const bool isLow = budget < rungs.bytesAt(lowestRung);
  // Nothing is to be found, and on a large step the least budget takes long.
  if (budget < rungs.lowestBytes && context.index.graph().nodes.size() > 1000)
    return llvm::Error::success();
  if (isLow)
    if (llvm::Error error = reachLeastBudget())
      return error;
  if (!front.cheapestWithin(budget))
    return llvm::Error::success();
  const int64_t end = isLow ? lowestRung : rungs.count;
  const double leastCost = isLow ? leastCostBelow : 0;
  int64_t rung = isLow ? 0 : lowestRung;
  for (; rung < end; ++rung) {
    if (llvm::Error error = climbOnto(rung, leastCost))
      return error;
    record(rungs.bytesAt(rung), climbed.rungs);
    if (rungs.bytesAt(rung) > budget)
      break;
  }
  return climbBetween(rung - 1, budget);
}

/// Finer rungs above `rung`, up to the budget.
llvm::Error Family::climbBetween(int64_t rung, int64_t budget) {
  const int64_t below = rung < 0 ? rungs.lowestBytes : rungs.bytesAt(rung);
  const int64_t above = rungs.bytesAt(rung + 1);
  const double leastCost = front.cheapestWithin(above)->plan.cost;
  for (int64_t i = 1; i <= rungs.finer && !context.isStopped(); ++i) {
    const int64_t bytes = Rungs::between(below, above, i, rungs.finer + 1);
    if (bytes > budget)
      break;
    const PackedStep *start = front.cheapestWithin(bytes);
    if (!start || start->plan.cost <= leastCost)
      continue;
    if (auto found = tryRung(bytes, start, rungs.effortFromStart, leastCost);
        !found)
      return found.takeError();
    if (rung >= lowestRung)
      record(bytes, climbed.finer);
  }
  return llvm::Error::success();
}

llvm::Error Family::climbThrough(llvm::ArrayRef<int64_t> budgets) {
  for (int64_t rung = lowestRung; rung < rungs.count; ++rung)
    if (llvm::Error error = climbOnto(rung, 0))
      return error;
  for (int64_t budget : budgets) {
    const PackedStep *start = front.cheapestWithin(budget);
    if (!start || isCheapest(*start) || context.isStopped())
      continue;
    if (auto found = tryRung(budget, start, rungs.effortFromStart, 0); !found)
      return found.takeError();
    if (llvm::Error error = addCheckpoints(budget))
      return error;
  }
  return llvm::Error::success();
}

const std::vector<RematPlan> &Family::checkpoints() {
  if (!checkpointPlans)
    checkpointPlans = planCheckpointFamily(context.problemWithin(std::nullopt),
                                           mostCheckpointCost);
  return *checkpointPlans;
}

llvm::Error Family::addCheckpoints(int64_t budget) {
  const PackedStep *known = front.cheapestWithin(budget);
  if (known && isCheapest(*known))
    return llvm::Error::success();
  for (const RematPlan &member : checkpoints()) {
    const PackedStep *best = front.cheapestWithin(budget);
    if (member.peakBytes > budget || (best && member.cost >= best->plan.cost))
      continue;
    llvm::Expected<PackedStep> packed = context.pack(member);
    if (!packed)
      return packed.takeError();
    front.add(std::move(*packed));
  }
  return llvm::Error::success();
}

bool memplan::isSearch(const RematSolver &solver) {
  return solver.traits.family == SolverFamily::Search ||
         solver.traits.family == SolverFamily::Milp;
}

bool memplan::choosesFromFamily(const StepContext &context) {
  return isSearch(*context.solvers.remat) &&
         !context.options.limits.timeLimitSeconds;
}

const RematSolver &memplan::solverOfFamily(const StepContext &context) {
  const RematSolver &solver = *context.solvers.remat;
  return solver.traits.family == SolverFamily::Milp
             ? solverNamed(rematSolvers(), "auto")
             : solver;
}

/// Copies of the plans that matter to the budget.
static Attempts choose(const Front &front, std::optional<int64_t> budget) {
  Attempts found;
  if (const PackedStep *smallest = front.smallest())
    found.smallest = *smallest;
  if (const PackedStep *best = budget ? front.cheapestWithin(*budget) : nullptr)
    found.cheapest = *best;
  return found;
}

/// By a solver that ends at once by itself, for a family that was cut short
/// before it came so far down.
static llvm::Error addQuickPlan(const StepContext &context, int64_t budget,
                                Family &family) {
  PlanOptions unstopped = context.options;
  unstopped.limits.stop = nullptr;
  const StepContext quick{context.index, unstopped, context.solvers};
  llvm::Expected<Attempts> found =
      fitTarget(quick, solverNamed(rematSolvers(), "greedy"), budget, 3, 1);
  if (found && found->cheapest)
    family.add(std::move(*found->cheapest));
  return found.takeError();
}

/// All that the family has for a budget.
static llvm::Error growFor(const StepContext &context, int64_t budget,
                           Family &family) {
  if (llvm::Error error = family.climbTo(budget))
    return error;
  if (llvm::Error error = family.addCheckpoints(budget))
    return error;
  if (context.isStopped() && !family.plans().cheapestWithin(budget))
    return addQuickPlan(context, budget, family);
  return llvm::Error::success();
}

llvm::Expected<Attempts>
memplan::chooseFromFamily(const StepContext &context,
                          std::optional<int64_t> budget) {
  Family family(context, solverOfFamily(context));
  if (llvm::Error error = family.descend())
    return error;
  if (llvm::Error error = budget ? growFor(context, *budget, family)
                                 : family.reachLeastBudget())
    return error;
  Attempts found = choose(family.plans(), budget);
  found.climbed = family.climbedRungs();
  return found;
}

llvm::Expected<Attempts> memplan::planInTime(const StepContext &context,
                                             int64_t budget) {
  const RematSolver &solver = *context.solvers.remat;
  const bool isMilp = solver.traits.family == SolverFamily::Milp;
  llvm::Expected<Attempts> found = fitTarget(
      context, solver, budget, isMilp ? 3 : 12, context.options.limits.effort);
  if (found && isMilp && !found->cheapest) {
    llvm::Expected<Attempts> more =
        fitTarget(context, solverOfFamily(context), budget, 12, 0);
    if (!more)
      return more;
    found = join(std::move(*found), std::move(*more));
  }
  if (!found)
    return found;
  // On a large step other budgets take long, and the proof says enough.
  if (!found->cheapest && found->report &&
      found->report->status == SolveStatus::Infeasible &&
      context.index.graph().nodes.size() > 1000)
    return found;
  Family family(context, solverOfFamily(context));
  if (found->cheapest) {
    family.add(*found->cheapest);
    family.leaveCheckpointsFrom(found->cheapest->plan.cost);
  }
  if (llvm::Error error = family.addCheckpoints(budget))
    return error;
  if (!family.plans().cheapestWithin(budget)) {
    if (llvm::Error error = family.descend())
      return error;
    // On a large step the least budget takes long, and the working set says
    // enough.
    const bool isHopeless = boundByWorkingSet(context.index).bytes > budget &&
                            context.index.graph().nodes.size() > 1000;
    if (!isHopeless)
      if (llvm::Error error = family.reachLeastBudget())
        return error;
  }
  return join(std::move(*found), choose(family.plans(), budget));
}
