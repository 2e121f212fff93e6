// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @matmul(
// CHECK: memplan.matmul %{{.*}}, %{{.*}}, %{{.*}} {transpose_rhs} : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> tensor<4x16xf32>
// CHECK: memplan.matmul ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<16x8xf32>, memref<16xf32>) outs(%{{.*}} : memref<4x16xf32>) {transpose_rhs}
func.func @matmul(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xf32>, %mx: memref<4x8xf32>, %mw: memref<16x8xf32>, %mb: memref<16xf32>, %out0: memref<4x16xf32>) {
  %y = memplan.matmul %x, %w, %b {transpose_rhs} : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  memplan.matmul ins(%mx, %mw, %mb : memref<4x8xf32>, memref<16x8xf32>, memref<16xf32>) outs(%out0 : memref<4x16xf32>) {transpose_rhs}
  return
}

// CHECK-LABEL: func.func @matmul_1(
// CHECK: memplan.matmul %{{.*}}, %{{.*}} {transpose_rhs} : (tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>) -> tensor<2x12x64x64xf32>
// CHECK: memplan.matmul ins(%{{.*}}, %{{.*}} : memref<2x12x64x32xf32>, memref<2x12x64x32xf32>) outs(%{{.*}} : memref<2x12x64x64xf32>) {transpose_rhs}
func.func @matmul_1(%q: tensor<2x12x64x32xf32>, %k: tensor<2x12x64x32xf32>, %mq: memref<2x12x64x32xf32>, %mk: memref<2x12x64x32xf32>, %out0: memref<2x12x64x64xf32>) {
  %s = memplan.matmul %q, %k {transpose_rhs} : (tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>) -> tensor<2x12x64x64xf32>
  memplan.matmul ins(%mq, %mk : memref<2x12x64x32xf32>, memref<2x12x64x32xf32>) outs(%out0 : memref<2x12x64x64xf32>) {transpose_rhs}
  return
}

// CHECK-LABEL: func.func @matmul_gelu(
// CHECK: memplan.matmul_gelu %{{.*}}, %{{.*}}, %{{.*}} {tf32, transpose_rhs} : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK: memplan.matmul_gelu ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<16x8xf32>, memref<16xf32>) outs(%{{.*}}, %{{.*}} : memref<4x16xf32>, memref<4x16xf32>) {transpose_rhs}
func.func @matmul_gelu(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xf32>, %mx: memref<4x8xf32>, %mw: memref<16x8xf32>, %mb: memref<16xf32>, %out0: memref<4x16xf32>, %out1: memref<4x16xf32>) {
  %h, %y = memplan.matmul_gelu %x, %w, %b {tf32, transpose_rhs} : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
  memplan.matmul_gelu ins(%mx, %mw, %mb : memref<4x8xf32>, memref<16x8xf32>, memref<16xf32>) outs(%out0, %out1 : memref<4x16xf32>, memref<4x16xf32>) {transpose_rhs}
  return
}

