// RUN: memplan-opt %s --memplan-verify-plan -split-input-file -verify-diagnostics

// Each function breaks one rule of the planned form. A verifier that accepts one of them lets a wrong plan run.

func.func @planned_c1_foreign_op(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64}) attributes {memplan.planned} {
  // expected-error @+1 {{'memref.alloc' is not part of the planned form (planned_c1)}}
  %0 = memref.alloc() : memref<64xf32>
  return
}

// -----

// expected-error @+1 {{must have the arena as its first argument and nowhere else; `memplan.arena` is missing on argument 0}}
func.func @planned_c1_no_arena(%x: memref<64xf32>) attributes {memplan.planned} {
  return
}

// -----

func.func @planned_c2_outside(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned} {
  %c256 = arith.constant 256 : index
  // expected-error @+1 {{lies outside its source: bytes [256, 512) of [0, 256) (planned_c2)}}
  %0 = memref.view %arena[%c256][] : memref<256xi8> to memref<64xf32>
  memplan.relu ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  return
}

// -----

func.func @planned_c2_misaligned(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned} {
  %c128 = arith.constant 128 : index
  %0 = memref.view %arena[%c128][] : memref<512xi8> to memref<64xf32>
  // expected-error @+1 {{output 0 starts at byte 128, which is not a multiple of the alignment 256 (planned_c2)}}
  memplan.relu ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  return
}

// -----

func.func @planned_c2_moving(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<64xf32>, %i: index)
    attributes {memplan.planned} {
  return
}
// expected-error @-4 {{argument 2 has type 'index' instead of a memref of static shape}}

// -----

func.func @planned_c3_never_written(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64}) attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %0 = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %1 = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
  // expected-error @+1 {{input 0 reads bytes [0, 256) of argument 0, which hold no whole value at this point}}
  memplan.relu ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>)
  return
}

// -----

// The second operation overwrites half of what the third reads.
func.func @planned_c3_overwritten(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<128xf32>,
                                  %y: memref<64xf32>) attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %0 = memref.view %arena[%c0][] : memref<1024xi8> to memref<128xf32>
  %1 = memref.view %arena[%c256][] : memref<1024xi8> to memref<64xf32>
  %2 = memref.view %arena[%c512][] : memref<1024xi8> to memref<128xf32>
  memplan.relu ins(%x : memref<128xf32>) outs(%0 : memref<128xf32>)
  memplan.relu ins(%y : memref<64xf32>) outs(%1 : memref<64xf32>)
  // expected-error @+1 {{input 0 reads bytes [0, 512) of argument 0, which hold no whole value at this point: never written, or overwritten since (planned_c3)}}
  memplan.tanh ins(%0 : memref<128xf32>) outs(%2 : memref<128xf32>)
  return
}

// -----

// Scratch destroys what lies under it.
func.func @planned_c3_scratch(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %0 = memref.view %arena[%c0][] : memref<1024xi8> to memref<64xf32>
  %1 = memref.view %arena[%c256][] : memref<1024xi8> to memref<64xf32>
  %w = memref.view %arena[%c0][] : memref<1024xi8> to memref<16xi8>
  memplan.relu ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  memplan.tanh ins(%x : memref<64xf32>) outs(%1 : memref<64xf32>) workspace(%w : memref<16xi8>)
  // expected-error @+1 {{input 0 reads bytes [0, 256) of argument 0, which hold no whole value at this point}}
  memplan.gelu ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>)
  return
}

// -----

// A transposition cannot work in place.
func.func @planned_c4_not_in_place(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<8x8xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %0 = memref.view %arena[%c0][] : memref<256xi8> to memref<8x8xf32>
  memplan.relu ins(%x : memref<8x8xf32>) outs(%0 : memref<8x8xf32>)
  // expected-error @+1 {{output 0 at bytes [0, 256) of argument 0 overwrites input 0 at bytes [0, 256) of argument 0, which the operation does not allow (planned_c4)}}
  memplan.transpose ins(%0 : memref<8x8xf32>) outs(%0 : memref<8x8xf32>) {perm = [1, 0]}
  return
}

