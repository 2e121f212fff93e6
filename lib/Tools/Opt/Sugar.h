//===- Sugar.h - The flags that people type ---------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_OPT_SUGAR_H
#define MEMPLAN_LIB_TOOLS_OPT_SUGAR_H

#include "memplan/Compiler/Passes.h"
#include "memplan/Graph/Graph.h"
#include "memplan/Pipelines/Pipelines.h"
#include "memplan/Planner/Step/MaxBatch.h"
#include "memplan/Tools/PlanningFlags.h"
#include "memplan/Tools/ReportFiles.h"
#include "memplan/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace memplan {

/// `--remat=milp --budget=16G ...`: each flag sets an option of the planning
/// pipeline, and nothing else.
class Sugar {
public:
  Sugar();

  enum class Emit { IR, Graph, Plan, Program, ReportData };

  /// True if one of the flags was given.
  bool isUsed() const;
  /// Says what is wrong with the flags, before any file is read; call it first.
  llvm::Error check(bool hasPassFlags);
  Emit emits() const { return emit; }
  /// Plans until `stop` is set.
  void watch(const std::atomic<bool> &stop) { options.limits.stop = &stop; }
  /// Tells the line how far planning is.
  void tell(ProgressLine &line) { options.limits.progress = progressOn(line); }
  std::optional<double> limitSeconds() const {
    return options.limits.timeLimitSeconds;
  }
  /// The function that is planned, of several; "": all of them.
  const std::string &function() const { return step; }
  /// Builds the pipeline; what is emitted instead of IR goes to `output`. What
  /// a report lacks in the end is in `failure`.
  void buildPipeline(mlir::OpPassManager &pm, const std::string &output,
                     std::string &failure) const;
  /// Whether what is written is of one function.
  bool needsOneFunction() const {
    return emit != Emit::IR || report.isAnything();
  }
  /// Whether each function gets its line.
  bool wantsLine() const {
    return report.summary != SummaryForm::Json && !ProgressLine::isQuiet();
  }

  bool wantsMaxBatch() const { return options.maxBatch; }
  /// Finds the largest batch and plans for it from now on; what was tried is
  /// told to `os`.
  llvm::Error findMaxBatch(llvm::MemoryBufferRef text,
                           const mlir::DialectRegistry &registry,
                           llvm::raw_ostream &os);

  bool wantsBatches() const { return options.leastBatch > 0; }
  /// Writes one plan for a range of batches to `output`; what it takes at some
  /// of them is told to `os`.
  llvm::Error writeBatchPlan(llvm::MemoryBufferRef text,
                             const mlir::DialectRegistry &registry,
                             const std::string &output,
                             llvm::raw_ostream &os) const;

  bool wantsCurve() const { return options.pareto > 0; }
  /// Plans for many budgets: JSON goes to `output`, a table to `os`.
  llvm::Error writeCurveOf(llvm::MemoryBufferRef text,
                           const mlir::DialectRegistry &registry,
                           const std::string &output,
                           llvm::raw_ostream &os) const;

  llvm::cl::opt<bool> listSolvers;

private:
  llvm::Error checkBatches() const;
  /// The passes before a graph is taken or a plan is made.
  void buildPreparation(mlir::OpPassManager &pm, int64_t batch) const;
  /// What scratch is set by.
  mlir::memplan::SetWorkspacesPassOptions workspaces() const;
  /// Plans what was prepared.
  void addPlanning(mlir::OpPassManager &pm, const PlanOptions &asked,
                   llvm::StringRef emitPlan,
                   mlir::memplan::PlanListener listener) const;
  /// The graph for a batch; what the cost model lacks of it is told to `remark`
  /// alone.
  llvm::Expected<Graph> stepAt(int64_t batch, llvm::MemoryBufferRef text,
                               mlir::MLIRContext &context,
                               std::string *remark = nullptr) const;
  /// The costs of the batches that the profile was measured at.
  llvm::Expected<BatchCosts> profiledCosts(llvm::MemoryBufferRef text,
                                           mlir::MLIRContext &context) const;
  /// The plan that the pipeline makes for a batch: without steps where there is
  /// none.
  llvm::Expected<Plan> planAt(int64_t batch, llvm::MemoryBufferRef text,
                              mlir::MLIRContext &context) const;

  llvm::cl::OptionCategory category;
  PlanningFlags planning;
  llvm::cl::opt<Emit> emit;
  llvm::cl::opt<std::string> step;
  llvm::cl::opt<bool> quiet;
  ReportFlags reportFlags;
  ReportFiles report;
  PlanOptions options;
};

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_OPT_SUGAR_H
