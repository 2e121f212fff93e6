// RUN: memplan-opt %s --load-dialect-plugin=%build/test/Tools/memplan-test-plugin.so --remat=search --budget=100%% -split-input-file -verify-diagnostics | FileCheck %s
// RUN: memplan-opt %s --load-dialect-plugin=%build/test/Tools/memplan-test-plugin.so --memplan-plan -split-input-file | memplan-opt --load-dialect-plugin=%build/test/Tools/memplan-test-plugin.so --memplan-verify-plan -split-input-file | FileCheck %s

// An update of another dialect goes over its argument, after whoever reads the old version, and has its scratch in the arena.
// CHECK-LABEL: func.func @update
// CHECK: %[[G:.*]] = "plug.twice"
// CHECK: %[[P:.*]] = bufferization.to_tensor %arg1 restrict writable
// CHECK: %[[NEW:.*]] = "plug.step"(%[[P]], %{{.*}}) {memplan.node = 1 : i64, memplan.offset = array<i64: -1>, memplan.storage = array<i64: -1>, memplan.workspace_offset = {{[0-9]+}} : i64}
// CHECK-NEXT: bufferization.materialize_in_destination %[[NEW]] in restrict writable %arg1
func.func @update(%p: tensor<64xf32> {memplan.kind = "parameter"}) -> (tensor<64xf32> {memplan.updates = 0 : i64}) {
  %g = "plug.twice"(%p) : (tensor<64xf32>) -> tensor<64xf32>
  %n = "plug.step"(%p, %g) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %n : tensor<64xf32>
}

// -----

// Operations with unknown effects keep their order and run once, also where nothing reads what they give.
// CHECK-LABEL: func.func @order
// CHECK: "plug.draw"({{.*}}) {memplan.node = 0
// CHECK: "plug.draw"({{.*}}) {memplan.node = 1
// CHECK: "plug.draw"({{.*}}) {memplan.node = 2
// CHECK-NOT: plug.draw
func.func @order(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "plug.draw"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = "plug.draw"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %c = "plug.draw"(%a) : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
