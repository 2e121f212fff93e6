// RUN: memplan-opt %s --memplan-plan -split-input-file -verify-diagnostics

// A mark that cannot be obeyed would change what the step computes.

func.func @argument(%x: tensor<1x16x4x4xf32> {memplan.kind = "input"}) -> tensor<1x32x4x4xf32> {
  %a = memplan.relu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  // expected-error @+1 {{cannot have its inputs written in place (`memplan.parts`): input 1 is an argument of the function}}
  %c = memplan.concat %a, %x {dim = 1, memplan.parts} : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %c : tensor<1x32x4x4xf32>
}

// -----

func.func @rows(%x: tensor<2x16x4x4xf32> {memplan.kind = "input"}) -> tensor<2x32x4x4xf32> {
  %a = memplan.relu %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  %b = memplan.gelu %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  // expected-error @+1 {{not every input ends up in one run of bytes}}
  %c = memplan.concat %a, %b {dim = 1, memplan.parts} : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x32x4x4xf32>
  return %c : tensor<2x32x4x4xf32>
}

// -----

func.func @twice(%x: tensor<1x16x4x4xf32> {memplan.kind = "input"}) -> tensor<1x32x4x4xf32> {
  %a = memplan.relu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  // expected-error @+1 {{input 1 is input 0 too}}
  %c = memplan.concat %a, %a {dim = 1, memplan.parts} : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %c : tensor<1x32x4x4xf32>
}

// -----

func.func @another_row(%x: tensor<1x16x4x4xf32> {memplan.kind = "input"}) -> (tensor<1x32x4x4xf32>, tensor<1x32x4x4xf32>) {
  %a = memplan.relu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %b = memplan.gelu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  // expected-error @+1 {{its inputs lie in another row already}}
  %c = memplan.concat %b, %a {dim = 1, memplan.parts} : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32>
  %d = memplan.concat %a, %b {dim = 1, memplan.parts} : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %c, %d : tensor<1x32x4x4xf32>, tensor<1x32x4x4xf32>
}

// -----

func.func @unaligned(%x: tensor<1x3x2x2xf32> {memplan.kind = "input"}) -> tensor<1x6x2x2xf32> {
  %a = memplan.relu %x : (tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
  %b = memplan.gelu %x : (tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
  // expected-error @+1 {{input 1 would start at byte 48, which is no multiple of 64}}
  %c = memplan.concat %a, %b {dim = 1, memplan.parts} : (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>) -> tensor<1x6x2x2xf32>
  return %c : tensor<1x6x2x2xf32>
}
