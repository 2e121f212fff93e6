//===- StepFront.cpp - The plans of a step, for any budget ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepFront.h"
#include "CopySpaces.h"
#include "Objective.h"
#include "RematSpaces.h"
#include "StreamStep.h"
#include "Tuning.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

void StepFront::add(const StepContext &within, PlanSpace space, Role role,
                    bool mayCopy, MakeSpace make) {
  if (space.search)
    kinds.push_back({&within, role, mayCopy,
                     std::make_unique<SpaceWalk>(within, std::move(space)),
                     std::move(make)});
}

/// Starts that a search on one stream can go on from: their first runs are in
/// the order of the step where it is fixed, and no caller's tensor begins on
/// the host.
static std::vector<PackedPlan> startsFor(const StepContext &context,
                                         bool mayCopy) {
  const bool mayReorder =
      context.solvers.order->traits.family == SolverFamily::Search;
  std::vector<PackedPlan> starts;
  for (const PackedPlan &start : context.starts) {
    const bool isHosted =
        llvm::any_of(start.plan.arenas, [](const PlanArena &arena) {
          return !arena.owns.empty();
        });
    if ((hasCopies(start.plan.steps) && !mayCopy) || isHosted)
      continue;
    llvm::Error error =
        verifyPlan(context.index, start.plan, std::nullopt,
                   mayReorder ? FirstRuns::AnyOrder : FirstRuns::SourceOrder);
    if (!error)
      starts.push_back(start);
    llvm::consumeError(std::move(error));
  }
  return starts;
}

void StepFront::addStarts(ParetoFront &front) const {
  for (const PackedPlan &start : context.starts)
    if (start.fitsHost(context.index.graph()))
      front.add(start);
}

/// Where the order is memplan's to choose, plans whose first runs move count
/// too: they are those of --order=search. On a large step a second walk would
/// take minutes.
static bool mayLeaveOrder(const StepContext &context) {
  return context.options.order == PlanOptions().order &&
         isSearch(*context.solvers.remat) &&
         context.index.graph().nodes.size() <= largeStep;
}

/// The kinds of plans that the options ask for.
llvm::Error StepFront::prepare() {
  if (std::exchange(isPrepared, true))
    return llvm::Error::success();
  if (copiesByRules(context)) {
    llvm::Expected<PlanSpace> space = spaceOfSwapSolver(context);
    if (!space)
      return space.takeError();
    add(context, std::move(*space));
    return isSearch(*context.solvers.remat) ? addPartsOfRules()
                                            : llvm::Error::success();
  }
  const bool isLarge = context.index.graph().nodes.size() > largeStep;
  if (searchesCopies(context) && isSearch(*context.solvers.remat) && isLarge) {
    // What takes seconds to begin with may be proved to be of no use.
    llvm::Expected<std::optional<PackedPlan>> unplanned =
        attempt(context, solverOfSearch(context), std::nullopt,
                context.options.limits.effort);
    if (!unplanned)
      return unplanned.takeError();
    addCopies(*unplanned ? (*unplanned)->deviceBytes : 0);
    kinds.push_back({&context, Role::Recomputation, /*mayCopy=*/false,
                     /*walk=*/nullptr, recomputation(context)});
    return llvm::Error::success();
  }
  if (llvm::Error error = addRecomputation())
    return error;
  if (searchesCopies(context))
    addCopies(bytesOfUnplanned);
  return llvm::Error::success();
}

/// Plans without copies, in the order of the step and, where that is
/// memplan's to choose, in any.
llvm::Error StepFront::addRecomputation() {
  findFewTurns();
  if (fewTurns)
    return addFewTurns();
  const bool isFree = mayLeaveOrder(context);
  const StepContext &within =
      isFree && !searchesCopies(context) ? contextBeside() : context;
  MakeSpace make = [this] { return spaceOfSolver(context); };
  if (isSearch(*context.solvers.remat))
    make = recomputation(within);
  llvm::Expected<PlanSpace> space = make();
  if (!space)
    return space.takeError();
  if (!space->given.empty())
    bytesOfUnplanned = space->given.front().deviceBytes;
  if (isFree) {
    StepSolvers solvers = context.solvers;
    solvers.order = &solverNamed(orderSolvers(), "search");
    freeOrder = std::make_unique<const StepContext>(
        StepContext{.index = context.index,
                    .options = context.options,
                    .solvers = solvers,
                    .source = context.source});
    llvm::Expected<PlanSpace> reordered = spaceOfRecomputation(*freeOrder);
    if (!reordered)
      return reordered.takeError();
    add(*freeOrder, std::move(*reordered));
  }
  add(within, std::move(*space), isFree ? Role::BesideFreeOrder : Role::Any,
      /*mayCopy=*/false, std::move(make));
  return llvm::Error::success();
}

