// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @topk(
// CHECK: memplan.topk %{{.*}} {axis = 0, k = 2, smallest} : (tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi64>)
// CHECK: memplan.topk ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}}, %{{.*}} : memref<2x8xf32>, memref<2x8xi64>) {axis = 0, k = 2, smallest}
func.func @topk(%t0: tensor<4x8xf32>, %m0: memref<4x8xf32>, %o0: memref<2x8xf32>, %o1: memref<2x8xi64>) {
  %r:2 = memplan.topk %t0 {axis = 0, k = 2, smallest} : (tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi64>)
  memplan.topk ins(%m0 : memref<4x8xf32>) outs(%o0, %o1 : memref<2x8xf32>, memref<2x8xi64>) {axis = 0, k = 2, smallest}
  return
}

// CHECK-LABEL: func.func @gather(
// CHECK: memplan.gather %{{.*}}, %{{.*}} {axis = 1} : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
// CHECK: memplan.gather ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x2xi64>) outs(%{{.*}} : memref<4x2xf32>) {axis = 1}
func.func @gather(%t0: tensor<4x8xf32>, %t1: tensor<4x2xi64>, %m0: memref<4x8xf32>, %m1: memref<4x2xi64>, %o0: memref<4x2xf32>) {
  %r = memplan.gather %t0, %t1 {axis = 1} : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  memplan.gather ins(%m0, %m1 : memref<4x8xf32>, memref<4x2xi64>) outs(%o0 : memref<4x2xf32>) {axis = 1}
  return
}

// CHECK-LABEL: func.func @gather_grad(
// CHECK: memplan.gather_grad %{{.*}}, %{{.*}} {axis = 1, size = 8} : (tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
// CHECK: memplan.gather_grad ins(%{{.*}}, %{{.*}} : memref<4x2xi64>, memref<4x2xf32>) outs(%{{.*}} : memref<4x8xf32>) {axis = 1, size = 8}
func.func @gather_grad(%t0: tensor<4x2xi64>, %t1: tensor<4x2xf32>, %m0: memref<4x2xi64>, %m1: memref<4x2xf32>, %o0: memref<4x8xf32>) {
  %r = memplan.gather_grad %t0, %t1 {axis = 1, size = 8} : (tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  memplan.gather_grad ins(%m0, %m1 : memref<4x2xi64>, memref<4x2xf32>) outs(%o0 : memref<4x8xf32>) {axis = 1, size = 8}
  return
}

// CHECK-LABEL: func.func @scatter(
// CHECK: memplan.scatter %{{.*}}, %{{.*}} {axis = 1, size = 8} : (tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
// CHECK: memplan.scatter ins(%{{.*}}, %{{.*}} : memref<4x2xi64>, memref<4x2xf32>) outs(%{{.*}} : memref<4x8xf32>) {axis = 1, size = 8}
func.func @scatter(%t0: tensor<4x2xi64>, %t1: tensor<4x2xf32>, %m0: memref<4x2xi64>, %m1: memref<4x2xf32>, %o0: memref<4x8xf32>) {
  %r = memplan.scatter %t0, %t1 {axis = 1, size = 8} : (tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  memplan.scatter ins(%m0, %m1 : memref<4x2xi64>, memref<4x2xf32>) outs(%o0 : memref<4x8xf32>) {axis = 1, size = 8}
  return
}

// CHECK-LABEL: func.func @scatter_base(
// CHECK: memplan.scatter %{{.*}}, %{{.*}}, %{{.*}} {axis = 1, size = 8} : (tensor<4x2xi64>, tensor<4x2xi8>, tensor<4x8xi8>) -> tensor<4x8xi8>
// CHECK: memplan.scatter ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x2xi64>, memref<4x2xi8>, memref<4x8xi8>) outs(%{{.*}} : memref<4x8xi8>) {axis = 1, size = 8}
func.func @scatter_base(%t0: tensor<4x2xi64>, %t1: tensor<4x2xi8>, %t2: tensor<4x8xi8>, %m0: memref<4x2xi64>, %m1: memref<4x2xi8>, %m2: memref<4x8xi8>, %o0: memref<4x8xi8>) {
  %r = memplan.scatter %t0, %t1, %t2 {axis = 1, size = 8} : (tensor<4x2xi64>, tensor<4x2xi8>, tensor<4x8xi8>) -> tensor<4x8xi8>
  memplan.scatter ins(%m0, %m1, %m2 : memref<4x2xi64>, memref<4x2xi8>, memref<4x8xi8>) outs(%o0 : memref<4x8xi8>) {axis = 1, size = 8}
  return
}

// CHECK-LABEL: func.func @cumsum(
// CHECK: memplan.cumsum %{{.*}} {axis = 0, reverse} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.cumsum ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>) {axis = 0, reverse}
func.func @cumsum(%t0: tensor<4x8xf32>, %m0: memref<4x8xf32>, %o0: memref<4x8xf32>) {
  %r = memplan.cumsum %t0 {axis = 0, reverse} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.cumsum ins(%m0 : memref<4x8xf32>) outs(%o0 : memref<4x8xf32>) {axis = 0, reverse}
  return
}
