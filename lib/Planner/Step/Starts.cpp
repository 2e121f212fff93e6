//===- Starts.cpp - Plans that planning begins with -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Starts.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace memplan;

/// What the options rule out.
static llvm::Error checkKind(const StepContext &context, const Plan &plan) {
  if (plan.steps.empty())
    return llvm::createStringError("it has no steps");
  if (llvm::any_of(plan.steps,
                   [](const PlanAction &action) { return action.stream != 0; }))
    return llvm::createStringError("it is for several streams");
  if (hasCopies(plan.steps) && !searchesCopies(context))
    return llvm::createStringError("it copies; give swap=search too");
  if (!context.options.inPlace && !inPlaceOf(plan.steps).empty())
    return llvm::createStringError("it overwrites in place");
  return llvm::Error::success();
}

static void takeSmaller(std::optional<PackedPlan> &best, PackedPlan packed) {
  if (!best || packed.deviceBytes < best->deviceBytes)
    best = std::move(packed);
}

/// At the places that it came with, if these are a plan.
static void tryPlacesOf(const StepContext &context, const Plan &plan,
                        PackedPlan packed, std::optional<PackedPlan> &best) {
  const bool isAligned = llvm::all_of(plan.arenas, [&](const PlanArena &arena) {
    return arena.alignment % context.options.alignmentBytes == 0;
  });
  if (plan.arenas.empty() || !isAligned || !hasArena(*context.solvers.arena) ||
      sharesStorages(context.solvers))
    return;
  packed.plan.arenas = plan.arenas;
  packed.deviceBytes = deviceBytesOf(context.index.graph(), packed.plan);
  for (const PlanArena &arena : plan.arenas)
    if (arena.space == "host")
      packed.hostBytes = arena.bytes;
  if (llvm::Error error = verifyPlan(context.index, packed.plan))
    llvm::consumeError(std::move(error));
  else
    takeSmaller(best, std::move(packed));
}

/// As it stands, and for a schedule with in-place pairs and places of our own;
/// what takes the fewest bytes.
static llvm::Expected<PackedPlan> pack(const StepContext &context,
                                       const Plan &plan) {
  std::optional<PackedPlan> best;
  llvm::Expected<PackedPlan> packed =
      packActions(context.index, plan.steps, *context.solvers.arena,
                  context.options.alignmentBytes,
                  context.limitsWith(context.options.limits.effort));
  if (!packed)
    return packed;
  takeSmaller(best, *packed);
  tryPlacesOf(context, plan, std::move(*packed), best);
  if (!hasCopies(plan.steps)) {
    packed = context.pack(measurePlan(context.problemWithin(std::nullopt),
                                      scheduleOf(plan.steps)));
    if (!packed)
      return packed;
    takeSmaller(best, std::move(*packed));
  }
  return std::move(*best);
}

static llvm::Expected<PackedPlan> readStart(const GraphIndex &given,
                                            const PreparedStep &prepared,
                                            llvm::StringRef text) {
  const StepContext &context = prepared.context;
  llvm::Expected<Plan> plan = parsePlan(given.graph(), text);
  if (!plan)
    return plan.takeError();
  if (llvm::Error error = checkKind(context, *plan))
    return std::move(error);
  // Whether its actions are a plan of this step; costs and budgets may be
  // others today.
  Plan actions;
  actions.graphName = plan->graphName;
  actions.status = SolveStatus::Feasible;
  actions.steps = std::move(plan->steps);
  actions.arenas = std::move(plan->arenas);
  prepared.step.reorder(actions);
  llvm::Expected<Replay> replay = replayPlan(context.index, actions);
  if (!replay)
    return replay.takeError();
  std::vector<PlanAction> useful = usefulInOneVariant(context, actions.steps);
  if (useful != actions.steps) {
    actions.steps = std::move(useful);
    actions.arenas.clear(); // Their places are those of other steps.
  }
  return pack(context, actions);
}

llvm::Error memplan::readStarts(const GraphIndex &given,
                                PreparedStep &prepared) {
  StepContext &context = prepared.context;
  llvm::SmallVector<llvm::StringRef> files;
  llvm::StringRef(context.options.starts).split(files, ',', -1, false);
  if (!files.empty() && !isSearch(*context.solvers.remat) &&
      !searchesCopies(context))
    return llvm::createStringError(
        "start: solver '" + llvm::Twine(context.solvers.remat->name) +
        "' begins with no plan; remat=auto, search and milp do");
  for (llvm::StringRef file : files) {
    auto text = llvm::MemoryBuffer::getFile(file);
    if (!text)
      return llvm::createStringError("start: cannot read '" + file +
                                     "': " + text.getError().message());
    llvm::Expected<PackedPlan> start =
        readStart(given, prepared, (*text)->getBuffer());
    if (start) {
      start->plan.solver = "start";
      context.starts.push_back(std::move(*start));
      continue;
    }
    if (!context.startNote.empty())
      context.startNote += "; ";
    context.startNote += ("start '" + file + "' is left out: ").str() +
                         llvm::toString(start.takeError());
  }
  return llvm::Error::success();
}
