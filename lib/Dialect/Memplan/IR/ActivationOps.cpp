//===- ActivationOps.cpp - Activations and their gradients ----------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/ActivationOps.cpp.inc"
