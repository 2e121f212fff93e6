// RUN: memplan-opt %s --memplan-assign-offsets=budget=511 -verify-diagnostics -split-input-file

// expected-error @+1 {{arena takes 512 bytes, above the budget of 511; no arena takes less than 512 for this order of operations}}
func.func @budget(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = memplan.relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.transpose %0 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// Two values that live together in one storage.
// expected-error @+1 {{`memplan.storage` is wrong}}
func.func @storages(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = memplan.relu %x {memplan.storage = array<i64: 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.transpose %0 {memplan.storage = array<i64: 0>, perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

func.func @missing(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = memplan.relu %x {memplan.storage = array<i64: 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{result 0 needs a storage number in `memplan.storage`, below 2}}
  %1 = memplan.transpose %0 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
