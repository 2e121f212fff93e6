// RUN: memplan-opt %s --canonicalize -split-input-file | FileCheck %s

// A fold must give the same bits, and must not touch what a plan has decided.

// CHECK-LABEL: func.func @identity_reshape(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT:    return %[[X]]
func.func @identity_reshape(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = memplan.reshape %x {shape = [-1, 8]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reshape_of_reshape(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = memplan.reshape %[[X]] {shape = [-1, 16]} : (tensor<4x8xf32>) -> tensor<2x16xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @reshape_of_reshape(%x: tensor<4x8xf32>) -> tensor<2x16xf32> {
  %0 = memplan.reshape %x {shape = [32]} : (tensor<4x8xf32>) -> tensor<32xf32>
  %y = memplan.reshape %0 {shape = [-1, 16]} : (tensor<32xf32>) -> tensor<2x16xf32>
  return %y : tensor<2x16xf32>
}

// A recomputation belongs to a plan: neither it nor what reads it is folded.
// CHECK-LABEL: func.func @reshape_recomputation_stays(
// CHECK-NEXT:    memplan.reshape {{.*}} {run = 1, shape = [32]}
// CHECK-NEXT:    memplan.reshape {{.*}} {shape = [-1, 16]} : (tensor<32xf32>)
// CHECK-NEXT:    memplan.reshape {{.*}} {run = 1, shape = [2, 16]}
func.func @reshape_recomputation_stays(%x: tensor<4x8xf32>) -> tensor<2x16xf32> {
  %0 = memplan.reshape %x {run = 1, shape = [32]} : (tensor<4x8xf32>) -> tensor<32xf32>
  %1 = memplan.reshape %0 {shape = [-1, 16]} : (tensor<32xf32>) -> tensor<2x16xf32>
  %y = memplan.reshape %1 {run = 1, shape = [2, 16]} : (tensor<2x16xf32>) -> tensor<2x16xf32>
  return %y : tensor<2x16xf32>
}

// CHECK-LABEL: func.func @identity_transpose(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @identity_transpose(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = memplan.transpose %x {perm = [0, 1]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Two transposes are one; the order of their permutations shows in a cycle of three.
// CHECK-LABEL: func.func @transpose_of_transpose(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT:    %[[Y:.*]] = memplan.transpose %[[X]] {perm = [1, 0, 2]} : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @transpose_of_transpose(%x: tensor<2x3x4xf32>) -> tensor<3x2x4xf32> {
  %0 = memplan.transpose %x {perm = [2, 0, 1]} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %y = memplan.transpose %0 {perm = [2, 1, 0]} : (tensor<4x2x3xf32>) -> tensor<3x2x4xf32>
  return %y : tensor<3x2x4xf32>
}

// CHECK-LABEL: func.func @transpose_there_and_back(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @transpose_there_and_back(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = memplan.transpose %x {perm = [2, 0, 1]} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %y = memplan.transpose %0 {perm = [1, 2, 0]} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// Equal types do not make a transpose the identity.
// CHECK-LABEL: func.func @square_transpose_stays(
// CHECK-NEXT:    memplan.transpose
func.func @square_transpose_stays(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = memplan.transpose %x {perm = [1, 0]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @scale_by_one(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @scale_by_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = memplan.scale %x {factor = 1.0} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @scale_by_minus_one_stays(
// CHECK-NEXT:    memplan.scale
func.func @scale_by_minus_one_stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = memplan.scale %x {factor = -1.0} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @neutral_constants(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @neutral_constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %zero = memplan.constant {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %minusZero = memplan.constant {value = dense<-0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = memplan.mul %x, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = memplan.mul %one, %0 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = memplan.div %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = memplan.sub %2, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = memplan.add %3, %minusZero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = memplan.accumulate %minusZero, %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}

// -0.0 + 0.0 is 0.0, -0.0 - -0.0 is 0.0, 1 / x is not x, and a sum with more elements than its operand is no copy.
// CHECK-LABEL: func.func @constants_that_change_bits_stay(
// CHECK:         memplan.add
// CHECK:         memplan.accumulate
// CHECK:         memplan.sub
// CHECK:         memplan.div
// CHECK:         memplan.mul
// CHECK:         memplan.add
func.func @constants_that_change_bits_stay(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  %one = memplan.constant {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %zero = memplan.constant {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %minusZero = memplan.constant {value = dense<-0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %minusZeros = memplan.constant {value = dense<-0.0> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %mixed = memplan.constant {value = dense<[1.0, 1.0, 1.0, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = memplan.add %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = memplan.accumulate %0, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = memplan.sub %1, %minusZero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = memplan.div %one, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = memplan.mul %3, %mixed : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = memplan.add %4, %minusZeros : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %5 : tensor<2x4xf32>
}

// A loss in f32 of widened logits, and its gradient, take them as they are: neither exists in f32 then. Kernels compute in f32, so that the bits stay.
// CHECK-LABEL: func.func @losses_of_halves(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xbf16>, %[[L:.*]]: tensor<4xi64>
// CHECK-NOT:     memplan.cast
// CHECK:         %[[BOTH:.*]]:2 = memplan.cross_entropy %[[X]], %[[L]] {ignore_index = 3, wide_loss} : (tensor<4x8xbf16>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
// CHECK-NEXT:    %[[D:.*]] = memplan.cross_entropy_grad %[[X]], %[[L]], %[[BOTH]]#1, %[[BOTH]]#0 {ignore_index = 3, memplan.backward} : (tensor<4x8xbf16>, tensor<4xi64>, tensor<4xf32>, tensor<f32>) -> tensor<4x8xbf16>
// CHECK-NEXT:    return %[[BOTH]]#0, %[[D]]
func.func @losses_of_halves(%x: tensor<4x8xbf16>, %l: tensor<4xi64>) -> (tensor<f32>, tensor<4x8xbf16>) {
  %w = memplan.cast %x {element = "f32"} : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %loss, %lse = memplan.cross_entropy %w, %l {ignore_index = 3} : (tensor<4x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  %d = memplan.cross_entropy_grad %w, %l, %lse, %loss {ignore_index = 3, memplan.backward} : (tensor<4x8xf32>, tensor<4xi64>, tensor<4xf32>, tensor<f32>) -> tensor<4x8xf32>
  %d16 = memplan.cast %d {element = "bf16", memplan.backward} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  return %loss, %d16 : tensor<f32>, tensor<4x8xbf16>
}

// Where the gradient has another user, or is cast to another type, it stays in f32.
// CHECK-LABEL: func.func @losses_that_stay_wide(
// CHECK:         memplan.cross_entropy_grad %{{.*}} -> tensor<4x8xf32>
// CHECK:         memplan.cast %{{.*}} {element = "bf16"}
// CHECK:         memplan.cross_entropy_grad %{{.*}} -> tensor<4x8xf32>
// CHECK:         memplan.cast %{{.*}} {element = "f16"}
func.func @losses_that_stay_wide(%x: tensor<4x8xbf16>, %l: tensor<4xi64>, %lse: tensor<4xf32>, %g: tensor<f32>)
    -> (tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xf16>) {
  %w = memplan.cast %x {element = "f32"} : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %d = memplan.cross_entropy_grad %w, %l, %lse, %g : (tensor<4x8xf32>, tensor<4xi64>, tensor<4xf32>, tensor<f32>) -> tensor<4x8xf32>
  %d16 = memplan.cast %d {element = "bf16"} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %e = memplan.cross_entropy_grad %w, %l, %lse, %g {ignore_index = 2} : (tensor<4x8xf32>, tensor<4xi64>, tensor<4xf32>, tensor<f32>) -> tensor<4x8xf32>
  %e16 = memplan.cast %e {element = "f16"} : (tensor<4x8xf32>) -> tensor<4x8xf16>
  return %d, %d16, %e16 : tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xf16>
}
