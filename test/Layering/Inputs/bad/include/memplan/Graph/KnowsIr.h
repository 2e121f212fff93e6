#include "llvm/IR/Module.h"
#include "mlir/IR/BuiltinOps.h"
#include <vector>
