//===- PartChecks.h - Do parts lie apart in their wholes? -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_PARTCHECKS_H
#define MEMPLAN_LIB_GRAPH_PARTCHECKS_H

#include "memplan/Graph/Graph.h"

namespace memplan {

/// graph_i9 and graph_i10, of a graph that keeps all others. O(tensors +
/// edges + pairs of written parts of one base).
llvm::Error checkParts(const Graph &graph);

} // namespace memplan

#endif // MEMPLAN_LIB_GRAPH_PARTCHECKS_H
