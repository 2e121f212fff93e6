// A dialect with its model, and a pass, from a library that links nothing of MLIR or memplan.
// RUN: memplan-opt %s --load-dialect-plugin=%build/test/Tools/memplan-test-plugin.so --budget=100%% | FileCheck %s
// RUN: memplan-opt %s --load-dialect-plugin=%build/test/Tools/memplan-test-plugin.so --load-pass-plugin=%build/test/Tools/memplan-test-plugin.so \
// RUN:   --pass-pipeline="builtin.module(func.func(plug-lower-twice,memplan-plan))" | FileCheck %s --check-prefix=LOWERED
// RUN: not memplan-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// The model lets the second operation run in place.
// CHECK: "plug.twice"({{.*}}) {memplan.node = 0 : i64, memplan.offset = array<i64: 0>, memplan.storage = array<i64: 0>}
// CHECK: "plug.twice"({{.*}}) {memplan.node = 1 : i64, memplan.offset = array<i64: 0>, memplan.storage = array<i64: 0>}
// LOWERED-NOT: plug.twice
// LOWERED: arith.addf {{.*}} {memplan.node = 0 : i64
// WITHOUT: unregistered dialect
func.func @step(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = "plug.twice"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %z = "plug.twice"(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
