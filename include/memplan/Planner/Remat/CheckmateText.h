//===- CheckmateText.h - Stages as names and matrices -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_CHECKMATETEXT_H
#define MEMPLAN_PLANNER_REMAT_CHECKMATETEXT_H

#include "memplan/Planner/Remat/Checkmate.h"
#include "llvm/Support/raw_ostream.h"

namespace memplan {

/// By column: R_t_node, S_t_tensor, U_t_node, FREE_t_tensor_node; I_... for an
/// output over an input and V_... for another variant, which are not in the
/// paper. Ids are those of the graph file, t counts stages from 0; "end" is the
/// op that stands for the end of the step.
std::vector<std::string> columnNames(const StageGraph &graph,
                                     const Checkmate &checkmate);

/// JSON: "nodes" and "values" say what columns of the matrices stand for, by
/// ids of the graph file. "R" and "S" are lists of the ones in each stage, "U"
/// bytes by stage and node, "FREE" triples of stage, value and node.
void writeStageMatrices(const StageGraph &graph, const StageRows &rows,
                        llvm::raw_ostream &os);

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_CHECKMATETEXT_H
