// One training step of a U-Net of two levels, batch 2: forward pass and loss.
// 29625 parameters (118500 bytes). Written by python-bindings/export_examples.py small/unet
module {
  func.func @train_step(
      %down.0.c1.weight: tensor<8x3x3x3xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "down.0.c1.weight"},
      %down.0.b1.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.0.b1.weight"},
      %down.0.b1.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.0.b1.bias"},
      %down.0.c2.weight: tensor<8x8x3x3xf32> {memplan.init = "uniform:0.1178511", memplan.kind = "parameter", memplan.name = "down.0.c2.weight"},
      %down.0.b2.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.0.b2.weight"},
      %down.0.b2.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.0.b2.bias"},
      %down.1.c1.weight: tensor<16x8x3x3xf32> {memplan.init = "uniform:0.1178511", memplan.kind = "parameter", memplan.name = "down.1.c1.weight"},
      %down.1.b1.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.1.b1.weight"},
      %down.1.b1.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.1.b1.bias"},
      %down.1.c2.weight: tensor<16x16x3x3xf32> {memplan.init = "uniform:0.08333333", memplan.kind = "parameter", memplan.name = "down.1.c2.weight"},
      %down.1.b2.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.1.b2.weight"},
      %down.1.b2.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.1.b2.bias"},
      %down.2.c1.weight: tensor<32x16x3x3xf32> {memplan.init = "uniform:0.08333333", memplan.kind = "parameter", memplan.name = "down.2.c1.weight"},
      %down.2.b1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.2.b1.weight"},
      %down.2.b1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.2.b1.bias"},
      %down.2.c2.weight: tensor<32x32x3x3xf32> {memplan.init = "uniform:0.05892557", memplan.kind = "parameter", memplan.name = "down.2.c2.weight"},
      %down.2.b2.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.2.b2.weight"},
      %down.2.b2.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.2.b2.bias"},
      %up.0.weight: tensor<32x16x2x2xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "up.0.weight"},
      %up.0.bias: tensor<16xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "up.0.bias"},
      %up.1.weight: tensor<16x8x2x2xf32> {memplan.init = "uniform:0.1767767", memplan.kind = "parameter", memplan.name = "up.1.weight"},
      %up.1.bias: tensor<8xf32> {memplan.init = "uniform:0.1767767", memplan.kind = "parameter", memplan.name = "up.1.bias"},
      %dec.0.c1.weight: tensor<16x32x3x3xf32> {memplan.init = "uniform:0.05892557", memplan.kind = "parameter", memplan.name = "dec.0.c1.weight"},
      %dec.0.b1.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.0.b1.weight"},
      %dec.0.b1.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.0.b1.bias"},
      %dec.0.c2.weight: tensor<16x16x3x3xf32> {memplan.init = "uniform:0.08333333", memplan.kind = "parameter", memplan.name = "dec.0.c2.weight"},
      %dec.0.b2.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.0.b2.weight"},
      %dec.0.b2.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.0.b2.bias"},
      %dec.1.c1.weight: tensor<8x16x3x3xf32> {memplan.init = "uniform:0.08333333", memplan.kind = "parameter", memplan.name = "dec.1.c1.weight"},
      %dec.1.b1.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.1.b1.weight"},
      %dec.1.b1.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.1.b1.bias"},
      %dec.1.c2.weight: tensor<8x8x3x3xf32> {memplan.init = "uniform:0.1178511", memplan.kind = "parameter", memplan.name = "dec.1.c2.weight"},
      %dec.1.b2.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.1.b2.weight"},
      %dec.1.b2.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.1.b2.bias"},
      %out.weight: tensor<1x8x1x1xf32> {memplan.init = "uniform:0.3535534", memplan.kind = "parameter", memplan.name = "out.weight"},
      %out.bias: tensor<1xf32> {memplan.init = "uniform:0.3535534", memplan.kind = "parameter", memplan.name = "out.bias"},
      %down.0.b1.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.0.b1.running_mean"},
      %down.0.b1.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.0.b1.running_var"},
      %down.0.b2.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.0.b2.running_mean"},
      %down.0.b2.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.0.b2.running_var"},
      %down.1.b1.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.1.b1.running_mean"},
      %down.1.b1.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.1.b1.running_var"},
      %down.1.b2.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.1.b2.running_mean"},
      %down.1.b2.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.1.b2.running_var"},
      %down.2.b1.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.2.b1.running_mean"},
      %down.2.b1.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.2.b1.running_var"},
      %down.2.b2.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.2.b2.running_mean"},
      %down.2.b2.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.2.b2.running_var"},
      %dec.0.b1.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.0.b1.running_mean"},
      %dec.0.b1.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.0.b1.running_var"},
      %dec.0.b2.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.0.b2.running_mean"},
      %dec.0.b2.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.0.b2.running_var"},
      %dec.1.b1.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.1.b1.running_mean"},
      %dec.1.b1.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.1.b1.running_var"},
      %dec.1.b2.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.1.b2.running_mean"},
      %dec.1.b2.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.1.b2.running_var"},
      %image: tensor<2x3x16x24xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %mask: tensor<2x1x16x24xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "mask"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<8xf32> {memplan.name = "down.0.b1.running_mean", memplan.updates = 36},
      tensor<8xf32> {memplan.name = "down.0.b1.running_var", memplan.updates = 37},
      tensor<8xf32> {memplan.name = "down.0.b2.running_mean", memplan.updates = 38},
      tensor<8xf32> {memplan.name = "down.0.b2.running_var", memplan.updates = 39},
      tensor<16xf32> {memplan.name = "down.1.b1.running_mean", memplan.updates = 40},
      tensor<16xf32> {memplan.name = "down.1.b1.running_var", memplan.updates = 41},
      tensor<16xf32> {memplan.name = "down.1.b2.running_mean", memplan.updates = 42},
      tensor<16xf32> {memplan.name = "down.1.b2.running_var", memplan.updates = 43},
      tensor<32xf32> {memplan.name = "down.2.b1.running_mean", memplan.updates = 44},
      tensor<32xf32> {memplan.name = "down.2.b1.running_var", memplan.updates = 45},
      tensor<32xf32> {memplan.name = "down.2.b2.running_mean", memplan.updates = 46},
      tensor<32xf32> {memplan.name = "down.2.b2.running_var", memplan.updates = 47},
      tensor<16xf32> {memplan.name = "dec.0.b1.running_mean", memplan.updates = 48},
      tensor<16xf32> {memplan.name = "dec.0.b1.running_var", memplan.updates = 49},
      tensor<16xf32> {memplan.name = "dec.0.b2.running_mean", memplan.updates = 50},
      tensor<16xf32> {memplan.name = "dec.0.b2.running_var", memplan.updates = 51},
      tensor<8xf32> {memplan.name = "dec.1.b1.running_mean", memplan.updates = 52},
      tensor<8xf32> {memplan.name = "dec.1.b1.running_var", memplan.updates = 53},
      tensor<8xf32> {memplan.name = "dec.1.b2.running_mean", memplan.updates = 54},
      tensor<8xf32> {memplan.name = "dec.1.b2.running_var", memplan.updates = 55}
  )
    attributes {memplan.optimizer = {lr = 0.05, name = "sgd"}} {
    %down.0.c1 = memplan.conv2d %image, %down.0.c1.weight {padding = [1, 1]} : (tensor<2x3x16x24xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x16x24xf32> loc("down.0.c1")
    %down.0.b1, %down.0.b1.mean, %down.0.b1.invstd, %down.0.b1.variance = memplan.batch_norm %down.0.c1, %down.0.b1.weight, %down.0.b1.bias {epsilon = 1.0e-05} : (tensor<2x8x16x24xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x8x16x24xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("down.0.b1")
    %down.0.b1.running_mean.new, %down.0.b1.running_var.new = memplan.batch_norm_update_stats %down.0.b1.running_mean, %down.0.b1.running_var, %down.0.b1.mean, %down.0.b1.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("down.0.b1")
    %down.0.relu = memplan.relu %down.0.b1 : (tensor<2x8x16x24xf32>) -> tensor<2x8x16x24xf32> loc("down.0")
    %down.0.c2 = memplan.conv2d %down.0.relu, %down.0.c2.weight {padding = [1, 1]} : (tensor<2x8x16x24xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x16x24xf32> loc("down.0.c2")
    %down.0.b2, %down.0.b2.mean, %down.0.b2.invstd, %down.0.b2.variance = memplan.batch_norm %down.0.c2, %down.0.b2.weight, %down.0.b2.bias {epsilon = 1.0e-05} : (tensor<2x8x16x24xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x8x16x24xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("down.0.b2")
    %down.0.b2.running_mean.new, %down.0.b2.running_var.new = memplan.batch_norm_update_stats %down.0.b2.running_mean, %down.0.b2.running_var, %down.0.b2.mean, %down.0.b2.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("down.0.b2")
    %down.0.relu_1 = memplan.relu %down.0.b2 : (tensor<2x8x16x24xf32>) -> tensor<2x8x16x24xf32> loc("down.0")
    %max_pool2d, %max_pool2d.indices = memplan.max_pool2d %down.0.relu_1 {kernel = [2, 2], strides = [2, 2]} : (tensor<2x8x16x24xf32>) -> (tensor<2x8x8x12xf32>, tensor<2x8x8x12xi8>) loc("model")
    %down.1.c1 = memplan.conv2d %max_pool2d, %down.1.c1.weight {padding = [1, 1]} : (tensor<2x8x8x12xf32>, tensor<16x8x3x3xf32>) -> tensor<2x16x8x12xf32> loc("down.1.c1")
    %down.1.b1, %down.1.b1.mean, %down.1.b1.invstd, %down.1.b1.variance = memplan.batch_norm %down.1.c1, %down.1.b1.weight, %down.1.b1.bias {epsilon = 1.0e-05} : (tensor<2x16x8x12xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x16x8x12xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("down.1.b1")
    %down.1.b1.running_mean.new, %down.1.b1.running_var.new = memplan.batch_norm_update_stats %down.1.b1.running_mean, %down.1.b1.running_var, %down.1.b1.mean, %down.1.b1.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("down.1.b1")
    %down.1.relu = memplan.relu %down.1.b1 : (tensor<2x16x8x12xf32>) -> tensor<2x16x8x12xf32> loc("down.1")
    %down.1.c2 = memplan.conv2d %down.1.relu, %down.1.c2.weight {padding = [1, 1]} : (tensor<2x16x8x12xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x8x12xf32> loc("down.1.c2")
    %down.1.b2, %down.1.b2.mean, %down.1.b2.invstd, %down.1.b2.variance = memplan.batch_norm %down.1.c2, %down.1.b2.weight, %down.1.b2.bias {epsilon = 1.0e-05} : (tensor<2x16x8x12xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x16x8x12xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("down.1.b2")
    %down.1.b2.running_mean.new, %down.1.b2.running_var.new = memplan.batch_norm_update_stats %down.1.b2.running_mean, %down.1.b2.running_var, %down.1.b2.mean, %down.1.b2.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("down.1.b2")
    %down.1.relu_1 = memplan.relu %down.1.b2 : (tensor<2x16x8x12xf32>) -> tensor<2x16x8x12xf32> loc("down.1")
    %max_pool2d_1, %max_pool2d.indices_1 = memplan.max_pool2d %down.1.relu_1 {kernel = [2, 2], strides = [2, 2]} : (tensor<2x16x8x12xf32>) -> (tensor<2x16x4x6xf32>, tensor<2x16x4x6xi8>) loc("model")
    %down.2.c1 = memplan.conv2d %max_pool2d_1, %down.2.c1.weight {padding = [1, 1]} : (tensor<2x16x4x6xf32>, tensor<32x16x3x3xf32>) -> tensor<2x32x4x6xf32> loc("down.2.c1")
    %down.2.b1, %down.2.b1.mean, %down.2.b1.invstd, %down.2.b1.variance = memplan.batch_norm %down.2.c1, %down.2.b1.weight, %down.2.b1.bias {epsilon = 1.0e-05} : (tensor<2x32x4x6xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2x32x4x6xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("down.2.b1")
    %down.2.b1.running_mean.new, %down.2.b1.running_var.new = memplan.batch_norm_update_stats %down.2.b1.running_mean, %down.2.b1.running_var, %down.2.b1.mean, %down.2.b1.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("down.2.b1")
    %down.2.relu = memplan.relu %down.2.b1 : (tensor<2x32x4x6xf32>) -> tensor<2x32x4x6xf32> loc("down.2")
    %down.2.c2 = memplan.conv2d %down.2.relu, %down.2.c2.weight {padding = [1, 1]} : (tensor<2x32x4x6xf32>, tensor<32x32x3x3xf32>) -> tensor<2x32x4x6xf32> loc("down.2.c2")
    %down.2.b2, %down.2.b2.mean, %down.2.b2.invstd, %down.2.b2.variance = memplan.batch_norm %down.2.c2, %down.2.b2.weight, %down.2.b2.bias {epsilon = 1.0e-05} : (tensor<2x32x4x6xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<2x32x4x6xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("down.2.b2")
    %down.2.b2.running_mean.new, %down.2.b2.running_var.new = memplan.batch_norm_update_stats %down.2.b2.running_mean, %down.2.b2.running_var, %down.2.b2.mean, %down.2.b2.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("down.2.b2")
    %down.2.relu_1 = memplan.relu %down.2.b2 : (tensor<2x32x4x6xf32>) -> tensor<2x32x4x6xf32> loc("down.2")
    %up.0 = memplan.conv_transpose2d %down.2.relu_1, %up.0.weight, %up.0.bias {strides = [2, 2]} : (tensor<2x32x4x6xf32>, tensor<32x16x2x2xf32>, tensor<16xf32>) -> tensor<2x16x8x12xf32> loc("up.0")
    %concat = memplan.concat %up.0, %down.1.relu_1 {dim = 1} : (tensor<2x16x8x12xf32>, tensor<2x16x8x12xf32>) -> tensor<2x32x8x12xf32> loc("model")
    %dec.0.c1 = memplan.conv2d %concat, %dec.0.c1.weight {padding = [1, 1]} : (tensor<2x32x8x12xf32>, tensor<16x32x3x3xf32>) -> tensor<2x16x8x12xf32> loc("dec.0.c1")
    %dec.0.b1, %dec.0.b1.mean, %dec.0.b1.invstd, %dec.0.b1.variance = memplan.batch_norm %dec.0.c1, %dec.0.b1.weight, %dec.0.b1.bias {epsilon = 1.0e-05} : (tensor<2x16x8x12xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x16x8x12xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("dec.0.b1")
    %dec.0.b1.running_mean.new, %dec.0.b1.running_var.new = memplan.batch_norm_update_stats %dec.0.b1.running_mean, %dec.0.b1.running_var, %dec.0.b1.mean, %dec.0.b1.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("dec.0.b1")
    %dec.0.relu = memplan.relu %dec.0.b1 : (tensor<2x16x8x12xf32>) -> tensor<2x16x8x12xf32> loc("dec.0")
    %dec.0.c2 = memplan.conv2d %dec.0.relu, %dec.0.c2.weight {padding = [1, 1]} : (tensor<2x16x8x12xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x8x12xf32> loc("dec.0.c2")
    %dec.0.b2, %dec.0.b2.mean, %dec.0.b2.invstd, %dec.0.b2.variance = memplan.batch_norm %dec.0.c2, %dec.0.b2.weight, %dec.0.b2.bias {epsilon = 1.0e-05} : (tensor<2x16x8x12xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x16x8x12xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("dec.0.b2")
    %dec.0.b2.running_mean.new, %dec.0.b2.running_var.new = memplan.batch_norm_update_stats %dec.0.b2.running_mean, %dec.0.b2.running_var, %dec.0.b2.mean, %dec.0.b2.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("dec.0.b2")
    %dec.0.relu_1 = memplan.relu %dec.0.b2 : (tensor<2x16x8x12xf32>) -> tensor<2x16x8x12xf32> loc("dec.0")
    %up.1 = memplan.conv_transpose2d %dec.0.relu_1, %up.1.weight, %up.1.bias {strides = [2, 2]} : (tensor<2x16x8x12xf32>, tensor<16x8x2x2xf32>, tensor<8xf32>) -> tensor<2x8x16x24xf32> loc("up.1")
    %concat_1 = memplan.concat %up.1, %down.0.relu_1 {dim = 1} : (tensor<2x8x16x24xf32>, tensor<2x8x16x24xf32>) -> tensor<2x16x16x24xf32> loc("model")
    %dec.1.c1 = memplan.conv2d %concat_1, %dec.1.c1.weight {padding = [1, 1]} : (tensor<2x16x16x24xf32>, tensor<8x16x3x3xf32>) -> tensor<2x8x16x24xf32> loc("dec.1.c1")
    %dec.1.b1, %dec.1.b1.mean, %dec.1.b1.invstd, %dec.1.b1.variance = memplan.batch_norm %dec.1.c1, %dec.1.b1.weight, %dec.1.b1.bias {epsilon = 1.0e-05} : (tensor<2x8x16x24xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x8x16x24xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("dec.1.b1")
    %dec.1.b1.running_mean.new, %dec.1.b1.running_var.new = memplan.batch_norm_update_stats %dec.1.b1.running_mean, %dec.1.b1.running_var, %dec.1.b1.mean, %dec.1.b1.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("dec.1.b1")
    %dec.1.relu = memplan.relu %dec.1.b1 : (tensor<2x8x16x24xf32>) -> tensor<2x8x16x24xf32> loc("dec.1")
    %dec.1.c2 = memplan.conv2d %dec.1.relu, %dec.1.c2.weight {padding = [1, 1]} : (tensor<2x8x16x24xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x16x24xf32> loc("dec.1.c2")
    %dec.1.b2, %dec.1.b2.mean, %dec.1.b2.invstd, %dec.1.b2.variance = memplan.batch_norm %dec.1.c2, %dec.1.b2.weight, %dec.1.b2.bias {epsilon = 1.0e-05} : (tensor<2x8x16x24xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x8x16x24xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("dec.1.b2")
    %dec.1.b2.running_mean.new, %dec.1.b2.running_var.new = memplan.batch_norm_update_stats %dec.1.b2.running_mean, %dec.1.b2.running_var, %dec.1.b2.mean, %dec.1.b2.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("dec.1.b2")
    %dec.1.relu_1 = memplan.relu %dec.1.b2 : (tensor<2x8x16x24xf32>) -> tensor<2x8x16x24xf32> loc("dec.1")
    %out = memplan.conv2d %dec.1.relu_1, %out.weight, %out.bias : (tensor<2x8x16x24xf32>, tensor<1x8x1x1xf32>, tensor<1xf32>) -> tensor<2x1x16x24xf32> loc("out")
    %bce_with_logits = memplan.bce_with_logits %out, %mask : (tensor<2x1x16x24xf32>, tensor<2x1x16x24xf32>) -> tensor<f32> loc("loss")
    return %bce_with_logits, %down.0.b1.running_mean.new, %down.0.b1.running_var.new, %down.0.b2.running_mean.new, %down.0.b2.running_var.new, %down.1.b1.running_mean.new, %down.1.b1.running_var.new, %down.1.b2.running_mean.new, %down.1.b2.running_var.new, %down.2.b1.running_mean.new, %down.2.b1.running_var.new, %down.2.b2.running_mean.new, %down.2.b2.running_var.new, %dec.0.b1.running_mean.new, %dec.0.b1.running_var.new, %dec.0.b2.running_mean.new, %dec.0.b2.running_var.new, %dec.1.b1.running_mean.new, %dec.1.b1.running_var.new, %dec.1.b2.running_mean.new, %dec.1.b2.running_var.new : tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
