// RUN: memplan-opt %s --memplan-verify-plan -split-input-file -verify-diagnostics

// Each function puts a concat together wrongly. A verifier that accepts one lets the whole be read with bytes that are not its pieces.

// The second piece lies a piece too far.
func.func @planned_c4_wrong_offset(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<1x16xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<1x16xf32>
  %b = memref.view %arena[%c128][] : memref<1024xi8> to memref<1x16xf32>
  %w = memref.view %arena[%c0][] : memref<1024xi8> to memref<1x48xf32>
  memplan.relu ins(%x : memref<1x16xf32>) outs(%a : memref<1x16xf32>)
  memplan.gelu ins(%x : memref<1x16xf32>) outs(%b : memref<1x16xf32>)
  // expected-error @+1 {{output 0 at bytes [0, 192) of argument 0 overwrites input 1 at bytes [128, 192) of argument 0, which the operation does not allow (planned_c4)}}
  memplan.concat ins(%a, %b, %x : memref<1x16xf32>, memref<1x16xf32>, memref<1x16xf32>) outs(%w : memref<1x48xf32>) {dim = 1}
  return
}

// -----

// The whole is read before the second piece is there.
func.func @planned_c3_before_all_pieces(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<1x16xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<1x16xf32>
  %b = memref.view %arena[%c64][] : memref<1024xi8> to memref<1x16xf32>
  %w = memref.view %arena[%c0][] : memref<1024xi8> to memref<1x32xf32>
  %d = memref.view %arena[%c256][] : memref<1024xi8> to memref<1x32xf32>
  memplan.relu ins(%x : memref<1x16xf32>) outs(%a : memref<1x16xf32>)
  // expected-error @+1 {{input 0 reads bytes [0, 128) of argument 0, which hold no whole value at this point}}
  memplan.relu ins(%w : memref<1x32xf32>) outs(%d : memref<1x32xf32>)
  memplan.gelu ins(%x : memref<1x16xf32>) outs(%b : memref<1x16xf32>)
  memplan.concat ins(%a, %b : memref<1x16xf32>, memref<1x16xf32>) outs(%w : memref<1x32xf32>) {dim = 1}
  return
}

// -----

// Both pieces are there, but nothing says that they are one value.
func.func @planned_c3_not_joined(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<1x16xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<1x16xf32>
  %b = memref.view %arena[%c64][] : memref<1024xi8> to memref<1x16xf32>
  %w = memref.view %arena[%c0][] : memref<1024xi8> to memref<1x32xf32>
  %d = memref.view %arena[%c256][] : memref<1024xi8> to memref<1x32xf32>
  memplan.relu ins(%x : memref<1x16xf32>) outs(%a : memref<1x16xf32>)
  memplan.gelu ins(%x : memref<1x16xf32>) outs(%b : memref<1x16xf32>)
  // expected-error @+1 {{input 0 reads bytes [0, 128) of argument 0, which hold no whole value at this point}}
  memplan.relu ins(%w : memref<1x32xf32>) outs(%d : memref<1x32xf32>)
  return
}

// -----

// A piece is overwritten while the whole is still read.
func.func @planned_c3_piece_overwritten(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<1x16xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<1x16xf32>
  %b = memref.view %arena[%c64][] : memref<1024xi8> to memref<1x16xf32>
  %w = memref.view %arena[%c0][] : memref<1024xi8> to memref<1x32xf32>
  %d = memref.view %arena[%c256][] : memref<1024xi8> to memref<1x32xf32>
  memplan.relu ins(%x : memref<1x16xf32>) outs(%a : memref<1x16xf32>)
  memplan.gelu ins(%x : memref<1x16xf32>) outs(%b : memref<1x16xf32>)
  memplan.concat ins(%a, %b : memref<1x16xf32>, memref<1x16xf32>) outs(%w : memref<1x32xf32>) {dim = 1}
  memplan.tanh ins(%b : memref<1x16xf32>) outs(%b : memref<1x16xf32>)
  // expected-error @+1 {{input 0 reads bytes [0, 128) of argument 0, which hold no whole value at this point}}
  memplan.relu ins(%w : memref<1x32xf32>) outs(%d : memref<1x32xf32>)
  return
}

// -----

func.func @planned_c2_part_misaligned(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 256 : i64}, %x: memref<1x16xf32>)
    attributes {memplan.planned} {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c64][] : memref<1024xi8> to memref<1x16xf32>
  %b = memref.view %arena[%c32][] : memref<1024xi8> to memref<1x16xf32>
  memplan.relu ins(%x : memref<1x16xf32>) outs(%a : memref<1x16xf32>) {memplan.part_offset = array<i64: 64>}
  // expected-error @+1 {{output 0 starts at byte 32 of its whole, which is not a multiple of 64 inside the arena (planned_c2)}}
  memplan.relu ins(%x : memref<1x16xf32>) outs(%b : memref<1x16xf32>) {memplan.part_offset = array<i64: 32>}
  return
}

// -----

