func.func @step(%x: tensor<4x8xf32>, %w: tensor<8x2xf32> {memplan.kind = "parameter"}, %t: tensor<4x2xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "adafactor", lr = 0.1 : f64, scheduled = true}} {
  %y = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
