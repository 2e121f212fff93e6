// Forward and backward of 6 matmul + gelu layers: gelu's gradient reads gelu's input, so that values of the forward pass are
// alive until the backward pass, and recomputing them saves bytes.
func.func @chain(%x: tensor<32x32xf32> {memplan.kind = "input", memplan.name = "x"},
                 %w0: tensor<32x32xf32> {memplan.kind = "parameter", memplan.name = "w0"},
                 %w1: tensor<32x32xf32> {memplan.kind = "parameter", memplan.name = "w1"},
                 %w2: tensor<32x32xf32> {memplan.kind = "parameter", memplan.name = "w2"},
                 %w3: tensor<32x32xf32> {memplan.kind = "parameter", memplan.name = "w3"},
                 %w4: tensor<32x32xf32> {memplan.kind = "parameter", memplan.name = "w4"},
                 %w5: tensor<32x32xf32> {memplan.kind = "parameter", memplan.name = "w5"},
                 %t: tensor<32x32xf32> {memplan.kind = "input", memplan.name = "target"})
    -> (tensor<f32> {memplan.kind = "loss"}, tensor<32x32xf32> {memplan.updates = 1 : i64}, tensor<32x32xf32> {memplan.updates = 2 : i64}, tensor<32x32xf32> {memplan.updates = 3 : i64}, tensor<32x32xf32> {memplan.updates = 4 : i64}, tensor<32x32xf32> {memplan.updates = 5 : i64}, tensor<32x32xf32> {memplan.updates = 6 : i64}) {
  %h0 = memplan.matmul %x, %w0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %y0 = memplan.gelu %h0 : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %h1 = memplan.matmul %y0, %w1 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %y1 = memplan.gelu %h1 : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %h2 = memplan.matmul %y1, %w2 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %y2 = memplan.gelu %h2 : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %h3 = memplan.matmul %y2, %w3 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %y3 = memplan.gelu %h3 : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %h4 = memplan.matmul %y3, %w4 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %y4 = memplan.gelu %h4 : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %h5 = memplan.matmul %y4, %w5 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %y5 = memplan.gelu %h5 : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %loss = memplan.mse_loss %y5, %t : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<f32>
  %one = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %dy5 = memplan.mse_loss_grad %y5, %t, %one {memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>) -> tensor<32x32xf32>
  %dh5 = memplan.gelu_grad %h5, %dy5 {memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dy4 = memplan.matmul %dh5, %w5 {memplan.backward, transpose_rhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dw5 = memplan.matmul %y4, %dh5 {memplan.backward, transpose_lhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %u5 = memplan.sgd_update %w5, %dw5 {lr = 0.1, memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dh4 = memplan.gelu_grad %h4, %dy4 {memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dy3 = memplan.matmul %dh4, %w4 {memplan.backward, transpose_rhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dw4 = memplan.matmul %y3, %dh4 {memplan.backward, transpose_lhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %u4 = memplan.sgd_update %w4, %dw4 {lr = 0.1, memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dh3 = memplan.gelu_grad %h3, %dy3 {memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dy2 = memplan.matmul %dh3, %w3 {memplan.backward, transpose_rhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dw3 = memplan.matmul %y2, %dh3 {memplan.backward, transpose_lhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %u3 = memplan.sgd_update %w3, %dw3 {lr = 0.1, memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dh2 = memplan.gelu_grad %h2, %dy2 {memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dy1 = memplan.matmul %dh2, %w2 {memplan.backward, transpose_rhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dw2 = memplan.matmul %y1, %dh2 {memplan.backward, transpose_lhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %u2 = memplan.sgd_update %w2, %dw2 {lr = 0.1, memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dh1 = memplan.gelu_grad %h1, %dy1 {memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dy0 = memplan.matmul %dh1, %w1 {memplan.backward, transpose_rhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dw1 = memplan.matmul %y0, %dh1 {memplan.backward, transpose_lhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %u1 = memplan.sgd_update %w1, %dw1 {lr = 0.1, memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dh0 = memplan.gelu_grad %h0, %dy0 {memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %dw0 = memplan.matmul %x, %dh0 {memplan.backward, transpose_lhs} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %u0 = memplan.sgd_update %w0, %dw0 {lr = 0.1, memplan.backward} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %loss, %u0, %u1, %u2, %u3, %u4, %u5 : tensor<f32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}
