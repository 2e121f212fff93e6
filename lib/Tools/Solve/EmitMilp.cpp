//===- EmitMilp.cpp - Checkmate's program and matrices --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitMilp.h"
#include "memplan/Planner/Remat/CheckmateText.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Solver/MilpText.h"
#include "memplan/Support/ByteSize.h"
#include "memplan/Support/OutputFile.h"

using namespace llvm;

namespace memplan {

static Expected<ExitStatus> emitProgram(const SolveOptions &options,
                                        const GraphIndex &index,
                                        int64_t budgetBytes) {
  const StageGraph graph(index, options.plan.inPlace);
  const int64_t terms = Checkmate::estimateTerms(graph);
  if (terms > options.plan.limits.milpTerms)
    return createStringError("the integer program has about " + Twine(terms) +
                             " terms, above --"
                             "milp-terms=" +
                             Twine(options.plan.limits.milpTerms));
  const Checkmate checkmate(graph,
                            budgetBytes - index.graph().persistentBytes());
  const std::vector<std::string> names = columnNames(graph, checkmate);
  if (Error error = writeFile(options.outputFile, [&](raw_ostream &os) {
        if (StringRef(options.outputFile).ends_with(".mps"))
          writeMps(checkmate.model(), names, os);
        else
          writeLp(checkmate.model(), names, os);
      }))
    return std::move(error);
  errs() << index.graph().name << ": " << checkmate.model().numColumns()
         << " columns, " << checkmate.model().numRows() << " rows, "
         << checkmate.model().numTerms() << " terms; an objective of 1 is "
         << checkmate.cost(1) - checkmate.cost(0) << " of cost\n";
  return exitPlan;
}

static Expected<ExitStatus> emitMatrices(const SolveOptions &options,
                                         const GraphIndex &index) {
  Expected<const RematSolver *> solver =
      lookUpSolver("remat", rematSolvers(), options.plan.remat);
  if (!solver)
    return solver.takeError();
  RematProblem problem;
  problem.index = &index;
  problem.inPlace = options.plan.inPlace;
  problem.budgetBytes = options.plan.budgetBytes;
  Expected<RematPlan> plan = solve(problem, **solver, options.plan.limits);
  if (!plan)
    return plan.takeError();
  if (plan->schedule.runs.empty()) {
    errs() << index.graph().name << ": no plan: " << plan->report.note << '\n';
    return exitStatusOf(plan->report.status);
  }
  const StageGraph graph(index, options.plan.inPlace);
  bool isExact = true;
  const StageRows rows = graph.rowsOf(plan->schedule, &isExact);
  if (!isExact)
    return createStringError(
        "the plan of '" + options.plan.remat +
        "' runs a node twice in one of Checkmate's stages; '--remat=milp "
        "--milp-formulation=paper' and the checkpointing solvers do not");
  if (Error error = writeFile(options.outputFile, [&](raw_ostream &os) {
        writeStageMatrices(graph, rows, os);
      }))
    return std::move(error);
  errs() << index.graph().name << ": " << statusName(plan->report.status)
         << " by " << plan->report.solver << ", cost " << plan->cost
         << ", peak " << describeByteSize(plan->peakBytes)
         << " of live bytes\n";
  return exitPlan;
}

Expected<ExitStatus> runEmit(const SolveOptions &options, const Graph &graph) {
  if (Error error = graph.check())
    return std::move(error);
  const GraphIndex index(graph);
  SolveOptions resolved = options;
  resolveBudget(index, resolved.plan);
  if (resolved.emit == "matrices")
    return emitMatrices(resolved, index);
  if (!resolved.plan.budgetBytes)
    return createStringError("--emit=milp needs a --budget");
  return emitProgram(resolved, index, *resolved.plan.budgetBytes);
}

} // namespace memplan
