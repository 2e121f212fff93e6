//===- MemplanDialect.cpp - The memplan dialect ---------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

#include "memplan/Dialect/Memplan/IR/MemplanDialect.cpp.inc"

void MemplanDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "memplan/Dialect/Memplan/IR/MemplanOps.cpp.inc"
      >();
}
