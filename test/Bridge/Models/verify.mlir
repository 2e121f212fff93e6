// RUN: memplan-opt %s --memplan-verify-plan -split-input-file -verify-diagnostics
// RUN: memplan-opt %S/Inputs/mlp_step.mlir --memplan-naive-plan | not memplan-opt --memplan-lower-to-runtime 2>&1 | FileCheck %s
// CHECK: 'linalg.fill' op has no kernel in memplan's runtime, which runs operations of the memplan dialect

// What a planned function on tensors must not do.

func.func @late(%arena: memref<512xi8> {memplan.alignment = 256 : i64, memplan.arena}, %x: memref<4xf32>) -> memref<4xf32>
    attributes {memplan.planned, memplan.arena_bytes = 512 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] : memref<512xi8> to memref<4xf32>
  %t = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %y = math.exp %t : tensor<4xf32>
  bufferization.materialize_in_destination %y in restrict writable %a : (tensor<4xf32>, memref<4xf32>) -> ()
  // expected-error @+1 {{reads a tensor that was taken from memory before another operation ran (planned_c3)}}
  %z = math.exp %t : tensor<4xf32>
  bufferization.materialize_in_destination %z in restrict writable %a : (tensor<4xf32>, memref<4xf32>) -> ()
  return %a : memref<4xf32>
}

// -----

func.func @not_stored(%arena: memref<512xi8> {memplan.alignment = 256 : i64, memplan.arena}, %x: memref<4xf32>) -> memref<4xf32>
    attributes {memplan.planned, memplan.arena_bytes = 512 : i64} {
  %t = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  // expected-error @+1 {{result 0 must be stored in planned memory right after the operation, and read from there (planned_c1)}}
  %y = math.exp %t : tensor<4xf32>
  %z = math.exp %y : tensor<4xf32>
  return %x : memref<4xf32>
}

// -----

func.func @wrong_offset(%arena: memref<512xi8> {memplan.alignment = 256 : i64, memplan.arena}, %x: memref<4xf32>) -> memref<4xf32>
    attributes {memplan.planned, memplan.arena_bytes = 512 : i64} {
  %c256 = arith.constant 256 : index
  %a = memref.view %arena[%c256][] : memref<512xi8> to memref<4xf32>
  %t = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  // expected-error @+1 {{`memplan.offset` does not say that result 0 is stored at bytes [256, 272) of argument 0 (planned_c2)}}
  %y = math.exp %t {memplan.offset = array<i64: 0>} : tensor<4xf32>
  bufferization.materialize_in_destination %y in restrict writable %a : (tensor<4xf32>, memref<4xf32>) -> ()
  return %a : memref<4xf32>
}

// -----

// A matrix product may not overwrite what it reads.
func.func @in_place(%arena: memref<512xi8> {memplan.alignment = 256 : i64, memplan.arena}, %x: memref<4x4xf32>) -> memref<4x4xf32>
    attributes {memplan.planned, memplan.arena_bytes = 512 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.view %arena[%c0][] : memref<512xi8> to memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x4xf32>)
  // expected-error @+1 {{output 0 at bytes [0, 64) of argument 0 overwrites input 1 at bytes [0, 64) of argument 0, which the operation does not allow (planned_c4)}}
  linalg.matmul ins(%x, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return %a : memref<4x4xf32>
}

// -----

func.func @copy_overlaps(%arena: memref<512xi8> {memplan.alignment = 256 : i64, memplan.arena}, %x: memref<80xf32>) -> memref<80xf32>
    attributes {memplan.planned, memplan.arena_bytes = 512 : i64} {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %a = memref.view %arena[%c0][] : memref<512xi8> to memref<80xf32>
  %b = memref.view %arena[%c100][] : memref<512xi8> to memref<80xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<80xf32>)
  // expected-error @+1 {{copies bytes [0, 320) of argument 0 to bytes [100, 420) of argument 0; a copy goes to as many other bytes of the arena}}
  memref.copy %a, %b : memref<80xf32> to memref<80xf32>
  return %a : memref<80xf32>
}
