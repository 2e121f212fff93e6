// One training step of torchvision's VGG-19, batch 32: forward pass and loss.
// 143667240 parameters (574668960 bytes). Written by benchmarks/networks/export.py vgg19
module {
  func.func @train_step(
      %features.0.weight: tensor<64x3x3x3xf32> {memplan.init = "normal:0.05892557", memplan.kind = "parameter", memplan.name = "features.0.weight"},
      %features.0.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.0.bias"},
      %features.2.weight: tensor<64x64x3x3xf32> {memplan.init = "normal:0.05892557", memplan.kind = "parameter", memplan.name = "features.2.weight"},
      %features.2.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.2.bias"},
      %features.5.weight: tensor<128x64x3x3xf32> {memplan.init = "normal:0.04166667", memplan.kind = "parameter", memplan.name = "features.5.weight"},
      %features.5.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.5.bias"},
      %features.7.weight: tensor<128x128x3x3xf32> {memplan.init = "normal:0.04166667", memplan.kind = "parameter", memplan.name = "features.7.weight"},
      %features.7.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.7.bias"},
      %features.10.weight: tensor<256x128x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "features.10.weight"},
      %features.10.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.10.bias"},
      %features.12.weight: tensor<256x256x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "features.12.weight"},
      %features.12.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.12.bias"},
      %features.14.weight: tensor<256x256x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "features.14.weight"},
      %features.14.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.14.bias"},
      %features.16.weight: tensor<256x256x3x3xf32> {memplan.init = "normal:0.02946278", memplan.kind = "parameter", memplan.name = "features.16.weight"},
      %features.16.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.16.bias"},
      %features.19.weight: tensor<512x256x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "features.19.weight"},
      %features.19.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.19.bias"},
      %features.21.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "features.21.weight"},
      %features.21.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.21.bias"},
      %features.23.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "features.23.weight"},
      %features.23.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.23.bias"},
      %features.25.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "features.25.weight"},
      %features.25.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.25.bias"},
      %features.28.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "features.28.weight"},
      %features.28.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.28.bias"},
      %features.30.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "features.30.weight"},
      %features.30.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.30.bias"},
      %features.32.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "features.32.weight"},
      %features.32.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.32.bias"},
      %features.34.weight: tensor<512x512x3x3xf32> {memplan.init = "normal:0.02083333", memplan.kind = "parameter", memplan.name = "features.34.weight"},
      %features.34.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.34.bias"},
      %classifier.0.weight: tensor<4096x25088xf32> {memplan.init = "normal:0.01", memplan.kind = "parameter", memplan.name = "classifier.0.weight"},
      %classifier.0.bias: tensor<4096xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "classifier.0.bias"},
      %classifier.3.weight: tensor<4096x4096xf32> {memplan.init = "normal:0.01", memplan.kind = "parameter", memplan.name = "classifier.3.weight"},
      %classifier.3.bias: tensor<4096xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "classifier.3.bias"},
      %classifier.6.weight: tensor<1000x4096xf32> {memplan.init = "normal:0.01", memplan.kind = "parameter", memplan.name = "classifier.6.weight"},
      %classifier.6.bias: tensor<1000xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "classifier.6.bias"},
      %image: tensor<32x3x224x224xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<32xi64> {memplan.batch = 0, memplan.high = 1000, memplan.kind = "input", memplan.name = "label"},
      %dropout_seed: tensor<1xi64> {memplan.high = 2147483647, memplan.kind = "input", memplan.name = "dropout_seed"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %features.0 = memplan.conv2d %image, %features.0.weight, %features.0.bias {padding = [1, 1]} : (tensor<32x3x224x224xf32>, tensor<64x3x3x3xf32>, tensor<64xf32>) -> tensor<32x64x224x224xf32> loc("features.0")
    %features.1 = memplan.relu %features.0 : (tensor<32x64x224x224xf32>) -> tensor<32x64x224x224xf32> loc("features.1")
    %features.2 = memplan.conv2d %features.1, %features.2.weight, %features.2.bias {padding = [1, 1]} : (tensor<32x64x224x224xf32>, tensor<64x64x3x3xf32>, tensor<64xf32>) -> tensor<32x64x224x224xf32> loc("features.2")
    %features.3 = memplan.relu %features.2 : (tensor<32x64x224x224xf32>) -> tensor<32x64x224x224xf32> loc("features.3")
    %features.4, %features.4.indices = memplan.max_pool2d %features.3 {kernel = [2, 2], strides = [2, 2]} : (tensor<32x64x224x224xf32>) -> (tensor<32x64x112x112xf32>, tensor<32x64x112x112xi8>) loc("features.4")
    %features.5 = memplan.conv2d %features.4, %features.5.weight, %features.5.bias {padding = [1, 1]} : (tensor<32x64x112x112xf32>, tensor<128x64x3x3xf32>, tensor<128xf32>) -> tensor<32x128x112x112xf32> loc("features.5")
    %features.6 = memplan.relu %features.5 : (tensor<32x128x112x112xf32>) -> tensor<32x128x112x112xf32> loc("features.6")
    %features.7 = memplan.conv2d %features.6, %features.7.weight, %features.7.bias {padding = [1, 1]} : (tensor<32x128x112x112xf32>, tensor<128x128x3x3xf32>, tensor<128xf32>) -> tensor<32x128x112x112xf32> loc("features.7")
    %features.8 = memplan.relu %features.7 : (tensor<32x128x112x112xf32>) -> tensor<32x128x112x112xf32> loc("features.8")
    %features.9, %features.9.indices = memplan.max_pool2d %features.8 {kernel = [2, 2], strides = [2, 2]} : (tensor<32x128x112x112xf32>) -> (tensor<32x128x56x56xf32>, tensor<32x128x56x56xi8>) loc("features.9")
    %features.10 = memplan.conv2d %features.9, %features.10.weight, %features.10.bias {padding = [1, 1]} : (tensor<32x128x56x56xf32>, tensor<256x128x3x3xf32>, tensor<256xf32>) -> tensor<32x256x56x56xf32> loc("features.10")
    %features.11 = memplan.relu %features.10 : (tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("features.11")
    %features.12 = memplan.conv2d %features.11, %features.12.weight, %features.12.bias {padding = [1, 1]} : (tensor<32x256x56x56xf32>, tensor<256x256x3x3xf32>, tensor<256xf32>) -> tensor<32x256x56x56xf32> loc("features.12")
    %features.13 = memplan.relu %features.12 : (tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("features.13")
    %features.14 = memplan.conv2d %features.13, %features.14.weight, %features.14.bias {padding = [1, 1]} : (tensor<32x256x56x56xf32>, tensor<256x256x3x3xf32>, tensor<256xf32>) -> tensor<32x256x56x56xf32> loc("features.14")
    %features.15 = memplan.relu %features.14 : (tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("features.15")
    %features.16 = memplan.conv2d %features.15, %features.16.weight, %features.16.bias {padding = [1, 1]} : (tensor<32x256x56x56xf32>, tensor<256x256x3x3xf32>, tensor<256xf32>) -> tensor<32x256x56x56xf32> loc("features.16")
    %features.17 = memplan.relu %features.16 : (tensor<32x256x56x56xf32>) -> tensor<32x256x56x56xf32> loc("features.17")
    %features.18, %features.18.indices = memplan.max_pool2d %features.17 {kernel = [2, 2], strides = [2, 2]} : (tensor<32x256x56x56xf32>) -> (tensor<32x256x28x28xf32>, tensor<32x256x28x28xi8>) loc("features.18")
    %features.19 = memplan.conv2d %features.18, %features.19.weight, %features.19.bias {padding = [1, 1]} : (tensor<32x256x28x28xf32>, tensor<512x256x3x3xf32>, tensor<512xf32>) -> tensor<32x512x28x28xf32> loc("features.19")
    %features.20 = memplan.relu %features.19 : (tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("features.20")
    %features.21 = memplan.conv2d %features.20, %features.21.weight, %features.21.bias {padding = [1, 1]} : (tensor<32x512x28x28xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<32x512x28x28xf32> loc("features.21")
    %features.22 = memplan.relu %features.21 : (tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("features.22")
    %features.23 = memplan.conv2d %features.22, %features.23.weight, %features.23.bias {padding = [1, 1]} : (tensor<32x512x28x28xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<32x512x28x28xf32> loc("features.23")
    %features.24 = memplan.relu %features.23 : (tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("features.24")
    %features.25 = memplan.conv2d %features.24, %features.25.weight, %features.25.bias {padding = [1, 1]} : (tensor<32x512x28x28xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<32x512x28x28xf32> loc("features.25")
    %features.26 = memplan.relu %features.25 : (tensor<32x512x28x28xf32>) -> tensor<32x512x28x28xf32> loc("features.26")
    %features.27, %features.27.indices = memplan.max_pool2d %features.26 {kernel = [2, 2], strides = [2, 2]} : (tensor<32x512x28x28xf32>) -> (tensor<32x512x14x14xf32>, tensor<32x512x14x14xi8>) loc("features.27")
    %features.28 = memplan.conv2d %features.27, %features.28.weight, %features.28.bias {padding = [1, 1]} : (tensor<32x512x14x14xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<32x512x14x14xf32> loc("features.28")
    %features.29 = memplan.relu %features.28 : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("features.29")
    %features.30 = memplan.conv2d %features.29, %features.30.weight, %features.30.bias {padding = [1, 1]} : (tensor<32x512x14x14xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<32x512x14x14xf32> loc("features.30")
    %features.31 = memplan.relu %features.30 : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("features.31")
    %features.32 = memplan.conv2d %features.31, %features.32.weight, %features.32.bias {padding = [1, 1]} : (tensor<32x512x14x14xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<32x512x14x14xf32> loc("features.32")
    %features.33 = memplan.relu %features.32 : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("features.33")
    %features.34 = memplan.conv2d %features.33, %features.34.weight, %features.34.bias {padding = [1, 1]} : (tensor<32x512x14x14xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<32x512x14x14xf32> loc("features.34")
    %features.35 = memplan.relu %features.34 : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("features.35")
    %features.36, %features.36.indices = memplan.max_pool2d %features.35 {kernel = [2, 2], strides = [2, 2]} : (tensor<32x512x14x14xf32>) -> (tensor<32x512x7x7xf32>, tensor<32x512x7x7xi8>) loc("features.36")
    %reshape = memplan.reshape %features.36 {shape = [-1, 25088]} : (tensor<32x512x7x7xf32>) -> tensor<32x25088xf32> loc("model")
    %classifier.0 = memplan.matmul %reshape, %classifier.0.weight, %classifier.0.bias {transpose_rhs} : (tensor<32x25088xf32>, tensor<4096x25088xf32>, tensor<4096xf32>) -> tensor<32x4096xf32> loc("classifier.0")
    %classifier.1 = memplan.relu %classifier.0 : (tensor<32x4096xf32>) -> tensor<32x4096xf32> loc("classifier.1")
    %classifier.2 = memplan.dropout %classifier.1, %dropout_seed {p = 0.5, salt = 0} : (tensor<32x4096xf32>, tensor<1xi64>) -> tensor<32x4096xf32> loc("classifier.2")
    %classifier.3 = memplan.matmul %classifier.2, %classifier.3.weight, %classifier.3.bias {transpose_rhs} : (tensor<32x4096xf32>, tensor<4096x4096xf32>, tensor<4096xf32>) -> tensor<32x4096xf32> loc("classifier.3")
    %classifier.4 = memplan.relu %classifier.3 : (tensor<32x4096xf32>) -> tensor<32x4096xf32> loc("classifier.4")
    %classifier.5 = memplan.dropout %classifier.4, %dropout_seed {p = 0.5, salt = 1} : (tensor<32x4096xf32>, tensor<1xi64>) -> tensor<32x4096xf32> loc("classifier.5")
    %classifier.6 = memplan.matmul %classifier.5, %classifier.6.weight, %classifier.6.bias {transpose_rhs} : (tensor<32x4096xf32>, tensor<1000x4096xf32>, tensor<1000xf32>) -> tensor<32x1000xf32> loc("classifier.6")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %classifier.6, %label : (tensor<32x1000xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>) loc("loss")
    return %cross_entropy : tensor<f32>
  }
}