void StepFront::findFewTurns() {
  const Graph &graph = context.index.graph();
  if (int64_t(graph.nodes.size()) < tuning::fewestNodesOfTurns ||
      !isSearch(*context.solvers.remat) || isSideBySide(graph, context.options))
    return;
  fewTurns = context.turns
                 ? context.turns
                 : FewTurns::find(context.index, context.options.inPlace);
  if (fewTurns)
    contextOfFew = std::make_unique<const StepContext>(
        StepContext{.index = fewTurns->index(),
                    .options = context.options,
                    .solvers = context.solvers,
                    .clock = context.clock});
}

/// Plans of one turn for all, and those of all turns where that comes to
/// nothing.
llvm::Error StepFront::addFewTurns() {
  const auto nodes = int64_t(fewTurns->index().graph().nodes.size());
  llvm::Expected<PlanSpace> space = spaceOfRecomputation(
      *contextOfFew,
      std::max(tuning::movesOfLarge, tuning::movesTimesNodesOfTurns / nodes));
  if (!space)
    return space.takeError();
  add(*contextOfFew, std::move(*space), Role::FewTurns);
  kinds.push_back({&context, Role::AllTurns, /*mayCopy=*/false,
                   /*walk=*/nullptr, recomputation(context)});
  return llvm::Error::success();
}

/// Recomputation in the order of the context.
StepFront::MakeSpace StepFront::recomputation(const StepContext &within) const {
  return [this, &within]() -> llvm::Expected<PlanSpace> {
    llvm::Expected<PlanSpace> space = spaceOfRecomputation(within);
    if (space)
      llvm::append_range(space->given, startsFor(context, /*mayCopy=*/false));
    return space;
  };
}

/// The context of a second thread, where there is one and no clock cuts walks:
/// how far they come must not depend on it.
const StepContext &StepFront::contextBeside() {
  const PlanOptions &options = context.options;
  if (std::min<int64_t>(options.planThreads,
                        std::thread::hardware_concurrency()) < 2 ||
      options.limits.timeLimitSeconds ||
      context.index.graph().nodes.size() > largeStep)
    return context;
  beside = std::make_unique<WalkBeside>(context);
  return beside->context();
}

/// `packedBytes`: what the step without recomputation takes; 0: unknown.
void StepFront::addCopies(int64_t packedBytes) {
  const bool isSearched = isSearch(*context.solvers.remat);
  auto copying = [packedBytes](const StepContext &within, bool mayRecompute,
                               std::vector<TensorId> hosted = {}) {
    PlanSpace space = spaceOfCopies(within, mayRecompute, std::move(hosted));
    // Where alignment keeps the arena far above its live bytes, budgets between
    // the two need copies.
    if (packedBytes > roundedAbove(space.mostBytes))
      space.mostBytes = packedBytes;
    return space;
  };
  auto addCopying = [&](PlanSpace space, Role role = Role::Any) {
    add(context, std::move(space), role, /*mayCopy=*/true);
  };
  if (isSearched) {
    const StepContext &within = contextBeside();
    auto make = [this, &within, copying] {
      PlanSpace both = copying(within, /*mayRecompute=*/true);
      both.given = startsFor(context, /*mayCopy=*/true);
      return both;
    };
    add(within, make(), Role::Any, /*mayCopy=*/true, make);
  }
  // Copies alone are there so that a plan is never slower than they.
  addCopying(copying(context, /*mayRecompute=*/false), Role::CopiesAlone);
  for (const std::vector<TensorId> &hosted : hostedSets(context)) {
    PlanSpace space = copying(context, isSearched, hosted);
    PlanSpace alone = copying(context, /*mayRecompute=*/false, hosted);
    if (isSearched)
      space.addFallback(context, alone.search);
    addCopying(std::move(space));
    // On small steps its walk takes little time, and goes where copies alone
    // lead.
    if (isSearched && context.index.graph().nodes.size() <= smallStep)
      addCopying(std::move(alone));
  }
}

