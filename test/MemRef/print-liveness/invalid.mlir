// RUN: not memplan-opt %s --memplan-print-liveness=file=%t/missing/out.txt 2>&1 | FileCheck %s

// A picture that could not be written must not look like an empty one.
// CHECK: error: memplan-print-liveness: cannot open output file
func.func @f() {
  return
}
