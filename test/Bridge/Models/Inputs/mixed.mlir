// Dialects beside each other: memref forms of linalg, tensors of arith and tensor, views, slices that are and are not one run
// of bytes, a destination whose contents two operations start from, a constant tensor, and a body that uses a constant from outside.
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @step(%x: tensor<32x64xf32>, %y: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<64x32xf32>, tensor<8x64xf32>) {
  %weights = arith.constant dense<[[0.5, -0.25], [0.125, 2.0]]> : tensor<2x2xf32>
  %two = arith.constant 2.0 : f32
  %big = arith.mulf %x, %y : tensor<32x64xf32>
  %tan = math.tanh %big : tensor<32x64xf32>
  // Both start from the same values, so that one of them starts from a copy.
  %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<32x64xf32>) outs(%tan : tensor<32x64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %o : f32
    %t = arith.mulf %s, %two : f32
    linalg.yield %t : f32
  } -> tensor<32x64xf32>
  %difference = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<32x64xf32>) outs(%tan : tensor<32x64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.subf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<32x64xf32>
  %row = tensor.extract_slice %sum[8, 0] [8, 64] [1, 1] : tensor<32x64xf32> to tensor<8x64xf32>
  %corner = tensor.extract_slice %difference[0, 0] [2, 2] [1, 1] : tensor<32x64xf32> to tensor<2x2xf32>
  %weighted = arith.mulf %corner, %weights : tensor<2x2xf32>
  %patched = tensor.insert_slice %weighted into %difference[4, 6] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<32x64xf32>
  %flat = tensor.collapse_shape %patched [[0, 1]] : tensor<32x64xf32> into tensor<2048xf32>
  %tall = tensor.expand_shape %flat [[0, 1]] output_shape [64, 32] : tensor<2048xf32> into tensor<64x32xf32>
  %root = math.sin %tall : tensor<64x32xf32>
  %last = arith.addf %big, %sum : tensor<32x64xf32>
  %rows = math.absf %row : tensor<8x64xf32>
  return %last, %root, %rows : tensor<32x64xf32>, tensor<64x32xf32>, tensor<8x64xf32>
}
