//===- Sugar.cpp - The flags that people type -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sugar.h"
#include "Summary.h"
#include "memplan/Bridge/GraphView.h"
#include "memplan/Compiler/Workspaces.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "memplan/Profile/CostModel.h"
#include "memplan/Tools/Curve.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace memplan;
using namespace llvm;

Sugar::Sugar()
    : listSolvers("list-solvers",
                  cl::desc("List the solvers of every planning problem"),
                  cl::cat(category)),
      category("Planning: with one of these and no pass flag, the whole "
               "planning pipeline runs"),
      planning(OptionUser::Opt, category),
      emit("emit", cl::desc("What to write"), cl::init(Emit::IR),
           cl::cat(category),
           cl::values(
               clEnumValN(Emit::IR, "ir", "The planned IR"),
               clEnumValN(Emit::Graph, "graph", "The graph, for memplan-solve"),
               clEnumValN(Emit::Plan, "plan", "The plan"),
               clEnumValN(Emit::Program, "program",
                          "The program table, for memplan-run"),
               clEnumValN(Emit::ReportData, "report-data",
                          "All that a report of the plan shows, as JSON"))),
      step("function", cl::desc("The step, in a file with several functions"),
           cl::value_desc("NAME"), cl::cat(category)),
      quiet("quiet", cl::desc("Say neither progress nor a summary"),
            cl::cat(category)),
      reportFlags(category) {}

bool Sugar::isUsed() const {
  return !planning.given().empty() || emit.getNumOccurrences() != 0 ||
         step.getNumOccurrences() != 0 || quiet || reportFlags.isGiven();
}

/// Flags that are about the program, not about how it is planned.
static bool concernsProgram(StringRef flag) {
  return is_contained({"plan", "batch", "cost-model", "backend", "threads",
                       "parts", "precision", "loss-scale", "loss-chunks",
                       "ranks", "layout"},
                      flag);
}

/// Flags that also judge a plan that is made already.
static bool judgesPlan(StringRef flag) {
  return is_contained({"budget", "order", "bandwidth", "host-budget"}, flag);
}

Error Sugar::check(bool hasPassFlags) {
  if (hasPassFlags)
    return createStringError(
        "planning flags such as --remat and --budget build the whole pipeline, "
        "so pass flags cannot be given too; use --memplan-plan='remat=... "
        "budget=...' among passes");
  for (StringRef flag : planning.given()) {
    if (planning.isGiven("plan") && !concernsProgram(flag) && !judgesPlan(flag))
      return createStringError(
          "--plan applies a plan that is made already, so --" + flag +
          " cannot be given too");
    if (emit == Emit::Graph && (flag == "plan" || !concernsProgram(flag)))
      return createStringError("--emit=graph makes no plan, so --" + flag +
                               " cannot be given too");
  }
  if (quiet)
    ProgressLine::beQuiet();
  report = reportFlags.files();
  if (report.isAnything() &&
      (emit == Emit::Graph || planning.isGiven("pareto")))
    return createStringError(
        "--report, --perfetto and --summary are of a plan, "
        "so --emit=graph and --pareto cannot be given too");
  if (Error error = report.check())
    return error;
  Expected<PlanOptions> given = planning.options();
  if (!given)
    return given.takeError();
  options = std::move(*given);
  if (Error error = checkPareto(options))
    return error;
  if (options.pareto > 0 &&
      (options.maxBatch || planning.isGiven("plan") || emit != Emit::IR))
    return createStringError("--pareto writes a curve and no plan, so "
                             "--max-batch, --plan and --emit cannot be given "
                             "too");
  if (Error error = checkBatches())
    return error;
  if (options.maxBatch && (options.minBudget || planning.isGiven("plan")))
    return createStringError(
        "--max-batch looks for a batch within a budget, so "
        "--min-budget and --plan cannot be given too");
  if (options.maxBatch && !options.budgetBytes)
    return createStringError("--max-batch needs a budget in bytes: --budget=16G"
                             ", for instance");
  for (StringRef flag : {"slowdown", "profiled-batches"})
    if (!options.maxBatch &&
        findOption(flag)->get(options) != findOption(flag)->defaultText())
      return createStringError("--" + flag +
                               " is for --max-batch, which is not "
                               "given");
  return CostModel::parse(options.costModel).takeError();
}

void Sugar::buildPreparation(mlir::OpPassManager &pm, int64_t batch) const {
  if (batch > 0) {
    mlir::memplan::SetBatchPassOptions setBatch;
    setBatch.batch = batch;
    pm.addNestedPass<mlir::func::FuncOp>(
        mlir::memplan::createSetBatchPass(setBatch));
  }
  // What the pipelines begin with, which changes nothing a second time.
  if (options.precision != "f32" || options.lossScale != 0 ||
      options.lossChunks != 1 || options.ranks != 1 ||
      options.layout != "channels-first" || options.fuse ||
      options.backend != "none")
    mlir::memplan::buildPreparePipeline(pm, options);
  if (options.backend != "none")
    pm.addNestedPass<mlir::func::FuncOp>(
        mlir::memplan::createSetWorkspacesPass(workspaces()));
}

mlir::memplan::SetWorkspacesPassOptions Sugar::workspaces() const {
  mlir::memplan::SetWorkspacesPassOptions workspaces;
  workspaces.backend = options.backend;
  workspaces.threads = options.kernelThreads;
  workspaces.rows = options.parts == "auto" || options.parts == "on";
  return workspaces;
}

void Sugar::addPlanning(mlir::OpPassManager &pm, const PlanOptions &asked,
                        StringRef emitPlan,
                        mlir::memplan::PlanListener listener) const {
  mlir::memplan::buildPreparePipeline(pm);
  mlir::memplan::ScratchSetter setScratch;
  if (options.fuse)
    setScratch = [how = workspaces()](mlir::func::FuncOp function) {
      return mlir::memplan::setWorkspaces(function, how);
    };
  pm.addNestedPass<mlir::func::FuncOp>(mlir::memplan::createPlanPass(
      asked, emitPlan, std::move(listener), std::move(setScratch)));
}

void Sugar::buildPipeline(mlir::OpPassManager &pm, const std::string &output,
                          std::string &failure) const {
  buildPreparation(pm, options.batch);
  if (emit == Emit::Graph)
    return mlir::memplan::buildGraphPipeline(pm, options.costModel,
                                             options.parts == "on", output);
  ReportFiles asked = report;
  if (emit == Emit::ReportData)
    asked.data = output;
  mlir::memplan::PlanListener listener;
  if (asked.isAnything())
    listener = [asked, &failure](mlir::func::FuncOp function,
                                 const Graph &graph, const Plan &plan) {
      if (Error error = asked.write(graph, plan, errs(),
                                    mlir::memplan::sourcesOf(function, graph)))
        failure = toString(std::move(error));
    };
  addPlanning(pm, options, emit == Emit::Plan ? output : "",
              std::move(listener));
  if (emit == Emit::Program)
    pm.addNestedPass<mlir::func::FuncOp>(createEmitProgramPass(output));
}
