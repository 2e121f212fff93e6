// One training step of a small MobileNet-v2, batch 4: forward pass and loss.
// 47146 parameters (188584 bytes). Written by python-bindings/export_examples.py small/mobilenet
module {
  func.func @train_step(
      %features.0.0.weight: tensor<16x3x3x3xf32> {memplan.init = "normal:0.1178511", memplan.kind = "parameter", memplan.name = "features.0.0.weight"},
      %features.0.1.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.0.1.weight"},
      %features.0.1.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.0.1.bias"},
      %features.1.conv.0.0.weight: tensor<16x1x3x3xf32> {memplan.init = "normal:0.1178511", memplan.kind = "parameter", memplan.name = "features.1.conv.0.0.weight"},
      %features.1.conv.0.1.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.1.conv.0.1.weight"},
      %features.1.conv.0.1.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.1.conv.0.1.bias"},
      %features.1.conv.1.weight: tensor<8x16x1x1xf32> {memplan.init = "normal:0.5", memplan.kind = "parameter", memplan.name = "features.1.conv.1.weight"},
      %features.1.conv.2.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.1.conv.2.weight"},
      %features.1.conv.2.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.1.conv.2.bias"},
      %features.2.conv.0.0.weight: tensor<48x8x1x1xf32> {memplan.init = "normal:0.2041241", memplan.kind = "parameter", memplan.name = "features.2.conv.0.0.weight"},
      %features.2.conv.0.1.weight: tensor<48xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.2.conv.0.1.weight"},
      %features.2.conv.0.1.bias: tensor<48xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.2.conv.0.1.bias"},
      %features.2.conv.1.0.weight: tensor<48x1x3x3xf32> {memplan.init = "normal:0.06804138", memplan.kind = "parameter", memplan.name = "features.2.conv.1.0.weight"},
      %features.2.conv.1.1.weight: tensor<48xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.2.conv.1.1.weight"},
      %features.2.conv.1.1.bias: tensor<48xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.2.conv.1.1.bias"},
      %features.2.conv.2.weight: tensor<16x48x1x1xf32> {memplan.init = "normal:0.3535534", memplan.kind = "parameter", memplan.name = "features.2.conv.2.weight"},
      %features.2.conv.3.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.2.conv.3.weight"},
      %features.2.conv.3.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.2.conv.3.bias"},
      %features.3.conv.0.0.weight: tensor<96x16x1x1xf32> {memplan.init = "normal:0.1443376", memplan.kind = "parameter", memplan.name = "features.3.conv.0.0.weight"},
      %features.3.conv.0.1.weight: tensor<96xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.3.conv.0.1.weight"},
      %features.3.conv.0.1.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.3.conv.0.1.bias"},
      %features.3.conv.1.0.weight: tensor<96x1x3x3xf32> {memplan.init = "normal:0.04811252", memplan.kind = "parameter", memplan.name = "features.3.conv.1.0.weight"},
      %features.3.conv.1.1.weight: tensor<96xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.3.conv.1.1.weight"},
      %features.3.conv.1.1.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.3.conv.1.1.bias"},
      %features.3.conv.2.weight: tensor<16x96x1x1xf32> {memplan.init = "normal:0.3535534", memplan.kind = "parameter", memplan.name = "features.3.conv.2.weight"},
      %features.3.conv.3.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.3.conv.3.weight"},
      %features.3.conv.3.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.3.conv.3.bias"},
      %features.4.conv.0.0.weight: tensor<96x16x1x1xf32> {memplan.init = "normal:0.1443376", memplan.kind = "parameter", memplan.name = "features.4.conv.0.0.weight"},
      %features.4.conv.0.1.weight: tensor<96xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.4.conv.0.1.weight"},
      %features.4.conv.0.1.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.4.conv.0.1.bias"},
      %features.4.conv.1.0.weight: tensor<96x1x3x3xf32> {memplan.init = "normal:0.04811252", memplan.kind = "parameter", memplan.name = "features.4.conv.1.0.weight"},
      %features.4.conv.1.1.weight: tensor<96xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.4.conv.1.1.weight"},
      %features.4.conv.1.1.bias: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.4.conv.1.1.bias"},
      %features.4.conv.2.weight: tensor<16x96x1x1xf32> {memplan.init = "normal:0.3535534", memplan.kind = "parameter", memplan.name = "features.4.conv.2.weight"},
      %features.4.conv.3.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.4.conv.3.weight"},
      %features.4.conv.3.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.4.conv.3.bias"},
      %features.5.0.weight: tensor<1280x16x1x1xf32> {memplan.init = "normal:0.03952847", memplan.kind = "parameter", memplan.name = "features.5.0.weight"},
      %features.5.1.weight: tensor<1280xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "features.5.1.weight"},
      %features.5.1.bias: tensor<1280xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "features.5.1.bias"},
      %classifier.1.weight: tensor<10x1280xf32> {memplan.init = "normal:0.01", memplan.kind = "parameter", memplan.name = "classifier.1.weight"},
      %classifier.1.bias: tensor<10xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "classifier.1.bias"},
      %features.0.1.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.0.1.running_mean"},
      %features.0.1.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.0.1.running_var"},
      %features.1.conv.0.1.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.1.conv.0.1.running_mean"},
      %features.1.conv.0.1.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.1.conv.0.1.running_var"},
      %features.1.conv.2.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.1.conv.2.running_mean"},
      %features.1.conv.2.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.1.conv.2.running_var"},
      %features.2.conv.0.1.running_mean: tensor<48xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.2.conv.0.1.running_mean"},
      %features.2.conv.0.1.running_var: tensor<48xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.2.conv.0.1.running_var"},
      %features.2.conv.1.1.running_mean: tensor<48xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.2.conv.1.1.running_mean"},
      %features.2.conv.1.1.running_var: tensor<48xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.2.conv.1.1.running_var"},
      %features.2.conv.3.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.2.conv.3.running_mean"},
      %features.2.conv.3.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.2.conv.3.running_var"},
      %features.3.conv.0.1.running_mean: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.3.conv.0.1.running_mean"},
      %features.3.conv.0.1.running_var: tensor<96xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.3.conv.0.1.running_var"},
      %features.3.conv.1.1.running_mean: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.3.conv.1.1.running_mean"},
      %features.3.conv.1.1.running_var: tensor<96xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.3.conv.1.1.running_var"},
      %features.3.conv.3.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.3.conv.3.running_mean"},
      %features.3.conv.3.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.3.conv.3.running_var"},
      %features.4.conv.0.1.running_mean: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.4.conv.0.1.running_mean"},
      %features.4.conv.0.1.running_var: tensor<96xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.4.conv.0.1.running_var"},
      %features.4.conv.1.1.running_mean: tensor<96xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.4.conv.1.1.running_mean"},
      %features.4.conv.1.1.running_var: tensor<96xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.4.conv.1.1.running_var"},
      %features.4.conv.3.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.4.conv.3.running_mean"},
      %features.4.conv.3.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.4.conv.3.running_var"},
      %features.5.1.running_mean: tensor<1280xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "features.5.1.running_mean"},
      %features.5.1.running_var: tensor<1280xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "features.5.1.running_var"},
      %image: tensor<4x3x32x32xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<4xi64> {memplan.batch = 0, memplan.high = 10, memplan.kind = "input", memplan.name = "label"},
      %dropout_seed: tensor<1xi64> {memplan.high = 2147483647, memplan.kind = "input", memplan.name = "dropout_seed"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<16xf32> {memplan.name = "features.0.1.running_mean", memplan.updates = 41},
      tensor<16xf32> {memplan.name = "features.0.1.running_var", memplan.updates = 42},
      tensor<16xf32> {memplan.name = "features.1.conv.0.1.running_mean", memplan.updates = 43},
      tensor<16xf32> {memplan.name = "features.1.conv.0.1.running_var", memplan.updates = 44},
      tensor<8xf32> {memplan.name = "features.1.conv.2.running_mean", memplan.updates = 45},
      tensor<8xf32> {memplan.name = "features.1.conv.2.running_var", memplan.updates = 46},
      tensor<48xf32> {memplan.name = "features.2.conv.0.1.running_mean", memplan.updates = 47},
      tensor<48xf32> {memplan.name = "features.2.conv.0.1.running_var", memplan.updates = 48},
      tensor<48xf32> {memplan.name = "features.2.conv.1.1.running_mean", memplan.updates = 49},
      tensor<48xf32> {memplan.name = "features.2.conv.1.1.running_var", memplan.updates = 50},
      tensor<16xf32> {memplan.name = "features.2.conv.3.running_mean", memplan.updates = 51},
      tensor<16xf32> {memplan.name = "features.2.conv.3.running_var", memplan.updates = 52},
      tensor<96xf32> {memplan.name = "features.3.conv.0.1.running_mean", memplan.updates = 53},
      tensor<96xf32> {memplan.name = "features.3.conv.0.1.running_var", memplan.updates = 54},
      tensor<96xf32> {memplan.name = "features.3.conv.1.1.running_mean", memplan.updates = 55},
      tensor<96xf32> {memplan.name = "features.3.conv.1.1.running_var", memplan.updates = 56},
      tensor<16xf32> {memplan.name = "features.3.conv.3.running_mean", memplan.updates = 57},
      tensor<16xf32> {memplan.name = "features.3.conv.3.running_var", memplan.updates = 58},
      tensor<96xf32> {memplan.name = "features.4.conv.0.1.running_mean", memplan.updates = 59},
      tensor<96xf32> {memplan.name = "features.4.conv.0.1.running_var", memplan.updates = 60},
      tensor<96xf32> {memplan.name = "features.4.conv.1.1.running_mean", memplan.updates = 61},
      tensor<96xf32> {memplan.name = "features.4.conv.1.1.running_var", memplan.updates = 62},
      tensor<16xf32> {memplan.name = "features.4.conv.3.running_mean", memplan.updates = 63},
      tensor<16xf32> {memplan.name = "features.4.conv.3.running_var", memplan.updates = 64},
      tensor<1280xf32> {memplan.name = "features.5.1.running_mean", memplan.updates = 65},
      tensor<1280xf32> {memplan.name = "features.5.1.running_var", memplan.updates = 66}
  )
    attributes {memplan.optimizer = {lr = 0.05, name = "sgd"}} {
    %features.0.0 = memplan.conv2d %image, %features.0.0.weight {padding = [1, 1], strides = [2, 2]} : (tensor<4x3x32x32xf32>, tensor<16x3x3x3xf32>) -> tensor<4x16x16x16xf32> loc("features.0.0")
    %features.0.1, %features.0.1.mean, %features.0.1.invstd, %features.0.1.variance = memplan.batch_norm %features.0.0, %features.0.1.weight, %features.0.1.bias {epsilon = 1.0e-05} : (tensor<4x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<4x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("features.0.1")
    %features.0.1.running_mean.new, %features.0.1.running_var.new = memplan.batch_norm_update_stats %features.0.1.running_mean, %features.0.1.running_var, %features.0.1.mean, %features.0.1.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("features.0.1")
    %features.0.2 = memplan.clamp %features.0.1 {max = 6.0, min = 0.0} : (tensor<4x16x16x16xf32>) -> tensor<4x16x16x16xf32> loc("features.0.2")
    %features.1.conv.0.0 = memplan.conv2d %features.0.2, %features.1.conv.0.0.weight {groups = 16, padding = [1, 1]} : (tensor<4x16x16x16xf32>, tensor<16x1x3x3xf32>) -> tensor<4x16x16x16xf32> loc("features.1.conv.0.0")
    %features.1.conv.0.1, %features.1.conv.0.1.mean, %features.1.conv.0.1.invstd, %features.1.conv.0.1.variance = memplan.batch_norm %features.1.conv.0.0, %features.1.conv.0.1.weight, %features.1.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<4x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<4x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("features.1.conv.0.1")
    %features.1.conv.0.1.running_mean.new, %features.1.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.1.conv.0.1.running_mean, %features.1.conv.0.1.running_var, %features.1.conv.0.1.mean, %features.1.conv.0.1.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("features.1.conv.0.1")
    %features.1.conv.0.2 = memplan.clamp %features.1.conv.0.1 {max = 6.0, min = 0.0} : (tensor<4x16x16x16xf32>) -> tensor<4x16x16x16xf32> loc("features.1.conv.0.2")
    %features.1.conv.1 = memplan.conv2d %features.1.conv.0.2, %features.1.conv.1.weight : (tensor<4x16x16x16xf32>, tensor<8x16x1x1xf32>) -> tensor<4x8x16x16xf32> loc("features.1.conv.1")
    %features.1.conv.2, %features.1.conv.2.mean, %features.1.conv.2.invstd, %features.1.conv.2.variance = memplan.batch_norm %features.1.conv.1, %features.1.conv.2.weight, %features.1.conv.2.bias {epsilon = 1.0e-05} : (tensor<4x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("features.1.conv.2")
    %features.1.conv.2.running_mean.new, %features.1.conv.2.running_var.new = memplan.batch_norm_update_stats %features.1.conv.2.running_mean, %features.1.conv.2.running_var, %features.1.conv.2.mean, %features.1.conv.2.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("features.1.conv.2")
    %features.2.conv.0.0 = memplan.conv2d %features.1.conv.2, %features.2.conv.0.0.weight : (tensor<4x8x16x16xf32>, tensor<48x8x1x1xf32>) -> tensor<4x48x16x16xf32> loc("features.2.conv.0.0")
    %features.2.conv.0.1, %features.2.conv.0.1.mean, %features.2.conv.0.1.invstd, %features.2.conv.0.1.variance = memplan.batch_norm %features.2.conv.0.0, %features.2.conv.0.1.weight, %features.2.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<4x48x16x16xf32>, tensor<48xf32>, tensor<48xf32>) -> (tensor<4x48x16x16xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>) loc("features.2.conv.0.1")
    %features.2.conv.0.1.running_mean.new, %features.2.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.2.conv.0.1.running_mean, %features.2.conv.0.1.running_var, %features.2.conv.0.1.mean, %features.2.conv.0.1.variance {momentum = 0.1} : (tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>) -> (tensor<48xf32>, tensor<48xf32>) loc("features.2.conv.0.1")
    %features.2.conv.0.2 = memplan.clamp %features.2.conv.0.1 {max = 6.0, min = 0.0} : (tensor<4x48x16x16xf32>) -> tensor<4x48x16x16xf32> loc("features.2.conv.0.2")
    %features.2.conv.1.0 = memplan.conv2d %features.2.conv.0.2, %features.2.conv.1.0.weight {groups = 48, padding = [1, 1], strides = [2, 2]} : (tensor<4x48x16x16xf32>, tensor<48x1x3x3xf32>) -> tensor<4x48x8x8xf32> loc("features.2.conv.1.0")
    %features.2.conv.1.1, %features.2.conv.1.1.mean, %features.2.conv.1.1.invstd, %features.2.conv.1.1.variance = memplan.batch_norm %features.2.conv.1.0, %features.2.conv.1.1.weight, %features.2.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<4x48x8x8xf32>, tensor<48xf32>, tensor<48xf32>) -> (tensor<4x48x8x8xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>) loc("features.2.conv.1.1")
    %features.2.conv.1.1.running_mean.new, %features.2.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.2.conv.1.1.running_mean, %features.2.conv.1.1.running_var, %features.2.conv.1.1.mean, %features.2.conv.1.1.variance {momentum = 0.1} : (tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>) -> (tensor<48xf32>, tensor<48xf32>) loc("features.2.conv.1.1")
    %features.2.conv.1.2 = memplan.clamp %features.2.conv.1.1 {max = 6.0, min = 0.0} : (tensor<4x48x8x8xf32>) -> tensor<4x48x8x8xf32> loc("features.2.conv.1.2")
    %features.2.conv.2 = memplan.conv2d %features.2.conv.1.2, %features.2.conv.2.weight : (tensor<4x48x8x8xf32>, tensor<16x48x1x1xf32>) -> tensor<4x16x8x8xf32> loc("features.2.conv.2")
    %features.2.conv.3, %features.2.conv.3.mean, %features.2.conv.3.invstd, %features.2.conv.3.variance = memplan.batch_norm %features.2.conv.2, %features.2.conv.3.weight, %features.2.conv.3.bias {epsilon = 1.0e-05} : (tensor<4x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<4x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("features.2.conv.3")
    %features.2.conv.3.running_mean.new, %features.2.conv.3.running_var.new = memplan.batch_norm_update_stats %features.2.conv.3.running_mean, %features.2.conv.3.running_var, %features.2.conv.3.mean, %features.2.conv.3.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("features.2.conv.3")
    %features.3.conv.0.0 = memplan.conv2d %features.2.conv.3, %features.3.conv.0.0.weight : (tensor<4x16x8x8xf32>, tensor<96x16x1x1xf32>) -> tensor<4x96x8x8xf32> loc("features.3.conv.0.0")
    %features.3.conv.0.1, %features.3.conv.0.1.mean, %features.3.conv.0.1.invstd, %features.3.conv.0.1.variance = memplan.batch_norm %features.3.conv.0.0, %features.3.conv.0.1.weight, %features.3.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<4x96x8x8xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<4x96x8x8xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) loc("features.3.conv.0.1")
    %features.3.conv.0.1.running_mean.new, %features.3.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.3.conv.0.1.running_mean, %features.3.conv.0.1.running_var, %features.3.conv.0.1.mean, %features.3.conv.0.1.variance {momentum = 0.1} : (tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<96xf32>, tensor<96xf32>) loc("features.3.conv.0.1")
    %features.3.conv.0.2 = memplan.clamp %features.3.conv.0.1 {max = 6.0, min = 0.0} : (tensor<4x96x8x8xf32>) -> tensor<4x96x8x8xf32> loc("features.3.conv.0.2")
    %features.3.conv.1.0 = memplan.conv2d %features.3.conv.0.2, %features.3.conv.1.0.weight {groups = 96, padding = [1, 1]} : (tensor<4x96x8x8xf32>, tensor<96x1x3x3xf32>) -> tensor<4x96x8x8xf32> loc("features.3.conv.1.0")
    %features.3.conv.1.1, %features.3.conv.1.1.mean, %features.3.conv.1.1.invstd, %features.3.conv.1.1.variance = memplan.batch_norm %features.3.conv.1.0, %features.3.conv.1.1.weight, %features.3.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<4x96x8x8xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<4x96x8x8xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) loc("features.3.conv.1.1")
    %features.3.conv.1.1.running_mean.new, %features.3.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.3.conv.1.1.running_mean, %features.3.conv.1.1.running_var, %features.3.conv.1.1.mean, %features.3.conv.1.1.variance {momentum = 0.1} : (tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<96xf32>, tensor<96xf32>) loc("features.3.conv.1.1")
    %features.3.conv.1.2 = memplan.clamp %features.3.conv.1.1 {max = 6.0, min = 0.0} : (tensor<4x96x8x8xf32>) -> tensor<4x96x8x8xf32> loc("features.3.conv.1.2")
    %features.3.conv.2 = memplan.conv2d %features.3.conv.1.2, %features.3.conv.2.weight : (tensor<4x96x8x8xf32>, tensor<16x96x1x1xf32>) -> tensor<4x16x8x8xf32> loc("features.3.conv.2")
    %features.3.conv.3, %features.3.conv.3.mean, %features.3.conv.3.invstd, %features.3.conv.3.variance = memplan.batch_norm %features.3.conv.2, %features.3.conv.3.weight, %features.3.conv.3.bias {epsilon = 1.0e-05} : (tensor<4x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<4x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("features.3.conv.3")
    %features.3.conv.3.running_mean.new, %features.3.conv.3.running_var.new = memplan.batch_norm_update_stats %features.3.conv.3.running_mean, %features.3.conv.3.running_var, %features.3.conv.3.mean, %features.3.conv.3.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("features.3.conv.3")
    %features.3.add = memplan.add %features.2.conv.3, %features.3.conv.3 : (tensor<4x16x8x8xf32>, tensor<4x16x8x8xf32>) -> tensor<4x16x8x8xf32> loc("features.3")
    %features.4.conv.0.0 = memplan.conv2d %features.3.add, %features.4.conv.0.0.weight : (tensor<4x16x8x8xf32>, tensor<96x16x1x1xf32>) -> tensor<4x96x8x8xf32> loc("features.4.conv.0.0")
    %features.4.conv.0.1, %features.4.conv.0.1.mean, %features.4.conv.0.1.invstd, %features.4.conv.0.1.variance = memplan.batch_norm %features.4.conv.0.0, %features.4.conv.0.1.weight, %features.4.conv.0.1.bias {epsilon = 1.0e-05} : (tensor<4x96x8x8xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<4x96x8x8xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) loc("features.4.conv.0.1")
    %features.4.conv.0.1.running_mean.new, %features.4.conv.0.1.running_var.new = memplan.batch_norm_update_stats %features.4.conv.0.1.running_mean, %features.4.conv.0.1.running_var, %features.4.conv.0.1.mean, %features.4.conv.0.1.variance {momentum = 0.1} : (tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<96xf32>, tensor<96xf32>) loc("features.4.conv.0.1")
    %features.4.conv.0.2 = memplan.clamp %features.4.conv.0.1 {max = 6.0, min = 0.0} : (tensor<4x96x8x8xf32>) -> tensor<4x96x8x8xf32> loc("features.4.conv.0.2")
    %features.4.conv.1.0 = memplan.conv2d %features.4.conv.0.2, %features.4.conv.1.0.weight {groups = 96, padding = [1, 1], strides = [2, 2]} : (tensor<4x96x8x8xf32>, tensor<96x1x3x3xf32>) -> tensor<4x96x4x4xf32> loc("features.4.conv.1.0")
    %features.4.conv.1.1, %features.4.conv.1.1.mean, %features.4.conv.1.1.invstd, %features.4.conv.1.1.variance = memplan.batch_norm %features.4.conv.1.0, %features.4.conv.1.1.weight, %features.4.conv.1.1.bias {epsilon = 1.0e-05} : (tensor<4x96x4x4xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<4x96x4x4xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) loc("features.4.conv.1.1")
    %features.4.conv.1.1.running_mean.new, %features.4.conv.1.1.running_var.new = memplan.batch_norm_update_stats %features.4.conv.1.1.running_mean, %features.4.conv.1.1.running_var, %features.4.conv.1.1.mean, %features.4.conv.1.1.variance {momentum = 0.1} : (tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>) -> (tensor<96xf32>, tensor<96xf32>) loc("features.4.conv.1.1")
    %features.4.conv.1.2 = memplan.clamp %features.4.conv.1.1 {max = 6.0, min = 0.0} : (tensor<4x96x4x4xf32>) -> tensor<4x96x4x4xf32> loc("features.4.conv.1.2")
    %features.4.conv.2 = memplan.conv2d %features.4.conv.1.2, %features.4.conv.2.weight : (tensor<4x96x4x4xf32>, tensor<16x96x1x1xf32>) -> tensor<4x16x4x4xf32> loc("features.4.conv.2")
    %features.4.conv.3, %features.4.conv.3.mean, %features.4.conv.3.invstd, %features.4.conv.3.variance = memplan.batch_norm %features.4.conv.2, %features.4.conv.3.weight, %features.4.conv.3.bias {epsilon = 1.0e-05} : (tensor<4x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<4x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("features.4.conv.3")
    %features.4.conv.3.running_mean.new, %features.4.conv.3.running_var.new = memplan.batch_norm_update_stats %features.4.conv.3.running_mean, %features.4.conv.3.running_var, %features.4.conv.3.mean, %features.4.conv.3.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("features.4.conv.3")
    %features.5.0 = memplan.conv2d %features.4.conv.3, %features.5.0.weight : (tensor<4x16x4x4xf32>, tensor<1280x16x1x1xf32>) -> tensor<4x1280x4x4xf32> loc("features.5.0")
    %features.5.1, %features.5.1.mean, %features.5.1.invstd, %features.5.1.variance = memplan.batch_norm %features.5.0, %features.5.1.weight, %features.5.1.bias {epsilon = 1.0e-05} : (tensor<4x1280x4x4xf32>, tensor<1280xf32>, tensor<1280xf32>) -> (tensor<4x1280x4x4xf32>, tensor<1280xf32>, tensor<1280xf32>, tensor<1280xf32>) loc("features.5.1")
    %features.5.1.running_mean.new, %features.5.1.running_var.new = memplan.batch_norm_update_stats %features.5.1.running_mean, %features.5.1.running_var, %features.5.1.mean, %features.5.1.variance {momentum = 0.1} : (tensor<1280xf32>, tensor<1280xf32>, tensor<1280xf32>, tensor<1280xf32>) -> (tensor<1280xf32>, tensor<1280xf32>) loc("features.5.1")
    %features.5.2 = memplan.clamp %features.5.1 {max = 6.0, min = 0.0} : (tensor<4x1280x4x4xf32>) -> tensor<4x1280x4x4xf32> loc("features.5.2")
    %adaptive_avg_pool2d = memplan.adaptive_avg_pool2d %features.5.2 {output_size = [1, 1]} : (tensor<4x1280x4x4xf32>) -> tensor<4x1280x1x1xf32> loc("model")
    %reshape = memplan.reshape %adaptive_avg_pool2d {shape = [-1, 1280]} : (tensor<4x1280x1x1xf32>) -> tensor<4x1280xf32> loc("model")
    %classifier.0 = memplan.dropout %reshape, %dropout_seed {p = 0.2, salt = 0} : (tensor<4x1280xf32>, tensor<1xi64>) -> tensor<4x1280xf32> loc("classifier.0")
    %classifier.1 = memplan.matmul %classifier.0, %classifier.1.weight, %classifier.1.bias {transpose_rhs} : (tensor<4x1280xf32>, tensor<10x1280xf32>, tensor<10xf32>) -> tensor<4x10xf32> loc("classifier.1")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %classifier.1, %label : (tensor<4x10xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>) loc("loss")
    return %cross_entropy, %features.0.1.running_mean.new, %features.0.1.running_var.new, %features.1.conv.0.1.running_mean.new, %features.1.conv.0.1.running_var.new, %features.1.conv.2.running_mean.new, %features.1.conv.2.running_var.new, %features.2.conv.0.1.running_mean.new, %features.2.conv.0.1.running_var.new, %features.2.conv.1.1.running_mean.new, %features.2.conv.1.1.running_var.new, %features.2.conv.3.running_mean.new, %features.2.conv.3.running_var.new, %features.3.conv.0.1.running_mean.new, %features.3.conv.0.1.running_var.new, %features.3.conv.1.1.running_mean.new, %features.3.conv.1.1.running_var.new, %features.3.conv.3.running_mean.new, %features.3.conv.3.running_var.new, %features.4.conv.0.1.running_mean.new, %features.4.conv.0.1.running_var.new, %features.4.conv.1.1.running_mean.new, %features.4.conv.1.1.running_var.new, %features.4.conv.3.running_mean.new, %features.4.conv.3.running_var.new, %features.5.1.running_mean.new, %features.5.1.running_var.new : tensor<f32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<16xf32>, tensor<16xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<16xf32>, tensor<16xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1280xf32>, tensor<1280xf32>
  }
}
