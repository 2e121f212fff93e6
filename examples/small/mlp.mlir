// One training step of a multilayer perceptron, batch 16: forward pass and loss.
// 6922 parameters (27688 bytes). Written by python-bindings/export_examples.py small/mlp
module {
  func.func @train_step(
      %_0.weight: tensor<64x32xf32> {memplan.init = "uniform:0.1767767", memplan.kind = "parameter", memplan.name = "0.weight"},
      %_0.bias: tensor<64xf32> {memplan.init = "uniform:0.1767767", memplan.kind = "parameter", memplan.name = "0.bias"},
      %_2.weight: tensor<64x64xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "2.weight"},
      %_2.bias: tensor<64xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "2.bias"},
      %_4.weight: tensor<10x64xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "4.weight"},
      %_4.bias: tensor<10xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "4.bias"},
      %features: tensor<16x32xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "features"},
      %label: tensor<16xi64> {memplan.batch = 0, memplan.high = 10, memplan.kind = "input", memplan.name = "label"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"}
  )
    attributes {memplan.optimizer = {lr = 0.05, name = "sgd"}} {
    %_0 = memplan.matmul %features, %_0.weight, %_0.bias {transpose_rhs} : (tensor<16x32xf32>, tensor<64x32xf32>, tensor<64xf32>) -> tensor<16x64xf32> loc("0")
    %_1 = memplan.relu %_0 : (tensor<16x64xf32>) -> tensor<16x64xf32> loc("1")
    %_2 = memplan.matmul %_1, %_2.weight, %_2.bias {transpose_rhs} : (tensor<16x64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<16x64xf32> loc("2")
    %_3 = memplan.relu %_2 : (tensor<16x64xf32>) -> tensor<16x64xf32> loc("3")
    %_4 = memplan.matmul %_3, %_4.weight, %_4.bias {transpose_rhs} : (tensor<16x64xf32>, tensor<10x64xf32>, tensor<10xf32>) -> tensor<16x10xf32> loc("4")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %_4, %label : (tensor<16x10xf32>, tensor<16xi64>) -> (tensor<f32>, tensor<16xf32>) loc("loss")
    return %cross_entropy : tensor<f32>
  }
}
