// A training step of two layers on tensors of linalg: forward, loss gradient, both weight gradients. The hidden layer is
// large beside the rest, so that a small budget computes it again.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#ta = affine_map<(d0, d1, d2) -> (d2, d0)>
#tb = affine_map<(d0, d1, d2) -> (d1, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @step(%x: tensor<64x16xf32>, %target: tensor<64x8xf32>, %w1: tensor<16x128xf32> {memplan.kind = "parameter"},
                %b1: tensor<128xf32> {memplan.kind = "parameter"}, %w2: tensor<128x8xf32> {memplan.kind = "parameter"})
    -> (tensor<64x8xf32>, tensor<16x128xf32>, tensor<128x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %hidden = tensor.empty() : tensor<64x128xf32>
  %out = tensor.empty() : tensor<64x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%hidden : tensor<64x128xf32>) -> tensor<64x128xf32>
  %m1 = linalg.matmul ins(%x, %w1 : tensor<64x16xf32>, tensor<16x128xf32>) outs(%z1 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %h = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m1, %b1 : tensor<64x128xf32>, tensor<128xf32>) outs(%hidden : tensor<64x128xf32>) {
  ^bb0(%v: f32, %bias: f32, %o: f32):
    %s = arith.addf %v, %bias : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<64x128xf32>) outs(%hidden : tensor<64x128xf32>) {
  ^bb0(%v: f32, %o: f32):
    %n = arith.mulf %v, %v : f32
    %e = math.exp %n : f32
    linalg.yield %e : f32
  } -> tensor<64x128xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%out : tensor<64x8xf32>) -> tensor<64x8xf32>
  %y = linalg.matmul ins(%g, %w2 : tensor<64x128xf32>, tensor<128x8xf32>) outs(%z2 : tensor<64x8xf32>) -> tensor<64x8xf32>
  %dy = linalg.sub ins(%y, %target : tensor<64x8xf32>, tensor<64x8xf32>) outs(%out : tensor<64x8xf32>) -> tensor<64x8xf32>
  %dw2e = tensor.empty() : tensor<128x8xf32>
  %dw2z = linalg.fill ins(%zero : f32) outs(%dw2e : tensor<128x8xf32>) -> tensor<128x8xf32>
  %dw2 = linalg.generic {indexing_maps = [#ta, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%g, %dy : tensor<64x128xf32>, tensor<64x8xf32>) outs(%dw2z : tensor<128x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<128x8xf32>
  %dhz = linalg.fill ins(%zero : f32) outs(%hidden : tensor<64x128xf32>) -> tensor<64x128xf32>
  %dg = linalg.generic {indexing_maps = [#a, #tb, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%dy, %w2 : tensor<64x8xf32>, tensor<128x8xf32>) outs(%dhz : tensor<64x128xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  %dh = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%dg, %h, %g : tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) outs(%hidden : tensor<64x128xf32>) {
  ^bb0(%d: f32, %v: f32, %e: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %sq = arith.mulf %v, %v : f32
    %om = arith.subf %one, %sq : f32
    %p = arith.mulf %d, %e : f32
    %q = arith.mulf %p, %v : f32
    %r = arith.mulf %q, %om : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %dw1e = tensor.empty() : tensor<16x128xf32>
  %dw1z = linalg.fill ins(%zero : f32) outs(%dw1e : tensor<16x128xf32>) -> tensor<16x128xf32>
  %dw1 = linalg.generic {indexing_maps = [#ta, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %dh : tensor<64x16xf32>, tensor<64x128xf32>) outs(%dw1z : tensor<16x128xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<16x128xf32>
  return %y, %dw1, %dw2 : tensor<64x8xf32>, tensor<16x128xf32>, tensor<128x8xf32>
}
