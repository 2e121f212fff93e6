// One training step of a narrow ResNet of four bottlenecks, batch 4: forward pass and loss.
// 141546 parameters (566184 bytes). Written by python-bindings/export_examples.py small/resnet
module {
  func.func @train_step(
      %conv1.weight: tensor<64x3x7x7xf32> {memplan.init = "normal:0.02525381", memplan.kind = "parameter", memplan.name = "conv1.weight"},
      %bn1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "bn1.weight"},
      %bn1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "bn1.bias"},
      %layer1.0.conv1.weight: tensor<8x64x1x1xf32> {memplan.init = "normal:0.5", memplan.kind = "parameter", memplan.name = "layer1.0.conv1.weight"},
      %layer1.0.bn1.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.0.bn1.weight"},
      %layer1.0.bn1.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.0.bn1.bias"},
      %layer1.0.conv2.weight: tensor<8x8x3x3xf32> {memplan.init = "normal:0.1666667", memplan.kind = "parameter", memplan.name = "layer1.0.conv2.weight"},
      %layer1.0.bn2.weight: tensor<8xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.0.bn2.weight"},
      %layer1.0.bn2.bias: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.0.bn2.bias"},
      %layer1.0.conv3.weight: tensor<32x8x1x1xf32> {memplan.init = "normal:0.25", memplan.kind = "parameter", memplan.name = "layer1.0.conv3.weight"},
      %layer1.0.bn3.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.0.bn3.weight"},
      %layer1.0.bn3.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.0.bn3.bias"},
      %layer1.0.downsample.0.weight: tensor<32x64x1x1xf32> {memplan.init = "normal:0.25", memplan.kind = "parameter", memplan.name = "layer1.0.downsample.0.weight"},
      %layer1.0.downsample.1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer1.0.downsample.1.weight"},
      %layer1.0.downsample.1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer1.0.downsample.1.bias"},
      %layer2.0.conv1.weight: tensor<16x32x1x1xf32> {memplan.init = "normal:0.3535534", memplan.kind = "parameter", memplan.name = "layer2.0.conv1.weight"},
      %layer2.0.bn1.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.0.bn1.weight"},
      %layer2.0.bn1.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.0.bn1.bias"},
      %layer2.0.conv2.weight: tensor<16x16x3x3xf32> {memplan.init = "normal:0.1178511", memplan.kind = "parameter", memplan.name = "layer2.0.conv2.weight"},
      %layer2.0.bn2.weight: tensor<16xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.0.bn2.weight"},
      %layer2.0.bn2.bias: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.0.bn2.bias"},
      %layer2.0.conv3.weight: tensor<64x16x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "layer2.0.conv3.weight"},
      %layer2.0.bn3.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.0.bn3.weight"},
      %layer2.0.bn3.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.0.bn3.bias"},
      %layer2.0.downsample.0.weight: tensor<64x32x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "layer2.0.downsample.0.weight"},
      %layer2.0.downsample.1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer2.0.downsample.1.weight"},
      %layer2.0.downsample.1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer2.0.downsample.1.bias"},
      %layer3.0.conv1.weight: tensor<32x64x1x1xf32> {memplan.init = "normal:0.25", memplan.kind = "parameter", memplan.name = "layer3.0.conv1.weight"},
      %layer3.0.bn1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.0.bn1.weight"},
      %layer3.0.bn1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.0.bn1.bias"},
      %layer3.0.conv2.weight: tensor<32x32x3x3xf32> {memplan.init = "normal:0.08333333", memplan.kind = "parameter", memplan.name = "layer3.0.conv2.weight"},
      %layer3.0.bn2.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.0.bn2.weight"},
      %layer3.0.bn2.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.0.bn2.bias"},
      %layer3.0.conv3.weight: tensor<128x32x1x1xf32> {memplan.init = "normal:0.125", memplan.kind = "parameter", memplan.name = "layer3.0.conv3.weight"},
      %layer3.0.bn3.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.0.bn3.weight"},
      %layer3.0.bn3.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.0.bn3.bias"},
      %layer3.0.downsample.0.weight: tensor<128x64x1x1xf32> {memplan.init = "normal:0.125", memplan.kind = "parameter", memplan.name = "layer3.0.downsample.0.weight"},
      %layer3.0.downsample.1.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer3.0.downsample.1.weight"},
      %layer3.0.downsample.1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer3.0.downsample.1.bias"},
      %layer4.0.conv1.weight: tensor<64x128x1x1xf32> {memplan.init = "normal:0.1767767", memplan.kind = "parameter", memplan.name = "layer4.0.conv1.weight"},
      %layer4.0.bn1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.0.bn1.weight"},
      %layer4.0.bn1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.0.bn1.bias"},
      %layer4.0.conv2.weight: tensor<64x64x3x3xf32> {memplan.init = "normal:0.05892557", memplan.kind = "parameter", memplan.name = "layer4.0.conv2.weight"},
      %layer4.0.bn2.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.0.bn2.weight"},
      %layer4.0.bn2.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.0.bn2.bias"},
      %layer4.0.conv3.weight: tensor<256x64x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer4.0.conv3.weight"},
      %layer4.0.bn3.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.0.bn3.weight"},
      %layer4.0.bn3.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.0.bn3.bias"},
      %layer4.0.downsample.0.weight: tensor<256x128x1x1xf32> {memplan.init = "normal:0.08838835", memplan.kind = "parameter", memplan.name = "layer4.0.downsample.0.weight"},
      %layer4.0.downsample.1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "layer4.0.downsample.1.weight"},
      %layer4.0.downsample.1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "layer4.0.downsample.1.bias"},
      %fc.weight: tensor<10x256xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "fc.weight"},
      %fc.bias: tensor<10xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "fc.bias"},
      %bn1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "bn1.running_mean"},
      %bn1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "bn1.running_var"},
      %layer1.0.bn1.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.0.bn1.running_mean"},
      %layer1.0.bn1.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.0.bn1.running_var"},
      %layer1.0.bn2.running_mean: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.0.bn2.running_mean"},
      %layer1.0.bn2.running_var: tensor<8xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.0.bn2.running_var"},
      %layer1.0.bn3.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.0.bn3.running_mean"},
      %layer1.0.bn3.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.0.bn3.running_var"},
      %layer1.0.downsample.1.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer1.0.downsample.1.running_mean"},
      %layer1.0.downsample.1.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer1.0.downsample.1.running_var"},
      %layer2.0.bn1.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.0.bn1.running_mean"},
      %layer2.0.bn1.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.0.bn1.running_var"},
      %layer2.0.bn2.running_mean: tensor<16xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.0.bn2.running_mean"},
      %layer2.0.bn2.running_var: tensor<16xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.0.bn2.running_var"},
      %layer2.0.bn3.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.0.bn3.running_mean"},
      %layer2.0.bn3.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.0.bn3.running_var"},
      %layer2.0.downsample.1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer2.0.downsample.1.running_mean"},
      %layer2.0.downsample.1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer2.0.downsample.1.running_var"},
      %layer3.0.bn1.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.0.bn1.running_mean"},
      %layer3.0.bn1.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.0.bn1.running_var"},
      %layer3.0.bn2.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.0.bn2.running_mean"},
      %layer3.0.bn2.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.0.bn2.running_var"},
      %layer3.0.bn3.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.0.bn3.running_mean"},
      %layer3.0.bn3.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.0.bn3.running_var"},
      %layer3.0.downsample.1.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer3.0.downsample.1.running_mean"},
      %layer3.0.downsample.1.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer3.0.downsample.1.running_var"},
      %layer4.0.bn1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.0.bn1.running_mean"},
      %layer4.0.bn1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.0.bn1.running_var"},
      %layer4.0.bn2.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.0.bn2.running_mean"},
      %layer4.0.bn2.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.0.bn2.running_var"},
      %layer4.0.bn3.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.0.bn3.running_mean"},
      %layer4.0.bn3.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.0.bn3.running_var"},
      %layer4.0.downsample.1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "layer4.0.downsample.1.running_mean"},
      %layer4.0.downsample.1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "layer4.0.downsample.1.running_var"},
      %image: tensor<4x3x32x32xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<4xi64> {memplan.batch = 0, memplan.high = 10, memplan.kind = "input", memplan.name = "label"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<64xf32> {memplan.name = "bn1.running_mean", memplan.updates = 53},
      tensor<64xf32> {memplan.name = "bn1.running_var", memplan.updates = 54},
      tensor<8xf32> {memplan.name = "layer1.0.bn1.running_mean", memplan.updates = 55},
      tensor<8xf32> {memplan.name = "layer1.0.bn1.running_var", memplan.updates = 56},
      tensor<8xf32> {memplan.name = "layer1.0.bn2.running_mean", memplan.updates = 57},
      tensor<8xf32> {memplan.name = "layer1.0.bn2.running_var", memplan.updates = 58},
      tensor<32xf32> {memplan.name = "layer1.0.bn3.running_mean", memplan.updates = 59},
      tensor<32xf32> {memplan.name = "layer1.0.bn3.running_var", memplan.updates = 60},
      tensor<32xf32> {memplan.name = "layer1.0.downsample.1.running_mean", memplan.updates = 61},
      tensor<32xf32> {memplan.name = "layer1.0.downsample.1.running_var", memplan.updates = 62},
      tensor<16xf32> {memplan.name = "layer2.0.bn1.running_mean", memplan.updates = 63},
      tensor<16xf32> {memplan.name = "layer2.0.bn1.running_var", memplan.updates = 64},
      tensor<16xf32> {memplan.name = "layer2.0.bn2.running_mean", memplan.updates = 65},
      tensor<16xf32> {memplan.name = "layer2.0.bn2.running_var", memplan.updates = 66},
      tensor<64xf32> {memplan.name = "layer2.0.bn3.running_mean", memplan.updates = 67},
      tensor<64xf32> {memplan.name = "layer2.0.bn3.running_var", memplan.updates = 68},
      tensor<64xf32> {memplan.name = "layer2.0.downsample.1.running_mean", memplan.updates = 69},
      tensor<64xf32> {memplan.name = "layer2.0.downsample.1.running_var", memplan.updates = 70},
      tensor<32xf32> {memplan.name = "layer3.0.bn1.running_mean", memplan.updates = 71},
      tensor<32xf32> {memplan.name = "layer3.0.bn1.running_var", memplan.updates = 72},
      tensor<32xf32> {memplan.name = "layer3.0.bn2.running_mean", memplan.updates = 73},
      tensor<32xf32> {memplan.name = "layer3.0.bn2.running_var", memplan.updates = 74},
      tensor<128xf32> {memplan.name = "layer3.0.bn3.running_mean", memplan.updates = 75},
      tensor<128xf32> {memplan.name = "layer3.0.bn3.running_var", memplan.updates = 76},
      tensor<128xf32> {memplan.name = "layer3.0.downsample.1.running_mean", memplan.updates = 77},
      tensor<128xf32> {memplan.name = "layer3.0.downsample.1.running_var", memplan.updates = 78},
      tensor<64xf32> {memplan.name = "layer4.0.bn1.running_mean", memplan.updates = 79},
      tensor<64xf32> {memplan.name = "layer4.0.bn1.running_var", memplan.updates = 80},
      tensor<64xf32> {memplan.name = "layer4.0.bn2.running_mean", memplan.updates = 81},
      tensor<64xf32> {memplan.name = "layer4.0.bn2.running_var", memplan.updates = 82},
      tensor<256xf32> {memplan.name = "layer4.0.bn3.running_mean", memplan.updates = 83},
      tensor<256xf32> {memplan.name = "layer4.0.bn3.running_var", memplan.updates = 84},
      tensor<256xf32> {memplan.name = "layer4.0.downsample.1.running_mean", memplan.updates = 85},
      tensor<256xf32> {memplan.name = "layer4.0.downsample.1.running_var", memplan.updates = 86}
  )
    attributes {memplan.optimizer = {lr = 0.05, name = "sgd"}} {
    %conv1 = memplan.conv2d %image, %conv1.weight {padding = [3, 3], strides = [2, 2]} : (tensor<4x3x32x32xf32>, tensor<64x3x7x7xf32>) -> tensor<4x64x16x16xf32> loc("conv1")
    %bn1, %bn1.mean, %bn1.invstd, %bn1.variance = memplan.batch_norm %conv1, %bn1.weight, %bn1.bias {epsilon = 1.0e-05} : (tensor<4x64x16x16xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<4x64x16x16xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("bn1")
    %bn1.running_mean.new, %bn1.running_var.new = memplan.batch_norm_update_stats %bn1.running_mean, %bn1.running_var, %bn1.mean, %bn1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("bn1")
    %relu = memplan.relu %bn1 : (tensor<4x64x16x16xf32>) -> tensor<4x64x16x16xf32> loc("relu")
    %maxpool, %maxpool.indices = memplan.max_pool2d %relu {kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<4x64x16x16xf32>) -> (tensor<4x64x8x8xf32>, tensor<4x64x8x8xi8>) loc("maxpool")
    %layer1.0.conv1 = memplan.conv2d %maxpool, %layer1.0.conv1.weight : (tensor<4x64x8x8xf32>, tensor<8x64x1x1xf32>) -> tensor<4x8x8x8xf32> loc("layer1.0.conv1")
    %layer1.0.bn1, %layer1.0.bn1.mean, %layer1.0.bn1.invstd, %layer1.0.bn1.variance = memplan.batch_norm %layer1.0.conv1, %layer1.0.bn1.weight, %layer1.0.bn1.bias {epsilon = 1.0e-05} : (tensor<4x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("layer1.0.bn1")
    %layer1.0.bn1.running_mean.new, %layer1.0.bn1.running_var.new = memplan.batch_norm_update_stats %layer1.0.bn1.running_mean, %layer1.0.bn1.running_var, %layer1.0.bn1.mean, %layer1.0.bn1.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("layer1.0.bn1")
    %layer1.0.relu = memplan.relu %layer1.0.bn1 : (tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32> loc("layer1.0.relu")
    %layer1.0.conv2 = memplan.conv2d %layer1.0.relu, %layer1.0.conv2.weight {padding = [1, 1]} : (tensor<4x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<4x8x8x8xf32> loc("layer1.0.conv2")
    %layer1.0.bn2, %layer1.0.bn2.mean, %layer1.0.bn2.invstd, %layer1.0.bn2.variance = memplan.batch_norm %layer1.0.conv2, %layer1.0.bn2.weight, %layer1.0.bn2.bias {epsilon = 1.0e-05} : (tensor<4x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) loc("layer1.0.bn2")
    %layer1.0.bn2.running_mean.new, %layer1.0.bn2.running_var.new = memplan.batch_norm_update_stats %layer1.0.bn2.running_mean, %layer1.0.bn2.running_var, %layer1.0.bn2.mean, %layer1.0.bn2.variance {momentum = 0.1} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("layer1.0.bn2")
    %layer1.0.relu_1 = memplan.relu %layer1.0.bn2 : (tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32> loc("layer1.0.relu")
    %layer1.0.conv3 = memplan.conv2d %layer1.0.relu_1, %layer1.0.conv3.weight : (tensor<4x8x8x8xf32>, tensor<32x8x1x1xf32>) -> tensor<4x32x8x8xf32> loc("layer1.0.conv3")
    %layer1.0.bn3, %layer1.0.bn3.mean, %layer1.0.bn3.invstd, %layer1.0.bn3.variance = memplan.batch_norm %layer1.0.conv3, %layer1.0.bn3.weight, %layer1.0.bn3.bias {epsilon = 1.0e-05} : (tensor<4x32x8x8xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<4x32x8x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("layer1.0.bn3")
    %layer1.0.bn3.running_mean.new, %layer1.0.bn3.running_var.new = memplan.batch_norm_update_stats %layer1.0.bn3.running_mean, %layer1.0.bn3.running_var, %layer1.0.bn3.mean, %layer1.0.bn3.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("layer1.0.bn3")
    %layer1.0.downsample.0 = memplan.conv2d %maxpool, %layer1.0.downsample.0.weight : (tensor<4x64x8x8xf32>, tensor<32x64x1x1xf32>) -> tensor<4x32x8x8xf32> loc("layer1.0.downsample.0")
    %layer1.0.downsample.1, %layer1.0.downsample.1.mean, %layer1.0.downsample.1.invstd, %layer1.0.downsample.1.variance = memplan.batch_norm %layer1.0.downsample.0, %layer1.0.downsample.1.weight, %layer1.0.downsample.1.bias {epsilon = 1.0e-05} : (tensor<4x32x8x8xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<4x32x8x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("layer1.0.downsample.1")
    %layer1.0.downsample.1.running_mean.new, %layer1.0.downsample.1.running_var.new = memplan.batch_norm_update_stats %layer1.0.downsample.1.running_mean, %layer1.0.downsample.1.running_var, %layer1.0.downsample.1.mean, %layer1.0.downsample.1.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("layer1.0.downsample.1")
    %layer1.0.add = memplan.add %layer1.0.bn3, %layer1.0.downsample.1 : (tensor<4x32x8x8xf32>, tensor<4x32x8x8xf32>) -> tensor<4x32x8x8xf32> loc("layer1.0")
    %layer1.0.relu_2 = memplan.relu %layer1.0.add : (tensor<4x32x8x8xf32>) -> tensor<4x32x8x8xf32> loc("layer1.0.relu")
    %layer2.0.conv1 = memplan.conv2d %layer1.0.relu_2, %layer2.0.conv1.weight : (tensor<4x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<4x16x8x8xf32> loc("layer2.0.conv1")
    %layer2.0.bn1, %layer2.0.bn1.mean, %layer2.0.bn1.invstd, %layer2.0.bn1.variance = memplan.batch_norm %layer2.0.conv1, %layer2.0.bn1.weight, %layer2.0.bn1.bias {epsilon = 1.0e-05} : (tensor<4x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<4x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("layer2.0.bn1")
    %layer2.0.bn1.running_mean.new, %layer2.0.bn1.running_var.new = memplan.batch_norm_update_stats %layer2.0.bn1.running_mean, %layer2.0.bn1.running_var, %layer2.0.bn1.mean, %layer2.0.bn1.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("layer2.0.bn1")
    %layer2.0.relu = memplan.relu %layer2.0.bn1 : (tensor<4x16x8x8xf32>) -> tensor<4x16x8x8xf32> loc("layer2.0.relu")
    %layer2.0.conv2 = memplan.conv2d %layer2.0.relu, %layer2.0.conv2.weight {padding = [1, 1], strides = [2, 2]} : (tensor<4x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<4x16x4x4xf32> loc("layer2.0.conv2")
    %layer2.0.bn2, %layer2.0.bn2.mean, %layer2.0.bn2.invstd, %layer2.0.bn2.variance = memplan.batch_norm %layer2.0.conv2, %layer2.0.bn2.weight, %layer2.0.bn2.bias {epsilon = 1.0e-05} : (tensor<4x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<4x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) loc("layer2.0.bn2")
    %layer2.0.bn2.running_mean.new, %layer2.0.bn2.running_var.new = memplan.batch_norm_update_stats %layer2.0.bn2.running_mean, %layer2.0.bn2.running_var, %layer2.0.bn2.mean, %layer2.0.bn2.variance {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) loc("layer2.0.bn2")
    %layer2.0.relu_1 = memplan.relu %layer2.0.bn2 : (tensor<4x16x4x4xf32>) -> tensor<4x16x4x4xf32> loc("layer2.0.relu")
    %layer2.0.conv3 = memplan.conv2d %layer2.0.relu_1, %layer2.0.conv3.weight : (tensor<4x16x4x4xf32>, tensor<64x16x1x1xf32>) -> tensor<4x64x4x4xf32> loc("layer2.0.conv3")
    %layer2.0.bn3, %layer2.0.bn3.mean, %layer2.0.bn3.invstd, %layer2.0.bn3.variance = memplan.batch_norm %layer2.0.conv3, %layer2.0.bn3.weight, %layer2.0.bn3.bias {epsilon = 1.0e-05} : (tensor<4x64x4x4xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<4x64x4x4xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer2.0.bn3")
    %layer2.0.bn3.running_mean.new, %layer2.0.bn3.running_var.new = memplan.batch_norm_update_stats %layer2.0.bn3.running_mean, %layer2.0.bn3.running_var, %layer2.0.bn3.mean, %layer2.0.bn3.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer2.0.bn3")
    %layer2.0.downsample.0 = memplan.conv2d %layer1.0.relu_2, %layer2.0.downsample.0.weight {strides = [2, 2]} : (tensor<4x32x8x8xf32>, tensor<64x32x1x1xf32>) -> tensor<4x64x4x4xf32> loc("layer2.0.downsample.0")
    %layer2.0.downsample.1, %layer2.0.downsample.1.mean, %layer2.0.downsample.1.invstd, %layer2.0.downsample.1.variance = memplan.batch_norm %layer2.0.downsample.0, %layer2.0.downsample.1.weight, %layer2.0.downsample.1.bias {epsilon = 1.0e-05} : (tensor<4x64x4x4xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<4x64x4x4xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer2.0.downsample.1")
    %layer2.0.downsample.1.running_mean.new, %layer2.0.downsample.1.running_var.new = memplan.batch_norm_update_stats %layer2.0.downsample.1.running_mean, %layer2.0.downsample.1.running_var, %layer2.0.downsample.1.mean, %layer2.0.downsample.1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer2.0.downsample.1")
    %layer2.0.add = memplan.add %layer2.0.bn3, %layer2.0.downsample.1 : (tensor<4x64x4x4xf32>, tensor<4x64x4x4xf32>) -> tensor<4x64x4x4xf32> loc("layer2.0")
    %layer2.0.relu_2 = memplan.relu %layer2.0.add : (tensor<4x64x4x4xf32>) -> tensor<4x64x4x4xf32> loc("layer2.0.relu")
    %layer3.0.conv1 = memplan.conv2d %layer2.0.relu_2, %layer3.0.conv1.weight : (tensor<4x64x4x4xf32>, tensor<32x64x1x1xf32>) -> tensor<4x32x4x4xf32> loc("layer3.0.conv1")
    %layer3.0.bn1, %layer3.0.bn1.mean, %layer3.0.bn1.invstd, %layer3.0.bn1.variance = memplan.batch_norm %layer3.0.conv1, %layer3.0.bn1.weight, %layer3.0.bn1.bias {epsilon = 1.0e-05} : (tensor<4x32x4x4xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<4x32x4x4xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("layer3.0.bn1")
    %layer3.0.bn1.running_mean.new, %layer3.0.bn1.running_var.new = memplan.batch_norm_update_stats %layer3.0.bn1.running_mean, %layer3.0.bn1.running_var, %layer3.0.bn1.mean, %layer3.0.bn1.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("layer3.0.bn1")
    %layer3.0.relu = memplan.relu %layer3.0.bn1 : (tensor<4x32x4x4xf32>) -> tensor<4x32x4x4xf32> loc("layer3.0.relu")
    %layer3.0.conv2 = memplan.conv2d %layer3.0.relu, %layer3.0.conv2.weight {padding = [1, 1], strides = [2, 2]} : (tensor<4x32x4x4xf32>, tensor<32x32x3x3xf32>) -> tensor<4x32x2x2xf32> loc("layer3.0.conv2")
    %layer3.0.bn2, %layer3.0.bn2.mean, %layer3.0.bn2.invstd, %layer3.0.bn2.variance = memplan.batch_norm %layer3.0.conv2, %layer3.0.bn2.weight, %layer3.0.bn2.bias {epsilon = 1.0e-05} : (tensor<4x32x2x2xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<4x32x2x2xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("layer3.0.bn2")
    %layer3.0.bn2.running_mean.new, %layer3.0.bn2.running_var.new = memplan.batch_norm_update_stats %layer3.0.bn2.running_mean, %layer3.0.bn2.running_var, %layer3.0.bn2.mean, %layer3.0.bn2.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("layer3.0.bn2")
    %layer3.0.relu_1 = memplan.relu %layer3.0.bn2 : (tensor<4x32x2x2xf32>) -> tensor<4x32x2x2xf32> loc("layer3.0.relu")
    %layer3.0.conv3 = memplan.conv2d %layer3.0.relu_1, %layer3.0.conv3.weight : (tensor<4x32x2x2xf32>, tensor<128x32x1x1xf32>) -> tensor<4x128x2x2xf32> loc("layer3.0.conv3")
    %layer3.0.bn3, %layer3.0.bn3.mean, %layer3.0.bn3.invstd, %layer3.0.bn3.variance = memplan.batch_norm %layer3.0.conv3, %layer3.0.bn3.weight, %layer3.0.bn3.bias {epsilon = 1.0e-05} : (tensor<4x128x2x2xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<4x128x2x2xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer3.0.bn3")
    %layer3.0.bn3.running_mean.new, %layer3.0.bn3.running_var.new = memplan.batch_norm_update_stats %layer3.0.bn3.running_mean, %layer3.0.bn3.running_var, %layer3.0.bn3.mean, %layer3.0.bn3.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer3.0.bn3")
    %layer3.0.downsample.0 = memplan.conv2d %layer2.0.relu_2, %layer3.0.downsample.0.weight {strides = [2, 2]} : (tensor<4x64x4x4xf32>, tensor<128x64x1x1xf32>) -> tensor<4x128x2x2xf32> loc("layer3.0.downsample.0")
    %layer3.0.downsample.1, %layer3.0.downsample.1.mean, %layer3.0.downsample.1.invstd, %layer3.0.downsample.1.variance = memplan.batch_norm %layer3.0.downsample.0, %layer3.0.downsample.1.weight, %layer3.0.downsample.1.bias {epsilon = 1.0e-05} : (tensor<4x128x2x2xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<4x128x2x2xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("layer3.0.downsample.1")
    %layer3.0.downsample.1.running_mean.new, %layer3.0.downsample.1.running_var.new = memplan.batch_norm_update_stats %layer3.0.downsample.1.running_mean, %layer3.0.downsample.1.running_var, %layer3.0.downsample.1.mean, %layer3.0.downsample.1.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("layer3.0.downsample.1")
    %layer3.0.add = memplan.add %layer3.0.bn3, %layer3.0.downsample.1 : (tensor<4x128x2x2xf32>, tensor<4x128x2x2xf32>) -> tensor<4x128x2x2xf32> loc("layer3.0")
    %layer3.0.relu_2 = memplan.relu %layer3.0.add : (tensor<4x128x2x2xf32>) -> tensor<4x128x2x2xf32> loc("layer3.0.relu")
    %layer4.0.conv1 = memplan.conv2d %layer3.0.relu_2, %layer4.0.conv1.weight : (tensor<4x128x2x2xf32>, tensor<64x128x1x1xf32>) -> tensor<4x64x2x2xf32> loc("layer4.0.conv1")
    %layer4.0.bn1, %layer4.0.bn1.mean, %layer4.0.bn1.invstd, %layer4.0.bn1.variance = memplan.batch_norm %layer4.0.conv1, %layer4.0.bn1.weight, %layer4.0.bn1.bias {epsilon = 1.0e-05} : (tensor<4x64x2x2xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<4x64x2x2xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer4.0.bn1")
    %layer4.0.bn1.running_mean.new, %layer4.0.bn1.running_var.new = memplan.batch_norm_update_stats %layer4.0.bn1.running_mean, %layer4.0.bn1.running_var, %layer4.0.bn1.mean, %layer4.0.bn1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer4.0.bn1")
    %layer4.0.relu = memplan.relu %layer4.0.bn1 : (tensor<4x64x2x2xf32>) -> tensor<4x64x2x2xf32> loc("layer4.0.relu")
    %layer4.0.conv2 = memplan.conv2d %layer4.0.relu, %layer4.0.conv2.weight {padding = [1, 1], strides = [2, 2]} : (tensor<4x64x2x2xf32>, tensor<64x64x3x3xf32>) -> tensor<4x64x1x1xf32> loc("layer4.0.conv2")
    %layer4.0.bn2, %layer4.0.bn2.mean, %layer4.0.bn2.invstd, %layer4.0.bn2.variance = memplan.batch_norm %layer4.0.conv2, %layer4.0.bn2.weight, %layer4.0.bn2.bias {epsilon = 1.0e-05} : (tensor<4x64x1x1xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<4x64x1x1xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("layer4.0.bn2")
    %layer4.0.bn2.running_mean.new, %layer4.0.bn2.running_var.new = memplan.batch_norm_update_stats %layer4.0.bn2.running_mean, %layer4.0.bn2.running_var, %layer4.0.bn2.mean, %layer4.0.bn2.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("layer4.0.bn2")
    %layer4.0.relu_1 = memplan.relu %layer4.0.bn2 : (tensor<4x64x1x1xf32>) -> tensor<4x64x1x1xf32> loc("layer4.0.relu")
    %layer4.0.conv3 = memplan.conv2d %layer4.0.relu_1, %layer4.0.conv3.weight : (tensor<4x64x1x1xf32>, tensor<256x64x1x1xf32>) -> tensor<4x256x1x1xf32> loc("layer4.0.conv3")
    %layer4.0.bn3, %layer4.0.bn3.mean, %layer4.0.bn3.invstd, %layer4.0.bn3.variance = memplan.batch_norm %layer4.0.conv3, %layer4.0.bn3.weight, %layer4.0.bn3.bias {epsilon = 1.0e-05} : (tensor<4x256x1x1xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<4x256x1x1xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer4.0.bn3")
    %layer4.0.bn3.running_mean.new, %layer4.0.bn3.running_var.new = memplan.batch_norm_update_stats %layer4.0.bn3.running_mean, %layer4.0.bn3.running_var, %layer4.0.bn3.mean, %layer4.0.bn3.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer4.0.bn3")
    %layer4.0.downsample.0 = memplan.conv2d %layer3.0.relu_2, %layer4.0.downsample.0.weight {strides = [2, 2]} : (tensor<4x128x2x2xf32>, tensor<256x128x1x1xf32>) -> tensor<4x256x1x1xf32> loc("layer4.0.downsample.0")
    %layer4.0.downsample.1, %layer4.0.downsample.1.mean, %layer4.0.downsample.1.invstd, %layer4.0.downsample.1.variance = memplan.batch_norm %layer4.0.downsample.0, %layer4.0.downsample.1.weight, %layer4.0.downsample.1.bias {epsilon = 1.0e-05} : (tensor<4x256x1x1xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<4x256x1x1xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("layer4.0.downsample.1")
    %layer4.0.downsample.1.running_mean.new, %layer4.0.downsample.1.running_var.new = memplan.batch_norm_update_stats %layer4.0.downsample.1.running_mean, %layer4.0.downsample.1.running_var, %layer4.0.downsample.1.mean, %layer4.0.downsample.1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("layer4.0.downsample.1")
    %layer4.0.add = memplan.add %layer4.0.bn3, %layer4.0.downsample.1 : (tensor<4x256x1x1xf32>, tensor<4x256x1x1xf32>) -> tensor<4x256x1x1xf32> loc("layer4.0")
    %layer4.0.relu_2 = memplan.relu %layer4.0.add : (tensor<4x256x1x1xf32>) -> tensor<4x256x1x1xf32> loc("layer4.0.relu")
    %reshape = memplan.reshape %layer4.0.relu_2 {shape = [-1, 256]} : (tensor<4x256x1x1xf32>) -> tensor<4x256xf32> loc("model")
    %fc = memplan.matmul %reshape, %fc.weight, %fc.bias {transpose_rhs} : (tensor<4x256xf32>, tensor<10x256xf32>, tensor<10xf32>) -> tensor<4x10xf32> loc("fc")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %fc, %label : (tensor<4x10xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>) loc("loss")
    return %cross_entropy, %bn1.running_mean.new, %bn1.running_var.new, %layer1.0.bn1.running_mean.new, %layer1.0.bn1.running_var.new, %layer1.0.bn2.running_mean.new, %layer1.0.bn2.running_var.new, %layer1.0.bn3.running_mean.new, %layer1.0.bn3.running_var.new, %layer1.0.downsample.1.running_mean.new, %layer1.0.downsample.1.running_var.new, %layer2.0.bn1.running_mean.new, %layer2.0.bn1.running_var.new, %layer2.0.bn2.running_mean.new, %layer2.0.bn2.running_var.new, %layer2.0.bn3.running_mean.new, %layer2.0.bn3.running_var.new, %layer2.0.downsample.1.running_mean.new, %layer2.0.downsample.1.running_var.new, %layer3.0.bn1.running_mean.new, %layer3.0.bn1.running_var.new, %layer3.0.bn2.running_mean.new, %layer3.0.bn2.running_var.new, %layer3.0.bn3.running_mean.new, %layer3.0.bn3.running_var.new, %layer3.0.downsample.1.running_mean.new, %layer3.0.downsample.1.running_var.new, %layer4.0.bn1.running_mean.new, %layer4.0.bn1.running_var.new, %layer4.0.bn2.running_mean.new, %layer4.0.bn2.running_var.new, %layer4.0.bn3.running_mean.new, %layer4.0.bn3.running_var.new, %layer4.0.downsample.1.running_mean.new, %layer4.0.downsample.1.running_var.new : tensor<f32>, tensor<64xf32>, tensor<64xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
  }
}
