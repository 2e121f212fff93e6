//===- Sugar.cpp - The flags that people type -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sugar.h"
#include "memplan/Compiler/Passes.h"
#include "memplan/Transforms/Passes.h"

using namespace memplan;
using namespace llvm;

Sugar::Sugar()
    : listSolvers("list-solvers",
                  cl::desc("List the solvers of every planning problem"),
                  cl::cat(category)),
      category("Planning: with one of these and no pass flag, the whole "
               "planning pipeline runs"),
      remat("remat", cl::desc("Recomputation: name of a remat solver"),
            cl::value_desc("solver"), cl::cat(category)),
      order("order", cl::desc("Order of first evaluations: source"),
            cl::value_desc("solver"), cl::cat(category)),
      sharing("sharing",
              cl::desc("Values that use one storage: name of a sharing solver"),
              cl::value_desc("solver"), cl::cat(category)),
      arena("arena", cl::desc("Offsets: name of an arena solver"),
            cl::value_desc("solver"), cl::cat(category)),
      budget("budget",
             cl::desc("Largest device memory: bytes, 16G (powers of 1024), "
                      "16GB (of 1000), or 80% of the unplanned peak"),
             cl::value_desc("size"), cl::cat(category)),
      costModel(
          "cost-model",
          cl::desc("Costs of operations: roofline, flops or profile:FILE"),
          cl::value_desc("model"), cl::cat(category)),
      plan("plan", cl::desc("Apply this plan instead of making one"),
           cl::value_desc("file"), cl::cat(category)),
      inPlace(
          "in-place",
          cl::desc("Let outputs overwrite inputs that nobody reads any more"),
          cl::init(true), cl::cat(category)),
      effort("effort", cl::desc("Work limit, a deterministic count"),
             cl::value_desc("count"), cl::init(0), cl::cat(category)),
      timeLimit("time-limit",
                cl::desc("Seconds after which solvers return what they have; "
                         "gives determinism up"),
                cl::value_desc("seconds"), cl::init(0), cl::cat(category)),
      threads("threads", cl::desc("Threads of a solver, and of --backend"),
              cl::value_desc("count"), cl::init(1), cl::cat(category)),
      backend("backend",
              cl::desc("Plan the scratch memory that the kernels of this "
                       "backend take with --threads: cpu, reference, cuda, a "
                       "plugin's path; none (default): of no backend"),
              cl::value_desc("name"), cl::init("none"), cl::cat(category)),
      emit("emit", cl::desc("What to write"), cl::init(Emit::IR),
           cl::cat(category),
           cl::values(
               clEnumValN(Emit::IR, "ir", "The planned IR"),
               clEnumValN(Emit::Graph, "graph", "The graph, for memplan-solve"),
               clEnumValN(Emit::Plan, "plan", "The plan"))) {}

bool Sugar::isUsed() const {
  const cl::Option *flags[] = {
      &remat,   &order,  &sharing,   &arena,   &budget,  &costModel, &plan,
      &inPlace, &effort, &timeLimit, &threads, &backend, &emit};
  return any_of(flags, [](const cl::Option *flag) {
    return flag->getNumOccurrences() != 0;
  });
}

/// Solvers that a run without the flag uses. A budget without a solver asks for
/// one that recomputes.
static std::string rematName(const cl::opt<std::string> &remat,
                             bool hasBudget) {
  if (remat.getNumOccurrences() != 0)
    return remat;
  return hasBudget ? "greedy" : "checkpoint-all";
}

Error Sugar::check(bool hasPassFlags) const {
  if (hasPassFlags)
    return createStringError(
        "planning flags such as --remat and --budget build the whole pipeline, "
        "so pass flags cannot be given too; use --memplan-plan='remat=... "
        "budget=...' among passes");
  const cl::Option *decided[] = {&remat,   &order,  &sharing,   &arena,
                                 &inPlace, &effort, &timeLimit, &threads};
  if (plan.getNumOccurrences() != 0)
    for (const cl::Option *flag : decided)
      if (flag->getNumOccurrences() != 0)
        return createStringError(
            "--plan applies a plan that is made already, so --" +
            flag->ArgStr.str() + " cannot be given too");
  if (emit == Emit::Graph &&
      (plan.getNumOccurrences() != 0 || budget.getNumOccurrences() != 0))
    return createStringError("--emit=graph makes no plan, so --plan and "
                             "--budget cannot be given too");
  mlir::memplan::PlanPassOptions options;
  options.remat = rematName(remat, !budget.empty());
  if (order.getNumOccurrences() != 0)
    options.order = order;
  if (sharing.getNumOccurrences() != 0)
    options.sharing = sharing;
  if (arena.getNumOccurrences() != 0)
    options.arena = arena;
  if (budget.getNumOccurrences() != 0 && budget.empty())
    return createStringError("--budget needs a size such as 16G");
  options.budget = budget;
  options.effort = effort;
  options.timeLimit = timeLimit;
  options.threads = threads;
  options.costModel = costModel;
  return mlir::memplan::checkPlanOptions(options);
}

void Sugar::buildPipeline(mlir::OpPassManager &pm,
                          const std::string &output) const {
  if (backend != "none") {
    // What the pipelines begin with, which changes nothing a second time.
    mlir::memplan::buildPreparePipeline(pm);
    mlir::memplan::SetWorkspacesPassOptions workspaces;
    workspaces.backend = backend;
    workspaces.threads = threads;
    pm.addNestedPass<mlir::func::FuncOp>(
        mlir::memplan::createSetWorkspacesPass(workspaces));
  }
  if (emit == Emit::Graph)
    return mlir::memplan::buildGraphPipeline(pm, costModel, output);
  mlir::memplan::PlanPipelineOptions options;
  options.remat = rematName(remat, !budget.empty());
  if (order.getNumOccurrences() != 0)
    options.order = order.getValue();
  if (sharing.getNumOccurrences() != 0)
    options.sharing = sharing.getValue();
  if (arena.getNumOccurrences() != 0)
    options.arena = arena.getValue();
  options.inPlace = inPlace.getValue();
  options.budget = budget.getValue();
  options.effort = effort.getValue();
  options.timeLimit = timeLimit.getValue();
  options.threads = threads.getValue();
  options.costModel = costModel.getValue();
  options.planFile = plan.getValue();
  if (emit == Emit::Plan)
    options.emitPlan = output;
  mlir::memplan::buildPlanPipeline(pm, options);
}
