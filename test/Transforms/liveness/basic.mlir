// RUN: memplan-opt %s --memplan-liveness -verify-diagnostics -o /dev/null
// RUN: memplan-opt %s --memplan-liveness=output=attributes | FileCheck %s
// RUN: memplan-opt %s --memplan-naive-plan --memplan-liveness=output=attributes | FileCheck %s --check-prefix=PLANNED

// A value that counts as live too long or not long enough makes every plan wrong. 256 bytes of the caller are always there;
// %1 dies at %2, and %0 lives until %3.
// CHECK: memplan.live_peak_bytes = 1124 : i64
// PLANNED: memplan.live_peak_bytes = 1124 : i64
// expected-remark @+1 {{peak of 1124 bytes (1.10 KiB) at 'memplan.gelu'}}
func.func @values(%x: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK: memplan.relu {{.*}}memplan.live_bytes = 512
  // PLANNED: memplan.relu {{.*}}memplan.live_bytes = 512
  // expected-remark @+1 {{512 bytes live}}
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: memplan.tanh {{.*}}memplan.live_bytes = 768
  // PLANNED: memplan.tanh {{.*}}memplan.live_bytes = 768
  // expected-remark @+1 {{768 bytes live}}
  %1 = memplan.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: memplan.gelu {{.*}}memplan.live_bytes = 1124, memplan.peak
  // PLANNED: memplan.gelu {{.*}}memplan.live_bytes = 1124, {{.*}}memplan.peak
  // expected-remark @+2 {{1124 bytes live, the peak}}
  // expected-note @+1 {{the peak is here}}
  %2 = memplan.gelu %1 {workspace_bytes = 100 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: memplan.add {{.*}}memplan.live_bytes = 1024
  // PLANNED: memplan.add {{.*}}memplan.live_bytes = 1024
  // expected-remark @+1 {{1024 bytes live}}
  %3 = memplan.add %0, %2 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %3 : tensor<64xf32>
}
