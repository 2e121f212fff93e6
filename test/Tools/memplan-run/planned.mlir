// A function that memplan-opt planned for no backend in particular runs as it is, on kernels without workspace where the
// plan gives none, and can be compared with the file that it came from.
// RUN: memplan-opt %root/examples/small/residual.mlir --budget=75% -o %t.mlir 2>/dev/null
// RUN: memplan-run %t.mlir --steps=2 --threads=2 --check --unplanned=%root/examples/small/residual.mlir > %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=NOTE --allow-empty < %t.err
// RUN: not memplan-run %t.mlir --check 2>&1 | FileCheck %s --check-prefix=NEEDS

// CHECK: check: after each of 2 steps {{.*}} were the same in the unplanned run, bit for bit
// NOTE-NOT: error
// NEEDS: is planned already, so the unplanned program cannot be made from it; give the tensor form, here or by --unplanned=FILE
