// RUN: memplan-opt %s -split-input-file -verify-diagnostics --memplan-autocast
// RUN: not memplan-opt %s -split-input-file --memplan-autocast=dtype=f32 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not memplan-opt %s -split-input-file --memplan-autocast=device=tpu 2>&1 | FileCheck %s --check-prefix=DEVICE

// What cannot be cast is refused before anything changes.

// DTYPE: memplan-autocast: unknown value 'f32' of option 'dtype'; valid are bf16, f16, tf32
// DEVICE: memplan-autocast: unknown value 'tpu' of option 'device'; valid are cpu, cuda
func.func @backward(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{belongs to a backward pass, and casts are chosen before there is one: export the module under torch.autocast instead}}
  %y = memplan.relu %x {memplan.backward} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// expected-error @+1 {{memplan-autocast: the function has several blocks; casts are chosen in program order}}
func.func @blocks(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  cf.br ^bb1
^bb1:
  %y = memplan.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
