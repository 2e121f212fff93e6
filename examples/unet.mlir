// One training step of a U-Net (64 to 1024 channels), batch 1: forward pass and loss.
// 31037633 parameters (124150532 bytes). Written by python-bindings/export_examples.py unet
module {
  func.func @train_step(
      %down.0.c1.weight: tensor<64x3x3x3xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "down.0.c1.weight"},
      %down.0.b1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.0.b1.weight"},
      %down.0.b1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.0.b1.bias"},
      %down.0.c2.weight: tensor<64x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "down.0.c2.weight"},
      %down.0.b2.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.0.b2.weight"},
      %down.0.b2.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.0.b2.bias"},
      %down.1.c1.weight: tensor<128x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "down.1.c1.weight"},
      %down.1.b1.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.1.b1.weight"},
      %down.1.b1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.1.b1.bias"},
      %down.1.c2.weight: tensor<128x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "down.1.c2.weight"},
      %down.1.b2.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.1.b2.weight"},
      %down.1.b2.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.1.b2.bias"},
      %down.2.c1.weight: tensor<256x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "down.2.c1.weight"},
      %down.2.b1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.2.b1.weight"},
      %down.2.b1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.2.b1.bias"},
      %down.2.c2.weight: tensor<256x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "down.2.c2.weight"},
      %down.2.b2.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.2.b2.weight"},
      %down.2.b2.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.2.b2.bias"},
      %down.3.c1.weight: tensor<512x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "down.3.c1.weight"},
      %down.3.b1.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.3.b1.weight"},
      %down.3.b1.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.3.b1.bias"},
      %down.3.c2.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "down.3.c2.weight"},
      %down.3.b2.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.3.b2.weight"},
      %down.3.b2.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.3.b2.bias"},
      %down.4.c1.weight: tensor<1024x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "down.4.c1.weight"},
      %down.4.b1.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.4.b1.weight"},
      %down.4.b1.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.4.b1.bias"},
      %down.4.c2.weight: tensor<1024x1024x3x3xf32> {memplan.init = "uniform:0.01041667", memplan.kind = "parameter", memplan.name = "down.4.c2.weight"},
      %down.4.b2.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.4.b2.weight"},
      %down.4.b2.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.4.b2.bias"},
      %up.0.weight: tensor<1024x512x2x2xf32> {memplan.init = "uniform:0.02209709", memplan.kind = "parameter", memplan.name = "up.0.weight"},
      %up.0.bias: tensor<512xf32> {memplan.init = "uniform:0.02209709", memplan.kind = "parameter", memplan.name = "up.0.bias"},
      %up.1.weight: tensor<512x256x2x2xf32> {memplan.init = "uniform:0.03125", memplan.kind = "parameter", memplan.name = "up.1.weight"},
      %up.1.bias: tensor<256xf32> {memplan.init = "uniform:0.03125", memplan.kind = "parameter", memplan.name = "up.1.bias"},
      %up.2.weight: tensor<256x128x2x2xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "up.2.weight"},
      %up.2.bias: tensor<128xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "up.2.bias"},
      %up.3.weight: tensor<128x64x2x2xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "up.3.weight"},
      %up.3.bias: tensor<64xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "up.3.bias"},
      %dec.0.c1.weight: tensor<512x1024x3x3xf32> {memplan.init = "uniform:0.01041667", memplan.kind = "parameter", memplan.name = "dec.0.c1.weight"},
      %dec.0.b1.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.0.b1.weight"},
      %dec.0.b1.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.0.b1.bias"},
      %dec.0.c2.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "dec.0.c2.weight"},
      %dec.0.b2.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.0.b2.weight"},
      %dec.0.b2.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.0.b2.bias"},
      %dec.1.c1.weight: tensor<256x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "dec.1.c1.weight"},
      %dec.1.b1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.1.b1.weight"},
      %dec.1.b1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.1.b1.bias"},
      %dec.1.c2.weight: tensor<256x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "dec.1.c2.weight"},
      %dec.1.b2.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.1.b2.weight"},
      %dec.1.b2.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.1.b2.bias"},
      %dec.2.c1.weight: tensor<128x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "dec.2.c1.weight"},
      %dec.2.b1.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.2.b1.weight"},
      %dec.2.b1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.2.b1.bias"},
      %dec.2.c2.weight: tensor<128x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "dec.2.c2.weight"},
      %dec.2.b2.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.2.b2.weight"},
      %dec.2.b2.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.2.b2.bias"},
      %dec.3.c1.weight: tensor<64x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "dec.3.c1.weight"},
      %dec.3.b1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.3.b1.weight"},
      %dec.3.b1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.3.b1.bias"},
      %dec.3.c2.weight: tensor<64x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "dec.3.c2.weight"},
      %dec.3.b2.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.3.b2.weight"},
      %dec.3.b2.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.3.b2.bias"},
      %out.weight: tensor<1x64x1x1xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "out.weight"},
      %out.bias: tensor<1xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "out.bias"},
      %down.0.b1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.0.b1.running_mean"},
      %down.0.b1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.0.b1.running_var"},
      %down.0.b2.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.0.b2.running_mean"},
      %down.0.b2.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.0.b2.running_var"},
      %down.1.b1.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.1.b1.running_mean"},
      %down.1.b1.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.1.b1.running_var"},
      %down.1.b2.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.1.b2.running_mean"},
      %down.1.b2.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.1.b2.running_var"},
      %down.2.b1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.2.b1.running_mean"},
      %down.2.b1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.2.b1.running_var"},
      %down.2.b2.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.2.b2.running_mean"},
      %down.2.b2.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.2.b2.running_var"},
      %down.3.b1.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.3.b1.running_mean"},
      %down.3.b1.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.3.b1.running_var"},
      %down.3.b2.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.3.b2.running_mean"},
      %down.3.b2.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.3.b2.running_var"},
      %down.4.b1.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.4.b1.running_mean"},
      %down.4.b1.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.4.b1.running_var"},
      %down.4.b2.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.4.b2.running_mean"},
      %down.4.b2.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.4.b2.running_var"},
      %dec.0.b1.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.0.b1.running_mean"},
      %dec.0.b1.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.0.b1.running_var"},
      %dec.0.b2.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.0.b2.running_mean"},
      %dec.0.b2.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.0.b2.running_var"},
      %dec.1.b1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.1.b1.running_mean"},
      %dec.1.b1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.1.b1.running_var"},
      %dec.1.b2.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.1.b2.running_mean"},
      %dec.1.b2.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.1.b2.running_var"},
      %dec.2.b1.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.2.b1.running_mean"},
      %dec.2.b1.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.2.b1.running_var"},
      %dec.2.b2.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.2.b2.running_mean"},
      %dec.2.b2.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.2.b2.running_var"},
      %dec.3.b1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.3.b1.running_mean"},
      %dec.3.b1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.3.b1.running_var"},
      %dec.3.b2.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.3.b2.running_mean"},
      %dec.3.b2.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.3.b2.running_var"},
      %image: tensor<1x3x416x608xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %mask: tensor<1x1x416x608xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "mask"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<64xf32> {memplan.name = "down.0.b1.running_mean", memplan.updates = 64},
      tensor<64xf32> {memplan.name = "down.0.b1.running_var", memplan.updates = 65},
      tensor<64xf32> {memplan.name = "down.0.b2.running_mean", memplan.updates = 66},
      tensor<64xf32> {memplan.name = "down.0.b2.running_var", memplan.updates = 67},
      tensor<128xf32> {memplan.name = "down.1.b1.running_mean", memplan.updates = 68},
      tensor<128xf32> {memplan.name = "down.1.b1.running_var", memplan.updates = 69},
      tensor<128xf32> {memplan.name = "down.1.b2.running_mean", memplan.updates = 70},
      tensor<128xf32> {memplan.name = "down.1.b2.running_var", memplan.updates = 71},
      tensor<256xf32> {memplan.name = "down.2.b1.running_mean", memplan.updates = 72},
      tensor<256xf32> {memplan.name = "down.2.b1.running_var", memplan.updates = 73},
      tensor<256xf32> {memplan.name = "down.2.b2.running_mean", memplan.updates = 74},
      tensor<256xf32> {memplan.name = "down.2.b2.running_var", memplan.updates = 75},
      tensor<512xf32> {memplan.name = "down.3.b1.running_mean", memplan.updates = 76},
      tensor<512xf32> {memplan.name = "down.3.b1.running_var", memplan.updates = 77},
      tensor<512xf32> {memplan.name = "down.3.b2.running_mean", memplan.updates = 78},
      tensor<512xf32> {memplan.name = "down.3.b2.running_var", memplan.updates = 79},
      tensor<1024xf32> {memplan.name = "down.4.b1.running_mean", memplan.updates = 80},
      tensor<1024xf32> {memplan.name = "down.4.b1.running_var", memplan.updates = 81},
      tensor<1024xf32> {memplan.name = "down.4.b2.running_mean", memplan.updates = 82},
      tensor<1024xf32> {memplan.name = "down.4.b2.running_var", memplan.updates = 83},
      tensor<512xf32> {memplan.name = "dec.0.b1.running_mean", memplan.updates = 84},
      tensor<512xf32> {memplan.name = "dec.0.b1.running_var", memplan.updates = 85},
      tensor<512xf32> {memplan.name = "dec.0.b2.running_mean", memplan.updates = 86},
      tensor<512xf32> {memplan.name = "dec.0.b2.running_var", memplan.updates = 87},
      tensor<256xf32> {memplan.name = "dec.1.b1.running_mean", memplan.updates = 88},
      tensor<256xf32> {memplan.name = "dec.1.b1.running_var", memplan.updates = 89},
      tensor<256xf32> {memplan.name = "dec.1.b2.running_mean", memplan.updates = 90},
      tensor<256xf32> {memplan.name = "dec.1.b2.running_var", memplan.updates = 91},
      tensor<128xf32> {memplan.name = "dec.2.b1.running_mean", memplan.updates = 92},
      tensor<128xf32> {memplan.name = "dec.2.b1.running_var", memplan.updates = 93},
      tensor<128xf32> {memplan.name = "dec.2.b2.running_mean", memplan.updates = 94},
      tensor<128xf32> {memplan.name = "dec.2.b2.running_var", memplan.updates = 95},
      tensor<64xf32> {memplan.name = "dec.3.b1.running_mean", memplan.updates = 96},
      tensor<64xf32> {memplan.name = "dec.3.b1.running_var", memplan.updates = 97},
      tensor<64xf32> {memplan.name = "dec.3.b2.running_mean", memplan.updates = 98},
      tensor<64xf32> {memplan.name = "dec.3.b2.running_var", memplan.updates = 99}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %down.0.c1 = memplan.conv2d %image, %down.0.c1.weight {padding = [1, 1]} : (tensor<1x3x416x608xf32>, tensor<64x3x3x3xf32>) -> tensor<1x64x416x608xf32> loc("down.0.c1")
    %down.0.b1, %down.0.b1.mean, %down.0.b1.invstd, %down.0.b1.variance = memplan.batch_norm %down.0.c1, %down.0.b1.weight, %down.0.b1.bias {epsilon = 1.0e-05} : (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("down.0.b1")
    %down.0.b1.running_mean.new, %down.0.b1.running_var.new = memplan.batch_norm_update_stats %down.0.b1.running_mean, %down.0.b1.running_var, %down.0.b1.mean, %down.0.b1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("down.0.b1")
    %down.0.relu = memplan.relu %down.0.b1 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("down.0")
    %down.0.c2 = memplan.conv2d %down.0.relu, %down.0.c2.weight {padding = [1, 1]} : (tensor<1x64x416x608xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x416x608xf32> loc("down.0.c2")
    %down.0.b2, %down.0.b2.mean, %down.0.b2.invstd, %down.0.b2.variance = memplan.batch_norm %down.0.c2, %down.0.b2.weight, %down.0.b2.bias {epsilon = 1.0e-05} : (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("down.0.b2")
    %down.0.b2.running_mean.new, %down.0.b2.running_var.new = memplan.batch_norm_update_stats %down.0.b2.running_mean, %down.0.b2.running_var, %down.0.b2.mean, %down.0.b2.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("down.0.b2")
    %down.0.relu_1 = memplan.relu %down.0.b2 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("down.0")
    %max_pool2d, %max_pool2d.indices = memplan.max_pool2d %down.0.relu_1 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x64x416x608xf32>) -> (tensor<1x64x208x304xf32>, tensor<1x64x208x304xi8>) loc("model")
    %down.1.c1 = memplan.conv2d %max_pool2d, %down.1.c1.weight {padding = [1, 1]} : (tensor<1x64x208x304xf32>, tensor<128x64x3x3xf32>) -> tensor<1x128x208x304xf32> loc("down.1.c1")
    %down.1.b1, %down.1.b1.mean, %down.1.b1.invstd, %down.1.b1.variance = memplan.batch_norm %down.1.c1, %down.1.b1.weight, %down.1.b1.bias {epsilon = 1.0e-05} : (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("down.1.b1")
    %down.1.b1.running_mean.new, %down.1.b1.running_var.new = memplan.batch_norm_update_stats %down.1.b1.running_mean, %down.1.b1.running_var, %down.1.b1.mean, %down.1.b1.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("down.1.b1")
    %down.1.relu = memplan.relu %down.1.b1 : (tensor<1x128x208x304xf32>) -> tensor<1x128x208x304xf32> loc("down.1")
    %down.1.c2 = memplan.conv2d %down.1.relu, %down.1.c2.weight {padding = [1, 1]} : (tensor<1x128x208x304xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x208x304xf32> loc("down.1.c2")
    %down.1.b2, %down.1.b2.mean, %down.1.b2.invstd, %down.1.b2.variance = memplan.batch_norm %down.1.c2, %down.1.b2.weight, %down.1.b2.bias {epsilon = 1.0e-05} : (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("down.1.b2")
    %down.1.b2.running_mean.new, %down.1.b2.running_var.new = memplan.batch_norm_update_stats %down.1.b2.running_mean, %down.1.b2.running_var, %down.1.b2.mean, %down.1.b2.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("down.1.b2")
    %down.1.relu_1 = memplan.relu %down.1.b2 : (tensor<1x128x208x304xf32>) -> tensor<1x128x208x304xf32> loc("down.1")
    %max_pool2d_1, %max_pool2d.indices_1 = memplan.max_pool2d %down.1.relu_1 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x128x208x304xf32>) -> (tensor<1x128x104x152xf32>, tensor<1x128x104x152xi8>) loc("model")
    %down.2.c1 = memplan.conv2d %max_pool2d_1, %down.2.c1.weight {padding = [1, 1]} : (tensor<1x128x104x152xf32>, tensor<256x128x3x3xf32>) -> tensor<1x256x104x152xf32> loc("down.2.c1")
    %down.2.b1, %down.2.b1.mean, %down.2.b1.invstd, %down.2.b1.variance = memplan.batch_norm %down.2.c1, %down.2.b1.weight, %down.2.b1.bias {epsilon = 1.0e-05} : (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("down.2.b1")
    %down.2.b1.running_mean.new, %down.2.b1.running_var.new = memplan.batch_norm_update_stats %down.2.b1.running_mean, %down.2.b1.running_var, %down.2.b1.mean, %down.2.b1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("down.2.b1")
    %down.2.relu = memplan.relu %down.2.b1 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("down.2")
    %down.2.c2 = memplan.conv2d %down.2.relu, %down.2.c2.weight {padding = [1, 1]} : (tensor<1x256x104x152xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x104x152xf32> loc("down.2.c2")
    %down.2.b2, %down.2.b2.mean, %down.2.b2.invstd, %down.2.b2.variance = memplan.batch_norm %down.2.c2, %down.2.b2.weight, %down.2.b2.bias {epsilon = 1.0e-05} : (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("down.2.b2")
    %down.2.b2.running_mean.new, %down.2.b2.running_var.new = memplan.batch_norm_update_stats %down.2.b2.running_mean, %down.2.b2.running_var, %down.2.b2.mean, %down.2.b2.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("down.2.b2")
    %down.2.relu_1 = memplan.relu %down.2.b2 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("down.2")
    %max_pool2d_2, %max_pool2d.indices_2 = memplan.max_pool2d %down.2.relu_1 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x256x104x152xf32>) -> (tensor<1x256x52x76xf32>, tensor<1x256x52x76xi8>) loc("model")
    %down.3.c1 = memplan.conv2d %max_pool2d_2, %down.3.c1.weight {padding = [1, 1]} : (tensor<1x256x52x76xf32>, tensor<512x256x3x3xf32>) -> tensor<1x512x52x76xf32> loc("down.3.c1")
    %down.3.b1, %down.3.b1.mean, %down.3.b1.invstd, %down.3.b1.variance = memplan.batch_norm %down.3.c1, %down.3.b1.weight, %down.3.b1.bias {epsilon = 1.0e-05} : (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("down.3.b1")
    %down.3.b1.running_mean.new, %down.3.b1.running_var.new = memplan.batch_norm_update_stats %down.3.b1.running_mean, %down.3.b1.running_var, %down.3.b1.mean, %down.3.b1.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("down.3.b1")
    %down.3.relu = memplan.relu %down.3.b1 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("down.3")
    %down.3.c2 = memplan.conv2d %down.3.relu, %down.3.c2.weight {padding = [1, 1]} : (tensor<1x512x52x76xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x52x76xf32> loc("down.3.c2")
    %down.3.b2, %down.3.b2.mean, %down.3.b2.invstd, %down.3.b2.variance = memplan.batch_norm %down.3.c2, %down.3.b2.weight, %down.3.b2.bias {epsilon = 1.0e-05} : (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("down.3.b2")
    %down.3.b2.running_mean.new, %down.3.b2.running_var.new = memplan.batch_norm_update_stats %down.3.b2.running_mean, %down.3.b2.running_var, %down.3.b2.mean, %down.3.b2.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("down.3.b2")
    %down.3.relu_1 = memplan.relu %down.3.b2 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("down.3")
    %max_pool2d_3, %max_pool2d.indices_3 = memplan.max_pool2d %down.3.relu_1 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x512x52x76xf32>) -> (tensor<1x512x26x38xf32>, tensor<1x512x26x38xi8>) loc("model")
    %down.4.c1 = memplan.conv2d %max_pool2d_3, %down.4.c1.weight {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<1024x512x3x3xf32>) -> tensor<1x1024x26x38xf32> loc("down.4.c1")
    %down.4.b1, %down.4.b1.mean, %down.4.b1.invstd, %down.4.b1.variance = memplan.batch_norm %down.4.c1, %down.4.b1.weight, %down.4.b1.bias {epsilon = 1.0e-05} : (tensor<1x1024x26x38xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1x1024x26x38xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("down.4.b1")
    %down.4.b1.running_mean.new, %down.4.b1.running_var.new = memplan.batch_norm_update_stats %down.4.b1.running_mean, %down.4.b1.running_var, %down.4.b1.mean, %down.4.b1.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("down.4.b1")
    %down.4.relu = memplan.relu %down.4.b1 : (tensor<1x1024x26x38xf32>) -> tensor<1x1024x26x38xf32> loc("down.4")
    %down.4.c2 = memplan.conv2d %down.4.relu, %down.4.c2.weight {padding = [1, 1]} : (tensor<1x1024x26x38xf32>, tensor<1024x1024x3x3xf32>) -> tensor<1x1024x26x38xf32> loc("down.4.c2")
    %down.4.b2, %down.4.b2.mean, %down.4.b2.invstd, %down.4.b2.variance = memplan.batch_norm %down.4.c2, %down.4.b2.weight, %down.4.b2.bias {epsilon = 1.0e-05} : (tensor<1x1024x26x38xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1x1024x26x38xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("down.4.b2")
    %down.4.b2.running_mean.new, %down.4.b2.running_var.new = memplan.batch_norm_update_stats %down.4.b2.running_mean, %down.4.b2.running_var, %down.4.b2.mean, %down.4.b2.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("down.4.b2")
    %down.4.relu_1 = memplan.relu %down.4.b2 : (tensor<1x1024x26x38xf32>) -> tensor<1x1024x26x38xf32> loc("down.4")
    %up.0 = memplan.conv_transpose2d %down.4.relu_1, %up.0.weight, %up.0.bias {strides = [2, 2]} : (tensor<1x1024x26x38xf32>, tensor<1024x512x2x2xf32>, tensor<512xf32>) -> tensor<1x512x52x76xf32> loc("up.0")
    %concat = memplan.concat %up.0, %down.3.relu_1 {dim = 1} : (tensor<1x512x52x76xf32>, tensor<1x512x52x76xf32>) -> tensor<1x1024x52x76xf32> loc("model")
    %dec.0.c1 = memplan.conv2d %concat, %dec.0.c1.weight {padding = [1, 1]} : (tensor<1x1024x52x76xf32>, tensor<512x1024x3x3xf32>) -> tensor<1x512x52x76xf32> loc("dec.0.c1")
    %dec.0.b1, %dec.0.b1.mean, %dec.0.b1.invstd, %dec.0.b1.variance = memplan.batch_norm %dec.0.c1, %dec.0.b1.weight, %dec.0.b1.bias {epsilon = 1.0e-05} : (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("dec.0.b1")
    %dec.0.b1.running_mean.new, %dec.0.b1.running_var.new = memplan.batch_norm_update_stats %dec.0.b1.running_mean, %dec.0.b1.running_var, %dec.0.b1.mean, %dec.0.b1.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("dec.0.b1")
    %dec.0.relu = memplan.relu %dec.0.b1 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("dec.0")
    %dec.0.c2 = memplan.conv2d %dec.0.relu, %dec.0.c2.weight {padding = [1, 1]} : (tensor<1x512x52x76xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x52x76xf32> loc("dec.0.c2")
    %dec.0.b2, %dec.0.b2.mean, %dec.0.b2.invstd, %dec.0.b2.variance = memplan.batch_norm %dec.0.c2, %dec.0.b2.weight, %dec.0.b2.bias {epsilon = 1.0e-05} : (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("dec.0.b2")
    %dec.0.b2.running_mean.new, %dec.0.b2.running_var.new = memplan.batch_norm_update_stats %dec.0.b2.running_mean, %dec.0.b2.running_var, %dec.0.b2.mean, %dec.0.b2.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("dec.0.b2")
    %dec.0.relu_1 = memplan.relu %dec.0.b2 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("dec.0")
    %up.1 = memplan.conv_transpose2d %dec.0.relu_1, %up.1.weight, %up.1.bias {strides = [2, 2]} : (tensor<1x512x52x76xf32>, tensor<512x256x2x2xf32>, tensor<256xf32>) -> tensor<1x256x104x152xf32> loc("up.1")
    %concat_1 = memplan.concat %up.1, %down.2.relu_1 {dim = 1} : (tensor<1x256x104x152xf32>, tensor<1x256x104x152xf32>) -> tensor<1x512x104x152xf32> loc("model")
    %dec.1.c1 = memplan.conv2d %concat_1, %dec.1.c1.weight {padding = [1, 1]} : (tensor<1x512x104x152xf32>, tensor<256x512x3x3xf32>) -> tensor<1x256x104x152xf32> loc("dec.1.c1")
    %dec.1.b1, %dec.1.b1.mean, %dec.1.b1.invstd, %dec.1.b1.variance = memplan.batch_norm %dec.1.c1, %dec.1.b1.weight, %dec.1.b1.bias {epsilon = 1.0e-05} : (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("dec.1.b1")
    %dec.1.b1.running_mean.new, %dec.1.b1.running_var.new = memplan.batch_norm_update_stats %dec.1.b1.running_mean, %dec.1.b1.running_var, %dec.1.b1.mean, %dec.1.b1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("dec.1.b1")
    %dec.1.relu = memplan.relu %dec.1.b1 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("dec.1")
    %dec.1.c2 = memplan.conv2d %dec.1.relu, %dec.1.c2.weight {padding = [1, 1]} : (tensor<1x256x104x152xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x104x152xf32> loc("dec.1.c2")
    %dec.1.b2, %dec.1.b2.mean, %dec.1.b2.invstd, %dec.1.b2.variance = memplan.batch_norm %dec.1.c2, %dec.1.b2.weight, %dec.1.b2.bias {epsilon = 1.0e-05} : (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("dec.1.b2")
    %dec.1.b2.running_mean.new, %dec.1.b2.running_var.new = memplan.batch_norm_update_stats %dec.1.b2.running_mean, %dec.1.b2.running_var, %dec.1.b2.mean, %dec.1.b2.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("dec.1.b2")
    %dec.1.relu_1 = memplan.relu %dec.1.b2 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("dec.1")
    %up.2 = memplan.conv_transpose2d %dec.1.relu_1, %up.2.weight, %up.2.bias {strides = [2, 2]} : (tensor<1x256x104x152xf32>, tensor<256x128x2x2xf32>, tensor<128xf32>) -> tensor<1x128x208x304xf32> loc("up.2")
    %concat_2 = memplan.concat %up.2, %down.1.relu_1 {dim = 1} : (tensor<1x128x208x304xf32>, tensor<1x128x208x304xf32>) -> tensor<1x256x208x304xf32> loc("model")
    %dec.2.c1 = memplan.conv2d %concat_2, %dec.2.c1.weight {padding = [1, 1]} : (tensor<1x256x208x304xf32>, tensor<128x256x3x3xf32>) -> tensor<1x128x208x304xf32> loc("dec.2.c1")
    %dec.2.b1, %dec.2.b1.mean, %dec.2.b1.invstd, %dec.2.b1.variance = memplan.batch_norm %dec.2.c1, %dec.2.b1.weight, %dec.2.b1.bias {epsilon = 1.0e-05} : (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("dec.2.b1")
    %dec.2.b1.running_mean.new, %dec.2.b1.running_var.new = memplan.batch_norm_update_stats %dec.2.b1.running_mean, %dec.2.b1.running_var, %dec.2.b1.mean, %dec.2.b1.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("dec.2.b1")
    %dec.2.relu = memplan.relu %dec.2.b1 : (tensor<1x128x208x304xf32>) -> tensor<1x128x208x304xf32> loc("dec.2")
    %dec.2.c2 = memplan.conv2d %dec.2.relu, %dec.2.c2.weight {padding = [1, 1]} : (tensor<1x128x208x304xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x208x304xf32> loc("dec.2.c2")
    %dec.2.b2, %dec.2.b2.mean, %dec.2.b2.invstd, %dec.2.b2.variance = memplan.batch_norm %dec.2.c2, %dec.2.b2.weight, %dec.2.b2.bias {epsilon = 1.0e-05} : (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("dec.2.b2")
    %dec.2.b2.running_mean.new, %dec.2.b2.running_var.new = memplan.batch_norm_update_stats %dec.2.b2.running_mean, %dec.2.b2.running_var, %dec.2.b2.mean, %dec.2.b2.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("dec.2.b2")
    %dec.2.relu_1 = memplan.relu %dec.2.b2 : (tensor<1x128x208x304xf32>) -> tensor<1x128x208x304xf32> loc("dec.2")
    %up.3 = memplan.conv_transpose2d %dec.2.relu_1, %up.3.weight, %up.3.bias {strides = [2, 2]} : (tensor<1x128x208x304xf32>, tensor<128x64x2x2xf32>, tensor<64xf32>) -> tensor<1x64x416x608xf32> loc("up.3")
    %concat_3 = memplan.concat %up.3, %down.0.relu_1 {dim = 1} : (tensor<1x64x416x608xf32>, tensor<1x64x416x608xf32>) -> tensor<1x128x416x608xf32> loc("model")
    %dec.3.c1 = memplan.conv2d %concat_3, %dec.3.c1.weight {padding = [1, 1]} : (tensor<1x128x416x608xf32>, tensor<64x128x3x3xf32>) -> tensor<1x64x416x608xf32> loc("dec.3.c1")
    %dec.3.b1, %dec.3.b1.mean, %dec.3.b1.invstd, %dec.3.b1.variance = memplan.batch_norm %dec.3.c1, %dec.3.b1.weight, %dec.3.b1.bias {epsilon = 1.0e-05} : (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("dec.3.b1")
    %dec.3.b1.running_mean.new, %dec.3.b1.running_var.new = memplan.batch_norm_update_stats %dec.3.b1.running_mean, %dec.3.b1.running_var, %dec.3.b1.mean, %dec.3.b1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("dec.3.b1")
    %dec.3.relu = memplan.relu %dec.3.b1 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("dec.3")
    %dec.3.c2 = memplan.conv2d %dec.3.relu, %dec.3.c2.weight {padding = [1, 1]} : (tensor<1x64x416x608xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x416x608xf32> loc("dec.3.c2")
    %dec.3.b2, %dec.3.b2.mean, %dec.3.b2.invstd, %dec.3.b2.variance = memplan.batch_norm %dec.3.c2, %dec.3.b2.weight, %dec.3.b2.bias {epsilon = 1.0e-05} : (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("dec.3.b2")
    %dec.3.b2.running_mean.new, %dec.3.b2.running_var.new = memplan.batch_norm_update_stats %dec.3.b2.running_mean, %dec.3.b2.running_var, %dec.3.b2.mean, %dec.3.b2.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("dec.3.b2")
    %dec.3.relu_1 = memplan.relu %dec.3.b2 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("dec.3")
    %out = memplan.conv2d %dec.3.relu_1, %out.weight, %out.bias : (tensor<1x64x416x608xf32>, tensor<1x64x1x1xf32>, tensor<1xf32>) -> tensor<1x1x416x608xf32> loc("out")
    %bce_with_logits = memplan.bce_with_logits %out, %mask : (tensor<1x1x416x608xf32>, tensor<1x1x416x608xf32>) -> tensor<f32> loc("loss")
    return %bce_with_logits, %down.0.b1.running_mean.new, %down.0.b1.running_var.new, %down.0.b2.running_mean.new, %down.0.b2.running_var.new, %down.1.b1.running_mean.new, %down.1.b1.running_var.new, %down.1.b2.running_mean.new, %down.1.b2.running_var.new, %down.2.b1.running_mean.new, %down.2.b1.running_var.new, %down.2.b2.running_mean.new, %down.2.b2.running_var.new, %down.3.b1.running_mean.new, %down.3.b1.running_var.new, %down.3.b2.running_mean.new, %down.3.b2.running_var.new, %down.4.b1.running_mean.new, %down.4.b1.running_var.new, %down.4.b2.running_mean.new, %down.4.b2.running_var.new, %dec.0.b1.running_mean.new, %dec.0.b1.running_var.new, %dec.0.b2.running_mean.new, %dec.0.b2.running_var.new, %dec.1.b1.running_mean.new, %dec.1.b1.running_var.new, %dec.1.b2.running_mean.new, %dec.1.b2.running_var.new, %dec.2.b1.running_mean.new, %dec.2.b1.running_var.new, %dec.2.b2.running_mean.new, %dec.2.b2.running_var.new, %dec.3.b1.running_mean.new, %dec.3.b1.running_var.new, %dec.3.b2.running_mean.new, %dec.3.b2.running_var.new : tensor<f32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  }
}
