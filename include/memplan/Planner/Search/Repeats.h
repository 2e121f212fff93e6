//===- Repeats.h - Segments of a step that repeat ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Micro-batches run the same ops again and again. What is found for a step with
// one of them is copied to the others.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_REPEATS_H
#define MEMPLAN_PLANNER_SEARCH_REPEATS_H

#include "memplan/Planner/Search/RunSequence.h"
#include <optional>

namespace memplan {

/// The longest segment found: one that saves less than a quarter of the ops is
/// not worth it. O(ops + edges), or so.
std::optional<SearchStep::Repeat> findRepeat(const SearchStep &step);
/// What repeats in a large step, for proveCost(); smaller steps are proved
/// as a whole.
std::optional<StepRepeat> findRepeat(const ContractedStep &step);

/// Equal layers: a segment of the forward pass and one of the backward pass.
/// The ones kept stand for the step in a search of its own. O(ops + edges), or
/// so.
std::optional<SearchStep::Repeat> findLayers(const SearchStep &step);

/// A plan of `part`, which is `step.without(repeat)`, as one of the step: what
/// happens in the turn that is left happens in all of them. Empty where that
/// breaks a rule of the step. It may take more bytes.
std::optional<std::vector<PlannedRun>>
repeatPlan(const SearchStep &step, const SearchStep::Repeat &repeat,
           const SearchStep &part, llvm::ArrayRef<PlannedRun> plan);

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_REPEATS_H
