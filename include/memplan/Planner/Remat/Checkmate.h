//===- Checkmate.h - The integer program of the stages ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Jain et al., "Checkmate", MLSys 2020, sections 4.3 to 4.7. Equation numbers
// are those of the paper.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_CHECKMATE_H
#define MEMPLAN_PLANNER_REMAT_CHECKMATE_H

#include "memplan/Planner/Remat/RunSavings.h"
#include "memplan/Planner/Remat/StageGraph.h"

namespace memplan {

/// Keeps each value exactly as long as its users in the rows need it: a later
/// run of its producer serves the users after it. What the run list of the
/// rows does.
Retention retentionOf(const StageGraph &graph, const StageRows &rows);

/// Whether stage `stage` frees `value` after op `op`, which reads (or makes)
/// it: eq. (4).
bool isFreed(const StageGraph &graph, const StageRows &rows,
             const Retention &retention, int32_t stage, int32_t value,
             int32_t op);
/// U[t][k], eq. (1) to (3): bytes of the step's values while op k runs in stage
/// t or is passed over. In-place savings and workspaces are left out. An output
/// that nothing reads counts at its own run only.
std::vector<std::vector<int64_t>> stageBytes(const StageGraph &graph,
                                             const StageRows &rows,
                                             const Retention &retention);

struct CheckmateOptions {
  bool freeNeedsRun = true; ///< Rows (6b) and (6c). Off only to show what goes
                            ///< wrong without them.
};

/// What a column of the model stands for; -1 where that is no part of it.
struct CheckmateColumn {
  std::string letter;
  int32_t stage = -1, value = -1, op = -1, number = -1;
};

/// R, S, U and FREE as columns of a model.
class Checkmate {
public:
  /// `limitBytes` bounds the bytes of the step's values. The model has a point
  /// for every plan in stages that verifyPlan() accepts and that copies
  /// nothing. StageGraph::leftOut() says what it lacks. Storages that are
  /// larger than what lies in them, and donated inputs kept longer than needed,
  /// count less than they take.
  Checkmate(const StageGraph &graph, int64_t limitBytes,
            CheckmateOptions options = {});

  /// Terms of the model, estimated without building it.
  static int64_t estimateTerms(const StageGraph &graph);

  const MilpModel &model() const { return milp; }
  /// Columns of model(), by index.
  std::vector<CheckmateColumn> columns() const;
  /// The point that belongs to rows, or empty if they break the model (by the
  /// limit, for instance).
  std::vector<double> pointOf(const StageRows &rows) const;
  /// S, rounded: `keeps` says whether a fraction becomes 1.
  Retention retentionAt(
      llvm::ArrayRef<double> point,
      llvm::function_ref<bool(double)> keeps = [](double fraction) {
        return fraction > 0.5;
      }) const;
  /// An objective value in the graph's cost unit.
  double cost(double objective) const {
    return objective / scales.ofCost + graph.costOutside();
  }

private:
  void addColumns();
  void addDependencies(int32_t stage);
  void addMemory(int32_t stage);
  void addFree(int32_t stage, int32_t value, int32_t op);
  void addInPlace(int32_t stage, int32_t op, std::vector<MilpTerm> &peak);
  /// Bytes of the step's values, donated inputs that may be freed not counted.
  int64_t limitOf(int32_t stage) const {
    return limitBytes + graph.releasedBytes(stage);
  }
  int64_t scratchBytes(int32_t op) const;
  void takeSavings(int32_t stage, int32_t op, double live,
                   std::vector<double> &point) const;
  int32_t run(int32_t stage, int32_t op) const {
    return runColumn[at(stage, op)];
  }
  int32_t keep(int32_t stage, int32_t value) const;
  int32_t free(int32_t stage, int32_t value, int32_t op) const;
  size_t at(int32_t stage, int32_t op) const {
    return size_t(stage) * size_t(graph.numStages()) + size_t(op);
  }
  double size(int32_t value) const {
    return scales.bytes(graph.values()[value].bytes);
  }
  bool isTracked(int32_t value) const;
  bool ownFree(int32_t op) const { return graph.ops()[op].outputs.size() > 1; }

  const StageGraph &graph;
  CheckmateOptions options;
  int64_t limitBytes;
  RowScales scales;
  std::vector<int32_t>
      lastUseful; ///< By op: last stage where a run of it can serve anything.
  MilpModel milp;
  std::vector<int32_t> runColumn;   ///< By stage and op; -1 where R is 0.
  std::vector<int32_t> keepColumn;  ///< By stage and value; -1 where S is 0.
  std::vector<int32_t> bytesColumn; ///< U by stage and op.
  std::vector<std::vector<std::vector<int32_t>>>
      freeColumn; ///< By stage, value and place among free points.
  std::vector<RunSavings> savings; ///< By stage and op.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_CHECKMATE_H
