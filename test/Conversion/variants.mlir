// A way to run an operation goes from the profile to the launch: the profile has two, the graph lists both, the plan chooses
// the second, and the kernel gets the second's workspace, by which it picks its algorithm.
// RUN: split-file %s %t
// RUN: memplan-opt %t/step.mlir --memplan-emit-graph='cost-model=profile:%t/profile.json output=%t/graph.json' -o /dev/null
// RUN: FileCheck %s --check-prefix=GRAPH < %t/graph.json
// GRAPH: "name": "memplan.matmul", "cost": 2, "inputs": [0, 1], "outputs": [2], "workspace_bytes": 4096, "variants": [{"cost": 2, "workspace_bytes": 4096}, {"cost": 5, "workspace_bytes": 256}]

// RUN: memplan-solve check %t/graph.json %t/plan.json
// RUN: memplan-opt %t/step.mlir --memplan-plan='cost-model=profile:%t/profile.json plan=%t/plan.json' -o %t/planned.mlir
// RUN: memplan-opt %t/planned.mlir --memplan-verify-plan | FileCheck %s --check-prefix=IR
// IR: memplan.cost = 6.000000e+00
// IR: memplan.matmul {{.*}} workspace(%{{.*}} : memref<256xi8>) {memplan.cost = 5.000000e+00
// RUN: memplan-run %t/planned.mlir --dump | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: memplan.matmul {{.*}} workspace(arena0+512:256xi8)

// A variant that its backend names goes to the launch by its name, its own or another one.
// RUN: sed 's/"micros": 5,/"micros": 5, "name": "small",/; s/"micros": 2,/"micros": 2, "name": "fast",/' %t/profile.json > %t/names.json
// RUN: memplan-opt %t/step.mlir --memplan-plan='cost-model=profile:%t/names.json plan=%t/plan.json' -o %t/named.mlir
// RUN: memplan-opt %t/named.mlir --memplan-verify-plan | FileCheck %s --check-prefix=NAMED
// NAMED: memplan.matmul {{.*}} memplan.variant = "small"
// RUN: memplan-run %t/named.mlir --dump | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: memplan.matmul {{.*}} workspace(arena0+512:256xi8) variant=small
// RUN: memplan-opt %t/step.mlir --memplan-plan='cost-model=profile:%t/names.json' | FileCheck %s --check-prefix=OWN
// OWN: memplan.matmul {{.*}} memplan.variant = "fast"

// A variant that needs no scratch gets none.
// RUN: sed 's/"workspace_bytes": 256/"workspace_bytes": 0/' %t/profile.json > %t/none.json
// RUN: sed 's/, {"workspace": 0, "step_begin": 0, "step_end": 1, "offset": 512}//' %t/plan.json > %t/none.plan.json
// RUN: memplan-opt %t/step.mlir --memplan-plan='cost-model=profile:%t/none.json plan=%t/none.plan.json' | FileCheck %s --check-prefix=NONE
// NONE: memplan.matmul ins({{.*}}) outs({{[^)]*}}) {memplan.cost = 5.000000e+00

//--- step.mlir
func.func @step(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = memplan.matmul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.relu %0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
//--- profile.json
{"version": 1, "device": "cpu", "entries": [
 {"key": "memplan.matmul{} (8x8xf32, 8x8xf32) -> (8x8xf32)", "variants": [{"micros": 5, "workspace_bytes": 256}, {"micros": 2, "workspace_bytes": 4096}]},
 {"key": "memplan.relu{} (8x8xf32) -> (8x8xf32)", "variants": [{"micros": 1}]}]}
//--- plan.json
{"version": 1, "graph": "step", "status": "feasible", "cost": 6, "time": 6, "peak_bytes": 1024, "solver": "hand",
 "steps": [{"compute": 0, "variant": 1}, {"compute": 1}, {"free": [2]}],
 "arenas": [{"space": "device", "bytes": 768, "alignment": 256, "placements": [{"tensor": 2, "step_begin": 0, "step_end": 3, "offset": 0},
  {"tensor": 3, "step_begin": 1, "step_end": 3, "offset": 256}, {"workspace": 0, "step_begin": 0, "step_end": 1, "offset": 512}]}]}
