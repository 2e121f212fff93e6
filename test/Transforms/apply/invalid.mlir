// RUN: memplan-opt %s --memplan-apply -verify-diagnostics -split-input-file

// expected-error @+1 {{needs `memplan.arena_bytes` and `memplan.alignment`; run memplan-assign-offsets}}
func.func @no_arena(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @no_offset(%x: tensor<64xf32>) -> tensor<64xf32> attributes {memplan.arena_bytes = 256 : i64, memplan.alignment = 256 : i64} {
  // expected-error @+1 {{result 0 needs an offset in `memplan.offset`; run memplan-assign-offsets}}
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @no_scratch(%x: tensor<64xf32>) -> tensor<64xf32> attributes {memplan.arena_bytes = 256 : i64, memplan.alignment = 256 : i64} {
  // expected-error @+1 {{needs `memplan.workspace_offset` for its workspace; run memplan-assign-offsets}}
  %0 = memplan.relu %x {memplan.offset = array<i64: 0>, workspace_bytes = 8 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// expected-error @+1 {{plan is invalid}}
func.func @overlap(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {memplan.arena_bytes = 256 : i64, memplan.alignment = 256 : i64} {
  %0 = memplan.relu %x {memplan.offset = array<i64: 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.transpose %0 {memplan.offset = array<i64: 0>, perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{annotations give no valid plan}}
func.func @in_place(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {memplan.arena_bytes = 256 : i64, memplan.alignment = 256 : i64} {
  %0 = memplan.relu %x {memplan.offset = array<i64: 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.transpose %0 {memplan.in_place = [[0, 0]], perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
