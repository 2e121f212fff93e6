//===- BatchesSugar.cpp - memplan-opt --batch=LEAST:MOST ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sugar.h"
#include "memplan/Plan/DescribeStatus.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Planner/Step/PlanBatches.h"
#include "memplan/Support/ByteSize.h"
#include "memplan/Support/OutputFile.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Format.h"

using namespace memplan;
using namespace llvm;

Error Sugar::checkBatches() const {
  if (!wantsBatches())
    return Error::success();
  if (emit != Emit::Plan || report.isAnything())
    return createStringError(
        "--batch=" + Twine(options.leastBatch) + ":" + Twine(options.batch) +
        " plans a range of batches, which --emit=plan alone can write; "
        "--plan=FILE --batch=N applies that plan to one of them");
  if (options.maxBatch || options.minBudget || options.pareto > 0 ||
      planning.isGiven("plan"))
    return createStringError(
        "--batch=" + Twine(options.leastBatch) + ":" + Twine(options.batch) +
        " makes one plan for a range of batches, so --max-batch, --min-budget, "
        "--pareto and --plan cannot be given too");
  if (options.parts == "on")
    return createStringError(
        "a plan for a range of batches is of the graph as it stands, so "
        "--parts=on cannot be given too");
  return Error::success();
}

/// One line for a batch: what it takes, and what that is above a plan for it
/// alone.
static void printRow(const ComparedBatch &row, raw_ostream &os) {
  os << "memplan-opt: batch " << row.batch << ": device " << row.deviceBytes
     << " bytes (arena " << row.arenaBytes << ")";
  if (!row.hasOwn) {
    os << "\n";
    return;
  }
  const int64_t more = row.deviceBytes - row.ownDeviceBytes;
  if (more == 0)
    os << ", as many as a plan for it alone";
  else
    os << ", " << std::abs(more) << " (" << describeByteSize(std::abs(more))
       << ") " << (more > 0 ? "more" : "fewer") << " than a plan for it alone, "
       << format("%.4f", double(row.deviceBytes) / double(row.ownDeviceBytes))
       << " times";
  if (row.ownTime > 0 && row.time > row.ownTime * (1 + 1e-9))
    os << ", " << format("%.2f", 100 * (row.time / row.ownTime - 1))
       << " % more time";
  os << "\n";
}

Error Sugar::writeBatchPlan(MemoryBufferRef text,
                            const mlir::DialectRegistry &registry,
                            const std::string &output, raw_ostream &os) const {
  if (Error error = checkWritable(output))
    return error;
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  ProgressLine line("planning", options.limits.timeLimitSeconds);
  PlanOptions asked = options;
  asked.limits.progress = progressOn(line);
  StepAtBatch stepFor = [&](int64_t batch) {
    return stepAt(batch, text, context);
  };
  Expected<BatchPlan> found =
      planBatches(stepFor, options.leastBatch, options.batch, asked);
  if (!found)
    return found.takeError();
  if (Error error = writeFile(output, [&](raw_ostream &file) {
        writePlan(found->graph, found->plan, file);
      }))
    return error;
  const Plan &plan = found->plan;
  if (!hasSteps(plan.status)) {
    std::string reason = "no plan for batch " + std::to_string(options.batch) +
                         ", the largest, was found";
    if (plan.budgetBytes)
      reason += " within " + std::to_string(*plan.budgetBytes) + " bytes";
    if (plan.boundBytes)
      reason +=
          "; it needs at least " + std::to_string(*plan.boundBytes) + " bytes";
    if (plan.minimumBudgetBytes)
      reason += "; a budget of " + std::to_string(*plan.minimumBudgetBytes) +
                " bytes works";
    return createStringError(reason);
  }
  if (ProgressLine::isQuiet())
    return Error::success();
  ProgressLine::Pause pause;
  os << "memplan-opt: one plan for batches " << options.leastBatch << " to "
     << options.batch << ", "
     << describeStatus(statusName(plan.status), plan.boundSpace) << " by "
     << plan.solver << "\n";
  for (const ComparedBatch &row : found->compared)
    printRow(row, os);
  return Error::success();
}
