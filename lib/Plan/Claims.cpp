//===- Claims.cpp - What a plan says of itself ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Claims.h"
#include "memplan/Support/JsonWriter.h"
#include "memplan/Support/Violation.h"
#include <cmath>

using namespace llvm;

namespace memplan {

/// Sums of doubles in another order differ in the last digits.
static bool isClose(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

static Error verifyFigures(const Plan &plan, const Replay &replay,
                           std::optional<int64_t> limit) {
  if (plan.peakBytes != replay.peakBytes)
    return violation("plan_c12",
                     "plan says peak {0} bytes, replaying gives {1}",
                     plan.peakBytes, replay.peakBytes);
  if (limit && replay.peakBytes > *limit)
    return violation("plan_c12",
                     "peak {0} bytes exceeds the budget of {1} at step {2}",
                     replay.peakBytes, *limit, replay.peakStep);
  // Also refuses NaN, and costs whose sum is infinite.
  if (!isClose(plan.cost, replay.cost))
    return violation("plan_c12", "plan says cost {0}, replaying gives {1}",
                     printNumber(plan.cost), printNumber(replay.cost));
  if (plan.time && !isClose(*plan.time, replay.time))
    return violation("plan_c12", "plan says time {0}, replaying gives {1}",
                     printNumber(*plan.time), printNumber(replay.time));
  return Error::success();
}

/// Every stage ends with the first run of a node, in source order, and before
/// that recomputes earlier nodes, each once, in source order.
static bool isStaged(const Graph &graph, const Plan &plan) {
  size_t next = 0;   // The node whose first run ends the stage.
  int32_t last = -1; // Within the stage.
  for (const PlanAction &step : plan.steps) {
    if (step.action == ActionKind::Free)
      continue;
    if (step.action != ActionKind::Compute || step.stream != 0 ||
        step.node.index <= last || next >= graph.nodes.size() ||
        static_cast<size_t>(step.node.index) > next)
      return false;
    last = step.node.index;
    if (static_cast<size_t>(step.node.index) == next) {
      ++next;
      last = -1;
    }
  }
  return true;
}

/// A staged plan recomputes a node once a stage at most.
static double largestStagedCost(const Graph &graph) {
  double total = 0;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    double cost = graph.nodes[n].cost;
    for (const NodeVariant &variant : graph.nodes[n].variants)
      cost = std::max(cost, variant.cost);
    total += cost * static_cast<double>(graph.nodes.size() - n);
  }
  return total;
}

static Error checkNames(const Plan &plan) {
  auto isOneOf = [](StringRef name, ArrayRef<const char *> known) {
    return name.empty() ||
           llvm::any_of(known, [&](const char *k) { return name == k; });
  };
  if (!isOneOf(plan.boundSpace, {"staged", "fixed-order", "free-order"}))
    return violation("plan_c18",
                     "there is no bound_space '{0}'; known are staged, "
                     "fixed-order and free-order",
                     plan.boundSpace);
  if (!isOneOf(plan.proof, {"exact", "rounded-dual", "solver"}))
    return violation("plan_c18",
                     "there is no proof '{0}'; known are exact, rounded-dual "
                     "and solver",
                     plan.proof);
  if (plan.bound && !(*plan.bound >= 0 && std::isfinite(*plan.bound)))
    return violation("plan_c18", "bound {0} is negative or not finite",
                     printNumber(*plan.bound));
  bool claims = plan.bound || plan.status == SolveStatus::Infeasible;
  if (claims && (plan.boundSpace.empty() || plan.proof.empty()))
    return violation("plan_c18",
                     "a bound says nothing without bound_space and proof");
  if (plan.budgetBytes && *plan.budgetBytes < 0)
    return violation("plan_c18", "budget_bytes is negative: {0}",
                     *plan.budgetBytes);
  return Error::success();
}

/// Checks the bound of a plan that ends at `time`.
static Error checkTimeBound(const Plan &plan, double time) {
  if (!plan.timeBoundSpace.empty() && plan.timeBoundSpace != "run-once" &&
      plan.timeBoundSpace != "fixed-order" &&
      plan.timeBoundSpace != "free-order")
    return violation("plan_c18",
                     "there is no time_bound_space '{0}'; known are run-once, "
                     "fixed-order and free-order",
                     plan.timeBoundSpace);
  if (!plan.timeBound)
    return Error::success();
  if (!(*plan.timeBound >= 0 && std::isfinite(*plan.timeBound)))
    return violation("plan_c18", "time_bound {0} is negative or not finite",
                     printNumber(*plan.timeBound));
  if (plan.timeBoundSpace.empty())
    return violation("plan_c18",
                     "a time_bound says nothing without time_bound_space");
  if (!(*plan.timeBound <= time * (1 + 1e-6) + 1e-9))
    return violation("plan_c18", "time_bound {0} is above the time {1}",
                     printNumber(*plan.timeBound), printNumber(time));
  return Error::success();
}

/// Least budgets, proved and known to work.
static Error checkBudgets(const Plan &plan) {
  if (plan.boundBytes && *plan.boundBytes <= 0)
    return violation("plan_c18", "bound_bytes is not positive: {0}",
                     *plan.boundBytes);
  if (!plan.minimumBudgetBytes)
    return Error::success();
  if (*plan.minimumBudgetBytes <= 0)
    return violation("plan_c18", "minimum_budget_bytes is not positive: {0}",
                     *plan.minimumBudgetBytes);
  if (plan.boundBytes && *plan.boundBytes > *plan.minimumBudgetBytes)
    return violation("plan_c18",
                     "bound_bytes {0} is above minimum_budget_bytes {1}",
                     *plan.boundBytes, *plan.minimumBudgetBytes);
  return Error::success();
}

static Error checkBound(const Graph &graph, const Plan &plan, double cost) {
  bool isOptimal = plan.status == SolveStatus::Optimal;
  if (isOptimal && !plan.bound)
    return violation("plan_c18", "status is optimal, but the bound is missing");
  if (!plan.bound)
    return Error::success();
  double bound = *plan.bound;
  if (isOptimal && !(bound >= cost * (1 - 1e-4) - 1e-9))
    return violation("plan_c18",
                     "status is optimal, but bound {0} is below the cost {1}",
                     printNumber(bound), printNumber(cost));
  // A plan that is not staged may cost less than all that are.
  bool mayExceed = !isOptimal && plan.boundSpace == "staged" &&
                   bound <= largestStagedCost(graph) * (1 + 1e-6) &&
                   !isStaged(graph, plan);
  if (!mayExceed && !(bound <= cost * (1 + 1e-6) + 1e-9))
    return violation("plan_c18", "bound {0} is above the cost {1}",
                     printNumber(bound), printNumber(cost));
  return Error::success();
}

Error verifyClaims(const GraphIndex &index, const Plan &plan,
                   const Replay &replay, std::optional<int64_t> limit) {
  if (Error error = verifyFigures(plan, replay, limit))
    return error;
  if (Error error = checkNames(plan))
    return error;
  if (Error error = checkBudgets(plan))
    return error;
  if (Error error = checkTimeBound(plan, replay.time))
    return error;
  return checkBound(index.graph(), plan, replay.cost);
}

static bool isNeeded(const GraphIndex &index, TensorId tensor,
                     std::optional<NodeId> node) {
  if (node)
    return llvm::is_contained(basesRead(index, *node), tensor) ||
           llvm::is_contained(index.madeBases(*node), tensor);
  // At the beginning or the end of the step.
  return isCallerOwned(index.graph()[tensor].kind) || index.isKept(tensor);
}

/// The witness shows why nothing fits below bound_bytes.
static Error checkWitness(const GraphIndex &index, const Plan &plan) {
  const Graph &graph = index.graph();
  // The caller's bytes alone may be too many, whatever the step makes.
  if (!plan.witnessNode && plan.witnessTensors.empty() &&
      leastBytes(index, std::nullopt) < *plan.boundBytes)
    return violation("plan_c19",
                     "status is infeasible by an exact proof, but there is no "
                     "witness");
  if (plan.witnessNode &&
      (plan.witnessNode->index < 0 ||
       static_cast<size_t>(plan.witnessNode->index) >= graph.nodes.size()))
    return violation("plan_c19", "the witness is a node that does not exist");
  for (TensorId tensor : plan.witnessTensors) {
    if (tensor.index < 0 ||
        static_cast<size_t>(tensor.index) >= graph.tensors.size())
      return violation("plan_c19",
                       "the witness names a tensor that does not exist");
    if (!isNeeded(index, tensor, plan.witnessNode))
      return violation("plan_c19",
                       "the witness names {0}, which {1} does not need",
                       describe(graph, tensor),
                       plan.witnessNode ? describe(graph, *plan.witnessNode)
                                        : std::string("the end of the step"));
  }
  int64_t needs = leastBytes(index, plan.witnessNode);
  if (needs < *plan.boundBytes)
    return violation("plan_c19",
                     "bound_bytes is {0}, but the witness needs only {1} bytes",
                     *plan.boundBytes, needs);
  return Error::success();
}

static Error checkInfeasible(const GraphIndex &index, const Plan &plan,
                             std::optional<int64_t> limit) {
  if (!limit)
    return violation("plan_c19", "status is infeasible without a budget");
  if (!plan.boundBytes)
    return violation("plan_c19",
                     "status is infeasible, but bound_bytes is missing");
  if (*plan.boundBytes <= *limit)
    return violation("plan_c19",
                     "status is infeasible, but bound_bytes {0} is within the "
                     "budget {1}",
                     *plan.boundBytes, *limit);
  // A dual or a search through one order has no witness that could be counted.
  if (plan.proof == "exact" && plan.boundSpace == "free-order")
    return checkWitness(index, plan);
  return Error::success();
}

Error verifyFailure(const GraphIndex &index, const Plan &plan,
                    std::optional<int64_t> limit) {
  if (!plan.steps.empty() || !plan.arenas.empty())
    return violation("plan_c19", "status {0} with steps or arenas",
                     statusName(plan.status));
  if (Error error = checkNames(plan))
    return error;
  if (Error error = checkBudgets(plan))
    return error;
  if (plan.status == SolveStatus::Infeasible)
    return checkInfeasible(index, plan, limit);
  return Error::success();
}

} // namespace memplan
