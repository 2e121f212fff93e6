//===- ParetoSugar.cpp - --pareto of memplan-opt --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sugar.h"
#include "memplan/Support/OutputFile.h"
#include "memplan/Tools/Curve.h"
#include "mlir/IR/MLIRContext.h"

using namespace memplan;
using namespace llvm;

Error Sugar::writeCurveOf(MemoryBufferRef text,
                          const mlir::DialectRegistry &registry,
                          const std::string &output, raw_ostream &os) const {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  Expected<Graph> graph = stepAt(options.batch, text, context);
  if (!graph)
    return graph.takeError();
  applyCopyOptions(options, *graph);
  Expected<PlanCurve> curve = planCurve(*graph, options, options.pareto);
  if (!curve)
    return curve.takeError();
  if (os.is_displayed())
    os << "\r\x1b[K"; // Over the progress.
  printCurve(*curve, os);
  Expected<std::vector<std::string>> files =
      writePlansOf(*graph, *curve, options.paretoPlans);
  if (!files)
    return files.takeError();
  if (Error error = writeFile(output, [&](raw_ostream &file) {
        writeCurve(*graph, *curve, *files, file);
      }))
    return error;
  return curve->plans.empty()
             ? createStringError("no plan was found with any budget")
             : Error::success();
}
