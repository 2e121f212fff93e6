//===- Toy.h - A dialect that knows nothing of memplan ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TOY_H
#define TOY_H

#include <mlir/Bytecode/BytecodeOpInterface.h>
#include <mlir/IR/Dialect.h>
#include <mlir/IR/OpImplementation.h>
#include <mlir/Interfaces/DestinationStyleOpInterface.h>
#include <mlir/Interfaces/InferTypeOpInterface.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include "Toy-dialect-decls.inc"
#define GET_OP_CLASSES
#include "Toy-op-decls.inc"

#endif // TOY_H
