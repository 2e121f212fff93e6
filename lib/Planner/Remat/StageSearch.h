//===- StageSearch.h - Moves on what is kept, evaluated by stage ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops run in stage t depends on what is kept at its begin and at its end
// only. A move that keeps or drops a value over some stages therefore shifts
// the bytes of the inner ones and evaluates anew no more than the two at its
// ends, and those whose recomputation it makes idle.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_REMAT_STAGESEARCH_H
#define MEMPLAN_LIB_PLANNER_REMAT_STAGESEARCH_H

#include "memplan/Planner/Remat/StageGraph.h"

namespace memplan {

/// A retention with its rows, peaks and cost, changed by moves that can be
/// taken back.
class StageSearch {
public:
  /// `limitBytes` bounds the bytes of the step's own values.
  StageSearch(const StageGraph &graph, int64_t limitBytes);
  void reset(const Retention &start);

  const Retention &retention() const { return kept; }
  int32_t numStages() const { return graph.numStages(); }
  double cost() const { return sumCost; }
  int64_t excessBytes() const { return sumExcess; }
  int32_t stagesOverLimit() const { return numOver; }
  int64_t peak(int32_t stage) const { return peaks[stage]; }
  bool isOver(int32_t stage) const { return peaks[stage] > limit; }
  const std::vector<int32_t> &row(int32_t stage) const { return rows[stage]; }
  bool isKept(int32_t value, int32_t stage) const {
    return kept.kept(value, stage);
  }

  /// Moves between begin() and rollback() are undone together. A move returns
  /// false, changing nothing, where it does not apply. After settle() rows fit
  /// the retention again; false means that the moves must be rolled back
  void begin();
  /// (more than `most` changes: no end in sight).
  bool settle(size_t most = 2000);
  void rollback();

  /// The stages [first, last] in which a value that is kept at `stage` waits,
  /// unread before `last`.
  struct Gap {
    int32_t first, last;
  };
  Gap gapAround(int32_t value, int32_t stage) const;
  /// Drops the value over [first, last]; it is recomputed in `last`. Inputs for
  /// which `extend` holds and which are missing there are kept until then.
  template <typename Extend>
  bool drop(int32_t value, int32_t first, int32_t last, Extend extend);
  /// Keeps what op `op`, recomputed in `stage`, is recomputed for: from `from`
  /// on if the op may run there (-1: from where the value was last there).
  bool retain(int32_t op, int32_t stage, int32_t from = -1);

  /// Latest stage before `stage` in which the value is live, at least when its
  /// producer first runs.
  int32_t lastLive(int32_t value, int32_t stage) const;
  /// True when the op could run in the stage without any further recomputation.
  bool inputsLive(int32_t op, int32_t stage) const;
  bool runsIn(int32_t op, int32_t stage) const;

private:
  struct Change {
    int32_t value, first,
        last; ///< value < 0: rows of stage `first` are in evaluations[last].
    bool on;
  };
  struct Evaluation {
    std::vector<int32_t> row; ///< Descending.
    double cost = 0;
    int64_t peak = 0;
  };

  void flip(int32_t value, int32_t first, int32_t last, bool on);
  void applyFlip(int32_t value, int32_t first, int32_t last, bool on);
  void refreshStart(int32_t value, int32_t stage);
  void evaluate(int32_t stage, Evaluation &result);
  void closeRow(int32_t stage, std::vector<int32_t> &row);
  int64_t savedInPlace(int32_t op, int32_t stage);
  void reevaluate(int32_t stage);
  void replaceRow(int32_t stage, Evaluation &evaluation, bool loosen);
  void markDirty(int32_t stage);
  bool usedIn(int32_t value, int32_t stage) const;
  int32_t previousUse(int32_t value, int32_t stage) const;
  int32_t nextUse(int32_t value, int32_t stage) const;

  const StageGraph &graph;
  int64_t limit;
  Retention kept;
  std::vector<int64_t> baseBytes, peaks;
  std::vector<double> costs;
  std::vector<std::vector<int32_t>> rows; ///< Descending.
  std::vector<std::vector<int32_t>>
      starts; ///< Values kept from the stage's end on, but not at its begin.
  std::vector<std::vector<int32_t>> stagesOf; ///< By op, ascending.
  double sumCost = 0;
  int64_t sumExcess = 0;
  int32_t numOver = 0;

  std::vector<Change> changes;
  std::vector<Evaluation> evaluations;
  size_t numEvaluations = 0;
  double savedCost = 0;
  int64_t savedExcess = 0;
  int32_t savedOver = 0;
  std::vector<int32_t> dirty;
  std::vector<bool> isDirty;
  std::vector<std::pair<int32_t, int32_t>>
      loose; ///< Value and stage: perhaps kept for nothing.

  // Scratch of evaluate(): a stamp says that an entry is of this evaluation.
  int32_t stamp = 0;
  std::vector<int32_t> opStamp, valueStamp, freedBy;
  std::vector<int32_t> stack, missing;
  struct OpBytes {
    int64_t stays, scratch, freed;
  };
  std::vector<OpBytes> opBytes;
};

template <typename Extend>
bool StageSearch::drop(int32_t value, int32_t first, int32_t last,
                       Extend extend) {
  int32_t producer = graph.values()[value].producer;
  if (last > graph.lastStage(producer) || first > last)
    return false;
  flip(value, first, last, false);
  markDirty(first - 1);
  markDirty(last);
  for (int32_t input : graph.ops()[producer].inputs) {
    if (kept.kept(input, last) ||
        runsIn(graph.values()[input].producer, last) || !extend(input))
      continue;
    int32_t since = lastLive(input, last);
    flip(input, since + 1, last, true);
    markDirty(since);
  }
  return true;
}

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_REMAT_STAGESEARCH_H
