// Verifier and lowering must agree about every address: a cast of a cast counts from the allocation, as its source does, and
// memref.cast moves nothing. All three functions read elements [8, 12) of the argument.
// RUN: memplan-opt %s --memplan-verify-plan -o /dev/null
// RUN: memplan-run %s --function=one_cast --dump | FileCheck %s
// RUN: memplan-run %s --function=cast_of_a_cast --dump | FileCheck %s
// RUN: memplan-run %s --function=memref_cast --dump | FileCheck %s
// CHECK: memplan.relu node=1 in(arg0+32:4xf32) out(arena0+0:4xf32)
func.func @one_cast(%arena: memref<256xi8> {memplan.alignment = 256 : i64, memplan.arena}, %x: memref<16xf32>) -> memref<4xf32>
    attributes {memplan.arena_bytes = 256 : i64, memplan.cost = 3.5555555555555553E-5 : f64, memplan.peak_bytes = 80 : i64, memplan.planned,
                memplan.value_hash = array<i64: 719920816352784664, 2946066072895329918>} {
  %c0 = arith.constant 0 : index
  %0 = memref.reinterpret_cast %x to offset: [8], sizes: [4], strides: [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 8>>
  %1 = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  memplan.relu ins(%0 : memref<4xf32, strided<[1], offset: 8>>) outs(%1 : memref<4xf32>) {memplan.node = 1 : i64}
  return %1 : memref<4xf32>
}

func.func @cast_of_a_cast(%arena: memref<256xi8> {memplan.alignment = 256 : i64, memplan.arena}, %x: memref<16xf32>) -> memref<4xf32>
    attributes {memplan.arena_bytes = 256 : i64, memplan.cost = 3.5555555555555553E-5 : f64, memplan.peak_bytes = 80 : i64, memplan.planned,
                memplan.value_hash = array<i64: 719920816352784664, 2946066072895329918>} {
  %c0 = arith.constant 0 : index
  %half = memref.reinterpret_cast %x to offset: [4], sizes: [12], strides: [1] : memref<16xf32> to memref<12xf32, strided<[1], offset: 4>>
  %0 = memref.reinterpret_cast %half to offset: [8], sizes: [4], strides: [1] : memref<12xf32, strided<[1], offset: 4>> to memref<4xf32, strided<[1], offset: 8>>
  %1 = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  memplan.relu ins(%0 : memref<4xf32, strided<[1], offset: 8>>) outs(%1 : memref<4xf32>) {memplan.node = 1 : i64}
  return %1 : memref<4xf32>
}

func.func @memref_cast(%arena: memref<256xi8> {memplan.alignment = 256 : i64, memplan.arena}, %x: memref<16xf32>) -> memref<4xf32>
    attributes {memplan.arena_bytes = 256 : i64, memplan.cost = 3.5555555555555553E-5 : f64, memplan.peak_bytes = 80 : i64, memplan.planned,
                memplan.value_hash = array<i64: 719920816352784664, 2946066072895329918>} {
  %c0 = arith.constant 0 : index
  %0 = memref.reinterpret_cast %x to offset: [8], sizes: [4], strides: [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 8>>
  %1 = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  %2 = memref.cast %1 : memref<4xf32> to memref<4xf32, strided<[1]>>
  memplan.relu ins(%0 : memref<4xf32, strided<[1], offset: 8>>) outs(%2 : memref<4xf32, strided<[1]>>) {memplan.node = 1 : i64}
  return %1 : memref<4xf32>
}
