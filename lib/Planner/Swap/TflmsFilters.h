//===- TflmsFilters.h - Names that choose what is copied --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SWAP_TFLMSFILTERS_H
#define MEMPLAN_LIB_PLANNER_SWAP_TFLMSFILTERS_H

#include "memplan/Graph/Graph.h"
#include "memplan/Planner/Swap/TflmsParameters.h"

namespace memplan {

/// Operation `name` is one of `types`, with its dialect or without.
bool isOfType(llvm::StringRef name, const std::vector<std::string> &types);

/// Where the node stands in the model: its locations and the name of its first
/// result, else the operation.
std::vector<llvm::StringRef> placesOf(const Graph &graph, const Node &node);

/// swap_i5: a filter that matches no node is an error that lists what there is.
llvm::Error checkFilters(const Graph &graph, const TflmsParameters &parameters);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SWAP_TFLMSFILTERS_H
