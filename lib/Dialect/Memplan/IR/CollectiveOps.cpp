//===- CollectiveOps.cpp - What all ranks do at once ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/CollectiveOps.cpp.inc"
