// --max-batch infers, plans and judges the step batch by batch; the next batch after the chosen one was tried too.
// RUN: memplan-opt --max-batch --budget=4M --remat=checkpoint-all --slowdown=1 %S/../../../examples/small/mlp.mlir -o %t.mlir 2> %t.err
// RUN: FileCheck %s --input-file=%t.err
// CHECK: memplan-opt: batch, live bytes at the peak, overhead, allowed, cost for each sample
// CHECK: memplan-opt: {{ *}}16 {{.*}}0.00 %{{ *}}0.00 %
// CHECK: memplan-opt: {{ *}}[[BEST:[0-9]+]] {{.*}}<- chosen
// CHECK-NEXT: no plan within the budget

// What is allowed can be one more forward pass, which is the default, a factor, or anything.
// RUN: memplan-opt --max-batch --budget=1M --emit=plan %S/../../../examples/small/mlp.mlir -o %t.plan.json 2>&1 | FileCheck %s --check-prefix=FORWARD
// FORWARD: <- chosen
// RUN: memplan-opt --max-batch --slowdown=per-sample --budget=1M --emit=plan %S/../../../examples/small/mlp.mlir -o %t.plan.json 2>&1 | FileCheck %s --check-prefix=SAMPLE
// SAMPLE: <- chosen

// RUN: not memplan-opt --max-batch %s 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: memplan-opt: error: --max-batch needs a budget in bytes
// RUN: not memplan-opt --max-batch --budget=1G --slowdown=0.9 %s 2>&1 | FileCheck %s --check-prefix=FACTOR
// FACTOR: memplan-opt: error: --slowdown: '0.9' is neither 'forward' nor 'per-sample' nor a number of at least 1
// RUN: not memplan-opt --slowdown=1.5 --budget=1G %s 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: memplan-opt: error: --slowdown is for --max-batch, which is not given
// RUN: not memplan-opt --max-batch --budget=1G %s 2>&1 | FileCheck %s --check-prefix=MARK
// MARK: memplan-opt: error: --max-batch needs a program with a batch: no argument is marked 'memplan.batch'
// RUN: not memplan-opt --max-batch --budget=16 %S/../../../examples/small/mlp.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: memplan-opt: error: not even one sample fits the budget of 16 bytes within --slowdown=forward
func.func @step(%x: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %0 = memplan.relu %x : (tensor<1x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
