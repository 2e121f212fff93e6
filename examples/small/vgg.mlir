// One training step of a small VGG, batch 4: forward pass and loss.
// 28346 parameters (113384 bytes). Written by python-bindings/export_examples.py small/vgg
module {
  func.func @train_step(
      %features.0.weight: tensor<8x3x3x3xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "features.0.weight"},
      %features.0.bias: tensor<8xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "features.0.bias"},
      %features.3.weight: tensor<16x8x3x3xf32> {memplan.init = "uniform:0.1178511", memplan.kind = "parameter", memplan.name = "features.3.weight"},
      %features.3.bias: tensor<16xf32> {memplan.init = "uniform:0.1178511", memplan.kind = "parameter", memplan.name = "features.3.bias"},
      %features.6.weight: tensor<32x16x3x3xf32> {memplan.init = "uniform:0.08333333", memplan.kind = "parameter", memplan.name = "features.6.weight"},
      %features.6.bias: tensor<32xf32> {memplan.init = "uniform:0.08333333", memplan.kind = "parameter", memplan.name = "features.6.bias"},
      %features.8.weight: tensor<32x32x3x3xf32> {memplan.init = "uniform:0.05892557", memplan.kind = "parameter", memplan.name = "features.8.weight"},
      %features.8.bias: tensor<32xf32> {memplan.init = "uniform:0.05892557", memplan.kind = "parameter", memplan.name = "features.8.bias"},
      %classifier.0.weight: tensor<64x128xf32> {memplan.init = "uniform:0.08838835", memplan.kind = "parameter", memplan.name = "classifier.0.weight"},
      %classifier.0.bias: tensor<64xf32> {memplan.init = "uniform:0.08838835", memplan.kind = "parameter", memplan.name = "classifier.0.bias"},
      %classifier.3.weight: tensor<64x64xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "classifier.3.weight"},
      %classifier.3.bias: tensor<64xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "classifier.3.bias"},
      %classifier.6.weight: tensor<10x64xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "classifier.6.weight"},
      %classifier.6.bias: tensor<10xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "classifier.6.bias"},
      %image: tensor<4x3x16x16xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<4xi64> {memplan.batch = 0, memplan.high = 10, memplan.kind = "input", memplan.name = "label"},
      %dropout_seed: tensor<1xi64> {memplan.high = 2147483647, memplan.kind = "input", memplan.name = "dropout_seed"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"}
  )
    attributes {memplan.optimizer = {lr = 0.05, name = "sgd"}} {
    %features.0 = memplan.conv2d %image, %features.0.weight, %features.0.bias {padding = [1, 1]} : (tensor<4x3x16x16xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<4x8x16x16xf32> loc("features.0")
    %features.1 = memplan.relu %features.0 : (tensor<4x8x16x16xf32>) -> tensor<4x8x16x16xf32> loc("features.1")
    %features.2, %features.2.indices = memplan.max_pool2d %features.1 {kernel = [2, 2], strides = [2, 2]} : (tensor<4x8x16x16xf32>) -> (tensor<4x8x8x8xf32>, tensor<4x8x8x8xi8>) loc("features.2")
    %features.3 = memplan.conv2d %features.2, %features.3.weight, %features.3.bias {padding = [1, 1]} : (tensor<4x8x8x8xf32>, tensor<16x8x3x3xf32>, tensor<16xf32>) -> tensor<4x16x8x8xf32> loc("features.3")
    %features.4 = memplan.relu %features.3 : (tensor<4x16x8x8xf32>) -> tensor<4x16x8x8xf32> loc("features.4")
    %features.5, %features.5.indices = memplan.max_pool2d %features.4 {kernel = [2, 2], strides = [2, 2]} : (tensor<4x16x8x8xf32>) -> (tensor<4x16x4x4xf32>, tensor<4x16x4x4xi8>) loc("features.5")
    %features.6 = memplan.conv2d %features.5, %features.6.weight, %features.6.bias {padding = [1, 1]} : (tensor<4x16x4x4xf32>, tensor<32x16x3x3xf32>, tensor<32xf32>) -> tensor<4x32x4x4xf32> loc("features.6")
    %features.7 = memplan.relu %features.6 : (tensor<4x32x4x4xf32>) -> tensor<4x32x4x4xf32> loc("features.7")
    %features.8 = memplan.conv2d %features.7, %features.8.weight, %features.8.bias {padding = [1, 1]} : (tensor<4x32x4x4xf32>, tensor<32x32x3x3xf32>, tensor<32xf32>) -> tensor<4x32x4x4xf32> loc("features.8")
    %features.9 = memplan.relu %features.8 : (tensor<4x32x4x4xf32>) -> tensor<4x32x4x4xf32> loc("features.9")
    %features.10, %features.10.indices = memplan.max_pool2d %features.9 {kernel = [2, 2], strides = [2, 2]} : (tensor<4x32x4x4xf32>) -> (tensor<4x32x2x2xf32>, tensor<4x32x2x2xi8>) loc("features.10")
    %reshape = memplan.reshape %features.10 {shape = [-1, 128]} : (tensor<4x32x2x2xf32>) -> tensor<4x128xf32> loc("model")
    %classifier.0 = memplan.matmul %reshape, %classifier.0.weight, %classifier.0.bias {transpose_rhs} : (tensor<4x128xf32>, tensor<64x128xf32>, tensor<64xf32>) -> tensor<4x64xf32> loc("classifier.0")
    %classifier.1 = memplan.relu %classifier.0 : (tensor<4x64xf32>) -> tensor<4x64xf32> loc("classifier.1")
    %classifier.2 = memplan.dropout %classifier.1, %dropout_seed {p = 0.5, salt = 0} : (tensor<4x64xf32>, tensor<1xi64>) -> tensor<4x64xf32> loc("classifier.2")
    %classifier.3 = memplan.matmul %classifier.2, %classifier.3.weight, %classifier.3.bias {transpose_rhs} : (tensor<4x64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<4x64xf32> loc("classifier.3")
    %classifier.4 = memplan.relu %classifier.3 : (tensor<4x64xf32>) -> tensor<4x64xf32> loc("classifier.4")
    %classifier.5 = memplan.dropout %classifier.4, %dropout_seed {p = 0.5, salt = 1} : (tensor<4x64xf32>, tensor<1xi64>) -> tensor<4x64xf32> loc("classifier.5")
    %classifier.6 = memplan.matmul %classifier.5, %classifier.6.weight, %classifier.6.bias {transpose_rhs} : (tensor<4x64xf32>, tensor<10x64xf32>, tensor<10xf32>) -> tensor<4x10xf32> loc("classifier.6")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %classifier.6, %label : (tensor<4x10xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>) loc("loss")
    return %cross_entropy : tensor<f32>
  }
}
