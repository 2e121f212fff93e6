// One training step of SegNet, batch 1: forward pass and loss.
// 27378881 parameters (109515524 bytes). Written by benchmarks/networks/export.py segnet
module {
  func.func @train_step(
      %down.0.0.weight: tensor<64x3x3x3xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "down.0.0.weight"},
      %down.0.1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.0.1.weight"},
      %down.0.1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.0.1.bias"},
      %down.0.3.weight: tensor<64x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "down.0.3.weight"},
      %down.0.4.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.0.4.weight"},
      %down.0.4.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.0.4.bias"},
      %down.1.0.weight: tensor<128x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "down.1.0.weight"},
      %down.1.1.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.1.1.weight"},
      %down.1.1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.1.1.bias"},
      %down.1.3.weight: tensor<128x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "down.1.3.weight"},
      %down.1.4.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.1.4.weight"},
      %down.1.4.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.1.4.bias"},
      %down.2.0.weight: tensor<256x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "down.2.0.weight"},
      %down.2.1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.2.1.weight"},
      %down.2.1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.2.1.bias"},
      %down.2.3.weight: tensor<256x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "down.2.3.weight"},
      %down.2.4.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.2.4.weight"},
      %down.2.4.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.2.4.bias"},
      %down.2.6.weight: tensor<256x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "down.2.6.weight"},
      %down.2.7.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.2.7.weight"},
      %down.2.7.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.2.7.bias"},
      %down.3.0.weight: tensor<512x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "down.3.0.weight"},
      %down.3.1.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.3.1.weight"},
      %down.3.1.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.3.1.bias"},
      %down.3.3.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "down.3.3.weight"},
      %down.3.4.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.3.4.weight"},
      %down.3.4.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.3.4.bias"},
      %down.3.6.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "down.3.6.weight"},
      %down.3.7.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.3.7.weight"},
      %down.3.7.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.3.7.bias"},
      %down.4.0.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "down.4.0.weight"},
      %down.4.1.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.4.1.weight"},
      %down.4.1.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.4.1.bias"},
      %down.4.3.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "down.4.3.weight"},
      %down.4.4.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.4.4.weight"},
      %down.4.4.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.4.4.bias"},
      %down.4.6.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "down.4.6.weight"},
      %down.4.7.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "down.4.7.weight"},
      %down.4.7.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "down.4.7.bias"},
      %up.0.weight: tensor<512x512x2x2xf32> {memplan.init = "uniform:0.02209709", memplan.kind = "parameter", memplan.name = "up.0.weight"},
      %up.0.bias: tensor<512xf32> {memplan.init = "uniform:0.02209709", memplan.kind = "parameter", memplan.name = "up.0.bias"},
      %up.1.weight: tensor<512x512x2x2xf32> {memplan.init = "uniform:0.02209709", memplan.kind = "parameter", memplan.name = "up.1.weight"},
      %up.1.bias: tensor<512xf32> {memplan.init = "uniform:0.02209709", memplan.kind = "parameter", memplan.name = "up.1.bias"},
      %up.2.weight: tensor<256x256x2x2xf32> {memplan.init = "uniform:0.03125", memplan.kind = "parameter", memplan.name = "up.2.weight"},
      %up.2.bias: tensor<256xf32> {memplan.init = "uniform:0.03125", memplan.kind = "parameter", memplan.name = "up.2.bias"},
      %up.3.weight: tensor<128x128x2x2xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "up.3.weight"},
      %up.3.bias: tensor<128xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "up.3.bias"},
      %up.4.weight: tensor<64x64x2x2xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "up.4.weight"},
      %up.4.bias: tensor<64xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "up.4.bias"},
      %dec.0.0.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "dec.0.0.weight"},
      %dec.0.1.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.0.1.weight"},
      %dec.0.1.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.0.1.bias"},
      %dec.0.3.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "dec.0.3.weight"},
      %dec.0.4.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.0.4.weight"},
      %dec.0.4.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.0.4.bias"},
      %dec.0.6.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "dec.0.6.weight"},
      %dec.0.7.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.0.7.weight"},
      %dec.0.7.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.0.7.bias"},
      %dec.1.0.weight: tensor<256x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "dec.1.0.weight"},
      %dec.1.1.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.1.1.weight"},
      %dec.1.1.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.1.1.bias"},
      %dec.1.3.weight: tensor<256x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "dec.1.3.weight"},
      %dec.1.4.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.1.4.weight"},
      %dec.1.4.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.1.4.bias"},
      %dec.1.6.weight: tensor<256x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "dec.1.6.weight"},
      %dec.1.7.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.1.7.weight"},
      %dec.1.7.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.1.7.bias"},
      %dec.2.0.weight: tensor<128x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "dec.2.0.weight"},
      %dec.2.1.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.2.1.weight"},
      %dec.2.1.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.2.1.bias"},
      %dec.2.3.weight: tensor<128x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "dec.2.3.weight"},
      %dec.2.4.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.2.4.weight"},
      %dec.2.4.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.2.4.bias"},
      %dec.2.6.weight: tensor<128x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "dec.2.6.weight"},
      %dec.2.7.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.2.7.weight"},
      %dec.2.7.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.2.7.bias"},
      %dec.3.0.weight: tensor<64x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "dec.3.0.weight"},
      %dec.3.1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.3.1.weight"},
      %dec.3.1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.3.1.bias"},
      %dec.3.3.weight: tensor<64x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "dec.3.3.weight"},
      %dec.3.4.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.3.4.weight"},
      %dec.3.4.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.3.4.bias"},
      %dec.4.0.weight: tensor<64x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "dec.4.0.weight"},
      %dec.4.1.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.4.1.weight"},
      %dec.4.1.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.4.1.bias"},
      %dec.4.3.weight: tensor<64x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "dec.4.3.weight"},
      %dec.4.4.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "dec.4.4.weight"},
      %dec.4.4.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "dec.4.4.bias"},
      %out.weight: tensor<1x64x1x1xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "out.weight"},
      %out.bias: tensor<1xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "out.bias"},
      %down.0.1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.0.1.running_mean"},
      %down.0.1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.0.1.running_var"},
      %down.0.4.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.0.4.running_mean"},
      %down.0.4.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.0.4.running_var"},
      %down.1.1.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.1.1.running_mean"},
      %down.1.1.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.1.1.running_var"},
      %down.1.4.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.1.4.running_mean"},
      %down.1.4.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.1.4.running_var"},
      %down.2.1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.2.1.running_mean"},
      %down.2.1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.2.1.running_var"},
      %down.2.4.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.2.4.running_mean"},
      %down.2.4.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.2.4.running_var"},
      %down.2.7.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.2.7.running_mean"},
      %down.2.7.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.2.7.running_var"},
      %down.3.1.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.3.1.running_mean"},
      %down.3.1.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.3.1.running_var"},
      %down.3.4.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.3.4.running_mean"},
      %down.3.4.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.3.4.running_var"},
      %down.3.7.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.3.7.running_mean"},
      %down.3.7.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.3.7.running_var"},
      %down.4.1.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.4.1.running_mean"},
      %down.4.1.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.4.1.running_var"},
      %down.4.4.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.4.4.running_mean"},
      %down.4.4.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.4.4.running_var"},
      %down.4.7.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "down.4.7.running_mean"},
      %down.4.7.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "down.4.7.running_var"},
      %dec.0.1.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.0.1.running_mean"},
      %dec.0.1.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.0.1.running_var"},
      %dec.0.4.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.0.4.running_mean"},
      %dec.0.4.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.0.4.running_var"},
      %dec.0.7.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.0.7.running_mean"},
      %dec.0.7.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.0.7.running_var"},
      %dec.1.1.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.1.1.running_mean"},
      %dec.1.1.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.1.1.running_var"},
      %dec.1.4.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.1.4.running_mean"},
      %dec.1.4.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.1.4.running_var"},
      %dec.1.7.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.1.7.running_mean"},
      %dec.1.7.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.1.7.running_var"},
      %dec.2.1.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.2.1.running_mean"},
      %dec.2.1.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.2.1.running_var"},
      %dec.2.4.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.2.4.running_mean"},
      %dec.2.4.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.2.4.running_var"},
      %dec.2.7.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.2.7.running_mean"},
      %dec.2.7.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.2.7.running_var"},
      %dec.3.1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.3.1.running_mean"},
      %dec.3.1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.3.1.running_var"},
      %dec.3.4.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.3.4.running_mean"},
      %dec.3.4.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.3.4.running_var"},
      %dec.4.1.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.4.1.running_mean"},
      %dec.4.1.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.4.1.running_var"},
      %dec.4.4.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "dec.4.4.running_mean"},
      %dec.4.4.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "dec.4.4.running_var"},
      %image: tensor<1x3x416x608xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %mask: tensor<1x1x416x608xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "mask"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<64xf32> {memplan.name = "down.0.1.running_mean", memplan.updates = 90},
      tensor<64xf32> {memplan.name = "down.0.1.running_var", memplan.updates = 91},
      tensor<64xf32> {memplan.name = "down.0.4.running_mean", memplan.updates = 92},
      tensor<64xf32> {memplan.name = "down.0.4.running_var", memplan.updates = 93},
      tensor<128xf32> {memplan.name = "down.1.1.running_mean", memplan.updates = 94},
      tensor<128xf32> {memplan.name = "down.1.1.running_var", memplan.updates = 95},
      tensor<128xf32> {memplan.name = "down.1.4.running_mean", memplan.updates = 96},
      tensor<128xf32> {memplan.name = "down.1.4.running_var", memplan.updates = 97},
      tensor<256xf32> {memplan.name = "down.2.1.running_mean", memplan.updates = 98},
      tensor<256xf32> {memplan.name = "down.2.1.running_var", memplan.updates = 99},
      tensor<256xf32> {memplan.name = "down.2.4.running_mean", memplan.updates = 100},
      tensor<256xf32> {memplan.name = "down.2.4.running_var", memplan.updates = 101},
      tensor<256xf32> {memplan.name = "down.2.7.running_mean", memplan.updates = 102},
      tensor<256xf32> {memplan.name = "down.2.7.running_var", memplan.updates = 103},
      tensor<512xf32> {memplan.name = "down.3.1.running_mean", memplan.updates = 104},
      tensor<512xf32> {memplan.name = "down.3.1.running_var", memplan.updates = 105},
      tensor<512xf32> {memplan.name = "down.3.4.running_mean", memplan.updates = 106},
      tensor<512xf32> {memplan.name = "down.3.4.running_var", memplan.updates = 107},
      tensor<512xf32> {memplan.name = "down.3.7.running_mean", memplan.updates = 108},
      tensor<512xf32> {memplan.name = "down.3.7.running_var", memplan.updates = 109},
      tensor<512xf32> {memplan.name = "down.4.1.running_mean", memplan.updates = 110},
      tensor<512xf32> {memplan.name = "down.4.1.running_var", memplan.updates = 111},
      tensor<512xf32> {memplan.name = "down.4.4.running_mean", memplan.updates = 112},
      tensor<512xf32> {memplan.name = "down.4.4.running_var", memplan.updates = 113},
      tensor<512xf32> {memplan.name = "down.4.7.running_mean", memplan.updates = 114},
      tensor<512xf32> {memplan.name = "down.4.7.running_var", memplan.updates = 115},
      tensor<512xf32> {memplan.name = "dec.0.1.running_mean", memplan.updates = 116},
      tensor<512xf32> {memplan.name = "dec.0.1.running_var", memplan.updates = 117},
      tensor<512xf32> {memplan.name = "dec.0.4.running_mean", memplan.updates = 118},
      tensor<512xf32> {memplan.name = "dec.0.4.running_var", memplan.updates = 119},
      tensor<512xf32> {memplan.name = "dec.0.7.running_mean", memplan.updates = 120},
      tensor<512xf32> {memplan.name = "dec.0.7.running_var", memplan.updates = 121},
      tensor<256xf32> {memplan.name = "dec.1.1.running_mean", memplan.updates = 122},
      tensor<256xf32> {memplan.name = "dec.1.1.running_var", memplan.updates = 123},
      tensor<256xf32> {memplan.name = "dec.1.4.running_mean", memplan.updates = 124},
      tensor<256xf32> {memplan.name = "dec.1.4.running_var", memplan.updates = 125},
      tensor<256xf32> {memplan.name = "dec.1.7.running_mean", memplan.updates = 126},
      tensor<256xf32> {memplan.name = "dec.1.7.running_var", memplan.updates = 127},
      tensor<128xf32> {memplan.name = "dec.2.1.running_mean", memplan.updates = 128},
      tensor<128xf32> {memplan.name = "dec.2.1.running_var", memplan.updates = 129},
      tensor<128xf32> {memplan.name = "dec.2.4.running_mean", memplan.updates = 130},
      tensor<128xf32> {memplan.name = "dec.2.4.running_var", memplan.updates = 131},
      tensor<128xf32> {memplan.name = "dec.2.7.running_mean", memplan.updates = 132},
      tensor<128xf32> {memplan.name = "dec.2.7.running_var", memplan.updates = 133},
      tensor<64xf32> {memplan.name = "dec.3.1.running_mean", memplan.updates = 134},
      tensor<64xf32> {memplan.name = "dec.3.1.running_var", memplan.updates = 135},
      tensor<64xf32> {memplan.name = "dec.3.4.running_mean", memplan.updates = 136},
      tensor<64xf32> {memplan.name = "dec.3.4.running_var", memplan.updates = 137},
      tensor<64xf32> {memplan.name = "dec.4.1.running_mean", memplan.updates = 138},
      tensor<64xf32> {memplan.name = "dec.4.1.running_var", memplan.updates = 139},
      tensor<64xf32> {memplan.name = "dec.4.4.running_mean", memplan.updates = 140},
      tensor<64xf32> {memplan.name = "dec.4.4.running_var", memplan.updates = 141}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %down.0.0 = memplan.conv2d %image, %down.0.0.weight {padding = [1, 1]} : (tensor<1x3x416x608xf32>, tensor<64x3x3x3xf32>) -> tensor<1x64x416x608xf32> loc("down.0.0")
    %down.0.1, %down.0.1.mean, %down.0.1.invstd, %down.0.1.variance = memplan.batch_norm %down.0.0, %down.0.1.weight, %down.0.1.bias {epsilon = 1.0e-05} : (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("down.0.1")
    %down.0.1.running_mean.new, %down.0.1.running_var.new = memplan.batch_norm_update_stats %down.0.1.running_mean, %down.0.1.running_var, %down.0.1.mean, %down.0.1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("down.0.1")
    %down.0.2 = memplan.relu %down.0.1 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("down.0.2")
    %down.0.3 = memplan.conv2d %down.0.2, %down.0.3.weight {padding = [1, 1]} : (tensor<1x64x416x608xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x416x608xf32> loc("down.0.3")
    %down.0.4, %down.0.4.mean, %down.0.4.invstd, %down.0.4.variance = memplan.batch_norm %down.0.3, %down.0.4.weight, %down.0.4.bias {epsilon = 1.0e-05} : (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("down.0.4")
    %down.0.4.running_mean.new, %down.0.4.running_var.new = memplan.batch_norm_update_stats %down.0.4.running_mean, %down.0.4.running_var, %down.0.4.mean, %down.0.4.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("down.0.4")
    %down.0.5 = memplan.relu %down.0.4 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("down.0.5")
    %max_pool2d, %max_pool2d.indices = memplan.max_pool2d %down.0.5 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x64x416x608xf32>) -> (tensor<1x64x208x304xf32>, tensor<1x64x208x304xi8>) loc("model")
    %down.1.0 = memplan.conv2d %max_pool2d, %down.1.0.weight {padding = [1, 1]} : (tensor<1x64x208x304xf32>, tensor<128x64x3x3xf32>) -> tensor<1x128x208x304xf32> loc("down.1.0")
    %down.1.1, %down.1.1.mean, %down.1.1.invstd, %down.1.1.variance = memplan.batch_norm %down.1.0, %down.1.1.weight, %down.1.1.bias {epsilon = 1.0e-05} : (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("down.1.1")
    %down.1.1.running_mean.new, %down.1.1.running_var.new = memplan.batch_norm_update_stats %down.1.1.running_mean, %down.1.1.running_var, %down.1.1.mean, %down.1.1.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("down.1.1")
    %down.1.2 = memplan.relu %down.1.1 : (tensor<1x128x208x304xf32>) -> tensor<1x128x208x304xf32> loc("down.1.2")
    %down.1.3 = memplan.conv2d %down.1.2, %down.1.3.weight {padding = [1, 1]} : (tensor<1x128x208x304xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x208x304xf32> loc("down.1.3")
    %down.1.4, %down.1.4.mean, %down.1.4.invstd, %down.1.4.variance = memplan.batch_norm %down.1.3, %down.1.4.weight, %down.1.4.bias {epsilon = 1.0e-05} : (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<1x128x208x304xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("down.1.4")
    %down.1.4.running_mean.new, %down.1.4.running_var.new = memplan.batch_norm_update_stats %down.1.4.running_mean, %down.1.4.running_var, %down.1.4.mean, %down.1.4.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("down.1.4")
    %down.1.5 = memplan.relu %down.1.4 : (tensor<1x128x208x304xf32>) -> tensor<1x128x208x304xf32> loc("down.1.5")
    %max_pool2d_1, %max_pool2d.indices_1 = memplan.max_pool2d %down.1.5 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x128x208x304xf32>) -> (tensor<1x128x104x152xf32>, tensor<1x128x104x152xi8>) loc("model")
    %down.2.0 = memplan.conv2d %max_pool2d_1, %down.2.0.weight {padding = [1, 1]} : (tensor<1x128x104x152xf32>, tensor<256x128x3x3xf32>) -> tensor<1x256x104x152xf32> loc("down.2.0")
    %down.2.1, %down.2.1.mean, %down.2.1.invstd, %down.2.1.variance = memplan.batch_norm %down.2.0, %down.2.1.weight, %down.2.1.bias {epsilon = 1.0e-05} : (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("down.2.1")
    %down.2.1.running_mean.new, %down.2.1.running_var.new = memplan.batch_norm_update_stats %down.2.1.running_mean, %down.2.1.running_var, %down.2.1.mean, %down.2.1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("down.2.1")
    %down.2.2 = memplan.relu %down.2.1 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("down.2.2")
    %down.2.3 = memplan.conv2d %down.2.2, %down.2.3.weight {padding = [1, 1]} : (tensor<1x256x104x152xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x104x152xf32> loc("down.2.3")
    %down.2.4, %down.2.4.mean, %down.2.4.invstd, %down.2.4.variance = memplan.batch_norm %down.2.3, %down.2.4.weight, %down.2.4.bias {epsilon = 1.0e-05} : (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("down.2.4")
    %down.2.4.running_mean.new, %down.2.4.running_var.new = memplan.batch_norm_update_stats %down.2.4.running_mean, %down.2.4.running_var, %down.2.4.mean, %down.2.4.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("down.2.4")
    %down.2.5 = memplan.relu %down.2.4 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("down.2.5")
    %down.2.6 = memplan.conv2d %down.2.5, %down.2.6.weight {padding = [1, 1]} : (tensor<1x256x104x152xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x104x152xf32> loc("down.2.6")
    %down.2.7, %down.2.7.mean, %down.2.7.invstd, %down.2.7.variance = memplan.batch_norm %down.2.6, %down.2.7.weight, %down.2.7.bias {epsilon = 1.0e-05} : (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x104x152xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("down.2.7")
    %down.2.7.running_mean.new, %down.2.7.running_var.new = memplan.batch_norm_update_stats %down.2.7.running_mean, %down.2.7.running_var, %down.2.7.mean, %down.2.7.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("down.2.7")
    %down.2.8 = memplan.relu %down.2.7 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("down.2.8")
    %max_pool2d_2, %max_pool2d.indices_2 = memplan.max_pool2d %down.2.8 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x256x104x152xf32>) -> (tensor<1x256x52x76xf32>, tensor<1x256x52x76xi8>) loc("model")
    %down.3.0 = memplan.conv2d %max_pool2d_2, %down.3.0.weight {padding = [1, 1]} : (tensor<1x256x52x76xf32>, tensor<512x256x3x3xf32>) -> tensor<1x512x52x76xf32> loc("down.3.0")
    %down.3.1, %down.3.1.mean, %down.3.1.invstd, %down.3.1.variance = memplan.batch_norm %down.3.0, %down.3.1.weight, %down.3.1.bias {epsilon = 1.0e-05} : (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("down.3.1")
    %down.3.1.running_mean.new, %down.3.1.running_var.new = memplan.batch_norm_update_stats %down.3.1.running_mean, %down.3.1.running_var, %down.3.1.mean, %down.3.1.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("down.3.1")
    %down.3.2 = memplan.relu %down.3.1 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("down.3.2")
    %down.3.3 = memplan.conv2d %down.3.2, %down.3.3.weight {padding = [1, 1]} : (tensor<1x512x52x76xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x52x76xf32> loc("down.3.3")
    %down.3.4, %down.3.4.mean, %down.3.4.invstd, %down.3.4.variance = memplan.batch_norm %down.3.3, %down.3.4.weight, %down.3.4.bias {epsilon = 1.0e-05} : (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("down.3.4")
    %down.3.4.running_mean.new, %down.3.4.running_var.new = memplan.batch_norm_update_stats %down.3.4.running_mean, %down.3.4.running_var, %down.3.4.mean, %down.3.4.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("down.3.4")
    %down.3.5 = memplan.relu %down.3.4 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("down.3.5")
    %down.3.6 = memplan.conv2d %down.3.5, %down.3.6.weight {padding = [1, 1]} : (tensor<1x512x52x76xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x52x76xf32> loc("down.3.6")
    %down.3.7, %down.3.7.mean, %down.3.7.invstd, %down.3.7.variance = memplan.batch_norm %down.3.6, %down.3.7.weight, %down.3.7.bias {epsilon = 1.0e-05} : (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x52x76xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("down.3.7")
    %down.3.7.running_mean.new, %down.3.7.running_var.new = memplan.batch_norm_update_stats %down.3.7.running_mean, %down.3.7.running_var, %down.3.7.mean, %down.3.7.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("down.3.7")
    %down.3.8 = memplan.relu %down.3.7 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("down.3.8")
    %max_pool2d_3, %max_pool2d.indices_3 = memplan.max_pool2d %down.3.8 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x512x52x76xf32>) -> (tensor<1x512x26x38xf32>, tensor<1x512x26x38xi8>) loc("model")
    %down.4.0 = memplan.conv2d %max_pool2d_3, %down.4.0.weight {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x26x38xf32> loc("down.4.0")
    %down.4.1, %down.4.1.mean, %down.4.1.invstd, %down.4.1.variance = memplan.batch_norm %down.4.0, %down.4.1.weight, %down.4.1.bias {epsilon = 1.0e-05} : (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("down.4.1")
    %down.4.1.running_mean.new, %down.4.1.running_var.new = memplan.batch_norm_update_stats %down.4.1.running_mean, %down.4.1.running_var, %down.4.1.mean, %down.4.1.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("down.4.1")
    %down.4.2 = memplan.relu %down.4.1 : (tensor<1x512x26x38xf32>) -> tensor<1x512x26x38xf32> loc("down.4.2")
    %down.4.3 = memplan.conv2d %down.4.2, %down.4.3.weight {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x26x38xf32> loc("down.4.3")
    %down.4.4, %down.4.4.mean, %down.4.4.invstd, %down.4.4.variance = memplan.batch_norm %down.4.3, %down.4.4.weight, %down.4.4.bias {epsilon = 1.0e-05} : (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("down.4.4")
    %down.4.4.running_mean.new, %down.4.4.running_var.new = memplan.batch_norm_update_stats %down.4.4.running_mean, %down.4.4.running_var, %down.4.4.mean, %down.4.4.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("down.4.4")
    %down.4.5 = memplan.relu %down.4.4 : (tensor<1x512x26x38xf32>) -> tensor<1x512x26x38xf32> loc("down.4.5")
    %down.4.6 = memplan.conv2d %down.4.5, %down.4.6.weight {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x26x38xf32> loc("down.4.6")
    %down.4.7, %down.4.7.mean, %down.4.7.invstd, %down.4.7.variance = memplan.batch_norm %down.4.6, %down.4.7.weight, %down.4.7.bias {epsilon = 1.0e-05} : (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("down.4.7")
    %down.4.7.running_mean.new, %down.4.7.running_var.new = memplan.batch_norm_update_stats %down.4.7.running_mean, %down.4.7.running_var, %down.4.7.mean, %down.4.7.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("down.4.7")
    %down.4.8 = memplan.relu %down.4.7 : (tensor<1x512x26x38xf32>) -> tensor<1x512x26x38xf32> loc("down.4.8")
    %max_pool2d_4, %max_pool2d.indices_4 = memplan.max_pool2d %down.4.8 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x512x26x38xf32>) -> (tensor<1x512x13x19xf32>, tensor<1x512x13x19xi8>) loc("model")
    %up.0 = memplan.conv_transpose2d %max_pool2d_4, %up.0.weight, %up.0.bias {strides = [2, 2]} : (tensor<1x512x13x19xf32>, tensor<512x512x2x2xf32>, tensor<512xf32>) -> tensor<1x512x26x38xf32> loc("up.0")
    %dec.0.0 = memplan.conv2d %up.0, %dec.0.0.weight {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x26x38xf32> loc("dec.0.0")
    %dec.0.1, %dec.0.1.mean, %dec.0.1.invstd, %dec.0.1.variance = memplan.batch_norm %dec.0.0, %dec.0.1.weight, %dec.0.1.bias {epsilon = 1.0e-05} : (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("dec.0.1")
    %dec.0.1.running_mean.new, %dec.0.1.running_var.new = memplan.batch_norm_update_stats %dec.0.1.running_mean, %dec.0.1.running_var, %dec.0.1.mean, %dec.0.1.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("dec.0.1")
    %dec.0.2 = memplan.relu %dec.0.1 : (tensor<1x512x26x38xf32>) -> tensor<1x512x26x38xf32> loc("dec.0.2")
    %dec.0.3 = memplan.conv2d %dec.0.2, %dec.0.3.weight {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x26x38xf32> loc("dec.0.3")
    %dec.0.4, %dec.0.4.mean, %dec.0.4.invstd, %dec.0.4.variance = memplan.batch_norm %dec.0.3, %dec.0.4.weight, %dec.0.4.bias {epsilon = 1.0e-05} : (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("dec.0.4")
    %dec.0.4.running_mean.new, %dec.0.4.running_var.new = memplan.batch_norm_update_stats %dec.0.4.running_mean, %dec.0.4.running_var, %dec.0.4.mean, %dec.0.4.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("dec.0.4")
    %dec.0.5 = memplan.relu %dec.0.4 : (tensor<1x512x26x38xf32>) -> tensor<1x512x26x38xf32> loc("dec.0.5")
    %dec.0.6 = memplan.conv2d %dec.0.5, %dec.0.6.weight {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x26x38xf32> loc("dec.0.6")
    %dec.0.7, %dec.0.7.mean, %dec.0.7.invstd, %dec.0.7.variance = memplan.batch_norm %dec.0.6, %dec.0.7.weight, %dec.0.7.bias {epsilon = 1.0e-05} : (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1x512x26x38xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("dec.0.7")
    %dec.0.7.running_mean.new, %dec.0.7.running_var.new = memplan.batch_norm_update_stats %dec.0.7.running_mean, %dec.0.7.running_var, %dec.0.7.mean, %dec.0.7.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("dec.0.7")
    %dec.0.8 = memplan.relu %dec.0.7 : (tensor<1x512x26x38xf32>) -> tensor<1x512x26x38xf32> loc("dec.0.8")
    %up.1 = memplan.conv_transpose2d %dec.0.8, %up.1.weight, %up.1.bias {strides = [2, 2]} : (tensor<1x512x26x38xf32>, tensor<512x512x2x2xf32>, tensor<512xf32>) -> tensor<1x512x52x76xf32> loc("up.1")
    %dec.1.0 = memplan.conv2d %up.1, %dec.1.0.weight {padding = [1, 1]} : (tensor<1x512x52x76xf32>, tensor<256x512x3x3xf32>) -> tensor<1x256x52x76xf32> loc("dec.1.0")
    %dec.1.1, %dec.1.1.mean, %dec.1.1.invstd, %dec.1.1.variance = memplan.batch_norm %dec.1.0, %dec.1.1.weight, %dec.1.1.bias {epsilon = 1.0e-05} : (tensor<1x256x52x76xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x52x76xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("dec.1.1")
    %dec.1.1.running_mean.new, %dec.1.1.running_var.new = memplan.batch_norm_update_stats %dec.1.1.running_mean, %dec.1.1.running_var, %dec.1.1.mean, %dec.1.1.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("dec.1.1")
    %dec.1.2 = memplan.relu %dec.1.1 : (tensor<1x256x52x76xf32>) -> tensor<1x256x52x76xf32> loc("dec.1.2")
    %dec.1.3 = memplan.conv2d %dec.1.2, %dec.1.3.weight {padding = [1, 1]} : (tensor<1x256x52x76xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x52x76xf32> loc("dec.1.3")
    %dec.1.4, %dec.1.4.mean, %dec.1.4.invstd, %dec.1.4.variance = memplan.batch_norm %dec.1.3, %dec.1.4.weight, %dec.1.4.bias {epsilon = 1.0e-05} : (tensor<1x256x52x76xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x52x76xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("dec.1.4")
    %dec.1.4.running_mean.new, %dec.1.4.running_var.new = memplan.batch_norm_update_stats %dec.1.4.running_mean, %dec.1.4.running_var, %dec.1.4.mean, %dec.1.4.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("dec.1.4")
    %dec.1.5 = memplan.relu %dec.1.4 : (tensor<1x256x52x76xf32>) -> tensor<1x256x52x76xf32> loc("dec.1.5")
    %dec.1.6 = memplan.conv2d %dec.1.5, %dec.1.6.weight {padding = [1, 1]} : (tensor<1x256x52x76xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x52x76xf32> loc("dec.1.6")
    %dec.1.7, %dec.1.7.mean, %dec.1.7.invstd, %dec.1.7.variance = memplan.batch_norm %dec.1.6, %dec.1.7.weight, %dec.1.7.bias {epsilon = 1.0e-05} : (tensor<1x256x52x76xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<1x256x52x76xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("dec.1.7")
    %dec.1.7.running_mean.new, %dec.1.7.running_var.new = memplan.batch_norm_update_stats %dec.1.7.running_mean, %dec.1.7.running_var, %dec.1.7.mean, %dec.1.7.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("dec.1.7")
    %dec.1.8 = memplan.relu %dec.1.7 : (tensor<1x256x52x76xf32>) -> tensor<1x256x52x76xf32> loc("dec.1.8")
    %up.2 = memplan.conv_transpose2d %dec.1.8, %up.2.weight, %up.2.bias {strides = [2, 2]} : (tensor<1x256x52x76xf32>, tensor<256x256x2x2xf32>, tensor<256xf32>) -> tensor<1x256x104x152xf32> loc("up.2")
    %dec.2.0 = memplan.conv2d %up.2, %dec.2.0.weight {padding = [1, 1]} : (tensor<1x256x104x152xf32>, tensor<128x256x3x3xf32>) -> tensor<1x128x104x152xf32> loc("dec.2.0")
    %dec.2.1, %dec.2.1.mean, %dec.2.1.invstd, %dec.2.1.variance = memplan.batch_norm %dec.2.0, %dec.2.1.weight, %dec.2.1.bias {epsilon = 1.0e-05} : (tensor<1x128x104x152xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<1x128x104x152xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("dec.2.1")
    %dec.2.1.running_mean.new, %dec.2.1.running_var.new = memplan.batch_norm_update_stats %dec.2.1.running_mean, %dec.2.1.running_var, %dec.2.1.mean, %dec.2.1.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("dec.2.1")
    %dec.2.2 = memplan.relu %dec.2.1 : (tensor<1x128x104x152xf32>) -> tensor<1x128x104x152xf32> loc("dec.2.2")
    %dec.2.3 = memplan.conv2d %dec.2.2, %dec.2.3.weight {padding = [1, 1]} : (tensor<1x128x104x152xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x104x152xf32> loc("dec.2.3")
    %dec.2.4, %dec.2.4.mean, %dec.2.4.invstd, %dec.2.4.variance = memplan.batch_norm %dec.2.3, %dec.2.4.weight, %dec.2.4.bias {epsilon = 1.0e-05} : (tensor<1x128x104x152xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<1x128x104x152xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("dec.2.4")
    %dec.2.4.running_mean.new, %dec.2.4.running_var.new = memplan.batch_norm_update_stats %dec.2.4.running_mean, %dec.2.4.running_var, %dec.2.4.mean, %dec.2.4.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("dec.2.4")
    %dec.2.5 = memplan.relu %dec.2.4 : (tensor<1x128x104x152xf32>) -> tensor<1x128x104x152xf32> loc("dec.2.5")
    %dec.2.6 = memplan.conv2d %dec.2.5, %dec.2.6.weight {padding = [1, 1]} : (tensor<1x128x104x152xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x104x152xf32> loc("dec.2.6")
    %dec.2.7, %dec.2.7.mean, %dec.2.7.invstd, %dec.2.7.variance = memplan.batch_norm %dec.2.6, %dec.2.7.weight, %dec.2.7.bias {epsilon = 1.0e-05} : (tensor<1x128x104x152xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<1x128x104x152xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("dec.2.7")
    %dec.2.7.running_mean.new, %dec.2.7.running_var.new = memplan.batch_norm_update_stats %dec.2.7.running_mean, %dec.2.7.running_var, %dec.2.7.mean, %dec.2.7.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("dec.2.7")
    %dec.2.8 = memplan.relu %dec.2.7 : (tensor<1x128x104x152xf32>) -> tensor<1x128x104x152xf32> loc("dec.2.8")
    %up.3 = memplan.conv_transpose2d %dec.2.8, %up.3.weight, %up.3.bias {strides = [2, 2]} : (tensor<1x128x104x152xf32>, tensor<128x128x2x2xf32>, tensor<128xf32>) -> tensor<1x128x208x304xf32> loc("up.3")
    %dec.3.0 = memplan.conv2d %up.3, %dec.3.0.weight {padding = [1, 1]} : (tensor<1x128x208x304xf32>, tensor<64x128x3x3xf32>) -> tensor<1x64x208x304xf32> loc("dec.3.0")
    %dec.3.1, %dec.3.1.mean, %dec.3.1.invstd, %dec.3.1.variance = memplan.batch_norm %dec.3.0, %dec.3.1.weight, %dec.3.1.bias {epsilon = 1.0e-05} : (tensor<1x64x208x304xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x208x304xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("dec.3.1")
    %dec.3.1.running_mean.new, %dec.3.1.running_var.new = memplan.batch_norm_update_stats %dec.3.1.running_mean, %dec.3.1.running_var, %dec.3.1.mean, %dec.3.1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("dec.3.1")
    %dec.3.2 = memplan.relu %dec.3.1 : (tensor<1x64x208x304xf32>) -> tensor<1x64x208x304xf32> loc("dec.3.2")
    %dec.3.3 = memplan.conv2d %dec.3.2, %dec.3.3.weight {padding = [1, 1]} : (tensor<1x64x208x304xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x208x304xf32> loc("dec.3.3")
    %dec.3.4, %dec.3.4.mean, %dec.3.4.invstd, %dec.3.4.variance = memplan.batch_norm %dec.3.3, %dec.3.4.weight, %dec.3.4.bias {epsilon = 1.0e-05} : (tensor<1x64x208x304xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x208x304xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("dec.3.4")
    %dec.3.4.running_mean.new, %dec.3.4.running_var.new = memplan.batch_norm_update_stats %dec.3.4.running_mean, %dec.3.4.running_var, %dec.3.4.mean, %dec.3.4.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("dec.3.4")
    %dec.3.5 = memplan.relu %dec.3.4 : (tensor<1x64x208x304xf32>) -> tensor<1x64x208x304xf32> loc("dec.3.5")
    %up.4 = memplan.conv_transpose2d %dec.3.5, %up.4.weight, %up.4.bias {strides = [2, 2]} : (tensor<1x64x208x304xf32>, tensor<64x64x2x2xf32>, tensor<64xf32>) -> tensor<1x64x416x608xf32> loc("up.4")
    %dec.4.0 = memplan.conv2d %up.4, %dec.4.0.weight {padding = [1, 1]} : (tensor<1x64x416x608xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x416x608xf32> loc("dec.4.0")
    %dec.4.1, %dec.4.1.mean, %dec.4.1.invstd, %dec.4.1.variance = memplan.batch_norm %dec.4.0, %dec.4.1.weight, %dec.4.1.bias {epsilon = 1.0e-05} : (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("dec.4.1")
    %dec.4.1.running_mean.new, %dec.4.1.running_var.new = memplan.batch_norm_update_stats %dec.4.1.running_mean, %dec.4.1.running_var, %dec.4.1.mean, %dec.4.1.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("dec.4.1")
    %dec.4.2 = memplan.relu %dec.4.1 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("dec.4.2")
    %dec.4.3 = memplan.conv2d %dec.4.2, %dec.4.3.weight {padding = [1, 1]} : (tensor<1x64x416x608xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x416x608xf32> loc("dec.4.3")
    %dec.4.4, %dec.4.4.mean, %dec.4.4.invstd, %dec.4.4.variance = memplan.batch_norm %dec.4.3, %dec.4.4.weight, %dec.4.4.bias {epsilon = 1.0e-05} : (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<1x64x416x608xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("dec.4.4")
    %dec.4.4.running_mean.new, %dec.4.4.running_var.new = memplan.batch_norm_update_stats %dec.4.4.running_mean, %dec.4.4.running_var, %dec.4.4.mean, %dec.4.4.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("dec.4.4")
    %dec.4.5 = memplan.relu %dec.4.4 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("dec.4.5")
    %out = memplan.conv2d %dec.4.5, %out.weight, %out.bias : (tensor<1x64x416x608xf32>, tensor<1x64x1x1xf32>, tensor<1xf32>) -> tensor<1x1x416x608xf32> loc("out")
    %bce_with_logits = memplan.bce_with_logits %out, %mask : (tensor<1x1x416x608xf32>, tensor<1x1x416x608xf32>) -> tensor<f32> loc("loss")
    return %bce_with_logits, %down.0.1.running_mean.new, %down.0.1.running_var.new, %down.0.4.running_mean.new, %down.0.4.running_var.new, %down.1.1.running_mean.new, %down.1.1.running_var.new, %down.1.4.running_mean.new, %down.1.4.running_var.new, %down.2.1.running_mean.new, %down.2.1.running_var.new, %down.2.4.running_mean.new, %down.2.4.running_var.new, %down.2.7.running_mean.new, %down.2.7.running_var.new, %down.3.1.running_mean.new, %down.3.1.running_var.new, %down.3.4.running_mean.new, %down.3.4.running_var.new, %down.3.7.running_mean.new, %down.3.7.running_var.new, %down.4.1.running_mean.new, %down.4.1.running_var.new, %down.4.4.running_mean.new, %down.4.4.running_var.new, %down.4.7.running_mean.new, %down.4.7.running_var.new, %dec.0.1.running_mean.new, %dec.0.1.running_var.new, %dec.0.4.running_mean.new, %dec.0.4.running_var.new, %dec.0.7.running_mean.new, %dec.0.7.running_var.new, %dec.1.1.running_mean.new, %dec.1.1.running_var.new, %dec.1.4.running_mean.new, %dec.1.4.running_var.new, %dec.1.7.running_mean.new, %dec.1.7.running_var.new, %dec.2.1.running_mean.new, %dec.2.1.running_var.new, %dec.2.4.running_mean.new, %dec.2.4.running_var.new, %dec.2.7.running_mean.new, %dec.2.7.running_var.new, %dec.3.1.running_mean.new, %dec.3.1.running_var.new, %dec.3.4.running_mean.new, %dec.3.4.running_var.new, %dec.4.1.running_mean.new, %dec.4.1.running_var.new, %dec.4.4.running_mean.new, %dec.4.4.running_var.new : tensor<f32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  }
}
