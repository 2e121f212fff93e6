// TOSA alone: a convolution whose large activation is read at both ends of the step, and other large values between, so that
// a small budget computes it again. Constants are weights, zero points and shifts.
func.func @step(%x: tensor<1x16x16x4xf32>, %y: tensor<1x16x16x8xf32>) -> (tensor<1x16x16x8xf32>, tensor<1x8xf32>) {
  %w = "tosa.const"() <{values = dense<0.125> : tensor<8x3x3x4xf32>}> : () -> tensor<8x3x3x4xf32>
  %b = "tosa.const"() <{values = dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]> : tensor<8xf32>}> : () -> tensor<8xf32>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %conv = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x16x16x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x8xf32>
  %a = tosa.tanh %conv : (tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %p = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<1x16x16x8xf32>) -> tensor<1x1x16x8xf32>
  %p2 = tosa.reduce_sum %p {axis = 2 : i32} : (tensor<1x1x16x8xf32>) -> tensor<1x1x1x8xf32>
  %q = tosa.sigmoid %y : (tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %q2 = tosa.mul %y, %p2, %shift : (tensor<1x16x16x8xf32>, tensor<1x1x1x8xf32>, tensor<1xi8>) -> tensor<1x16x16x8xf32>
  %q3 = tosa.sub %q, %q2 : (tensor<1x16x16x8xf32>, tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %s = tosa.reduce_sum %q3 {axis = 1 : i32} : (tensor<1x16x16x8xf32>) -> tensor<1x1x16x8xf32>
  %s2 = tosa.reduce_sum %s {axis = 2 : i32} : (tensor<1x1x16x8xf32>) -> tensor<1x1x1x8xf32>
  %shape = tosa.const_shape {values = dense<[1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %flat = tosa.reshape %s2, %shape : (tensor<1x1x1x8xf32>, !tosa.shape<2>) -> tensor<1x8xf32>
  %e = tosa.tanh %flat : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %out = tosa.mul %a, %s2, %shift : (tensor<1x16x16x8xf32>, tensor<1x1x1x8xf32>, tensor<1xi8>) -> tensor<1x16x16x8xf32>
  return %out, %e : tensor<1x16x16x8xf32>, tensor<1x8xf32>
}
