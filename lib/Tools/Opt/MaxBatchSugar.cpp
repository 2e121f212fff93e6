//===- MaxBatchSugar.cpp - memplan-opt --max-batch ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sugar.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Pipelines/Pipelines.h"
#include "memplan/Planner/Step/MaxBatch.h"
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

/// The batch that the program is written for: the marked dimension of its
/// first marked argument.
static Expected<int64_t> batchOf(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto mark =
          function.getArgAttrOfType<mlir::IntegerAttr>(i, "memplan.batch");
      auto type = dyn_cast<mlir::ShapedType>(function.getArgument(i).getType());
      if (mark && type && mark.getInt() >= 0 && mark.getInt() < type.getRank())
        return type.getDimSize(unsigned(mark.getInt()));
    }
  return createStringError("--max-batch needs a program with a batch: no "
                           "argument is marked 'memplan.batch'");
}

/// The graph for a batch by the passes that --emit=graph runs.
Expected<Graph> Sugar::stepAt(int64_t batch, MemoryBufferRef text,
                              mlir::MLIRContext &context) const {
  SmallString<128> file;
  if (std::error_code error =
          sys::fs::createTemporaryFile("memplan", "graph.json", file))
    return createStringError(error, "no temporary file can be made");
  scope_exit remove([&] { sys::fs::remove(file); });
  auto module = parse(text, context);
  if (!module)
    return module.takeError();
  mlir::PassManager passes(&context);
  buildPreparation(passes, batch);
  mlir::memplan::buildGraphPipeline(passes, options.costModel,
                                    options.parts == "on", std::string(file));
  if (mlir::failed(passes.run(**module)))
    return createStringError("batch " + Twine(batch) +
                             " is not possible, see above");
  ErrorOr<std::unique_ptr<MemoryBuffer>> read = MemoryBuffer::getFile(file);
  if (!read)
    return createStringError(read.getError(), "a graph was not written");
  return parseGraph((*read)->getBuffer());
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

static void print(const MaxBatch &found, raw_ostream &os) {
  os << "memplan-opt: batch, live bytes at the peak, overhead, allowed, "
        "cost for each sample\n";
  for (size_t i = 0; i < found.tried.size(); ++i) {
    const TriedBatch &tried = found.tried[i];
    os << "memplan-opt: " << format_decimal(tried.batch, 7);
    if (!tried.hasPlan()) {
      os << "  no plan within the budget\n";
      continue;
    }
    auto percent = [&](double cost) {
      std::string text = "        any";
      if (!std::isinf(cost))
        raw_string_ostream(text = "")
            << format("%9.2f %%", 100 * (cost / tried.unplannedCost - 1));
      return text;
    };
    os << format_decimal(tried.plan.peakBytes, 16) << percent(tried.plan.cost)
       << percent(tried.allowedCost)
       << format("%12.6g", tried.plan.cost / double(tried.batch))
       << (tried.isEstimated ? "  estimated: beyond the profiled batches" : "")
       << (found.best == i ? "  <- chosen\n" : "\n");
  }
}

Error Sugar::findMaxBatch(MemoryBufferRef text,
                          const mlir::DialectRegistry &registry,
                          raw_ostream &os) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = parse(text, context);
  if (!module)
    return module.takeError();
  Expected<int64_t> first = batchOf(**module);
  if (!first)
    return first.takeError();
  BatchCosts costs;
  if (!options.profiledBatches.empty()) {
    Expected<std::vector<int64_t>> batches =
        parseBatches(options.profiledBatches);
    if (!batches)
      return batches.takeError();
    for (int64_t batch : *batches) {
      Expected<Graph> measured = stepAt(batch, text, context);
      if (!measured)
        return measured.takeError();
      if (Error error = costs.add(batch, std::move(*measured)))
        return error;
    }
  }
  std::set<int64_t> beyond;
  StepAtBatch stepFor = [&](int64_t batch) -> Expected<Graph> {
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
  Expected<MaxBatch> found =
      maxBatch(stepFor, options.batch > 0 ? options.batch : *first, options,
               cantFail(BatchLimit::parse(options.slowdown)));
  if (!found)
    return found.takeError();
  for (TriedBatch &tried : found->tried)
    tried.isEstimated = beyond.count(tried.batch);
  print(*found, os);
  if (!costs.isEmpty())
    os << "memplan-opt: the chosen batch is planned with the costs that the "
          "cost model has for it\n";
  if (!found->best)
    return createStringError("not even one sample fits the budget of " +
                             Twine(*options.budgetBytes) +
                             " bytes within --slowdown=" + options.slowdown);
  options.batch = found->tried[*found->best].batch;
  return Error::success();
}
