// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// One case for each rule of the operations of this family.

func.func @all_reduce_without_ranks(%x: tensor<4xf32>) {
  // expected-error @+1 {{'memplan.all_reduce' op requires attribute 'ranks'}}
  %y = memplan.all_reduce %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_no_ranks(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'ranks' is 0, but must be from 1 to 4096}}
  %y = memplan.all_reduce %x {ranks = 0} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_many_ranks(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'ranks' is 4097, but must be from 1 to 4096}}
  %y = memplan.all_reduce %x {ranks = 4097} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_reduction(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'reduction' failed to satisfy constraint: string attribute is "sum" or "mean"}}
  %y = memplan.all_reduce %x {ranks = 2, reduction = "product"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_type(%x: tensor<4xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref}}
  %y = memplan.all_reduce %x {ranks = 2} : (tensor<4xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @all_reduce_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{'memplan.all_reduce' op}}
  %y = memplan.all_reduce %x {ranks = 2} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @all_reduce_recomputation(%x: tensor<4xf32>) {
  // expected-error @+1 {{is marked as run 1, but may run only once}}
  %y = memplan.all_reduce %x {ranks = 2, run = 1} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
