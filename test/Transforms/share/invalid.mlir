// RUN: memplan-opt %s --memplan-share -split-input-file -verify-diagnostics

// Annotations may come from hands or other tools; a wrong one must be found, not believed.
func.func @pairs(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{`memplan.in_place` must list pairs of a result and an operand, not [0, 3]}}
  %0 = memplan.relu %x {memplan.in_place = [[0, 3]]} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_list(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{attribute 'memplan.in_place' on an operation must hold a list, but is 1 : i64}}
  %0 = memplan.relu %x {memplan.in_place = 1 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
