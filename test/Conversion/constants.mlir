// Constants are on the device for as long as the program is: each different one once, and one whose elements are all equal
// not at all, because its kernel writes the number.
// RUN: memplan-run %s --function=constants --dump 2>%t.err | FileCheck %s --check-prefix=PROGRAM
// RUN: FileCheck %s --check-prefix=SUMMARY < %t.err
// PROGRAM: constants bytes=80
// PROGRAM: memplan.constant node=0 in(const0+0:4xf32)
// PROGRAM: memplan.constant node=1 in(const0+64:4xf32)
// PROGRAM: memplan.constant node=2 in(const0+0:4xf32)
// PROGRAM: memplan.constant node=3 in() out({{.*}}) value=2.0
// PROGRAM: memplan.constant node=4 in() out({{.*}}) value=-0.0

// The device holds them beside the arena and the input of 16 bytes.
// SUMMARY: device [[#DEVICE:]] bytes
// SUMMARY-SAME: (arena [[#DEVICE - 96]])

// The graph counts them, so that no plan is made for bytes that are not there: what works has the 80 bytes more.
// RUN: memplan-opt %s --memplan-emit-graph -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRAPH
// GRAPH: "name": "constants", "fixed_bytes": 80,
// RUN: memplan-opt %s --memplan-plan='remat=checkpoint-all order=source alignment=64 budget=368' | FileCheck %s --check-prefix=FITS
// RUN: not memplan-opt %s --memplan-plan='remat=checkpoint-all order=source alignment=64 budget=367' 2>&1 | FileCheck %s --check-prefix=TIGHT
// FITS: memplan.planned
// TIGHT: no plan of @constants fits the budget
// TIGHT: always there: 96 bytes

// The verifier counts them as well: a budget that holds only without them is refused.
// RUN: memplan-opt %s --memplan-naive-plan -o %t.mlir
// RUN: %python -c "import re,sys; t=open(sys.argv[1]).read(); a=int(re.search(r'arena_bytes = (\d+)', t)[1]); [open(sys.argv[1]+'.'+n,'w').write(t.replace('memplan.planned', 'memplan.budget = %d : i64, memplan.planned' % (a+b))) for n,b in (('fits',96),('tight',95))]" %t.mlir
// RUN: memplan-opt %t.mlir.fits --memplan-verify-plan -o /dev/null
// RUN: not memplan-opt %t.mlir.tight --memplan-verify-plan 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: needs 96 bytes beside an arena of {{.*}}, above its budget of {{.*}} (planned_c8)
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = memplan.constant {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = memplan.constant {value = dense<[4.0, 3.0, 2.0, 1.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %c = memplan.constant {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %d = memplan.constant {value = dense<2.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %e = memplan.constant {value = dense<-0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = memplan.add %x, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = memplan.mul %0, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = memplan.add %1, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = memplan.mul %2, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = memplan.mul %3, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
