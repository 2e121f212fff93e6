// One training step of a small residual network, batch 4: forward pass and loss.
// 5234 parameters (20936 bytes). Written by python-bindings/export_examples.py small/residual
module {
  func.func @train_step(
      %stem.weight: tensor<8x3x3x3xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "stem.weight"},
      %norm.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "norm.weight"},
      %norm.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "norm.bias"},
      %first.c1.weight: tensor<8x8x3x3xf32> {memplan.init = "uniform:0.1178511", memplan.kind = "parameter", memplan.name = "first.c1.weight"},
      %first.b1.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "first.b1.weight"},
      %first.b1.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "first.b1.bias"},
      %first.c2.weight: tensor<8x8x3x3xf32> {memplan.init = "uniform:0.1178511", memplan.kind = "parameter", memplan.name = "first.c2.weight"},
      %first.b2.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "first.b2.weight"},
      %first.b2.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "first.b2.bias"},
      %second.c1.weight: tensor<16x8x3x3xf32> {memplan.init = "uniform:0.1178511", memplan.kind = "parameter", memplan.name = "second.c1.weight"},
      %second.b1.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "second.b1.weight"},
      %second.b1.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "second.b1.bias"},
      %second.c2.weight: tensor<16x16x3x3xf32> {memplan.init = "uniform:0.08333333", memplan.kind = "parameter", memplan.name = "second.c2.weight"},
      %second.b2.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "second.b2.weight"},
      %second.b2.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "second.b2.bias"},
      %shortcut.weight: tensor<16x8x1x1xf32> {memplan.init = "uniform:0.3535534", memplan.kind = "parameter", memplan.name = "shortcut.weight"},
      %fc.weight: tensor<10x16xf32> {memplan.init = "uniform:0.25", memplan.kind = "parameter", memplan.name = "fc.weight"},
      %fc.bias: tensor<10xf32> {memplan.init = "uniform:0.25", memplan.kind = "parameter", memplan.name = "fc.bias"},
      %norm.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "norm.running_mean"},
      %norm.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "norm.running_var"},
      %first.b1.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "first.b1.running_mean"},
      %first.b1.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "first.b1.running_var"},
      %first.b2.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "first.b2.running_mean"},
      %first.b2.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "first.b2.running_var"},
      %second.b1.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "second.b1.running_mean"},
      %second.b1.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "second.b1.running_var"},
      %second.b2.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "second.b2.running_mean"},
      %second.b2.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "second.b2.running_var"},
      %image: tensor<4x3x16x16xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<4xi64> {memplan.batch = 0, memplan.high = 10, memplan.kind = "input", memplan.name = "label"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<8xf32> {memplan.name = "norm.running_mean", memplan.updates = 18},
      tensor<8xf32> {memplan.name = "norm.running_var", memplan.updates = 19},
      tensor<8xf32> {memplan.name = "first.b1.running_mean", memplan.updates = 20},
      tensor<8xf32> {memplan.name = "first.b1.running_var", memplan.updates = 21},
      tensor<8xf32> {memplan.name = "first.b2.running_mean", memplan.updates = 22},
      tensor<8xf32> {memplan.name = "first.b2.running_var", memplan.updates = 23},
      tensor<16xf32> {memplan.name = "second.b1.running_mean", memplan.updates = 24},
      tensor<16xf32> {memplan.name = "second.b1.running_var", memplan.updates = 25},
      tensor<16xf32> {memplan.name = "second.b2.running_mean", memplan.updates = 26},
      tensor<16xf32> {memplan.name = "second.b2.running_var", memplan.updates = 27}
  )
    attributes {memplan.optimizer = {lr = 0.05, name = "sgd", weight_decay = 0.0}} {
    %stem = memplan.conv2d %image, %stem.weight {padding = [1, 1]} : (tensor<4x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<4x8x16x16xf32> loc("stem")
    %norm, %norm.mean, %norm.invstd, %norm.variance = memplan.batch_norm %stem, %norm.weight, %norm.bias {epsilon = 1.0e-05} : (tensor<4x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("norm")
    %norm.running_mean.new, %norm.running_var.new = memplan.batch_norm_update_stats %norm.running_mean, %norm.running_var, %norm.mean, %norm.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("norm")
    %relu = memplan.relu %norm : (tensor<4x8x16x16xf32>) -> tensor<4x8x16x16xf32> loc("model")
    %first.c1 = memplan.conv2d %relu, %first.c1.weight {padding = [1, 1]} : (tensor<4x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<4x8x16x16xf32> loc("first.c1")
    %first.b1, %first.b1.mean, %first.b1.invstd, %first.b1.variance = memplan.batch_norm %first.c1, %first.b1.weight, %first.b1.bias {epsilon = 1.0e-05} : (tensor<4x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("first.b1")
    %first.b1.running_mean.new, %first.b1.running_var.new = memplan.batch_norm_update_stats %first.b1.running_mean, %first.b1.running_var, %first.b1.mean, %first.b1.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("first.b1")
    %first.relu = memplan.relu %first.b1 : (tensor<4x8x16x16xf32>) -> tensor<4x8x16x16xf32> loc("first")
    %first.c2 = memplan.conv2d %first.relu, %first.c2.weight {padding = [1, 1]} : (tensor<4x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<4x8x16x16xf32> loc("first.c2")
    %first.b2, %first.b2.mean, %first.b2.invstd, %first.b2.variance = memplan.batch_norm %first.c2, %first.b2.weight, %first.b2.bias {epsilon = 1.0e-05} : (tensor<4x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("first.b2")
    %first.b2.running_mean.new, %first.b2.running_var.new = memplan.batch_norm_update_stats %first.b2.running_mean, %first.b2.running_var, %first.b2.mean, %first.b2.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("first.b2")
    %first.relu_1 = memplan.relu %first.b2 : (tensor<4x8x16x16xf32>) -> tensor<4x8x16x16xf32> loc("first")
    %add = memplan.add %relu, %first.relu_1 : (tensor<4x8x16x16xf32>, tensor<4x8x16x16xf32>) -> tensor<4x8x16x16xf32> loc("model")
    %shortcut = memplan.conv2d %add, %shortcut.weight {strides = [2, 2]} : (tensor<4x8x16x16xf32>, tensor<16x8x1x1xf32>) -> tensor<4x16x8x8xf32> loc("shortcut")
    %second.c1 = memplan.conv2d %add, %second.c1.weight {padding = [1, 1]} : (tensor<4x8x16x16xf32>, tensor<16x8x3x3xf32>) -> tensor<4x16x16x16xf32> loc("second.c1")
    %second.b1, %second.b1.mean, %second.b1.invstd, %second.b1.variance = memplan.batch_norm %second.c1, %second.b1.weight, %second.b1.bias {epsilon = 1.0e-05} : (tensor<4x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<4x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("second.b1")
    %second.b1.running_mean.new, %second.b1.running_var.new = memplan.batch_norm_update_stats %second.b1.running_mean, %second.b1.running_var, %second.b1.mean, %second.b1.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("second.b1")
    %second.relu = memplan.relu %second.b1 : (tensor<4x16x16x16xf32>) -> tensor<4x16x16x16xf32> loc("second")
    %second.c2 = memplan.conv2d %second.relu, %second.c2.weight {padding = [1, 1]} : (tensor<4x16x16x16xf32>, tensor<16x16x3x3xf32>) -> tensor<4x16x16x16xf32> loc("second.c2")
    %second.b2, %second.b2.mean, %second.b2.invstd, %second.b2.variance = memplan.batch_norm %second.c2, %second.b2.weight, %second.b2.bias {epsilon = 1.0e-05} : (tensor<4x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<4x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("second.b2")
    %second.b2.running_mean.new, %second.b2.running_var.new = memplan.batch_norm_update_stats %second.b2.running_mean, %second.b2.running_var, %second.b2.mean, %second.b2.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("second.b2")
    %second.relu_1 = memplan.relu %second.b2 : (tensor<4x16x16x16xf32>) -> tensor<4x16x16x16xf32> loc("second")
    %max_pool2d, %max_pool2d.indices = memplan.max_pool2d %second.relu_1 {kernel = [2, 2], strides = [2, 2]} : (tensor<4x16x16x16xf32>) -> (tensor<4x16x8x8xf32>, tensor<4x16x8x8xi8>) loc("model")
    %add_1 = memplan.add %shortcut, %max_pool2d : (tensor<4x16x8x8xf32>, tensor<4x16x8x8xf32>) -> tensor<4x16x8x8xf32> loc("model")
    %reduce_mean = memplan.reduce_mean %add_1 {dims = [2, 3]} : (tensor<4x16x8x8xf32>) -> tensor<4x16xf32> loc("model")
    %fc = memplan.matmul %reduce_mean, %fc.weight, %fc.bias {transpose_rhs} : (tensor<4x16xf32>, tensor<10x16xf32>, tensor<10xf32>) -> tensor<4x10xf32> loc("fc")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %fc, %label : (tensor<4x10xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>) loc("loss")
    return %cross_entropy, %norm.running_mean.new, %norm.running_var.new, %first.b1.running_mean.new, %first.b1.running_var.new, %first.b2.running_mean.new, %first.b2.running_var.new, %second.b1.running_mean.new, %second.b1.running_var.new, %second.b2.running_mean.new, %second.b2.running_var.new : tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
}
