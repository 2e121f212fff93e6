//===- LayerCheckpoints.h - What frameworks recompute -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_REMAT_LAYERCHECKPOINTS_H
#define MEMPLAN_LIB_PLANNER_REMAT_LAYERCHECKPOINTS_H

#include "memplan/Planner/Remat/StageGraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace memplan {

/// What the backward pass reads of the forward pass, itself or by what it
/// recomputes, is dropped after its last forward read, recomputed once, right
/// before it is first needed, and kept to its last user. Kept throughout:
/// `isKept`, by value, and what cannot be recomputed there. O(ops + edges).
Retention recomputeOnce(const StageGraph &graph,
                        const std::vector<bool> &isKept);

/// What to keep where a kept byte costs so much, by value: what the backward
/// pass needs is kept, or its producer is recomputed once from what is kept. No
/// other choice costs less in all. Bytes cost a little more, the earlier they
/// are made: costOfKeeping(). One maximum flow.
std::vector<bool> keptByCut(const StageGraph &graph, double costOfByte);
double costOfKeeping(const StageGraph &graph, int32_t value, double costOfByte);
/// Whether the op may run again where the backward pass first reads what it
/// makes.
bool mayRecompute(const StageGraph &graph, int32_t op);

/// Calls `consider` with each choice that activation checkpointing has, and its
/// name: `full` keeps what some layers hand to the next, `selective` besides
/// the values that cost most for their bytes.
void forEachLayerCheckpoint(
    const StageGraph &graph,
    llvm::function_ref<void(Retention, const char *)> consider);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_REMAT_LAYERCHECKPOINTS_H
