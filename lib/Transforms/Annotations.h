//===- Annotations.h - Decisions of single-problem passes on operations ---===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_ANNOTATIONS_H
#define MEMPLAN_LIB_TRANSFORMS_ANNOTATIONS_H

#include "memplan/Bridge/GraphView.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Planner/Step/Buffers.h"
#include "memplan/Schedule/Liveness.h"

namespace mlir::memplan {

/// Writes `memplan.node` on every run, so that later passes may reorder and
/// copy operations.
void annotateNodes(const GraphView &view);

/// `memplan.in_place`: pairs of result and operand numbers.
void annotateInPlace(const GraphView &view, const core::InPlaceChoice &choice);
FailureOr<core::InPlaceChoice> readInPlace(const GraphView &view);

/// `memplan.storage`: the storage of each result. Reading gives nothing where
/// no operation has one.
void annotateStorages(const GraphView &view, const core::StorageMap &map);
FailureOr<std::optional<core::StorageMap>>
readStorages(const GraphView &view, const core::GraphIndex &index,
             const core::InPlaceChoice &inPlace);

/// `memplan.stream` of what runs on another stream than 0; `actions` are those
/// of buildActions(), and so is their order.
void annotateStreams(const GraphView &view,
                     const std::vector<core::PlanAction> &actions);
/// Does any operation run on another stream than 0?
bool isOnStreams(const GraphView &view);
/// Fills in the streams of runs.
void readStreams(const GraphView &view, std::vector<core::PlanAction> &actions);

/// `memplan.offset` and `memplan.workspace_offset`; the placements are those of
/// the steps that buildActions() makes.
void annotateOffsets(const GraphView &view,
                     const std::vector<core::PlanAction> &steps,
                     const core::PlanArena &arena);
/// Fills in the offsets of placements.
LogicalResult readOffsets(const GraphView &view,
                          const std::vector<core::PlanAction> &steps,
                          std::vector<core::Placement> &placements);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_TRANSFORMS_ANNOTATIONS_H
