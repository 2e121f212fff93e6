// A planned step becomes a module that LLVM takes and that launches each kernel with its operands.
// RUN: memplan-opt %s --memplan-plan --memplan-lower-to-runtime | FileCheck %s
// RUN: memplan-opt %s --memplan-plan --memplan-lower-to-runtime | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM

// The table goes with the code, so that what is made of it is complete.
// CHECK-DAG: llvm.mlir.global external constant @memplan_program(
// CHECK-DAG: llvm.mlir.global external constant @memplan_program_bytes(
// CHECK: llvm.func @memplan_step(%[[CONTEXT:.*]]: !llvm.ptr, %[[LAUNCH:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// The two launches are in the order of the plan, and each may end the step.
// CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[STATUS:.*]] = llvm.call %[[LAUNCH]](%[[CONTEXT]], %[[FIRST]], %{{.*}}) : !llvm.ptr, (!llvm.ptr, i32, !llvm.ptr) -> i32
// CHECK: llvm.cond_br %{{.*}}, ^[[STOP:.*]](%[[STATUS]] : i32)
// CHECK: %[[SECOND:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.call %[[LAUNCH]](%[[CONTEXT]], %[[SECOND]], %{{.*}})
// CHECK-NOT: llvm.call
// CHECK-NOT: func.func
// LLVM: define i32 @memplan_step(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4)
func.func @step(%x: tensor<64xf32> {memplan.kind = "input"}) -> (tensor<64xf32> {memplan.kind = "output"}) {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
