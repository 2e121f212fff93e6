//===- Claims.h - What a plan says of itself --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLAN_CLAIMS_H
#define MEMPLAN_LIB_PLAN_CLAIMS_H

#include "memplan/Plan/PlanVerifier.h"

namespace memplan {

/// Nodes that stand outside the order of first runs: they only make views,
/// write nothing, and may run again.
bool onlyMakesViews(const Graph &graph, const Node &node);

/// plan_c12, plan_c18: cost, time, peak, bound and status of a plan with steps.
llvm::Error verifyClaims(const GraphIndex &index, const Plan &plan,
                         const Replay &replay, std::optional<int64_t> limit);

/// plan_c19: what a plan without steps may say.
llvm::Error verifyFailure(const GraphIndex &index, const Plan &plan,
                          std::optional<int64_t> limit);

/// Bases that a run of the node reads or writes. What its view outputs look
/// into is not needed where they are discarded.
std::vector<TensorId> basesRead(const GraphIndex &index, NodeId node);

/// Bytes that no plan does without while `node` runs: fixed_bytes, the caller's
/// tensors that may not go, what the node reads and makes (outputs that can go
/// over an input do), and its least workspace. Without a node: at the beginning
/// or the end of the step. For plans that leave the caller's tensors on the
/// device.
int64_t leastBytes(const GraphIndex &index, std::optional<NodeId> node);

} // namespace memplan

#endif // MEMPLAN_LIB_PLAN_CLAIMS_H