// -----

// In place means exactly the same bytes.
func.func @planned_c4_shifted(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %1 = memref.view %arena[%c64][] : memref<512xi8> to memref<64xf32>
  memplan.relu ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  // expected-error @+1 {{output 0 at bytes [64, 320) of argument 0 overwrites input 0 at bytes [0, 256) of argument 0}}
  memplan.relu ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>)
  return
}

// -----

func.func @planned_c4_outputs(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<4x8xf32>, %s: memref<8xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %y = memref.view %arena[%c0][] : memref<512xi8> to memref<4x8xf32>
  %m = memref.view %arena[%c128][] : memref<512xi8> to memref<4xf32>
  // expected-error @+1 {{outputs 1 and 2 share bytes: bytes [128, 144) of argument 0 and bytes [128, 144) of argument 0 (planned_c4)}}
  memplan.layer_norm ins(%x, %s, %s : memref<4x8xf32>, memref<8xf32>, memref<8xf32>) outs(%y, %m, %m : memref<4x8xf32>, memref<4xf32>, memref<4xf32>) {epsilon = 1.0e-5}
  return
}

// -----

func.func @planned_c4_workspace(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %y = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %w = memref.view %arena[%c128][] : memref<512xi8> to memref<256xi8>
  // expected-error @+1 {{workspace at bytes [128, 384) of argument 0 overlaps an operand at bytes [0, 256) of argument 0 (planned_c4)}}
  memplan.tanh ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) workspace(%w : memref<256xi8>)
  return
}

// -----

func.func @planned_c5_caller(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<64xf32> {memplan.kind = "input"})
    attributes {memplan.planned} {
  // expected-error @+1 {{output 0 overwrites bytes [0, 256) of argument 1, which belong to the caller (planned_c5)}}
  memplan.relu ins(%x : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// -----

// Both runs of node 0 must read the same value; here the parameter changes between them.
func.func @planned_c6_recomputation_after_update(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                         %p: memref<64xf32> {memplan.kind = "parameter"}, %g: memref<64xf32>) attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %0 = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  // expected-note @+1 {{that run is here}}
  memplan.relu ins(%p : memref<64xf32>) outs(%0 : memref<64xf32>) {memplan.node = 0}
  memplan.sgd_update ins(%p, %g : memref<64xf32>, memref<64xf32>) outs(%p : memref<64xf32>) {lr = 0.1, memplan.node = 1}
  // expected-error @+1 {{computes another value than the run of the same node before (planned_c6)}}
  memplan.relu ins(%p : memref<64xf32>) outs(%0 : memref<64xf32>) {memplan.node = 0, run = 1}
  return
}

// -----

// expected-error @+1 {{needs `memplan.value_hash` with one number for each of its 1 arguments and 0 results}}
func.func @planned_c7_no_hash(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned} {
  return
}

// -----

// expected-error @+1 {{argument 1 at the end of the step has another value than in the unplanned function (planned_c7)}}
func.func @planned_c7_lost_update(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned, memplan.value_hash = array<i64: 1>} {
  return
}

// -----

func.func @planned_c7_wrong_result(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 256 : i64}) -> memref<0xi8>
    attributes {memplan.planned, memplan.value_hash = array<i64: 1>} {
  // expected-error @+1 {{result 0 holds no whole value (planned_c7)}}
  return %arena : memref<0xi8>
}

// -----

// expected-error @+1 {{`memplan.peak_bytes` promises 4 bytes, but the function takes 0 (planned_c8)}}
func.func @planned_c8_peak(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 256 : i64})
    attributes {memplan.planned, memplan.value_hash = array<i64>, memplan.arena_bytes = 0 : i64, memplan.peak_bytes = 4 : i64, memplan.cost = 0.0} {
  return
}

// -----