// Rows of the second piece a sample too near: they lie over rows of the first.
func.func @planned_c4_wrong_stride(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<2x16xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %sa = memref.view %arena[%c0][] : memref<1024xi8> to memref<48xf32>
  %sb = memref.view %arena[%c64][] : memref<1024xi8> to memref<32xf32>
  %a = memref.reinterpret_cast %sa to offset: [0], sizes: [2, 16], strides: [32, 1] : memref<48xf32> to memref<2x16xf32, strided<[32, 1]>>
  %b = memref.reinterpret_cast %sb to offset: [0], sizes: [2, 16], strides: [16, 1] : memref<32xf32> to memref<2x16xf32>
  %w = memref.view %arena[%c0][] : memref<1024xi8> to memref<2x32xf32>
  memplan.relu ins(%x : memref<2x16xf32>) outs(%a : memref<2x16xf32, strided<[32, 1]>>)
  memplan.tanh ins(%x : memref<2x16xf32>) outs(%b : memref<2x16xf32>)
  // expected-error @+1 {{input 0 reads bytes [0, 192) in 2 rows of 64 bytes of argument 0, which hold no whole value at this point}}
  memplan.concat ins(%a, %b : memref<2x16xf32, strided<[32, 1]>>, memref<2x16xf32>) outs(%w : memref<2x32xf32>) {dim = 1}
  return
}

// -----

// Both pieces are whole, but the second is not where the concat says.
func.func @planned_c4_wrong_row(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<2x16xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %sa = memref.view %arena[%c0][] : memref<1024xi8> to memref<48xf32>
  %sb = memref.view %arena[%c64][] : memref<1024xi8> to memref<64xf32>
  %a = memref.reinterpret_cast %sa to offset: [0], sizes: [2, 16], strides: [32, 1] : memref<48xf32> to memref<2x16xf32, strided<[32, 1]>>
  %b = memref.reinterpret_cast %sb to offset: [0], sizes: [2, 16], strides: [48, 1] : memref<64xf32> to memref<2x16xf32, strided<[48, 1]>>
  %w = memref.view %arena[%c0][] : memref<1024xi8> to memref<2x32xf32>
  memplan.relu ins(%x : memref<2x16xf32>) outs(%a : memref<2x16xf32, strided<[32, 1]>>)
  memplan.tanh ins(%x : memref<2x16xf32>) outs(%b : memref<2x16xf32, strided<[48, 1]>>)
  // expected-error @+1 {{output 0 at bytes [0, 256) of argument 0 overwrites input 1 at bytes [64, 320) in 2 rows of 64 bytes of argument 0, which the operation does not allow (planned_c4)}}
  memplan.concat ins(%a, %b : memref<2x16xf32, strided<[32, 1]>>, memref<2x16xf32, strided<[48, 1]>>) outs(%w : memref<2x32xf32>) {dim = 1}
  return
}

// -----

// The gap between the rows of one value holds another: read with them it is nobody's value.
func.func @planned_c3_reads_a_gap(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<2x16xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %sa = memref.view %arena[%c0][] : memref<1024xi8> to memref<48xf32>
  %a = memref.reinterpret_cast %sa to offset: [0], sizes: [2, 16], strides: [32, 1] : memref<48xf32> to memref<2x16xf32, strided<[32, 1]>>
  %w = memref.view %arena[%c0][] : memref<1024xi8> to memref<3x16xf32>
  %d = memref.view %arena[%c256][] : memref<1024xi8> to memref<3x16xf32>
  memplan.relu ins(%x : memref<2x16xf32>) outs(%a : memref<2x16xf32, strided<[32, 1]>>)
  // expected-error @+1 {{input 0 reads bytes [0, 192) of argument 0, which hold no whole value at this point}}
  memplan.relu ins(%w : memref<3x16xf32>) outs(%d : memref<3x16xf32>)
  return
}

// -----

// What each row holds is followed, so that a file cannot ask for any number of them.
func.func @planned_c1_too_many_rows(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<2000000xf32>, %y: memref<1000000x1xf32>)
    attributes {memplan.planned} {
  // expected-error @+1 {{has 1000000 rows with gaps between them; there may be 65536 (planned_c1)}}
  %a = memref.reinterpret_cast %x to offset: [0], sizes: [1000000, 1], strides: [2, 1] : memref<2000000xf32> to memref<1000000x1xf32, strided<[2, 1]>>
  memplan.relu ins(%a : memref<1000000x1xf32, strided<[2, 1]>>) outs(%y : memref<1000000x1xf32>)
  return
}

// -----

// Rows that end beyond the bytes they are taken from.
func.func @planned_c2_row_outside(%arena: memref<1024xi8> {memplan.arena, memplan.alignment = 64 : i64}, %x: memref<2x16xf32>)
    attributes {memplan.planned} {
  %c0 = arith.constant 0 : index
  %sa = memref.view %arena[%c0][] : memref<1024xi8> to memref<47xf32>
  // expected-error @+1 {{lies outside its source}}
  %a = memref.reinterpret_cast %sa to offset: [0], sizes: [2, 16], strides: [32, 1] : memref<47xf32> to memref<2x16xf32, strided<[32, 1]>>
  memplan.relu ins(%x : memref<2x16xf32>) outs(%a : memref<2x16xf32, strided<[32, 1]>>)
  return
}
