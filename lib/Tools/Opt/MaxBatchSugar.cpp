//===- MaxBatchSugar.cpp - memplan-opt --max-batch ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneFunction.h"
#include "Sugar.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Pipelines/Pipelines.h"
#include "memplan/Plan/DescribeStatus.h"
#include "memplan/Planner/Step/MaxBatch.h"
#include "memplan/Profile/CostModel.h"
#include "memplan/Tools/StopSignals.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <set>

using namespace memplan;
using namespace llvm;

static Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parse(MemoryBufferRef text, mlir::MLIRContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text.getBuffer(), &context,
                                              text.getBufferIdentifier());
  if (!module)
    return createStringError("the input does not parse, see above");
  return module;
}

/// The batch that the program is written for.
static Expected<int64_t> batchOf(mlir::ModuleOp module, StringRef step) {
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isDeclaration() ||
        (!step.empty() && function.getName() != step))
      continue;
    if (std::optional<int64_t> batch = mlir::memplan::batchOf(function))
      return *batch;
  }
  return createStringError("--max-batch needs a program with a batch: no "
                           "argument is marked 'memplan.batch'");
}

/// The graph for a batch by the passes that --emit=graph runs.
Expected<Graph> Sugar::stepAt(int64_t batch, MemoryBufferRef text,
                              mlir::MLIRContext &context,
                              std::string *remark) const {
  SmallString<128> file;
  if (std::error_code error =
          sys::fs::createTemporaryFile("memplan", "graph.json", file))
    return createStringError(error, "no temporary file can be made");
  scope_exit remove([&] { sys::fs::remove(file); });
  auto module = parse(text, context);
  if (!module)
    return module.takeError();
  mlir::PassManager passes(&context);
  if (!step.empty())
    passes.addPass(
        createTakeOthersPass(step, std::make_shared<OtherFunctions>()));
  buildPreparation(passes, batch);
  mlir::memplan::buildGraphPipeline(passes, options.costModel,
                                    options.parts == "on", std::string(file));
  mlir::ScopedDiagnosticHandler remarks(
      &context, [&](mlir::Diagnostic &diagnostic) {
        const bool isRemark =
            diagnostic.getSeverity() == mlir::DiagnosticSeverity::Remark;
        if (isRemark && remark)
          *remark = diagnostic.str();
        return mlir::success(isRemark);
      });
  if (mlir::failed(passes.run(**module)))
    return createStringError("batch " + Twine(batch) +
                             " is not possible, see above");
  ErrorOr<std::unique_ptr<MemoryBuffer>> read = MemoryBuffer::getFile(file);
  if (!read)
    return createStringError(read.getError(), "a graph was not written");
  Expected<Graph> graph = parseGraph((*read)->getBuffer());
  if (graph)
    applyCopyOptions(options, *graph);
  return graph;
}

