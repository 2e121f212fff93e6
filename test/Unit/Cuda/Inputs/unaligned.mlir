// The second sample begins 150 bytes behind the first, where tensor cores cannot read: it is copied.
func.func @step(%x: tensor<2x3x5x5xbf16> {memplan.name = "x"},
                %w: tensor<4x3x3x3xbf16> {memplan.kind = "parameter", memplan.name = "w"},
                %t: tensor<1x4x3x3xf32> {memplan.name = "t"})
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %s = memplan.slice %x {dim = 0, size = 1, start = 1} : (tensor<2x3x5x5xbf16>) -> tensor<1x3x5x5xbf16>
  %y = memplan.conv2d %s, %w : (tensor<1x3x5x5xbf16>, tensor<4x3x3x3xbf16>) -> tensor<1x4x3x3xbf16>
  %z = memplan.cast %y {element = "f32"} : (tensor<1x4x3x3xbf16>) -> tensor<1x4x3x3xf32>
  %loss = memplan.mse_loss %z, %t : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
