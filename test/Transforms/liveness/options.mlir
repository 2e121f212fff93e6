// RUN: memplan-opt %s --memplan-liveness=output=peak -verify-diagnostics -o /dev/null
// RUN: memplan-opt %s --memplan-in-place --memplan-liveness=output=attributes | FileCheck %s
// RUN: not memplan-opt %s --memplan-liveness=output=xml 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: memplan-liveness: output 'xml' is none of 'remarks', 'peak', 'attributes'

// In place, the second value takes no bytes.
// CHECK: memplan.live_peak_bytes = 512 : i64
// expected-remark @+1 {{peak of 768 bytes (768 B) at 'memplan.tanh'}}
func.func @values(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  // expected-note @+1 {{the peak is here}}
  %1 = memplan.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