Expected<Plan> Sugar::planAt(int64_t batch, MemoryBufferRef text,
                             mlir::MLIRContext &context) const {
  auto module = parse(text, context);
  if (!module)
    return module.takeError();
  PlanOptions asked = options;
  // A plan file is of the graph as it stands.
  if (emit == Emit::Plan && (asked.parts == "auto" || asked.parts == "dense"))
    asked.parts = "off";
  mlir::PassManager passes(&context);
  if (!step.empty())
    passes.addPass(
        createTakeOthersPass(step, std::make_shared<OtherFunctions>()));
  buildPreparation(passes, batch);
  Plan made;
  addPlanning(passes, asked, "",
              [&](mlir::func::FuncOp, const Graph &, const Plan &plan) {
                made = plan;
              });
  // That there is none is said by the batch's row.
  mlir::ScopedDiagnosticHandler silence(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  if (mlir::failed(passes.run(**module)))
    made.steps.clear();
  return made;
}

static Expected<std::vector<int64_t>> parseBatches(StringRef text) {
  std::vector<int64_t> batches;
  for (StringRef part : split(text, ',')) {
    int64_t batch = 0;
    if (part.getAsInteger(10, batch) || batch < 1)
      return createStringError("--profiled-batches: '" + part +
                               "' is not a batch of at least 1");
    batches.push_back(batch);
  }
  return batches;
}

static void printHeader(raw_ostream &os) {
  if (ProgressLine::isQuiet())
    return;
  os << "memplan-opt: batch, live bytes at the peak, overhead, allowed, "
        "time for each sample\n";
}

/// One line of the table, as soon as the batch was tried.
static void printRow(const TriedBatch &tried, StringRef remark,
                     raw_ostream &os) {
  if (ProgressLine::isQuiet())
    return;
  ProgressLine::Pause pause;
  os << "memplan-opt: " << format_decimal(tried.batch, 7);
  if (!tried.hasPlan()) {
    os << "  no plan within the budget" << remark << "\n";
    return;
  }
  auto percent = [&](double cost) {
    std::string text = "        any";
    if (!std::isinf(cost))
      raw_string_ostream(text = "")
          << format("%9.2f %%", overheadPercent(cost, tried.unplannedCost));
    return text;
  };
  os << format_decimal(tried.plan.peakBytes, 16)
     << percent(tried.plan.makespan()) << percent(tried.allowedCost)
     << format("%12.6g", tried.sampleCost)
     << (tried.isEstimated ? "  estimated: beyond the profiled batches" : "")
     << remark << "\n";
}

Expected<BatchCosts> Sugar::profiledCosts(MemoryBufferRef text,
                                          mlir::MLIRContext &context) const {
  BatchCosts costs;
  if (options.profiledBatches.empty())
    return costs;
  Expected<std::vector<int64_t>> batches =
      parseBatches(options.profiledBatches);
  if (!batches)
    return batches.takeError();
  for (int64_t batch : *batches) {
    std::string lacking;
    Expected<Graph> measured = stepAt(batch, text, context, &lacking);
    if (!measured)
      return measured.takeError();
    if (StringRef(lacking).starts_with("the profile lacks"))
      return createStringError("--profiled-batches: batch " + Twine(batch) +
                               " was not measured, as " +
                               StringRef(lacking).split(';').first +
                               "; memplan-run --batch=" + Twine(batch) +
                               " --profile=FILE adds it to the file");
    if (Error error = costs.add(batch, std::move(*measured)))
      return error;
  }
  return costs;
}

Error Sugar::findMaxBatch(MemoryBufferRef text,
                          const mlir::DialectRegistry &registry,
                          raw_ostream &os) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = parse(text, context);
  if (!module)
    return module.takeError();
  Expected<int64_t> first = batchOf(**module, step);
  if (!first)
    return first.takeError();
  Expected<BatchCosts> profiled = profiledCosts(text, context);
  if (!profiled)
    return profiled.takeError();
  const BatchCosts costs = std::move(*profiled);
  std::set<int64_t> beyond;
  ProgressLine line("batch");
  options.limits.progress = progressOn(line);
  // The line ends with this search.
  scope_exit unwatch([&] { options.limits.progress = nullptr; });
  StepAtBatch stepFor = [&](int64_t batch) -> Expected<Graph> {
    line.begin("batch " + std::to_string(batch));
    Expected<Graph> step = stepAt(batch, text, context);
    if (!step || costs.isEmpty())
      return step;
    Expected<bool> known = costs.apply(batch, *step);
    if (!known)
      return known.takeError();
    if (!*known)
      beyond.insert(batch);
    return step;
  };
  BatchLimit limit = cantFail(BatchLimit::parse(options.slowdown));
  const CostModel model = cantFail(CostModel::parse(options.costModel));
  limit.launchCost = model.launchBesideCosts();
  printHeader(os);
  if (limit.kind == BatchLimit::Kind::PerSample && limit.launchCost > 0 &&
      !ProgressLine::isQuiet())
    os << format("memplan-opt: with %.2g us for each launch, which the costs "
                 "lack\n",
                 limit.launchCost);
  MaxBatchWatch watch;
  watch.tried = [&](const TriedBatch &tried) {
    TriedBatch row = tried;
    row.isEstimated = beyond.count(tried.batch);
    printRow(row, tried.isRefused ? "  as the pipeline plans it" : "", os);
  };
  watch.confirm = [&](TriedBatch &tried) -> Error {
    Expected<Plan> plan = planAt(tried.batch, text, context);
    if (!plan)
      return plan.takeError();
    // Between profiled batches the table's costs are not the pipeline's.
    if (costs.isEmpty() || plan->steps.empty())
      tried.plan = std::move(*plan);
    return Error::success();
  };
  Expected<MaxBatch> found =
      maxBatch(stepFor, options.batch > 0 ? options.batch : *first, options,
               limit, watch);
  if (!found)
    return found.takeError();
  if (found->best) {
    TriedBatch best = found->tried[*found->best];
    best.isEstimated = beyond.count(best.batch);
    printRow(best, "  <- chosen", os);
  }
  if (const char *signal = StopSignals::name(); signal && found->best) {
    ProgressLine::Pause pause;
    os << "memplan-opt: stopped by " << signal
       << "; this is the largest batch known to fit\n";
  }
  if (!costs.isEmpty() && !ProgressLine::isQuiet())
    os << "memplan-opt: the chosen batch is planned with the costs that the "
          "cost model has for it\n";
  if (!found->best)
    return createStringError("not even one sample fits the budget of " +
                             Twine(*options.budgetBytes) +
                             " bytes within --slowdown=" + options.slowdown);
  options.batch = found->tried[*found->best].batch;
  report.batch = ChosenBatch{options.batch, options.slowdown,
                             beyond.count(options.batch) != 0,
                             StopSignals::name() != nullptr};
  return Error::success();
}
