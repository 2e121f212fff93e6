//===- Options.h - The one table of planning options ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A planning option stands in one place: the table in
// lib/Planner/Options/OptionTable.cpp. Tools, passes and pipelines make their
// flags from it. To add one: a field of PlanOptions, a row of the table, a line
// in docs/Options.md.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_OPTIONS_H
#define MEMPLAN_PLANNER_OPTIONS_H

#include "memplan/Planner/Problem.h"
#include "memplan/Support/ByteSize.h"

namespace memplan {

/// How a step is planned. Solver names are those of the tables.
struct PlanOptions {
  std::string remat = "auto";
  std::string order = "auto";
  std::string sharing = "auto";
  std::string arena = "auto";
  std::string swap = "none";
  std::string tflms; ///< What TflmsParameters::parse() reads.
  bool inPlace = true;
  int64_t streams = 1; ///< On which the runs of a step may run side by side.
  /// What that may cost in bytes: "prefer", "balance" or "memory".
  std::string parallelism = "balance";
  /// Device bytes: fixed + caller's tensors + arena. Unset: no limit.
  std::optional<int64_t> budgetBytes;
  /// The same as a share of the unplanned peak; resolveBudget() reads it.
  std::optional<Percentage> budgetShare;
  /// Plan for the least budget that the solvers at hand meet.
  bool minBudget = false;
  /// Plans for that many budgets instead of one (PlanCurve.h); 0: one.
  int64_t pareto = 0;
  std::string paretoPlans; ///< Folder into which they are written.
  /// A curve for each instead of one at the graph's own.
  std::vector<Bandwidth> paretoBandwidths;
  int64_t alignmentBytes = 256;
  SolveLimits limits;
  /// limits.effort in CPU seconds; resolveEffort() reads it. 0: it is a count.
  double effortSeconds = 0;

  // What callers of planStep() do before it, with the program or the graph.
  std::string costModel;                  ///< Empty: the costs of the graph.
  std::optional<Bandwidth> bandwidth;     ///< Instead of the graph's.
  std::optional<int64_t> hostBudgetBytes; ///< Instead of the graph's.
  /// Which of the caller's tensors may live on the host between steps: "none",
  /// "states" or "all", parameters too.
  std::string hostState = "none";
  /// Whether concats are put together in place: "auto", "on" or "off".
  std::string parts = "auto";
  /// Files of plans to begin with, by commas: last time's, or of other tools.
  std::string starts;
  std::string planFile; ///< Apply this plan instead of making one.
  int64_t batch = 0;    ///< 0: the batch size of the program.
  /// One plan for all batches from here to `batch`; 0: for `batch` alone.
  int64_t leastBatch = 0;
  bool maxBatch = false;            ///< Look for the largest batch instead.
  std::string slowdown = "forward"; ///< What that may cost, a BatchLimit.
  std::string profiledBatches;   ///< "8,32": costs in between are interpolated.
  std::string precision = "f32"; ///< What products compute in.
  double lossScale = 0; ///< First scale of the loss; 0: the optimizer's.
  /// Layout of images: "channels-first", as programs have it, "channels-last".
  std::string layout = "channels-first";
  bool fuse = false; ///< Products and convolutions take what follows them.
  /// Chunks of rows in which logits and their loss are computed.
  int64_t lossChunks = 1;
  int64_t ranks = 1;            ///< Processes that share the batch.
  std::string backend = "none"; ///< Backend whose scratch is planned.
  int64_t kernelThreads = 1;    ///< On which that scratch depends.
  /// Threads that look for a plan, which is the same with any: at most two are
  /// of use.
  int64_t planThreads = 2;
};

/// Tools that take an option.
enum class OptionUser : unsigned {
  SolveRemat = 1,   ///< memplan-solve remat
  SolveArena = 2,   ///< memplan-solve arena
  Check = 4,        ///< memplan-solve check
  CheckOffsets = 8, ///< memplan-solve check-offsets
  Pass = 16,        ///< memplan-plan and its pipeline
  Opt = 32,         ///< memplan-opt without pass flags
  Run = 64,         ///< memplan-run of an .mlir file
};

/// One row of the table.
struct PlanningOption {
  llvm::StringRef name;  ///< "time-limit"
  llvm::StringRef value; ///< "SECONDS"; empty for a switch, whose text is
                         ///< "true" or "false".
  llvm::StringRef help;  ///< One line, without the default.
  unsigned users;        ///< Bits of OptionUser.
  /// Checks and sets; the error says what is wrong with the text.
  llvm::Error (*set)(PlanOptions &, llvm::StringRef text);
  /// What set() would read back.
  std::string (*get)(const PlanOptions &);

  bool isFor(OptionUser user) const { return users & unsigned(user); }
  std::string defaultText() const { return get(PlanOptions()); }
  /// The help with the default.
  std::string describe(const PlanOptions &defaults = {}) const;
};
std::span<const PlanningOption> planningOptions();
/// Null if there is none.
const PlanningOption *findOption(llvm::StringRef name);

/// Sets the option called `name`. Errors begin with the name.
llvm::Error setOption(PlanOptions &options, llvm::StringRef name,
                      llvm::StringRef text);

/// Sets budgetBytes from budgetShare, if that is set.
void resolveBudget(const GraphIndex &index, PlanOptions &options);
/// Gives the graph the bandwidth and the host budget of the options, where they
/// have them. Both are part of the graph's hash.
void applyCopyOptions(const PlanOptions &options, Graph &graph);

} // namespace memplan

#endif // MEMPLAN_PLANNER_OPTIONS_H
