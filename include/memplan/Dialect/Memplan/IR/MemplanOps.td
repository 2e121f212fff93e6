//===- MemplanOps.td - All operations of the dialect -----------------------===//

#ifndef MEMPLAN_OPS_TD
#define MEMPLAN_OPS_TD

include "memplan/Dialect/Memplan/IR/ActivationOps.td"
include "memplan/Dialect/Memplan/IR/ConvOps.td"
include "memplan/Dialect/Memplan/IR/ElementwiseOps.td"
include "memplan/Dialect/Memplan/IR/LinearOps.td"
include "memplan/Dialect/Memplan/IR/LossOps.td"
include "memplan/Dialect/Memplan/IR/NormOps.td"
include "memplan/Dialect/Memplan/IR/OpaqueOps.td"
include "memplan/Dialect/Memplan/IR/PoolOps.td"
include "memplan/Dialect/Memplan/IR/ReduceOps.td"
include "memplan/Dialect/Memplan/IR/ShapeOps.td"
include "memplan/Dialect/Memplan/IR/UpdateOps.td"

#endif // MEMPLAN_OPS_TD