/// Makes the walk of a kind that was left for later.
llvm::Error StepFront::open(Kind &kind) {
  if (kind.walk)
    return llvm::Error::success();
  llvm::Expected<PlanSpace> space = kind.make();
  if (!space)
    return space.takeError();
  kind.walk = std::make_unique<SpaceWalk>(*kind.within, std::move(*space));
  return llvm::Error::success();
}

/// Rules put copies between the runs of a few schedules. What recomputation
/// and rules have each alone is there so that the two together lose none of it.
llvm::Error StepFront::addPartsOfRules() {
  llvm::Expected<PlanSpace> recomputed = spaceOfRecomputation(context);
  if (!recomputed)
    return recomputed.takeError();
  add(context, std::move(*recomputed));
  StepSolvers solvers = context.solvers;
  solvers.remat = &solverNamed(rematSolvers(), "checkpoint-all");
  rulesAlone = std::make_unique<const StepContext>(StepContext{
      .index = context.index, .options = context.options, .solvers = solvers});
  llvm::Expected<PlanSpace> copied = spaceOfSwapSolver(*rulesAlone);
  if (!copied)
    return copied.takeError();
  add(*rulesAlone, std::move(*copied), Role::CopiesAlone);
  return llvm::Error::success();
}

llvm::Expected<std::pair<int64_t, int64_t>>
StepFront::rangeOfSources(bool mayCopy) {
  if (llvm::Error error = prepare())
    return std::move(error);
  std::pair<int64_t, int64_t> ends{0, 0};
  for (Kind &kind : kinds) {
    if (kind.role == Role::BesideFreeOrder || (kind.mayCopy && !mayCopy) ||
        (kind.role == Role::AllTurns && !needsAllTurns))
      continue;
    if (llvm::Error error = open(kind))
      return std::move(error);
    const PlanSpace &space = kind.walk->plans();
    ends.first = ends.first == 0 ? space.leastBytes
                                 : std::min(ends.first, space.leastBytes);
    ends.second = std::max(ends.second, space.mostBytes);
  }
  return ends;
}

/// What can be neither faster nor, where nothing keeps the budget, smaller need
/// not be looked at.
bool StepFront::mayWin(const Kind &kind, int64_t budget,
                       const ParetoFront &front) const {
  const PackedPlan *best = front.fastestWithin(budget);
  const PackedPlan *least = front.smallest();
  const PlanSpace &space = kind.walk->plans();
  if (best && isAtMost(best->plan.makespan(), space.leastTime))
    return false;
  if (best && kind.role == Role::CopiesAlone)
    return leastTimeOfCopies(context, budget) < best->plan.makespan();
  // The lower end of a walk is a byte below the working set.
  return kind.role != Role::BesideFreeOrder || !least ||
         budget > space.leastBytes || least->deviceBytes > space.leastBytes + 1;
}

bool StepFront::isForStreams(Purpose purpose) {
  return purpose == Purpose::Streams ||
         purpose == Purpose::StreamsWithoutCopies;
}

bool StepFront::isFor(const Kind &kind, Purpose purpose) {
  return !(kind.mayCopy && purpose == Purpose::StreamsWithoutCopies) &&
         !(kind.role == Role::BesideFreeOrder && isForStreams(purpose));
}

/// Whether the kind may have what the front lacks. In source order, what is
/// proved to be the best plan of all is an answer.
bool StepFront::isWanted(const Kind &kind, int64_t budget, Purpose purpose,
                         const ParetoFront &front) {
  if (!mayWin(kind, budget, front))
    return false;
  const PackedPlan *best = front.fastestWithin(budget);
  return kind.role != Role::BesideFreeOrder || purpose != Purpose::Answer ||
         !best || !isProvedBest(budget, *best);
}

