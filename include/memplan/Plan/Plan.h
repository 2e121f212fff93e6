//===- Plan.h - A plan, apart from its graph --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan adds frees, in-place decisions, streams, copies and arena offsets to a
// schedule: everything that `*.plan.json` holds. Its actions stand in the order
// in which the host issues them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_PLAN_H
#define MEMPLAN_PLAN_PLAN_H

#include "memplan/Schedule/Schedule.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace memplan {

enum class ActionKind { Compute, Free, Evict, Fetch, Wait, DropHost };

/// One action of a plan. Only the fields of its action are meaningful.
struct PlanAction {
  ActionKind action = ActionKind::Compute;
  NodeId node;                      ///< Compute
  std::vector<InPlacePair> inPlace; ///< Compute
  int32_t variant = 0;              ///< Compute
  /// Compute: the queue that it belongs to. Evict, Fetch: where the copy is
  /// issued. Wait, DropHost: what follows on that stream. Free: orders nothing.
  int32_t stream = 0;
  std::vector<TensorId>
      discard; ///< Compute: outputs of a recomputation that nothing wants
  std::vector<TensorId>
      tensors; ///< Free: any number; Evict, Fetch, DropHost: one
  /// Wait: what is waited for. Evict, Fetch and, where it has one, Compute:
  /// signalled at the end.
  std::optional<int64_t> event;

  static PlanAction compute(NodeId node) {
    PlanAction step;
    step.node = node;
    return step;
  }
  static PlanAction free(std::vector<TensorId> tensors) {
    PlanAction step;
    step.action = ActionKind::Free;
    step.tensors = std::move(tensors);
    return step;
  }
  static PlanAction evict(TensorId tensor, int64_t event) {
    return copy(ActionKind::Evict, tensor, event);
  }
  static PlanAction fetch(TensorId tensor, int64_t event) {
    return copy(ActionKind::Fetch, tensor, event);
  }
  static PlanAction wait(int64_t event, int32_t stream = 0) {
    PlanAction step;
    step.action = ActionKind::Wait;
    step.event = event;
    step.stream = stream;
    return step;
  }
  static PlanAction dropHost(TensorId tensor) {
    PlanAction step;
    step.action = ActionKind::DropHost;
    step.tensors = {tensor};
    return step;
  }
  friend bool operator==(const PlanAction &, const PlanAction &) = default;

private:
  static PlanAction copy(ActionKind action, TensorId tensor, int64_t event) {
    PlanAction step;
    step.action = action;
    step.tensors = {tensor};
    step.event = event;
    return step;
  }
};

enum class PlacementKind { Tensor, Workspace, Discard };

/// Bytes [offset, offset + size) of an arena, taken at step `begin`, given back
/// at step `end` (exclusive).
struct Placement {
  PlacementKind kind = PlacementKind::Tensor;
  TensorId tensor; ///< Tensor, Discard
  NodeId node;     ///< Workspace
  int32_t stepBegin = 0;
  int32_t stepEnd = 0;
  int64_t offset = 0;
};

struct PlanArena {
  std::string space = "device";
  int64_t bytes = 0;
  /// Most bytes that lie there at one step. What `bytes` is above it is lost to
  /// packing. Unset: unsaid.
  std::optional<int64_t> liveBytes;
  int64_t alignment = 256;
  std::vector<Placement> placements;
  /// Device: caller's tensors that this arena holds after all. Host: those
  /// that live there between steps.
  std::vector<TensorId> owns;
  /// In a plan for a range of batches: `bytes` at each of its breakpoints.
  std::vector<int64_t> bytesAt = {};
  /// In a plan for a range of batches: by placement, its offset at each of the
  /// breakpoints.
  std::vector<std::vector<int64_t>> offsetsAt = {};
};

/// Bytes of the largest batch of a range, and what each sample adds.
struct BatchBytes {
  int64_t most = 0;
  int64_t perSample = 0;
};

/// The batches that one plan serves. What the plan says elsewhere holds for the
/// largest one. Tensors and scratch are affine in the batch. Offsets and
/// arenas are given at breakpoints, and affine between two of them.
struct BatchRange {
  /// Batches, ascending: the least, ..., the largest.
  std::vector<int64_t> breakpoints;
  std::vector<int64_t> bytesPerSample; ///< By tensor; 0 for views.
  std::vector<BatchBytes> scratch;     ///< By node.
  std::string stepHash;                ///< hashStep() of the step.

  int64_t least() const { return breakpoints.front(); }
  int64_t most() const { return breakpoints.back(); }
  int64_t affine(int64_t batch, const BatchBytes &bytes) const {
    return bytes.most - bytes.perSample * (most() - batch);
  }
  /// Between the values at the breakpoints, rounded up.
  int64_t between(int64_t batch, llvm::ArrayRef<int64_t> values) const;
};

enum class SolveStatus { Optimal, Feasible, Infeasible, NoPlan };
const char *statusName(
    SolveStatus status); ///< "optimal", "feasible", "infeasible", "no_plan"
/// Whether there is a plan: "optimal" or "feasible".
inline bool hasSteps(SolveStatus status) {
  return status == SolveStatus::Optimal || status == SolveStatus::Feasible;
}

struct Plan {
  std::string graphName;
  std::string graphHash;
  SolveStatus status = SolveStatus::NoPlan;
  double cost = 0;             ///< Sum of the costs of all runs.
  std::optional<double> time;  ///< When the last queue is done; unset: unsaid.
  std::optional<double> bound; ///< No plan of `boundSpace` costs less.
  std::string boundSpace;      ///< "staged", "fixed-order" or "free-order"
  std::string proof;           ///< "exact", "rounded-dual" or "solver"
  /// No plan of `timeBoundSpace` within the budget ends earlier on one stream,
  /// whatever it copies: "run-once" (every node once, in source order),
  /// "fixed-order" or "free-order".
  std::optional<double> timeBound;
  std::string timeBoundSpace;
  int64_t peakBytes =
      0; ///< As replayed: fixed, resident storages, outputs and workspace.
  std::string solver;
  std::optional<int64_t> budgetBytes;
  std::vector<PlanAction> steps;
  std::vector<PlanArena> arenas;
  std::optional<BatchRange> batches; ///< Unset: the plan is of one batch.
  // Infeasible or no plan:
  std::optional<int64_t>
      boundBytes; ///< Proved lower bound of any budget that works.
  std::optional<int64_t> minimumBudgetBytes; ///< Least budget known to work.
  std::optional<NodeId> witnessNode;         ///< The node that cannot fit ...
  std::vector<TensorId>
      witnessTensors; ///< ... and what must be live beside it.
  /// The caller's tensors that live on the host between steps.
  llvm::ArrayRef<TensorId> hosted() const;

  std::string note; ///< Why the plan is not better, in plain words; not part of
                    ///< the file.

  /// When the last queue is done: the cost where nothing else is said.
  double makespan() const { return time.value_or(cost); }
};

} // namespace memplan

#endif // MEMPLAN_PLAN_PLAN_H
