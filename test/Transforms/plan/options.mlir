// RUN: memplan-opt %s --memplan-plan | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: memplan-opt %s --memplan-plan=in-place=false | FileCheck %s --check-prefixes=APART,BOTH
// RUN: memplan-opt %s --memplan-plan='sharing=counter arena=greedy-by-size' | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: memplan-opt %s --memplan-plan=alignment=64 | FileCheck %s --check-prefix=ALIGN
// RUN: memplan-opt %s --memplan-plan=cost-model=flops | FileCheck %s --check-prefix=FLOPS
// RUN: echo '{"version": 1, "device": "cpu", "entries": [{"key": "memplan.relu{} (8xf32) -> (8xf32)", "variants": [{"micros": 3.5, "workspace_bytes": 4}]}]}' > %t.json
// RUN: memplan-opt %s --memplan-plan=cost-model=profile:%t.json 2>%t.err | FileCheck %s --check-prefix=PROFILE
// RUN: FileCheck %s --check-prefix=MISSING --input-file=%t.err

// An option that is not heard would leave people with another plan than they asked for.
// CHECK: memref<32xi8> {memplan.alignment = 256 : i64, memplan.arena}
// APART: memref<288xi8> {memplan.alignment = 256 : i64, memplan.arena}
// ALIGN: {memplan.alignment = 64 : i64, memplan.arena}
// BOTH: memplan.planned
// Three operations of 8 flops each at 15.7 TFLOP/s.
// FLOPS: memplan.cost = 1.52{{[0-9]*}}E-6 : f64
// Costs and scratch bytes come from the profile where it has the operation. The third has as many flops and bytes as each of the others, which took 3.5 us.
// PROFILE: memplan.cost = 1.050000e+01 : f64
// PROFILE: memplan.relu {{.*}} workspace(%{{.*}} : memref<4xi8>) {memplan.cost = 3.500000e+00, memplan.node = 0}
// MISSING: remark: the profile lacks 1 of 3 operations; the roofline stands in for them, scaled to what was measured ({{.*}}): 1 memplan.scale
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = memplan.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = memplan.relu %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = memplan.scale %1 {factor = 2.0} : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
