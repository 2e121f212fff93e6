//===- MemplanDialect.h - The dialect without its operations ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_MEMPLANDIALECT_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_MEMPLANDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"

#include "memplan/Dialect/Memplan/IR/MemplanDialect.h.inc"

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_MEMPLANDIALECT_H
