// RUN: memplan-opt %s --memplan-plan=order=source | FileCheck %s
// RUN: memplan-opt %s --memplan-plan="parts=off order=source" | FileCheck %s --check-prefix=OFF
// RUN: memplan-opt %s --memplan-plan="parts=on budget=100%%" | FileCheck %s --check-prefix=SHARE
// RUN: memplan-opt %s --memplan-plan=order=source | memplan-opt --memplan-verify-plan | FileCheck %s

// Both inputs of the concat are written where they end up: it takes their 2048 bytes and nothing beside them, and no time. What comes after goes over it.
// CHECK-LABEL: func.func @two(
// CHECK-SAME:    memplan.arena_bytes = 2048
// OFF-LABEL: func.func @two(
// OFF-SAME:    memplan.arena_bytes = 4096
func.func @two(%x: tensor<1x16x4x4xf32> {memplan.kind = "input"}) -> tensor<1x32x4x4xf32> {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : index
  // CHECK: %[[A:.*]] = memref.view %{{.*}}[%[[C0]]][] : memref<2048xi8> to memref<1x16x4x4xf32>
  // CHECK: memplan.relu {{.*}} outs(%[[A]] :
  // CHECK-NOT: memplan.part_offset
  // CHECK: %[[B:.*]] = memref.view %{{.*}}[%[[C1024]]][] : memref<2048xi8> to memref<1x16x4x4xf32>
  // CHECK: memplan.gelu {{.*}} outs(%[[B]] : {{.*}}memplan.part_offset = array<i64: 1024>
  // CHECK: %[[W:.*]] = memref.view %{{.*}}[%[[C0]]][] : memref<2048xi8> to memref<1x32x4x4xf32>
  // CHECK: memplan.concat ins(%[[A]], %[[B]] : {{.*}}) outs(%[[W]] : {{.*}}memplan.cost = 0.000000e+00
  %a = memplan.relu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %b = memplan.gelu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %c = memplan.concat %a, %b {dim = 1} : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32>
  %d = memplan.relu %c : (tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %d : tensor<1x32x4x4xf32>
}

// A dense block: the first concat is the beginning of the second, so that each value lies there once.
// CHECK-LABEL: func.func @dense(
// CHECK-SAME:    memplan.peak_bytes = 9216
// A share of the unplanned peak is of the step with copies.
// SHARE-LABEL: func.func @dense(
// SHARE-SAME:    memplan.budget = 11264
// OFF-LABEL: func.func @dense(
// OFF-SAME:    memplan.peak_bytes = 11264
func.func @dense(%x: tensor<1x16x4x4xf32> {memplan.kind = "input"}) -> (tensor<1x32x4x4xf32>, tensor<1x48x4x4xf32>) {
  %a = memplan.relu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %b = memplan.gelu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %two = memplan.concat %a, %b {dim = 1} : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32>
  %d = memplan.relu %two : (tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  %c = memplan.gelu %b : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %three = memplan.concat %a, %b, %c {dim = 1} : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x48x4x4xf32>
  %e = memplan.gelu %three : (tensor<1x48x4x4xf32>) -> tensor<1x48x4x4xf32>
  %f = memplan.add %d, %two : (tensor<1x32x4x4xf32>, tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %f, %e : tensor<1x32x4x4xf32>, tensor<1x48x4x4xf32>
}

// Arguments, views and results of the function stay where they are: the concats copy.
// CHECK-LABEL: func.func @copies(
// CHECK-NOT:     memplan.part_offset
func.func @copies(%x: tensor<1x16x4x4xf32> {memplan.kind = "input"}) -> (tensor<1x32x4x4xf32>, tensor<1x16x4x4xf32>, tensor<1x32x4x4xf32>) {
  %a = memplan.relu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %b = memplan.gelu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %0 = memplan.concat %x, %a {dim = 1} : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32>
  %1 = memplan.concat %a, %b {dim = 1} : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %0, %b, %1 : tensor<1x32x4x4xf32>, tensor<1x16x4x4xf32>, tensor<1x32x4x4xf32>
}

// What has one input is its input.
// CHECK-LABEL: func.func @one(
// CHECK-SAME:    memplan.arena_bytes = 1024
// CHECK-NOT:     memplan.concat
// CHECK:         return
func.func @one(%x: tensor<1x16x4x4xf32> {memplan.kind = "input"}) -> tensor<1x16x4x4xf32> {
  %a = memplan.relu %x : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %0 = memplan.concat %a {dim = 1} : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %1 = memplan.gelu %0 : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  return %1 : tensor<1x16x4x4xf32>
}

// With a batch each piece has a row for each sample. Both lie in the 4096 bytes of the whole, and nothing is moved.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    memplan.arena_bytes = 4096
// OFF-LABEL: func.func @rows(
// OFF-SAME:    memplan.arena_bytes = 8192
func.func @rows(%x: tensor<2x16x4x4xf32> {memplan.kind = "input"}) -> tensor<2x32x4x4xf32> {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : index
  // CHECK: %[[SPAN:.*]] = memref.view %{{.*}}[%[[C0]]][] : memref<4096xi8> to memref<768xf32>
  // CHECK: %[[A:.*]] = memref.reinterpret_cast %[[SPAN]] to offset: [0], sizes: [2, 16, 4, 4], strides: [512, 16, 4, 1]
  // CHECK: memplan.relu {{.*}} outs(%[[A]] : memref<2x16x4x4xf32, strided<[512, 16, 4, 1]>>)
  // CHECK: %[[NEXT:.*]] = memref.view %{{.*}}[%[[C1024]]][] : memref<4096xi8> to memref<768xf32>
  // CHECK: %[[B:.*]] = memref.reinterpret_cast %[[NEXT]] to offset: [0], sizes: [2, 16, 4, 4], strides: [512, 16, 4, 1]
  // CHECK: memplan.tanh {{.*}} outs(%[[B]] : {{.*}}memplan.part_offset = array<i64: 1024>
  // CHECK: %[[W:.*]] = memref.view %{{.*}}[%[[C0]]][] : memref<4096xi8> to memref<2x32x4x4xf32>
  // CHECK: memplan.concat ins(%[[A]], %[[B]] : {{.*}}) outs(%[[W]] : {{.*}}memplan.cost = 0.000000e+00
  %a = memplan.relu %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  %b = memplan.tanh %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  %c = memplan.concat %a, %b {dim = 1} : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x32x4x4xf32>
  %d = memplan.relu %c : (tensor<2x32x4x4xf32>) -> tensor<2x32x4x4xf32>
  return %d : tensor<2x32x4x4xf32>
}

// A dense block with a batch: the small concat is the first channels of the large one, and lies in rows too.
// CHECK-LABEL: func.func @dense_rows(
// CHECK: memplan.concat ins({{.*}}) outs(%{{.*}} : memref<2x32x4x4xf32, strided<[768, 16, 4, 1]>>)
// CHECK: memplan.concat ins({{.*}}) outs(%{{.*}} : memref<2x48x4x4xf32>)
func.func @dense_rows(%x: tensor<2x16x4x4xf32> {memplan.kind = "input"}) -> (tensor<2x32x4x4xf32>, tensor<2x48x4x4xf32>) {
  %a = memplan.relu %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  %b = memplan.tanh %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  %two = memplan.concat %a, %b {dim = 1} : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x32x4x4xf32>
  %d = memplan.relu %two : (tensor<2x32x4x4xf32>) -> tensor<2x32x4x4xf32>
  %c = memplan.tanh %b : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  %three = memplan.concat %a, %b, %c {dim = 1} : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x48x4x4xf32>
  %e = memplan.gelu %three : (tensor<2x48x4x4xf32>) -> tensor<2x48x4x4xf32>
  return %d, %e : tensor<2x32x4x4xf32>, tensor<2x48x4x4xf32>
}

// The halves of a value are read where they are: no split is left. A user that takes no rows wants a copy.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT:     memplan.split
// CHECK:         memplan.tanh ins(%{{.*}} : memref<2x8x4x4xf32, strided<[256, 16, 4, 1]>>)
// CHECK-LABEL: func.func @halves_of_gelu(
// CHECK:         memplan.split
// OFF-LABEL: func.func @halves(
// OFF:         memplan.split
func.func @halves(%x: tensor<2x16x4x4xf32> {memplan.kind = "input"}) -> tensor<2x8x4x4xf32> {
  %a = memplan.relu %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  %b, %c = memplan.split %a {dim = 1, sizes = [8, 8]} : (tensor<2x16x4x4xf32>) -> (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>)
  %d = memplan.tanh %b : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %e = memplan.add %d, %c : (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  return %e : tensor<2x8x4x4xf32>
}

func.func @halves_of_gelu(%x: tensor<2x16x4x4xf32> {memplan.kind = "input"}) -> tensor<2x8x4x4xf32> {
  %a = memplan.relu %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  %b, %c = memplan.split %a {dim = 1, sizes = [8, 8]} : (tensor<2x16x4x4xf32>) -> (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>)
  %d = memplan.gelu %b : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %e = memplan.add %d, %c : (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  return %e : tensor<2x8x4x4xf32>
}

// A slice of a slice has no distance of its own: the second one is copied, by a kernel that reads rows.
// CHECK-LABEL: func.func @half_of_a_half(
// CHECK:         memplan.slice ins(%{{.*}} : memref<2x8x4x4xf32, strided<[256, 16, 4, 1]>>)
func.func @half_of_a_half(%x: tensor<2x16x4x4xf32> {memplan.kind = "input"}) -> tensor<2x4x4x4xf32> {
  %a = memplan.relu %x : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
  %b = memplan.slice %a {dim = 1, size = 8, start = 0} : (tensor<2x16x4x4xf32>) -> tensor<2x8x4x4xf32>
  %c = memplan.slice %b {dim = 1, size = 4, start = 4} : (tensor<2x8x4x4xf32>) -> tensor<2x4x4x4xf32>
  %d = memplan.tanh %c : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  return %d : tensor<2x4x4x4xf32>
}
