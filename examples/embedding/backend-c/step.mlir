// A step for the two kernels of backend.c: a parameter that goes against the positive part of the data.
func.func @train_step(%w: tensor<4x64xf32> {memplan.kind = "parameter", memplan.name = "w"}, %x: tensor<4x64xf32> {memplan.kind = "input", memplan.name = "x"})
    -> (tensor<4x64xf32> {memplan.updates = 0 : i64}) {
  %0 = memplan.relu %x : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %1 = memplan.relu %0 : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %2 = memplan.sgd_update %w, %1 {lr = 0.1 : f64} : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  return %2 : tensor<4x64xf32>
}