/// A second thread begins with what is walked later.
void StepFront::walkBeside(int64_t budget, int lastDepth, Purpose purpose,
                           const ParetoFront &front) {
  for (Kind &kind : kinds)
    if (isBeside(kind) && kind.walk && isFor(kind, purpose) &&
        !context.isStopped() && mayWin(kind, budget, front))
      beside->start(*kind.walk, budget, lastDepth);
}

/// Whether plans that only recompute are clearly slower than the best one
/// known: proved in the order of the step. Such plans go last on large steps.
bool StepFront::losesAlone(int64_t budget, const ParetoFront &front) {
  const PackedPlan *best = front.fastestWithin(budget);
  if (!best || context.isStopped())
    return false;
  const double slower = tuning::clearlySlower * best->plan.makespan();
  // Whatever effort is asked for: what is left out takes many times as long.
  return boundAlone(context, budget, slower, tuning::mostVisits) >= slower;
}

SolveReport StepFront::prove(int64_t budget, const PackedPlan &best) {
  if (!lastProved || lastProved->budgetBytes != budget ||
      lastProved->cost != best.plan.cost)
    lastProved = Proved{budget, best.plan.cost,
                        proveFor(context, budget, best,
                                 effortOfCost(context.index, context.options))};
  return lastProved->report;
}

/// Whether no plan in the order of the step costs less, but for rounding: with
/// more room than that a larger budget could cost more than a smaller one.
bool StepFront::isProvedBest(int64_t budget, const PackedPlan &best) {
  return !copies(context.solvers) && !context.isStopped() &&
         isAtMost(best.plan.cost, *prove(budget, best).bound);
}

llvm::Expected<ParetoFront> StepFront::plansFor(int64_t budget, int lastDepth) {
  return gather(budget, lastDepth, Purpose::Any);
}

llvm::Expected<ParetoFront> StepFront::sourcesFor(int64_t budget, int lastDepth,
                                                  bool mayCopy) {
  return gather(budget, lastDepth,
                mayCopy ? Purpose::Streams : Purpose::StreamsWithoutCopies);
}

llvm::Expected<ParetoFront> StepFront::gather(int64_t budget, int lastDepth,
                                              Purpose purpose) {
  if (llvm::Error error = prepare())
    return std::move(error);
  ParetoFront front;
  addStarts(front);
  walkBeside(budget, lastDepth, purpose, front);
  bool isAloneLost = false;
  for (Kind &kind : kinds) {
    if (!isFor(kind, purpose) ||
        (kind.role == Role::AllTurns && !needsAllTurns))
      continue;
    if (kind.role == Role::Recomputation && !isForStreams(purpose)) {
      isAloneLost = losesAlone(budget, front);
      if (isAloneLost)
        continue;
    }
    if (llvm::Error error = open(kind))
      return std::move(error);
    if (!isWanted(kind, budget, purpose, front)) {
      // A walk that is not to its end has fewer plans than it should.
      if (isBeside(kind) && !beside->cut())
        kind.walk.reset();
      continue;
    }
    if (isBeside(kind) && beside->isRunning())
      beside->finish();
    llvm::Expected<ParetoFront> plans = kind.walk->plansFor(budget, lastDepth);
    if (!plans)
      return plans.takeError();
    if (kind.role != Role::FewTurns) {
      front.add(*plans);
      continue;
    }
    if (llvm::Error error = addCheckpoints(*contextOfFew, budget, *plans))
      return std::move(error);
    // The plan for the budget, or else the smallest one.
    const PackedPlan *best = plans->fastestWithin(budget);
    if (!best && !(best = plans->smallest()))
      continue;
    llvm::Expected<bool> isWritten =
        fewTurns->addTo(front, context, *best, budget);
    if (!isWritten)
      return isWritten.takeError();
    needsAllTurns |= !*isWritten;
  }
  if (!isAloneLost && (!fewTurns || needsAllTurns))
    if (llvm::Error error = addCheckpoints(context, budget, front))
      return std::move(error);
  if (context.isStopped() && !front.fastestWithin(budget) && budget > 0)
    if (llvm::Error error = addQuickPlan(budget, front))
      return std::move(error);
  return front;
}