// expected-error @+1 {{`memplan.arena_bytes` is missing; the function takes 512 bytes (planned_c8)}}
func.func @planned_c8_arena(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64})
    attributes {memplan.planned, memplan.value_hash = array<i64>, memplan.peak_bytes = 0 : i64, memplan.cost = 0.0} {
  return
}

// -----

// expected-error @+1 {{`memplan.cost` does not promise the 0.000000 microseconds that the function takes (planned_c8)}}
func.func @planned_c8_cost(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 256 : i64})
    attributes {memplan.planned, memplan.value_hash = array<i64>, memplan.arena_bytes = 0 : i64, memplan.peak_bytes = 0 : i64, memplan.cost = 1.0} {
  return
}

// -----

// expected-error @+1 {{needs 0 bytes beside an arena of 512, above its budget of 511 (planned_c8)}}
func.func @planned_c8_budget(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64})
    attributes {memplan.planned, memplan.value_hash = array<i64>, memplan.arena_bytes = 512 : i64, memplan.peak_bytes = 0 : i64, memplan.cost = 0.0, memplan.budget = 511 : i64} {
  return
}

// -----

// More of planned_c9 in donated.mlir.
// expected-error @+1 {{argument 1 lies in the arena from byte 0 on, but it is not donated (planned_c9)}}
func.func @planned_c9_not_donated(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                  %x: memref<64xf32> {memplan.arena_offset = 0 : i64}) attributes {memplan.planned} {
  return
}

// -----

// Vector loads and matrix libraries ask for 64 bytes.
// expected-error @+1 {{the arena is aligned to 1 bytes; kernels take a power of two from 64 on (planned_c2)}}
func.func @planned_c2_alignment(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 1 : i64})
    attributes {memplan.planned} {
  return
}

// -----

// Without one number for the effects, none may be there.
// expected-error @+1 {{runs other operations with effects than the unplanned function, or in another order (planned_c7)}}
func.func @planned_c7_added_effect(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 64 : i64})
    attributes {memplan.planned, memplan.value_hash = array<i64>} {
  %c0 = arith.constant 0 : index
  %0 = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  memplan.opaque outs(%0 : memref<64xf32>) {effects = "unknown", kernel = "my.read"}
  return
}

// -----

// What lies on the host says so by its type.
// expected-error @+1 {{attribute 'memplan.arena' on argument 1 must hold no value, but is "host"}}
func.func @planned_c1_host_arena(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 64 : i64}, %host: memref<1099511627776xi8> {memplan.arena = "host"})
    attributes {memplan.planned} {
  return
}

// -----

// expected-error @+1 {{attribute 'memplan.fixed_bytes' on a function must hold an i64 from 0 to 2^61, but is -4096 : i64}}
func.func @planned_c8_negative_fixed(%arena: memref<0xi8> {memplan.arena, memplan.alignment = 64 : i64})
    attributes {memplan.planned, memplan.fixed_bytes = -4096 : i64} {
  return
}

// -----

// More of planned_c10 and planned_c11 in copies.mlir.
func.func @planned_c10_other_stream(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %0 = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %1 = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
  // expected-note @+1 {{it is here}}
  memplan.relu ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  // expected-error @+1 {{input 0 reads bytes [0, 256) of argument 0, which 'memplan.relu' may still use: nothing waits for it (planned_c10)}}
  memplan.tanh ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>) {memplan.stream = 1 : i64}
  return
}

// -----

func.func @planned_c11_beside_the_arena(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                        %host: memref<512xi8, #memplan.host> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<64xf32>)
    attributes {memplan.planned} {
  %c64 = arith.constant 64 : index
  %h = memref.view %host[%c64][] : memref<512xi8, #memplan.host> to memref<64xf32, #memplan.host>
  // expected-error @+1 {{copies to bytes [64, 320) of argument 1; a copy to the host goes to its arena, from a multiple of the alignment 256 on (planned_c11)}}
  %gone = memplan.evict %x to %h : memref<64xf32> to memref<64xf32, #memplan.host>
  return
}
