// --max-batch infers, plans and judges the step batch by batch; the next batch after the chosen one was tried too.
// RUN: memplan-opt --max-batch --budget=4M --remat=checkpoint-all --slowdown=1 %S/../../../examples/small/mlp.mlir -o %t.mlir 2> %t.err
// RUN: FileCheck %s --input-file=%t.err
// Rows stand in the order in which batches were tried, the chosen one last.
// CHECK: memplan-opt: batch, live bytes at the peak, overhead, allowed, time for each sample
// CHECK-NEXT: memplan-opt: {{ *}}16 {{.*}}0.00 %{{ *}}0.00 %
// CHECK-NEXT: memplan-opt: {{ *}}32 {{.*}}0.00 %{{ *}}0.00 %
// CHECK: no plan within the budget
// CHECK: memplan-opt: {{ *}}[[BEST:[0-9]+]] {{.*}}<- chosen
// CHECK-NEXT: memplan-opt: @train_step: {{.*}}overhead 0.00 %

// The plan that is made takes the time that the table says, copies included, and fits.
// RUN: memplan-opt --max-batch --budget=4M --remat=checkpoint-all --swap=tflms --tflms=threshold=1 --bandwidth=100000,100000 --slowdown=3 %S/../../../examples/small/mlp.mlir -o %t.copied.mlir 2> %t.copied.err
// RUN: FileCheck %s --check-prefix=COPIES --input-file=%t.copied.err
// RUN: memplan-run %t.copied.mlir --backend=reference --measure | FileCheck %s --check-prefix=RUNS
// COPIES: memplan-opt: {{.*}} [[TIME:[0-9]+\.[0-9]+]] %{{ +}}200.00 %{{.*}}<- chosen
// COPIES: memplan-opt: @train_step: {{.*}}device {{[0-9]+}} bytes (arena {{[0-9]+}}) of budget 4194304, overhead 0.00 % of work and [[TIME]] % of time
// RUNS: measured: arena 1 (host): planned

// Anything may be asked for in the words of the table.
// RUN: memplan-opt --max-batch --slowdown=any --budget=1M --emit=plan %S/../../../examples/small/mlp.mlir -o %t.plan.json 2>&1 | FileCheck %s --check-prefix=ANY
// ANY: memplan-opt: {{.*}} any {{.*}}<- chosen
// RUN: not memplan-opt --max-batch --min-budget %s 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: memplan-opt: error: --max-batch looks for a batch within a budget, so --min-budget and --plan cannot be given too

// What is allowed can be one more forward pass, which is the default, a factor, or anything.
// RUN: memplan-opt --max-batch --budget=1M --emit=plan %S/../../../examples/small/mlp.mlir -o %t.plan.json 2>&1 | FileCheck %s --check-prefix=FORWARD
// FORWARD: <- chosen
// RUN: memplan-opt --max-batch --slowdown=per-sample --budget=1M --emit=plan %S/../../../examples/small/mlp.mlir -o %t.plan.json 2>&1 | FileCheck %s --check-prefix=SAMPLE
// SAMPLE: with 0.9 us for each launch, which the costs lack
// SAMPLE: <- chosen

// RUN: not memplan-opt --max-batch %s 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: memplan-opt: error: --max-batch needs a budget in bytes
// RUN: not memplan-opt --max-batch --budget=1G --slowdown=0.9 %s 2>&1 | FileCheck %s --check-prefix=FACTOR
// FACTOR: memplan-opt: error: --slowdown: '0.9' is neither 'forward' nor 'any' nor 'per-sample' nor a number of at least 1
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
