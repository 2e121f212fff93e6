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
  Expected<std::vector<CurveAt>> curves = watchedCurves(*graph, options);
  if (!curves)
    return curves.takeError();
  if (!ProgressLine::isQuiet())
    printCurves(*curves, os);
  Expected<std::vector<std::vector<std::string>>> files =
      writePlansOf(*curves, options.paretoPlans);
  if (!files)
    return files.takeError();
  if (Error error = writeFile(output, [&](raw_ostream &file) {
        writeCurves(*curves, *files, file);
      }))
    return error;
  return hasPlans(*curves)
             ? Error::success()
             : createStringError("no plan was found with any budget");
}
