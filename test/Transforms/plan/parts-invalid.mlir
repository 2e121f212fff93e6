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
  // expected-error @+1 {{input 1 is made by 'memplan.gelu', which takes no rows with gaps between them}}
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

// -----

func.func @slice_for_a_user_without_rows(%x: tensor<2x16x4x4xf32> {memplan.kind = "input"}) -> tensor<2x8x4x4xf32> {
  %a = memplan.relu %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  // expected-error @+1 {{cannot have its outputs read in place (`memplan.parts`): output 0 is read by 'memplan.gelu', which takes no rows with gaps between them}}
  %b = memplan.slice %a {dim = 1, memplan.parts, size = 8, start = 0} : (tensor<2x16x4x4xf32>) -> tensor<2x8x4x4xf32>
  %c = memplan.gelu %b : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  return %c : tensor<2x8x4x4xf32>
}

// -----

func.func @returned_slice(%x: tensor<2x16x4x4xf32> {memplan.kind = "input"}) -> tensor<2x8x4x4xf32> {
  %a = memplan.relu %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  // expected-error @+1 {{output 0 is read by 'func.return', which takes no rows with gaps between them}}
  %b = memplan.slice %a {dim = 1, memplan.parts, size = 8, start = 0} : (tensor<2x16x4x4xf32>) -> tensor<2x8x4x4xf32>
  return %b : tensor<2x8x4x4xf32>
}

// -----

func.func @too_many_rows(%x: tensor<512x16xf32> {memplan.kind = "input"}) -> tensor<512x32xf32> {
  %a = memplan.relu %x : (tensor<512x16xf32>) -> tensor<512x16xf32>
  %b = memplan.tanh %x : (tensor<512x16xf32>) -> tensor<512x16xf32>
  // expected-error @+1 {{what it moves is not in rows, or in more than 256}}
  %c = memplan.concat %a, %b {dim = 1, memplan.parts} : (tensor<512x16xf32>, tensor<512x16xf32>) -> tensor<512x32xf32>
  %d = memplan.relu %c : (tensor<512x32xf32>) -> tensor<512x32xf32>
  return %d : tensor<512x32xf32>
}