llvm::Expected<std::optional<PackedPlan>> StepFront::smallest(int lastDepth) {
  llvm::Expected<ParetoFront> plans = plansFor(0, lastDepth);
  if (!plans)
    return plans.takeError();
  const PackedPlan *least = plans->smallest();
  return least ? std::optional(*least) : std::nullopt;
}

/// Members of the checkpointing family that beat what keeps the budget. They
/// take no search.
llvm::Error StepFront::addCheckpoints(const StepContext &context,
                                      int64_t budget, ParetoFront &front) {
  if (!isSearch(*context.solvers.remat) || copiesByRules(context))
    return llvm::Error::success();
  // Whether there is a plan is up to the walks, unless they were cut short.
  if (!front.fastestWithin(budget) && !context.isStopped() &&
      !context.options.limits.timeLimitSeconds)
    return llvm::Error::success();
  // Under a time limit only those that are of use are made.
  std::vector<RematPlan> cheap;
  const PackedPlan *known = front.fastestWithin(budget);
  const bool isAll = !known || context.knownCheckpoints;
  if (!isAll)
    cheap = planCheckpointFamily(context.problemWithin(std::nullopt),
                                 known->plan.makespan());
  for (const RematPlan &member : isAll ? context.checkpoints() : cheap) {
    const PackedPlan *best = front.fastestWithin(budget);
    if (member.peakBytes > budget ||
        (best && member.cost >= best->plan.makespan()))
      continue;
    llvm::Expected<PackedPlan> packed = context.pack(member);
    if (!packed)
      return packed.takeError();
    front.add(std::move(*packed));
  }
  return llvm::Error::success();
}

Attempts memplan::readFront(const ParetoFront &front, int64_t budget) {
  Attempts found;
  if (const PackedPlan *smallest = front.smallest())
    found.smallest = *smallest;
  if (const PackedPlan *best = front.fastestWithin(budget))
    found.cheapest = *best;
  return found;
}

/// From the walks. Searches have no more. Other solvers are asked for the
/// budget itself, too: an integer program may find or prove what a walk does
/// not reach, and of a published rule the caller wants its own answer.
llvm::Expected<Attempts> StepFront::walkWithin(int64_t budget) {
  llvm::Expected<ParetoFront> front =
      gather(budget, std::numeric_limits<int>::max(), Purpose::Answer);
  if (!front)
    return front.takeError();
  Attempts found = readFront(*front, budget);
  const RematSolver &solver = *context.solvers.remat;
  if (searchesCopies(context))
    return found;
  if (solver.traits.family == SolverFamily::Search &&
      !copies(context.solvers)) {
    if (found.cheapest)
      found.report = prove(budget, *found.cheapest);
    else if (proveInfeasible(context, budget, effortOfProof(context.options),
                             found.report))
      found.boundBytes = budget + 1;
    return found;
  }
  // What the walk does not reach is not tried, or a plan found here by luck
  // would be lost at a larger budget.
  const bool isMilp =
      solver.traits.family == SolverFamily::Milp && !copies(context.solvers);
  if (!isMilp && !found.cheapest && !context.isStopped())
    return found;
  const int64_t effort = context.options.limits.effort;
  llvm::Expected<Attempts> own =
      copies(context.solvers)
          ? findInTime(budget)
          : fitTarget(context, solver, budget,
                      isMilp ? tuning::roundsOfMilp : tuning::roundsOfBudget,
                      effort);
  if (!own)
    return own;
  own->smallest = {}; // What leastBudget() names is that of the walks.
  return join(std::move(*own), std::move(found));
}

/// The proof that there is no plan, against the plan in hand.
static llvm::Error contradiction(const SolveReport &report,
                                 const PackedPlan &known) {
  return llvm::createStringError(
      "solver '%s' proves that no plan in the %s space keeps the budget, but "
      "solver '%s' has one of %lld bytes; one of the two is wrong, which is a "
      "bug in it",
      report.solver.c_str(), report.boundSpace.c_str(),
      known.plan.solver.c_str(), static_cast<long long>(known.deviceBytes));
}

