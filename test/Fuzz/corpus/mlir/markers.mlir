// Every marker that planning reads, and operations with effects, views, parts and updates.
func.func @markers(%x: tensor<4x16xf32> {memplan.kind = "input", memplan.name = "x", memplan.donated, memplan.batch = 0 : i64},
                   %p: tensor<16x16xf32> {memplan.kind = "parameter", memplan.init = "zeros"},
                   %s: tensor<16x16xf32> {memplan.kind = "state"})
    -> (tensor<4x16xf32> {memplan.kind = "output"}, tensor<16x16xf32> {memplan.updates = 1 : i64}, tensor<8x16xf32>, tensor<64xf32>)
    attributes {memplan.fixed_bytes = 1000 : i64} {
  %c = memplan.constant {value = dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>} : () -> tensor<4x1xf32>
  %w = arith.constant dense<0.5> : tensor<4x16xf32>
  %h = memplan.matmul %x, %p {memplan.cost = 2.5, memplan.node = 0 : i64} : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  %q = memplan.opaque %h {cost = 7.5, effects = "unknown", kernel = "my.read", memplan.node = 1 : i64} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %a = memplan.relu %h {memplan.node = 2 : i64} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %b = memplan.gelu %q {memplan.node = 3 : i64} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %two = memplan.concat %a, %b {dim = 0, memplan.node = 4 : i64, memplan.parts} : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %again = memplan.matmul %x, %p {memplan.node = 0 : i64, run = 1} : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  %flat = memplan.reshape %again {memplan.node = 5 : i64, shape = [64]} : (tensor<4x16xf32>) -> tensor<64xf32>
  %n = memplan.sgd_update %p, %s {lr = 0.1, memplan.backward, memplan.node = 6 : i64} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %sum = arith.addf %again, %w {memplan.node = 7 : i64} : tensor<4x16xf32>
  return %sum, %n, %two, %flat : tensor<4x16xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<64xf32>
}
