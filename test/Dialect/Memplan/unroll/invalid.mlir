// RUN: memplan-opt %s --split-input-file --verify-diagnostics --memplan-unroll

// A loop that is not unrolled would be refused later as control flow, without a word on which number is missing.
func.func @unknown(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op has no known trip count: its upper bound is no constant; a loop is planned as the operations of all its iterations, so make it one}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<4xf32>) {
    %next = memplan.relu %h : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @computed(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  // expected-note @below {{it is computed here}}
  %first = arith.addi %n, %c1 : index
  // expected-error @below {{has no known trip count: its lower bound is no constant}}
  %y = scf.for %i = %first to %c1 step %c1 iter_args(%h = %x) -> (tensor<4xf32>) {
    %next = memplan.relu %h : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{has a step of 0, but must have one of at least 1}}
  %y = scf.for %i = %c0 to %c4 step %c0 iter_args(%h = %x) -> (tensor<4xf32>) {
    %next = memplan.relu %h : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @long(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1152921504606846976 : index
  // expected-error @below {{has 1152921504606846976 iterations of 2 operations; with what is unrolled already that is more than 1000000}}
  %y = scf.for %i = %c0 to %many step %c1 iter_args(%h = %x) -> (tensor<4xf32>) {
    %next = memplan.relu %h : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
