// One training step of a network of two branches, batch 32: forward pass and loss.
// 1844744 parameters (7378976 bytes). Written by benchmarks/networks/export.py two_branch
module {
  func.func @train_step(
      %stem.0.weight: tensor<32x3x3x3xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "stem.0.weight"},
      %stem.1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "stem.1.weight"},
      %stem.1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "stem.1.bias"},
      %left.0.weight: tensor<64x32x3x3xf32> {memplan.init = "uniform:0.05892557", memplan.kind = "parameter", memplan.name = "left.0.weight"},
      %left.1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "left.1.weight"},
      %left.1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "left.1.bias"},
      %left.3.weight: tensor<64x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "left.3.weight"},
      %left.4.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "left.4.weight"},
      %left.4.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "left.4.bias"},
      %left.6.weight: tensor<128x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "left.6.weight"},
      %left.7.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "left.7.weight"},
      %left.7.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "left.7.bias"},
      %left.9.weight: tensor<128x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "left.9.weight"},
      %left.10.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "left.10.weight"},
      %left.10.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "left.10.bias"},
      %left.12.weight: tensor<256x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "left.12.weight"},
      %left.13.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "left.13.weight"},
      %left.13.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "left.13.bias"},
      %left.15.weight: tensor<256x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "left.15.weight"},
      %left.16.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "left.16.weight"},
      %left.16.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "left.16.bias"},
      %right.0.weight: tensor<32x32x3x3xf32> {memplan.init = "uniform:0.05892557", memplan.kind = "parameter", memplan.name = "right.0.weight"},
      %right.1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "right.1.weight"},
      %right.1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "right.1.bias"},
      %right.3.weight: tensor<32x32x3x3xf32> {memplan.init = "uniform:0.05892557", memplan.kind = "parameter", memplan.name = "right.3.weight"},
      %right.4.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "right.4.weight"},
      %right.4.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "right.4.bias"},
      %right.6.weight: tensor<64x32x3x3xf32> {memplan.init = "uniform:0.05892557", memplan.kind = "parameter", memplan.name = "right.6.weight"},
      %right.7.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "right.7.weight"},
      %right.7.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "right.7.bias"},
      %right.9.weight: tensor<64x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "right.9.weight"},
      %right.10.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "right.10.weight"},
      %right.10.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "right.10.bias"},
      %right.12.weight: tensor<128x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "right.12.weight"},
      %right.13.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "right.13.weight"},
      %right.13.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "right.13.bias"},
      %right.15.weight: tensor<128x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "right.15.weight"},
      %right.16.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "right.16.weight"},
      %right.16.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "right.16.bias"},
      %head.weight: tensor<1000x384xf32> {memplan.init = "uniform:0.05103104", memplan.kind = "parameter", memplan.name = "head.weight"},
      %head.bias: tensor<1000xf32> {memplan.init = "uniform:0.05103104", memplan.kind = "parameter", memplan.name = "head.bias"},
      %stem.1.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "stem.1.running_mean"},
      %stem.1.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "stem.1.running_var"},
      %left.1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "left.1.running_mean"},
      %left.1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "left.1.running_var"},
      %left.4.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "left.4.running_mean"},
      %left.4.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "left.4.running_var"},
      %left.7.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "left.7.running_mean"},
      %left.7.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "left.7.running_var"},
      %left.10.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "left.10.running_mean"},
      %left.10.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "left.10.running_var"},
      %left.13.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "left.13.running_mean"},
      %left.13.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "left.13.running_var"},
      %left.16.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "left.16.running_mean"},
      %left.16.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "left.16.running_var"},
      %right.1.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "right.1.running_mean"},
      %right.1.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "right.1.running_var"},
      %right.4.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "right.4.running_mean"},
      %right.4.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "right.4.running_var"},
      %right.7.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "right.7.running_mean"},
      %right.7.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "right.7.running_var"},
      %right.10.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "right.10.running_mean"},
      %right.10.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "right.10.running_var"},
      %right.13.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "right.13.running_mean"},
      %right.13.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "right.13.running_var"},
      %right.16.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "right.16.running_mean"},
      %right.16.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "right.16.running_var"},
      %image: tensor<32x3x224x224xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<32xi64> {memplan.batch = 0, memplan.high = 1000, memplan.kind = "input", memplan.name = "label"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<32xf32> {memplan.name = "stem.1.running_mean", memplan.updates = 41},
      tensor<32xf32> {memplan.name = "stem.1.running_var", memplan.updates = 42},
      tensor<64xf32> {memplan.name = "left.1.running_mean", memplan.updates = 43},
      tensor<64xf32> {memplan.name = "left.1.running_var", memplan.updates = 44},
      tensor<64xf32> {memplan.name = "left.4.running_mean", memplan.updates = 45},
      tensor<64xf32> {memplan.name = "left.4.running_var", memplan.updates = 46},
      tensor<128xf32> {memplan.name = "left.7.running_mean", memplan.updates = 47},
      tensor<128xf32> {memplan.name = "left.7.running_var", memplan.updates = 48},
      tensor<128xf32> {memplan.name = "left.10.running_mean", memplan.updates = 49},
      tensor<128xf32> {memplan.name = "left.10.running_var", memplan.updates = 50},
      tensor<256xf32> {memplan.name = "left.13.running_mean", memplan.updates = 51},
      tensor<256xf32> {memplan.name = "left.13.running_var", memplan.updates = 52},
      tensor<256xf32> {memplan.name = "left.16.running_mean", memplan.updates = 53},
      tensor<256xf32> {memplan.name = "left.16.running_var", memplan.updates = 54},
      tensor<32xf32> {memplan.name = "right.1.running_mean", memplan.updates = 55},
      tensor<32xf32> {memplan.name = "right.1.running_var", memplan.updates = 56},
      tensor<32xf32> {memplan.name = "right.4.running_mean", memplan.updates = 57},
      tensor<32xf32> {memplan.name = "right.4.running_var", memplan.updates = 58},
      tensor<64xf32> {memplan.name = "right.7.running_mean", memplan.updates = 59},
      tensor<64xf32> {memplan.name = "right.7.running_var", memplan.updates = 60},
      tensor<64xf32> {memplan.name = "right.10.running_mean", memplan.updates = 61},
      tensor<64xf32> {memplan.name = "right.10.running_var", memplan.updates = 62},
      tensor<128xf32> {memplan.name = "right.13.running_mean", memplan.updates = 63},
      tensor<128xf32> {memplan.name = "right.13.running_var", memplan.updates = 64},
      tensor<128xf32> {memplan.name = "right.16.running_mean", memplan.updates = 65},
      tensor<128xf32> {memplan.name = "right.16.running_var", memplan.updates = 66}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %stem.0 = memplan.conv2d %image, %stem.0.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x3x224x224xf32>, tensor<32x3x3x3xf32>) -> tensor<32x32x112x112xf32> loc("stem.0")
    %stem.1, %stem.1.mean, %stem.1.invstd, %stem.1.variance = memplan.batch_norm %stem.0, %stem.1.weight, %stem.1.bias {epsilon = 1.0e-05} : (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("stem.1")
    %stem.1.running_mean.new, %stem.1.running_var.new = memplan.batch_norm_update_stats %stem.1.running_mean, %stem.1.running_var, %stem.1.mean, %stem.1.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("stem.1")
    %stem.2 = memplan.relu %stem.1 : (tensor<32x32x112x112xf32>) -> tensor<32x32x112x112xf32> loc("stem.2")
    %left.0 = memplan.conv2d %stem.2, %left.0.weight {padding = [1, 1]} : (tensor<32x32x112x112xf32>, tensor<64x32x3x3xf32>) -> tensor<32x64x112x112xf32> loc("left.0")
    %left.1, %left.1.mean, %left.1.invstd, %left.1.variance = memplan.batch_norm %left.0, %left.1.weight, %left.1.bias {epsilon = 1.0e-05} : (tensor<32x64x112x112xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x112x112xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("left.1")
    %left.1.running_mean.new, %left.1.running_var.new = memplan.batch_norm_update_stats %left.1.running_mean, %left.1.running_var, %left.1.mean, %left.1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("left.1")
    %left.2 = memplan.relu %left.1 : (tensor<32x64x112x112xf32>) -> tensor<32x64x112x112xf32> loc("left.2")
    %left.3 = memplan.conv2d %left.2, %left.3.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x64x112x112xf32>, tensor<64x64x3x3xf32>) -> tensor<32x64x56x56xf32> loc("left.3")
    %left.4, %left.4.mean, %left.4.invstd, %left.4.variance = memplan.batch_norm %left.3, %left.4.weight, %left.4.bias {epsilon = 1.0e-05} : (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("left.4")
    %left.4.running_mean.new, %left.4.running_var.new = memplan.batch_norm_update_stats %left.4.running_mean, %left.4.running_var, %left.4.mean, %left.4.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("left.4")
    %left.5 = memplan.relu %left.4 : (tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> loc("left.5")
    %left.6 = memplan.conv2d %left.5, %left.6.weight {padding = [1, 1]} : (tensor<32x64x56x56xf32>, tensor<128x64x3x3xf32>) -> tensor<32x128x56x56xf32> loc("left.6")
    %left.7, %left.7.mean, %left.7.invstd, %left.7.variance = memplan.batch_norm %left.6, %left.7.weight, %left.7.bias {epsilon = 1.0e-05} : (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("left.7")
    %left.7.running_mean.new, %left.7.running_var.new = memplan.batch_norm_update_stats %left.7.running_mean, %left.7.running_var, %left.7.mean, %left.7.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("left.7")
    %left.8 = memplan.relu %left.7 : (tensor<32x128x56x56xf32>) -> tensor<32x128x56x56xf32> loc("left.8")
    %left.9 = memplan.conv2d %left.8, %left.9.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x128x56x56xf32>, tensor<128x128x3x3xf32>) -> tensor<32x128x28x28xf32> loc("left.9")
    %left.10, %left.10.mean, %left.10.invstd, %left.10.variance = memplan.batch_norm %left.9, %left.10.weight, %left.10.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("left.10")
    %left.10.running_mean.new, %left.10.running_var.new = memplan.batch_norm_update_stats %left.10.running_mean, %left.10.running_var, %left.10.mean, %left.10.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("left.10")
    %left.11 = memplan.relu %left.10 : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("left.11")
    %left.12 = memplan.conv2d %left.11, %left.12.weight {padding = [1, 1]} : (tensor<32x128x28x28xf32>, tensor<256x128x3x3xf32>) -> tensor<32x256x28x28xf32> loc("left.12")
    %left.13, %left.13.mean, %left.13.invstd, %left.13.variance = memplan.batch_norm %left.12, %left.13.weight, %left.13.bias {epsilon = 1.0e-05} : (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("left.13")
    %left.13.running_mean.new, %left.13.running_var.new = memplan.batch_norm_update_stats %left.13.running_mean, %left.13.running_var, %left.13.mean, %left.13.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("left.13")
    %left.14 = memplan.relu %left.13 : (tensor<32x256x28x28xf32>) -> tensor<32x256x28x28xf32> loc("left.14")
    %left.15 = memplan.conv2d %left.14, %left.15.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x256x28x28xf32>, tensor<256x256x3x3xf32>) -> tensor<32x256x14x14xf32> loc("left.15")
    %left.16, %left.16.mean, %left.16.invstd, %left.16.variance = memplan.batch_norm %left.15, %left.16.weight, %left.16.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("left.16")
    %left.16.running_mean.new, %left.16.running_var.new = memplan.batch_norm_update_stats %left.16.running_mean, %left.16.running_var, %left.16.mean, %left.16.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("left.16")
    %left.17 = memplan.relu %left.16 : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("left.17")
    %right.0 = memplan.conv2d %stem.2, %right.0.weight {padding = [1, 1]} : (tensor<32x32x112x112xf32>, tensor<32x32x3x3xf32>) -> tensor<32x32x112x112xf32> loc("right.0")
    %right.1, %right.1.mean, %right.1.invstd, %right.1.variance = memplan.batch_norm %right.0, %right.1.weight, %right.1.bias {epsilon = 1.0e-05} : (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("right.1")
    %right.1.running_mean.new, %right.1.running_var.new = memplan.batch_norm_update_stats %right.1.running_mean, %right.1.running_var, %right.1.mean, %right.1.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("right.1")
    %right.2 = memplan.relu %right.1 : (tensor<32x32x112x112xf32>) -> tensor<32x32x112x112xf32> loc("right.2")
    %right.3 = memplan.conv2d %right.2, %right.3.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x32x112x112xf32>, tensor<32x32x3x3xf32>) -> tensor<32x32x56x56xf32> loc("right.3")
    %right.4, %right.4.mean, %right.4.invstd, %right.4.variance = memplan.batch_norm %right.3, %right.4.weight, %right.4.bias {epsilon = 1.0e-05} : (tensor<32x32x56x56xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x56x56xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("right.4")
    %right.4.running_mean.new, %right.4.running_var.new = memplan.batch_norm_update_stats %right.4.running_mean, %right.4.running_var, %right.4.mean, %right.4.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("right.4")
    %right.5 = memplan.relu %right.4 : (tensor<32x32x56x56xf32>) -> tensor<32x32x56x56xf32> loc("right.5")
    %right.6 = memplan.conv2d %right.5, %right.6.weight {padding = [1, 1]} : (tensor<32x32x56x56xf32>, tensor<64x32x3x3xf32>) -> tensor<32x64x56x56xf32> loc("right.6")
    %right.7, %right.7.mean, %right.7.invstd, %right.7.variance = memplan.batch_norm %right.6, %right.7.weight, %right.7.bias {epsilon = 1.0e-05} : (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("right.7")
    %right.7.running_mean.new, %right.7.running_var.new = memplan.batch_norm_update_stats %right.7.running_mean, %right.7.running_var, %right.7.mean, %right.7.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("right.7")
    %right.8 = memplan.relu %right.7 : (tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> loc("right.8")
    %right.9 = memplan.conv2d %right.8, %right.9.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<32x64x28x28xf32> loc("right.9")
    %right.10, %right.10.mean, %right.10.invstd, %right.10.variance = memplan.batch_norm %right.9, %right.10.weight, %right.10.bias {epsilon = 1.0e-05} : (tensor<32x64x28x28xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x28x28xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("right.10")
    %right.10.running_mean.new, %right.10.running_var.new = memplan.batch_norm_update_stats %right.10.running_mean, %right.10.running_var, %right.10.mean, %right.10.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("right.10")
    %right.11 = memplan.relu %right.10 : (tensor<32x64x28x28xf32>) -> tensor<32x64x28x28xf32> loc("right.11")
    %right.12 = memplan.conv2d %right.11, %right.12.weight {padding = [1, 1]} : (tensor<32x64x28x28xf32>, tensor<128x64x3x3xf32>) -> tensor<32x128x28x28xf32> loc("right.12")
    %right.13, %right.13.mean, %right.13.invstd, %right.13.variance = memplan.batch_norm %right.12, %right.13.weight, %right.13.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("right.13")
    %right.13.running_mean.new, %right.13.running_var.new = memplan.batch_norm_update_stats %right.13.running_mean, %right.13.running_var, %right.13.mean, %right.13.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("right.13")
    %right.14 = memplan.relu %right.13 : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("right.14")
    %right.15 = memplan.conv2d %right.14, %right.15.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x128x28x28xf32>, tensor<128x128x3x3xf32>) -> tensor<32x128x14x14xf32> loc("right.15")
    %right.16, %right.16.mean, %right.16.invstd, %right.16.variance = memplan.batch_norm %right.15, %right.16.weight, %right.16.bias {epsilon = 1.0e-05} : (tensor<32x128x14x14xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x14x14xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("right.16")
    %right.16.running_mean.new, %right.16.running_var.new = memplan.batch_norm_update_stats %right.16.running_mean, %right.16.running_var, %right.16.mean, %right.16.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("right.16")
    %right.17 = memplan.relu %right.16 : (tensor<32x128x14x14xf32>) -> tensor<32x128x14x14xf32> loc("right.17")
    %concat = memplan.concat %left.17, %right.17 {dim = 1} : (tensor<32x256x14x14xf32>, tensor<32x128x14x14xf32>) -> tensor<32x384x14x14xf32> loc("model")
    %adaptive_avg_pool2d = memplan.adaptive_avg_pool2d %concat {output_size = [1, 1]} : (tensor<32x384x14x14xf32>) -> tensor<32x384x1x1xf32> loc("model")
    %reshape = memplan.reshape %adaptive_avg_pool2d {shape = [-1, 384]} : (tensor<32x384x1x1xf32>) -> tensor<32x384xf32> loc("model")
    %head = memplan.matmul %reshape, %head.weight, %head.bias {transpose_rhs} : (tensor<32x384xf32>, tensor<1000x384xf32>, tensor<1000xf32>) -> tensor<32x1000xf32> loc("head")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %head, %label : (tensor<32x1000xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>) loc("loss")
    return %cross_entropy, %stem.1.running_mean.new, %stem.1.running_var.new, %left.1.running_mean.new, %left.1.running_var.new, %left.4.running_mean.new, %left.4.running_var.new, %left.7.running_mean.new, %left.7.running_var.new, %left.10.running_mean.new, %left.10.running_var.new, %left.13.running_mean.new, %left.13.running_var.new, %left.16.running_mean.new, %left.16.running_var.new, %right.1.running_mean.new, %right.1.running_var.new, %right.4.running_mean.new, %right.4.running_var.new, %right.7.running_mean.new, %right.7.running_var.new, %right.10.running_mean.new, %right.10.running_var.new, %right.13.running_mean.new, %right.13.running_var.new, %right.16.running_mean.new, %right.16.running_var.new : tensor<f32>, tensor<32xf32>, tensor<32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>
  }
}
