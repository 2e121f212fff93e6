// Attention of GPT-2 alone, forward and backward: 8 x 12 heads, 1024 rows, 64 columns, causal. To time it on a GPU, in f32, tf32 and bf16:
//   memplan-run benchmarks/cuda/attention.mlir --backend=cuda --precision=bf16 --steps=20
func.func @step(%q: tensor<8x12x1024x64xf32> {memplan.kind = "parameter"}, %k: tensor<8x12x1024x64xf32> {memplan.kind = "parameter"},
                %v: tensor<8x12x1024x64xf32> {memplan.kind = "parameter"}, %t: tensor<8x12x1024x64xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %o, %l = memplan.attention %q, %k, %v {causal, scale = 0.125} : (tensor<8x12x1024x64xf32>, tensor<8x12x1024x64xf32>, tensor<8x12x1024x64xf32>) -> (tensor<8x12x1024x64xf32>, tensor<8x12x1024xf32>)
  %loss = memplan.mse_loss %o, %t : (tensor<8x12x1024x64xf32>, tensor<8x12x1024x64xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
