// The first product is read at both ends. Between them three such values are live, so that a budget for two computes it again.
func.func @step(%u: tensor<64xf32>, %v: tensor<128xf32>) -> (tensor<64x128xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64x128xf32>
  %a = toy.outer %u, %v into %e : (tensor<64xf32>, tensor<128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %b = toy.softsign %a : tensor<64x128xf32>
  %r = toy.row_sums %b : (tensor<64x128xf32>) -> tensor<64xf32>
  %c = toy.outer %r, %v into %e : (tensor<64xf32>, tensor<128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %d = toy.softsign %c : tensor<64x128xf32>
  %g = toy.times %c, %d : tensor<64x128xf32>
  %s = toy.row_sums %g : (tensor<64x128xf32>) -> tensor<64xf32>
  %f = toy.outer %s, %v into %e : (tensor<64xf32>, tensor<128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %out = toy.times %b, %f : tensor<64x128xf32>
  return %out, %s : tensor<64x128xf32>, tensor<64xf32>
}
