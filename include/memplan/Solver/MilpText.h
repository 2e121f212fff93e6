//===- MilpText.h - Integer programs as LP and MPS files --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SOLVER_MILPTEXT_H
#define MEMPLAN_SOLVER_MILPTEXT_H

#include "memplan/Solver/MilpModel.h"
#include "llvm/Support/raw_ostream.h"

namespace memplan {

/// The model in CPLEX's LP format. One name a column, without spaces; a name
/// may not begin with a digit, 'e' or 'E'.
void writeLp(const MilpModel &model, llvm::ArrayRef<std::string> names,
             llvm::raw_ostream &os);

/// The model in free MPS format.
void writeMps(const MilpModel &model, llvm::ArrayRef<std::string> names,
              llvm::raw_ostream &os);

} // namespace memplan

#endif // MEMPLAN_SOLVER_MILPTEXT_H
