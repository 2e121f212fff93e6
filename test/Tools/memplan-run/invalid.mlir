// What memplan-run refuses, and that it says why.
// RUN: not memplan-run %s --batch=0 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not memplan-run %s --remat=magic 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not memplan-run %s --budget=lots 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not memplan-run %s --engine=fast 2>&1 | FileCheck %s --check-prefix=ENGINE
// RUN: not memplan-run %s --frobnicate=1 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not memplan-run %s --pareto=3 2>&1 | FileCheck %s --check-prefix=PARETO
// RUN: not memplan-run %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not memplan-run %s --function=none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memplan-run %t.missing.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not memplan-run %t.missing.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not memplan-run %s --function=tensors --emit-library=%t.nowhere/step.so 2>&1 | FileCheck %s --check-prefix=LINK
// Before the run, so that no work is lost.
// RUN: not memplan-run %s --function=tensors --save-params=%t.nowhere/p.safetensors 2>&1 | FileCheck %s --check-prefix=SAVE --implicit-check-not=step
// RUN: not memplan-run %s --function=tensors --profile=%t.nowhere/profile.json 2>&1 | FileCheck %s --check-prefix=SAVE --implicit-check-not=step

// SAVE: cannot write
// BATCH: --batch: must be at least 1, but is 0
// SOLVER: magic
// BUDGET: lots
// ENGINE: --engine=fast: expected table or jit
// FLAG: unknown flag '--frobnicate=1'
// PARETO: flag '--pareto' is for planning alone, by memplan-opt or memplan-solve; --plan=FILE runs a plan of theirs
// SEVERAL: has several functions, 'tensors', 'other'; choose one by --function=NAME
// NONE: has no public function 'none' with a body
// FILE: cannot open input file
// LIBRARY: cannot open {{.*}}missing.so
// LINK: cannot write {{.*}}nowhere/step.so
func.func @tensors(%x: tensor<4xf32> {memplan.kind = "input"}) -> (tensor<4xf32> {memplan.kind = "output"}) {
  %y = memplan.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @other(%x: tensor<4xf32> {memplan.kind = "input"}) -> (tensor<4xf32> {memplan.kind = "output"}) {
  %y = memplan.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
