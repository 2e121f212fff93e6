// RUN: memplan-opt %s --memplan-verify-plan -split-input-file -verify-diagnostics

// Where a donated input lies in the arena, and what becomes of its bytes. Each function breaks one rule of the planned form;
// a verifier that accepts one of them lets the step read another value than the caller's.

// The second operation takes the bytes of %x, which the third still means to read.
func.func @planned_c3_donated_reused(%arena: memref<768xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                     %x: memref<128xf32> {memplan.donated, memplan.arena_offset = 256 : i64})
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  // Bytes 512 to 768 are the second half of %x.
  %low = memref.view %arena[%c256][] : memref<768xi8> to memref<64xf32>
  %high = memref.view %arena[%c512][] : memref<768xi8> to memref<64xf32>
  %0 = memref.view %arena[%c0][] : memref<768xi8> to memref<64xf32>
  memplan.relu ins(%low : memref<64xf32>) outs(%0 : memref<64xf32>)
  memplan.relu ins(%0 : memref<64xf32>) outs(%high : memref<64xf32>)
  // expected-error @+1 {{input 0 reads bytes [256, 512) of argument 0, which hold no whole value at this point: never written, or overwritten since (planned_c3)}}
  memplan.relu ins(%low : memref<64xf32>) outs(%0 : memref<64xf32>)
  return
}

// -----

// The function's argument says where the caller's value comes from; the step finds it in the arena alone.
func.func @planned_c9_read_outside(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                   %x: memref<64xf32> {memplan.donated, memplan.arena_offset = 256 : i64})
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %0 = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  // expected-error @+1 {{input 0 reads bytes [0, 256) of argument 1, which hold no whole value at this point}}
  memplan.relu ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  return
}

// -----

func.func @planned_c9_write_outside(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                    %x: memref<64xf32> {memplan.donated, memplan.arena_offset = 0 : i64})
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %0 = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  // expected-error @+1 {{output 0 overwrites bytes [0, 256) of argument 1, which lies in an arena and has no other bytes (planned_c9)}}
  memplan.relu ins(%0 : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// -----

// expected-error @+1 {{argument 1 lies in the arena from byte 128 on, but that is not a multiple of the alignment 256 (planned_c9)}}
func.func @planned_c9_misaligned(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                 %x: memref<64xf32> {memplan.donated, memplan.arena_offset = 128 : i64}) attributes {memplan.planned} {
  return
}

// -----

// expected-error @+1 {{argument 1 lies in the arena from byte 256 on, but its 256 bytes end beyond the 256 bytes of the arena (planned_c9)}}
func.func @planned_c9_beyond(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64},
                             %x: memref<64xf32> {memplan.donated, memplan.arena_offset = 256 : i64}) attributes {memplan.planned} {
  return
}

// -----

// expected-error @+1 {{argument 2 lies in the arena from byte 0 on, but another argument lies there (planned_c9)}}
func.func @planned_c9_two(%arena: memref<512xi8> {memplan.arena, memplan.alignment = 256 : i64},
                          %x: memref<128xf32> {memplan.donated, memplan.arena_offset = 0 : i64},
                          %y: memref<64xf32> {memplan.donated, memplan.arena_offset = 0 : i64}) attributes {memplan.planned} {
  return
}

// -----

// What the step must hand back cannot lie where other values come.
// expected-error @+1 {{argument 1 at the end of the step holds no whole value (planned_c7)}}
func.func @planned_c7_donated_update(%arena: memref<256xi8> {memplan.arena, memplan.alignment = 256 : i64},
                                     %x: memref<64xf32> {memplan.donated, memplan.arena_offset = 0 : i64})
    attributes {memplan.planned, memplan.value_hash = array<i64: 1>} {
  return
}
