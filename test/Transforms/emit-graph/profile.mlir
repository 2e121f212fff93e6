// RUN: split-file %s %t
// RUN: memplan-opt %t/f.mlir --memplan-emit-graph=cost-model=profile:%t/cpu.json -o /dev/null 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=MISSING --input-file=%t.err --allow-empty

// The keys are those that memplan-run writes; an operation that was measured but not found would be planned by a guess.
// CHECK: "name": "memplan.matmul", "cost": 1.25, {{.*}}"workspace_bytes": 64
// CHECK: "name": "memplan.clamp", "cost": 2.5
// CHECK: "name": "my.swish", "cost": 3.75
// MISSING-NOT: remark

//--- f.mlir
func.func @f(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = memplan.matmul %x, %w {transpose_lhs} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.clamp %0 {min = 0.0, max = 6.5} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = memplan.opaque %1 {cost = 12.5, kernel = "my.swish", parameters = {beta = 2.0 : f64, name = "b"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

//--- cpu.json
{"version": 1, "device": "cpu", "entries": [
 {"key": "memplan.matmul{transpose_lhs=1} (4x8xf32, 4x8xf32) -> (8x8xf32)", "variants": [{"micros": 1.25, "workspace_bytes": 64}]},
 {"key": "memplan.clamp{max=6.5, min=0.0} (8x8xf32) -> (8x8xf32)", "variants": [{"micros": 2.5, "workspace_bytes": 0}]},
 {"key": "my.swish{beta=2.0, name=\"b\"} (8x8xf32) -> (8x8xf32)", "variants": [{"micros": 3.75, "workspace_bytes": 0}]}]}