llvm::Expected<Plan> StepFront::explain(int64_t budget, Attempts tried) {
  // On a large step the least budget takes long, and the working set or the
  // proof says enough.
  const size_t nodes = context.index.graph().nodes.size();
  const bool isLarge = nodes > largeStep;
  const bool isProved =
      boundByWorkingSet(context.index, mostHosted(context)).bytes > budget ||
      (tried.report && tried.report->status == SolveStatus::Infeasible);
  if (!isLarge || !isProved) {
    llvm::Expected<std::optional<PackedPlan>> least =
        isProved && nodes > smallStep ? smallest(tuning::roughDepth)
                                      : smallest();
    if (!least)
      return least.takeError();
    tried.smallest = smaller(std::move(tried.smallest), std::move(*least));
    if (tried.smallest && tried.smallest->deviceBytes <= budget)
      return finish(std::move(*tried.smallest), budget, std::nullopt);
  }
  for (const Kind &kind : kinds)
    if (kind.walk && kind.walk->plans().note && tried.note.empty())
      tried.note = *kind.walk->plans().note;
  if (tried.note.empty())
    tried.note = searchesCopies(context)
                     ? "neither recomputing nor copying was found to fit"
                     : "no plan within the budget was found";
  return explainFailure(context, budget, tried);
}

llvm::Expected<Plan> StepFront::planWithin(int64_t budget) {
  const bool isInTime = context.options.limits.timeLimitSeconds.has_value();
  const bool isImpossible =
      boundByWorkingSet(context.index, mostHosted(context)).bytes > budget;
  llvm::Expected<Attempts> tried = isImpossible ? Attempts()
                                   : isInTime   ? findInTime(budget)
                                                : walkWithin(budget);
  if (!tried)
    return tried.takeError();
  const bool isCut = isInTime || context.isStopped();
  if (!tried->cheapest && !isImpossible && isCut &&
      !(tried->report && tried->report->status == SolveStatus::Infeasible)) {
    ParetoFront quick;
    if (llvm::Error error = addQuickPlan(budget, quick))
      return std::move(error);
    if (isInTime && !quick.fastestWithin(budget))
      if (llvm::Error error = addUnstopped(budget, quick))
        return std::move(error);
    tried = join(std::move(*tried), readFront(quick, budget));
    tried->report.reset();
  }
  if (!tried->cheapest)
    return explain(budget, std::move(*tried));
  const bool isRefuted =
      tried->report && tried->report->status == SolveStatus::Infeasible;
  if (isRefuted &&
      isInSpace(context, tried->cheapest->plan, tried->report->boundSpace))
    return contradiction(*tried->report, *tried->cheapest);
  llvm::Expected<Plan> plan = finish(std::move(*tried->cheapest), budget,
                                     isRefuted ? std::nullopt : tried->report);
  return plan ? spreadOverStreams(context, std::move(*plan),
                                  isInTime ? nullptr : this)
              : std::move(plan);
}

llvm::Expected<Plan> StepFront::planWithoutLimit() {
  std::optional<PackedPlan> packed;
  if (copiesByRules(context)) {
    llvm::Expected<PlanSpace> space = spaceOfSwapSolver(context);
    if (!space)
      return space.takeError();
    if (!space->given.empty())
      packed = std::move(space->given.front());
  } else {
    llvm::Expected<std::optional<PackedPlan>> made =
        attempt(context, *context.solvers.remat, std::nullopt,
                context.options.limits.effort);
    if (!made)
      return made.takeError();
    packed = std::move(*made);
  }
  if (!packed)
    return explainFailure(context, std::numeric_limits<int64_t>::max(), {});
  const SolveReport report = reportOf(packed->plan);
  llvm::Expected<Plan> plan = finish(std::move(*packed), std::nullopt, report);
  return plan ? spreadOverStreams(context, std::move(*plan), nullptr)
              : std::move(plan);
}
