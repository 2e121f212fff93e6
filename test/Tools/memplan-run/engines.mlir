// The program table, the code that the JIT makes of it and an ahead-of-time library compute the same bits.
// RUN: rm -rf %t && mkdir %t
// RUN: memplan-run %s --steps=3 --save-params=%t/table.safetensors | FileCheck %s
// RUN: memplan-run %s --steps=3 --engine=jit --save-params=%t/jit.safetensors --poison --measure | FileCheck %s --check-prefixes=CHECK,WATCH
// RUN: cmp %t/table.safetensors %t/jit.safetensors
// RUN: memplan-run %s --emit-library=%t/step.so --emit-program=%t/step.mpp --emit-unplanned=%t/unplanned.mpp
// RUN: memplan-run %t/step.so --steps=3 --save-params=%t/library.safetensors --unplanned=%t/unplanned.mpp --check | FileCheck %s --check-prefixes=CHECK,SAME
// RUN: cmp %t/table.safetensors %t/library.safetensors
// RUN: memplan-run %t/step.mpp --steps=3 --save-params=%t/program.safetensors | FileCheck %s
// RUN: cmp %t/table.safetensors %t/program.safetensors
// What --emit-ir and --emit-plan leave is the same step.
// RUN: memplan-run %s --emit-ir=%t/step.mlir
// RUN: memplan-run %s --emit-plan=%t/step.plan.json
// RUN: memplan-opt %t/step.mlir --plan=%t/step.plan.json -o %t/planned.mlir
// RUN: memplan-run %t/planned.mlir --steps=3 --save-params=%t/ir.safetensors | FileCheck %s
// RUN: cmp %t/table.safetensors %t/ir.safetensors
// RUN: memplan-run %s --plan=%t/step.plan.json --steps=3 --save-params=%t/plan.safetensors | FileCheck %s
// RUN: cmp %t/table.safetensors %t/plan.safetensors
// The library asks for no other library.
// RUN: %python -c "import subprocess, sys; text = subprocess.run(['llvm-readobj', '--needed-libs', sys.argv[1]], capture_output=True, text=True, check=True).stdout; sys.exit('.so' in text.split('NeededLibraries')[1])" %t/step.so

// CHECK: step 0: loss = {{[0-9]}}
// CHECK: step 2: loss = {{[0-9]}}
// SAME:  check: after each of 3 steps {{.*}} the same in the unplanned run, bit for bit
// WATCH: poison: every read found the value that the plan means there
// WATCH: measured: arena 0: {{.*}}; handed out as planned
func.func @step(%x: tensor<4x8xf32> {memplan.kind = "input", memplan.name = "x", memplan.batch = 0 : i64},
                %w1: tensor<8x16xf32> {memplan.kind = "parameter", memplan.name = "w1", memplan.init = "normal:0.3"},
                %w2: tensor<16x5xf32> {memplan.kind = "parameter", memplan.name = "w2", memplan.init = "normal:0.3"},
                %labels: tensor<4xi64> {memplan.kind = "input", memplan.name = "labels", memplan.high = 5 : i64, memplan.batch = 0 : i64})
    -> (tensor<f32> {memplan.kind = "loss", memplan.name = "loss"})
    attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, momentum = 0.9 : f64}} {
  %h = memplan.matmul %x, %w1 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %r = memplan.gelu %h {approximate = "tanh"} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %y = memplan.matmul %r, %w2 : (tensor<4x16xf32>, tensor<16x5xf32>) -> tensor<4x5xf32>
  %loss, %lse = memplan.cross_entropy %y, %labels : (tensor<4x5xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  return %loss : tensor<f32>
}