// CHECK-LABEL: func.func @matmul_gelu_grad(
// CHECK: memplan.matmul_gelu_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x4x8xf32>, tensor<8x16xf32>, tensor<2x4x16xf32>) -> (tensor<2x4x16xf32>, tensor<16xf32>)
// CHECK: memplan.matmul_gelu_grad ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<2x4x8xf32>, memref<8x16xf32>, memref<2x4x16xf32>) outs(%{{.*}}, %{{.*}} : memref<2x4x16xf32>, memref<16xf32>)
func.func @matmul_gelu_grad(%dy: tensor<2x4x8xf32>, %w: tensor<8x16xf32>, %h: tensor<2x4x16xf32>, %mdy: memref<2x4x8xf32>, %mw: memref<8x16xf32>, %mh: memref<2x4x16xf32>, %out0: memref<2x4x16xf32>, %out1: memref<16xf32>) {
  %dh, %db = memplan.matmul_gelu_grad %dy, %w, %h : (tensor<2x4x8xf32>, tensor<8x16xf32>, tensor<2x4x16xf32>) -> (tensor<2x4x16xf32>, tensor<16xf32>)
  memplan.matmul_gelu_grad ins(%mdy, %mw, %mh : memref<2x4x8xf32>, memref<8x16xf32>, memref<2x4x16xf32>) outs(%out0, %out1 : memref<2x4x16xf32>, memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @matmul_bias_grad(
// CHECK: memplan.matmul_bias_grad %{{.*}}, %{{.*}} {transpose_lhs} : (tensor<4x16xf32>, tensor<4x8xf32>) -> (tensor<16x8xf32>, tensor<16xf32>)
// CHECK: memplan.matmul_bias_grad %{{.*}}, %{{.*}} {sum_rhs, transpose_lhs} : (tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>)
// CHECK: memplan.matmul_bias_grad ins(%{{.*}}, %{{.*}} : memref<4x16xf32>, memref<4x8xf32>) outs(%{{.*}}, %{{.*}} : memref<16x8xf32>, memref<16xf32>) {transpose_lhs}
func.func @matmul_bias_grad(%dy: tensor<4x16xf32>, %x: tensor<4x8xf32>, %mdy: memref<4x16xf32>, %mx: memref<4x8xf32>, %out0: memref<16x8xf32>, %out1: memref<16xf32>) {
  %dw, %db = memplan.matmul_bias_grad %dy, %x {transpose_lhs} : (tensor<4x16xf32>, tensor<4x8xf32>) -> (tensor<16x8xf32>, tensor<16xf32>)
  %dv, %dc = memplan.matmul_bias_grad %x, %dy {sum_rhs, transpose_lhs} : (tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>)
  memplan.matmul_bias_grad ins(%mdy, %mx : memref<4x16xf32>, memref<4x8xf32>) outs(%out0, %out1 : memref<16x8xf32>, memref<16xf32>) {transpose_lhs}
  return
}

// CHECK-LABEL: func.func @embedding(
// CHECK: memplan.embedding %{{.*}}, %{{.*}} : (tensor<50257x768xf32>, tensor<4x512xi64>) -> tensor<4x512x768xf32>
// CHECK: memplan.embedding ins(%{{.*}}, %{{.*}} : memref<50257x768xf32>, memref<4x512xi64>) outs(%{{.*}} : memref<4x512x768xf32>)
func.func @embedding(%table: tensor<50257x768xf32>, %ids: tensor<4x512xi64>, %mtable: memref<50257x768xf32>, %mids: memref<4x512xi64>, %out0: memref<4x512x768xf32>) {
  %e = memplan.embedding %table, %ids : (tensor<50257x768xf32>, tensor<4x512xi64>) -> tensor<4x512x768xf32>
  memplan.embedding ins(%mtable, %mids : memref<50257x768xf32>, memref<4x512xi64>) outs(%out0 : memref<4x512x768xf32>)
  return
}

// CHECK-LABEL: func.func @embedding_grad(
// CHECK: memplan.embedding_grad %{{.*}}, %{{.*}} {num_embeddings = 50257} : (tensor<4x512xi64>, tensor<4x512x768xf32>) -> tensor<50257x768xf32>
// CHECK: memplan.embedding_grad ins(%{{.*}}, %{{.*}} : memref<4x512xi64>, memref<4x512x768xf32>) outs(%{{.*}} : memref<50257x768xf32>) {num_embeddings = 50257}
func.func @embedding_grad(%ids: tensor<4x512xi64>, %de: tensor<4x512x768xf32>, %mids: memref<4x512xi64>, %mde: memref<4x512x768xf32>, %out0: memref<50257x768xf32>) {
  %dt = memplan.embedding_grad %ids, %de {num_embeddings = 50257} : (tensor<4x512xi64>, tensor<4x512x768xf32>) -> tensor<50257x768xf32>
  memplan.embedding_grad ins(%mids, %mde : memref<4x512xi64>, memref<4x512x768xf32>) outs(%out0 : memref<50257x768xf32>) {num_embeddings = 50257}
  return
}
