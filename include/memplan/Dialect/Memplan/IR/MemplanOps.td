//===- MemplanOps.td - All operations of the dialect -------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_OPS_TD
#define MEMPLAN_OPS_TD

include "memplan/Dialect/Memplan/IR/ActivationOps.td"
include "memplan/Dialect/Memplan/IR/AttentionOps.td"
include "memplan/Dialect/Memplan/IR/CollectiveOps.td"
include "memplan/Dialect/Memplan/IR/ConvOps.td"
include "memplan/Dialect/Memplan/IR/CopyOps.td"
include "memplan/Dialect/Memplan/IR/ElementwiseOps.td"
include "memplan/Dialect/Memplan/IR/IndexOps.td"
include "memplan/Dialect/Memplan/IR/LinearOps.td"
include "memplan/Dialect/Memplan/IR/LossOps.td"
include "memplan/Dialect/Memplan/IR/MapOps.td"
include "memplan/Dialect/Memplan/IR/NormOps.td"
include "memplan/Dialect/Memplan/IR/OpaqueOps.td"
include "memplan/Dialect/Memplan/IR/PoolOps.td"
include "memplan/Dialect/Memplan/IR/ReduceOps.td"
include "memplan/Dialect/Memplan/IR/ShapeOps.td"
include "memplan/Dialect/Memplan/IR/UpdateOps.td"

#endif // MEMPLAN_OPS_TD
