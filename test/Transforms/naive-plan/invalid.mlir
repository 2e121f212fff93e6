// RUN: memplan-opt %s --memplan-naive-plan -split-input-file -verify-diagnostics

// A plan on top of a plan would count the arena twice.
// expected-error @+1 {{is in the planned form already}}
func.func @again(%arena: memref<0xi8> {memplan.arena}) attributes {memplan.planned} {
  return
}

// -----

func.func @foreign(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.bitcast' does not implement memplan's planning interface, so that a plan cannot be applied to it; register an external model of PlannableOpInterface for it (see docs/Embedding.md); those that come with memplan for 'tensor' are registered by mlir::memplan::registerTensorModels()}}
  %0 = tensor.bitcast %x : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
