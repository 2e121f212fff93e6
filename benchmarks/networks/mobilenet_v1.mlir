// One training step of MobileNet v1, batch 32: forward pass and loss.
// 4231976 parameters (16927904 bytes). Written by benchmarks/networks/export.py mobilenet_v1
module {
  func.func @train_step(
      %_0.weight: tensor<32x3x3x3xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "0.weight"},
      %_1.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "1.weight"},
      %_1.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "1.bias"},
      %_3.weight: tensor<32x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "3.weight"},
      %_4.weight: tensor<32xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "4.weight"},
      %_4.bias: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "4.bias"},
      %_6.weight: tensor<64x32x1x1xf32> {memplan.init = "uniform:0.1767767", memplan.kind = "parameter", memplan.name = "6.weight"},
      %_7.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "7.weight"},
      %_7.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "7.bias"},
      %_9.weight: tensor<64x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "9.weight"},
      %_10.weight: tensor<64xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "10.weight"},
      %_10.bias: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "10.bias"},
      %_12.weight: tensor<128x64x1x1xf32> {memplan.init = "uniform:0.125", memplan.kind = "parameter", memplan.name = "12.weight"},
      %_13.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "13.weight"},
      %_13.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "13.bias"},
      %_15.weight: tensor<128x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "15.weight"},
      %_16.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "16.weight"},
      %_16.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "16.bias"},
      %_18.weight: tensor<128x128x1x1xf32> {memplan.init = "uniform:0.08838835", memplan.kind = "parameter", memplan.name = "18.weight"},
      %_19.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "19.weight"},
      %_19.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "19.bias"},
      %_21.weight: tensor<128x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "21.weight"},
      %_22.weight: tensor<128xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "22.weight"},
      %_22.bias: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "22.bias"},
      %_24.weight: tensor<256x128x1x1xf32> {memplan.init = "uniform:0.08838835", memplan.kind = "parameter", memplan.name = "24.weight"},
      %_25.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "25.weight"},
      %_25.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "25.bias"},
      %_27.weight: tensor<256x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "27.weight"},
      %_28.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "28.weight"},
      %_28.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "28.bias"},
      %_30.weight: tensor<256x256x1x1xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "30.weight"},
      %_31.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "31.weight"},
      %_31.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "31.bias"},
      %_33.weight: tensor<256x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "33.weight"},
      %_34.weight: tensor<256xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "34.weight"},
      %_34.bias: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "34.bias"},
      %_36.weight: tensor<512x256x1x1xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "36.weight"},
      %_37.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "37.weight"},
      %_37.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "37.bias"},
      %_39.weight: tensor<512x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "39.weight"},
      %_40.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "40.weight"},
      %_40.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "40.bias"},
      %_42.weight: tensor<512x512x1x1xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "42.weight"},
      %_43.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "43.weight"},
      %_43.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "43.bias"},
      %_45.weight: tensor<512x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "45.weight"},
      %_46.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "46.weight"},
      %_46.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "46.bias"},
      %_48.weight: tensor<512x512x1x1xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "48.weight"},
      %_49.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "49.weight"},
      %_49.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "49.bias"},
      %_51.weight: tensor<512x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "51.weight"},
      %_52.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "52.weight"},
      %_52.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "52.bias"},
      %_54.weight: tensor<512x512x1x1xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "54.weight"},
      %_55.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "55.weight"},
      %_55.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "55.bias"},
      %_57.weight: tensor<512x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "57.weight"},
      %_58.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "58.weight"},
      %_58.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "58.bias"},
      %_60.weight: tensor<512x512x1x1xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "60.weight"},
      %_61.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "61.weight"},
      %_61.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "61.bias"},
      %_63.weight: tensor<512x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "63.weight"},
      %_64.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "64.weight"},
      %_64.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "64.bias"},
      %_66.weight: tensor<512x512x1x1xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "66.weight"},
      %_67.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "67.weight"},
      %_67.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "67.bias"},
      %_69.weight: tensor<512x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "69.weight"},
      %_70.weight: tensor<512xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "70.weight"},
      %_70.bias: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "70.bias"},
      %_72.weight: tensor<1024x512x1x1xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "72.weight"},
      %_73.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "73.weight"},
      %_73.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "73.bias"},
      %_75.weight: tensor<1024x1x3x3xf32> {memplan.init = "uniform:0.3333333", memplan.kind = "parameter", memplan.name = "75.weight"},
      %_76.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "76.weight"},
      %_76.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "76.bias"},
      %_78.weight: tensor<1024x1024x1x1xf32> {memplan.init = "uniform:0.03125", memplan.kind = "parameter", memplan.name = "78.weight"},
      %_79.weight: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "parameter", memplan.name = "79.weight"},
      %_79.bias: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "parameter", memplan.name = "79.bias"},
      %_83.weight: tensor<1000x1024xf32> {memplan.init = "uniform:0.03125", memplan.kind = "parameter", memplan.name = "83.weight"},
      %_83.bias: tensor<1000xf32> {memplan.init = "uniform:0.03125", memplan.kind = "parameter", memplan.name = "83.bias"},
      %_1.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "1.running_mean"},
      %_1.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "1.running_var"},
      %_4.running_mean: tensor<32xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "4.running_mean"},
      %_4.running_var: tensor<32xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "4.running_var"},
      %_7.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "7.running_mean"},
      %_7.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "7.running_var"},
      %_10.running_mean: tensor<64xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "10.running_mean"},
      %_10.running_var: tensor<64xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "10.running_var"},
      %_13.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "13.running_mean"},
      %_13.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "13.running_var"},
      %_16.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "16.running_mean"},
      %_16.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "16.running_var"},
      %_19.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "19.running_mean"},
      %_19.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "19.running_var"},
      %_22.running_mean: tensor<128xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "22.running_mean"},
      %_22.running_var: tensor<128xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "22.running_var"},
      %_25.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "25.running_mean"},
      %_25.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "25.running_var"},
      %_28.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "28.running_mean"},
      %_28.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "28.running_var"},
      %_31.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "31.running_mean"},
      %_31.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "31.running_var"},
      %_34.running_mean: tensor<256xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "34.running_mean"},
      %_34.running_var: tensor<256xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "34.running_var"},
      %_37.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "37.running_mean"},
      %_37.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "37.running_var"},
      %_40.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "40.running_mean"},
      %_40.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "40.running_var"},
      %_43.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "43.running_mean"},
      %_43.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "43.running_var"},
      %_46.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "46.running_mean"},
      %_46.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "46.running_var"},
      %_49.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "49.running_mean"},
      %_49.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "49.running_var"},
      %_52.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "52.running_mean"},
      %_52.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "52.running_var"},
      %_55.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "55.running_mean"},
      %_55.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "55.running_var"},
      %_58.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "58.running_mean"},
      %_58.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "58.running_var"},
      %_61.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "61.running_mean"},
      %_61.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "61.running_var"},
      %_64.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "64.running_mean"},
      %_64.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "64.running_var"},
      %_67.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "67.running_mean"},
      %_67.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "67.running_var"},
      %_70.running_mean: tensor<512xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "70.running_mean"},
      %_70.running_var: tensor<512xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "70.running_var"},
      %_73.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "73.running_mean"},
      %_73.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "73.running_var"},
      %_76.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "76.running_mean"},
      %_76.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "76.running_var"},
      %_79.running_mean: tensor<1024xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "79.running_mean"},
      %_79.running_var: tensor<1024xf32> {memplan.init = "ones", memplan.kind = "state", memplan.name = "79.running_var"},
      %image: tensor<32x3x224x224xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %label: tensor<32xi64> {memplan.batch = 0, memplan.high = 1000, memplan.kind = "input", memplan.name = "label"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"},
      tensor<32xf32> {memplan.name = "1.running_mean", memplan.updates = 83},
      tensor<32xf32> {memplan.name = "1.running_var", memplan.updates = 84},
      tensor<32xf32> {memplan.name = "4.running_mean", memplan.updates = 85},
      tensor<32xf32> {memplan.name = "4.running_var", memplan.updates = 86},
      tensor<64xf32> {memplan.name = "7.running_mean", memplan.updates = 87},
      tensor<64xf32> {memplan.name = "7.running_var", memplan.updates = 88},
      tensor<64xf32> {memplan.name = "10.running_mean", memplan.updates = 89},
      tensor<64xf32> {memplan.name = "10.running_var", memplan.updates = 90},
      tensor<128xf32> {memplan.name = "13.running_mean", memplan.updates = 91},
      tensor<128xf32> {memplan.name = "13.running_var", memplan.updates = 92},
      tensor<128xf32> {memplan.name = "16.running_mean", memplan.updates = 93},
      tensor<128xf32> {memplan.name = "16.running_var", memplan.updates = 94},
      tensor<128xf32> {memplan.name = "19.running_mean", memplan.updates = 95},
      tensor<128xf32> {memplan.name = "19.running_var", memplan.updates = 96},
      tensor<128xf32> {memplan.name = "22.running_mean", memplan.updates = 97},
      tensor<128xf32> {memplan.name = "22.running_var", memplan.updates = 98},
      tensor<256xf32> {memplan.name = "25.running_mean", memplan.updates = 99},
      tensor<256xf32> {memplan.name = "25.running_var", memplan.updates = 100},
      tensor<256xf32> {memplan.name = "28.running_mean", memplan.updates = 101},
      tensor<256xf32> {memplan.name = "28.running_var", memplan.updates = 102},
      tensor<256xf32> {memplan.name = "31.running_mean", memplan.updates = 103},
      tensor<256xf32> {memplan.name = "31.running_var", memplan.updates = 104},
      tensor<256xf32> {memplan.name = "34.running_mean", memplan.updates = 105},
      tensor<256xf32> {memplan.name = "34.running_var", memplan.updates = 106},
      tensor<512xf32> {memplan.name = "37.running_mean", memplan.updates = 107},
      tensor<512xf32> {memplan.name = "37.running_var", memplan.updates = 108},
      tensor<512xf32> {memplan.name = "40.running_mean", memplan.updates = 109},
      tensor<512xf32> {memplan.name = "40.running_var", memplan.updates = 110},
      tensor<512xf32> {memplan.name = "43.running_mean", memplan.updates = 111},
      tensor<512xf32> {memplan.name = "43.running_var", memplan.updates = 112},
      tensor<512xf32> {memplan.name = "46.running_mean", memplan.updates = 113},
      tensor<512xf32> {memplan.name = "46.running_var", memplan.updates = 114},
      tensor<512xf32> {memplan.name = "49.running_mean", memplan.updates = 115},
      tensor<512xf32> {memplan.name = "49.running_var", memplan.updates = 116},
      tensor<512xf32> {memplan.name = "52.running_mean", memplan.updates = 117},
      tensor<512xf32> {memplan.name = "52.running_var", memplan.updates = 118},
      tensor<512xf32> {memplan.name = "55.running_mean", memplan.updates = 119},
      tensor<512xf32> {memplan.name = "55.running_var", memplan.updates = 120},
      tensor<512xf32> {memplan.name = "58.running_mean", memplan.updates = 121},
      tensor<512xf32> {memplan.name = "58.running_var", memplan.updates = 122},
      tensor<512xf32> {memplan.name = "61.running_mean", memplan.updates = 123},
      tensor<512xf32> {memplan.name = "61.running_var", memplan.updates = 124},
      tensor<512xf32> {memplan.name = "64.running_mean", memplan.updates = 125},
      tensor<512xf32> {memplan.name = "64.running_var", memplan.updates = 126},
      tensor<512xf32> {memplan.name = "67.running_mean", memplan.updates = 127},
      tensor<512xf32> {memplan.name = "67.running_var", memplan.updates = 128},
      tensor<512xf32> {memplan.name = "70.running_mean", memplan.updates = 129},
      tensor<512xf32> {memplan.name = "70.running_var", memplan.updates = 130},
      tensor<1024xf32> {memplan.name = "73.running_mean", memplan.updates = 131},
      tensor<1024xf32> {memplan.name = "73.running_var", memplan.updates = 132},
      tensor<1024xf32> {memplan.name = "76.running_mean", memplan.updates = 133},
      tensor<1024xf32> {memplan.name = "76.running_var", memplan.updates = 134},
      tensor<1024xf32> {memplan.name = "79.running_mean", memplan.updates = 135},
      tensor<1024xf32> {memplan.name = "79.running_var", memplan.updates = 136}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %_0 = memplan.conv2d %image, %_0.weight {padding = [1, 1], strides = [2, 2]} : (tensor<32x3x224x224xf32>, tensor<32x3x3x3xf32>) -> tensor<32x32x112x112xf32> loc("0")
    %_1, %_1.mean, %_1.invstd, %_1.variance = memplan.batch_norm %_0, %_1.weight, %_1.bias {epsilon = 1.0e-05} : (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("1")
    %_1.running_mean.new, %_1.running_var.new = memplan.batch_norm_update_stats %_1.running_mean, %_1.running_var, %_1.mean, %_1.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("1")
    %_2 = memplan.clamp %_1 {max = 6.0, min = 0.0} : (tensor<32x32x112x112xf32>) -> tensor<32x32x112x112xf32> loc("2")
    %_3 = memplan.conv2d %_2, %_3.weight {groups = 32, padding = [1, 1]} : (tensor<32x32x112x112xf32>, tensor<32x1x3x3xf32>) -> tensor<32x32x112x112xf32> loc("3")
    %_4, %_4.mean, %_4.invstd, %_4.variance = memplan.batch_norm %_3, %_4.weight, %_4.bias {epsilon = 1.0e-05} : (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32x112x112xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) loc("4")
    %_4.running_mean.new, %_4.running_var.new = memplan.batch_norm_update_stats %_4.running_mean, %_4.running_var, %_4.mean, %_4.variance {momentum = 0.1} : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) loc("4")
    %_5 = memplan.clamp %_4 {max = 6.0, min = 0.0} : (tensor<32x32x112x112xf32>) -> tensor<32x32x112x112xf32> loc("5")
    %_6 = memplan.conv2d %_5, %_6.weight : (tensor<32x32x112x112xf32>, tensor<64x32x1x1xf32>) -> tensor<32x64x112x112xf32> loc("6")
    %_7, %_7.mean, %_7.invstd, %_7.variance = memplan.batch_norm %_6, %_7.weight, %_7.bias {epsilon = 1.0e-05} : (tensor<32x64x112x112xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x112x112xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("7")
    %_7.running_mean.new, %_7.running_var.new = memplan.batch_norm_update_stats %_7.running_mean, %_7.running_var, %_7.mean, %_7.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("7")
    %_8 = memplan.clamp %_7 {max = 6.0, min = 0.0} : (tensor<32x64x112x112xf32>) -> tensor<32x64x112x112xf32> loc("8")
    %_9 = memplan.conv2d %_8, %_9.weight {groups = 64, padding = [1, 1], strides = [2, 2]} : (tensor<32x64x112x112xf32>, tensor<64x1x3x3xf32>) -> tensor<32x64x56x56xf32> loc("9")
    %_10, %_10.mean, %_10.invstd, %_10.variance = memplan.batch_norm %_9, %_10.weight, %_10.bias {epsilon = 1.0e-05} : (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) loc("10")
    %_10.running_mean.new, %_10.running_var.new = memplan.batch_norm_update_stats %_10.running_mean, %_10.running_var, %_10.mean, %_10.variance {momentum = 0.1} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) loc("10")
    %_11 = memplan.clamp %_10 {max = 6.0, min = 0.0} : (tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> loc("11")
    %_12 = memplan.conv2d %_11, %_12.weight : (tensor<32x64x56x56xf32>, tensor<128x64x1x1xf32>) -> tensor<32x128x56x56xf32> loc("12")
    %_13, %_13.mean, %_13.invstd, %_13.variance = memplan.batch_norm %_12, %_13.weight, %_13.bias {epsilon = 1.0e-05} : (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("13")
    %_13.running_mean.new, %_13.running_var.new = memplan.batch_norm_update_stats %_13.running_mean, %_13.running_var, %_13.mean, %_13.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("13")
    %_14 = memplan.clamp %_13 {max = 6.0, min = 0.0} : (tensor<32x128x56x56xf32>) -> tensor<32x128x56x56xf32> loc("14")
    %_15 = memplan.conv2d %_14, %_15.weight {groups = 128, padding = [1, 1]} : (tensor<32x128x56x56xf32>, tensor<128x1x3x3xf32>) -> tensor<32x128x56x56xf32> loc("15")
    %_16, %_16.mean, %_16.invstd, %_16.variance = memplan.batch_norm %_15, %_16.weight, %_16.bias {epsilon = 1.0e-05} : (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("16")
    %_16.running_mean.new, %_16.running_var.new = memplan.batch_norm_update_stats %_16.running_mean, %_16.running_var, %_16.mean, %_16.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("16")
    %_17 = memplan.clamp %_16 {max = 6.0, min = 0.0} : (tensor<32x128x56x56xf32>) -> tensor<32x128x56x56xf32> loc("17")
    %_18 = memplan.conv2d %_17, %_18.weight : (tensor<32x128x56x56xf32>, tensor<128x128x1x1xf32>) -> tensor<32x128x56x56xf32> loc("18")
    %_19, %_19.mean, %_19.invstd, %_19.variance = memplan.batch_norm %_18, %_19.weight, %_19.bias {epsilon = 1.0e-05} : (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x56x56xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("19")
    %_19.running_mean.new, %_19.running_var.new = memplan.batch_norm_update_stats %_19.running_mean, %_19.running_var, %_19.mean, %_19.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("19")
    %_20 = memplan.clamp %_19 {max = 6.0, min = 0.0} : (tensor<32x128x56x56xf32>) -> tensor<32x128x56x56xf32> loc("20")
    %_21 = memplan.conv2d %_20, %_21.weight {groups = 128, padding = [1, 1], strides = [2, 2]} : (tensor<32x128x56x56xf32>, tensor<128x1x3x3xf32>) -> tensor<32x128x28x28xf32> loc("21")
    %_22, %_22.mean, %_22.invstd, %_22.variance = memplan.batch_norm %_21, %_22.weight, %_22.bias {epsilon = 1.0e-05} : (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<32x128x28x28xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) loc("22")
    %_22.running_mean.new, %_22.running_var.new = memplan.batch_norm_update_stats %_22.running_mean, %_22.running_var, %_22.mean, %_22.variance {momentum = 0.1} : (tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) loc("22")
    %_23 = memplan.clamp %_22 {max = 6.0, min = 0.0} : (tensor<32x128x28x28xf32>) -> tensor<32x128x28x28xf32> loc("23")
    %_24 = memplan.conv2d %_23, %_24.weight : (tensor<32x128x28x28xf32>, tensor<256x128x1x1xf32>) -> tensor<32x256x28x28xf32> loc("24")
    %_25, %_25.mean, %_25.invstd, %_25.variance = memplan.batch_norm %_24, %_25.weight, %_25.bias {epsilon = 1.0e-05} : (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("25")
    %_25.running_mean.new, %_25.running_var.new = memplan.batch_norm_update_stats %_25.running_mean, %_25.running_var, %_25.mean, %_25.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("25")
    %_26 = memplan.clamp %_25 {max = 6.0, min = 0.0} : (tensor<32x256x28x28xf32>) -> tensor<32x256x28x28xf32> loc("26")
    %_27 = memplan.conv2d %_26, %_27.weight {groups = 256, padding = [1, 1]} : (tensor<32x256x28x28xf32>, tensor<256x1x3x3xf32>) -> tensor<32x256x28x28xf32> loc("27")
    %_28, %_28.mean, %_28.invstd, %_28.variance = memplan.batch_norm %_27, %_28.weight, %_28.bias {epsilon = 1.0e-05} : (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("28")
    %_28.running_mean.new, %_28.running_var.new = memplan.batch_norm_update_stats %_28.running_mean, %_28.running_var, %_28.mean, %_28.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("28")
    %_29 = memplan.clamp %_28 {max = 6.0, min = 0.0} : (tensor<32x256x28x28xf32>) -> tensor<32x256x28x28xf32> loc("29")
    %_30 = memplan.conv2d %_29, %_30.weight : (tensor<32x256x28x28xf32>, tensor<256x256x1x1xf32>) -> tensor<32x256x28x28xf32> loc("30")
    %_31, %_31.mean, %_31.invstd, %_31.variance = memplan.batch_norm %_30, %_31.weight, %_31.bias {epsilon = 1.0e-05} : (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x28x28xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("31")
    %_31.running_mean.new, %_31.running_var.new = memplan.batch_norm_update_stats %_31.running_mean, %_31.running_var, %_31.mean, %_31.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("31")
    %_32 = memplan.clamp %_31 {max = 6.0, min = 0.0} : (tensor<32x256x28x28xf32>) -> tensor<32x256x28x28xf32> loc("32")
    %_33 = memplan.conv2d %_32, %_33.weight {groups = 256, padding = [1, 1], strides = [2, 2]} : (tensor<32x256x28x28xf32>, tensor<256x1x3x3xf32>) -> tensor<32x256x14x14xf32> loc("33")
    %_34, %_34.mean, %_34.invstd, %_34.variance = memplan.batch_norm %_33, %_34.weight, %_34.bias {epsilon = 1.0e-05} : (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<32x256x14x14xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) loc("34")
    %_34.running_mean.new, %_34.running_var.new = memplan.batch_norm_update_stats %_34.running_mean, %_34.running_var, %_34.mean, %_34.variance {momentum = 0.1} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) loc("34")
    %_35 = memplan.clamp %_34 {max = 6.0, min = 0.0} : (tensor<32x256x14x14xf32>) -> tensor<32x256x14x14xf32> loc("35")
    %_36 = memplan.conv2d %_35, %_36.weight : (tensor<32x256x14x14xf32>, tensor<512x256x1x1xf32>) -> tensor<32x512x14x14xf32> loc("36")
    %_37, %_37.mean, %_37.invstd, %_37.variance = memplan.batch_norm %_36, %_37.weight, %_37.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("37")
    %_37.running_mean.new, %_37.running_var.new = memplan.batch_norm_update_stats %_37.running_mean, %_37.running_var, %_37.mean, %_37.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("37")
    %_38 = memplan.clamp %_37 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("38")
    %_39 = memplan.conv2d %_38, %_39.weight {groups = 512, padding = [1, 1]} : (tensor<32x512x14x14xf32>, tensor<512x1x3x3xf32>) -> tensor<32x512x14x14xf32> loc("39")
    %_40, %_40.mean, %_40.invstd, %_40.variance = memplan.batch_norm %_39, %_40.weight, %_40.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("40")
    %_40.running_mean.new, %_40.running_var.new = memplan.batch_norm_update_stats %_40.running_mean, %_40.running_var, %_40.mean, %_40.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("40")
    %_41 = memplan.clamp %_40 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("41")
    %_42 = memplan.conv2d %_41, %_42.weight : (tensor<32x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<32x512x14x14xf32> loc("42")
    %_43, %_43.mean, %_43.invstd, %_43.variance = memplan.batch_norm %_42, %_43.weight, %_43.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("43")
    %_43.running_mean.new, %_43.running_var.new = memplan.batch_norm_update_stats %_43.running_mean, %_43.running_var, %_43.mean, %_43.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("43")
    %_44 = memplan.clamp %_43 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("44")
    %_45 = memplan.conv2d %_44, %_45.weight {groups = 512, padding = [1, 1]} : (tensor<32x512x14x14xf32>, tensor<512x1x3x3xf32>) -> tensor<32x512x14x14xf32> loc("45")
    %_46, %_46.mean, %_46.invstd, %_46.variance = memplan.batch_norm %_45, %_46.weight, %_46.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("46")
    %_46.running_mean.new, %_46.running_var.new = memplan.batch_norm_update_stats %_46.running_mean, %_46.running_var, %_46.mean, %_46.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("46")
    %_47 = memplan.clamp %_46 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("47")
    %_48 = memplan.conv2d %_47, %_48.weight : (tensor<32x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<32x512x14x14xf32> loc("48")
    %_49, %_49.mean, %_49.invstd, %_49.variance = memplan.batch_norm %_48, %_49.weight, %_49.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("49")
    %_49.running_mean.new, %_49.running_var.new = memplan.batch_norm_update_stats %_49.running_mean, %_49.running_var, %_49.mean, %_49.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("49")
    %_50 = memplan.clamp %_49 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("50")
    %_51 = memplan.conv2d %_50, %_51.weight {groups = 512, padding = [1, 1]} : (tensor<32x512x14x14xf32>, tensor<512x1x3x3xf32>) -> tensor<32x512x14x14xf32> loc("51")
    %_52, %_52.mean, %_52.invstd, %_52.variance = memplan.batch_norm %_51, %_52.weight, %_52.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("52")
    %_52.running_mean.new, %_52.running_var.new = memplan.batch_norm_update_stats %_52.running_mean, %_52.running_var, %_52.mean, %_52.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("52")
    %_53 = memplan.clamp %_52 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("53")
    %_54 = memplan.conv2d %_53, %_54.weight : (tensor<32x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<32x512x14x14xf32> loc("54")
    %_55, %_55.mean, %_55.invstd, %_55.variance = memplan.batch_norm %_54, %_55.weight, %_55.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("55")
    %_55.running_mean.new, %_55.running_var.new = memplan.batch_norm_update_stats %_55.running_mean, %_55.running_var, %_55.mean, %_55.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("55")
    %_56 = memplan.clamp %_55 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("56")
    %_57 = memplan.conv2d %_56, %_57.weight {groups = 512, padding = [1, 1]} : (tensor<32x512x14x14xf32>, tensor<512x1x3x3xf32>) -> tensor<32x512x14x14xf32> loc("57")
    %_58, %_58.mean, %_58.invstd, %_58.variance = memplan.batch_norm %_57, %_58.weight, %_58.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("58")
    %_58.running_mean.new, %_58.running_var.new = memplan.batch_norm_update_stats %_58.running_mean, %_58.running_var, %_58.mean, %_58.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("58")
    %_59 = memplan.clamp %_58 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("59")
    %_60 = memplan.conv2d %_59, %_60.weight : (tensor<32x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<32x512x14x14xf32> loc("60")
    %_61, %_61.mean, %_61.invstd, %_61.variance = memplan.batch_norm %_60, %_61.weight, %_61.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("61")
    %_61.running_mean.new, %_61.running_var.new = memplan.batch_norm_update_stats %_61.running_mean, %_61.running_var, %_61.mean, %_61.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("61")
    %_62 = memplan.clamp %_61 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("62")
    %_63 = memplan.conv2d %_62, %_63.weight {groups = 512, padding = [1, 1]} : (tensor<32x512x14x14xf32>, tensor<512x1x3x3xf32>) -> tensor<32x512x14x14xf32> loc("63")
    %_64, %_64.mean, %_64.invstd, %_64.variance = memplan.batch_norm %_63, %_64.weight, %_64.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("64")
    %_64.running_mean.new, %_64.running_var.new = memplan.batch_norm_update_stats %_64.running_mean, %_64.running_var, %_64.mean, %_64.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("64")
    %_65 = memplan.clamp %_64 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("65")
    %_66 = memplan.conv2d %_65, %_66.weight : (tensor<32x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<32x512x14x14xf32> loc("66")
    %_67, %_67.mean, %_67.invstd, %_67.variance = memplan.batch_norm %_66, %_67.weight, %_67.bias {epsilon = 1.0e-05} : (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x14x14xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("67")
    %_67.running_mean.new, %_67.running_var.new = memplan.batch_norm_update_stats %_67.running_mean, %_67.running_var, %_67.mean, %_67.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("67")
    %_68 = memplan.clamp %_67 {max = 6.0, min = 0.0} : (tensor<32x512x14x14xf32>) -> tensor<32x512x14x14xf32> loc("68")
    %_69 = memplan.conv2d %_68, %_69.weight {groups = 512, padding = [1, 1], strides = [2, 2]} : (tensor<32x512x14x14xf32>, tensor<512x1x3x3xf32>) -> tensor<32x512x7x7xf32> loc("69")
    %_70, %_70.mean, %_70.invstd, %_70.variance = memplan.batch_norm %_69, %_70.weight, %_70.bias {epsilon = 1.0e-05} : (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<32x512x7x7xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) loc("70")
    %_70.running_mean.new, %_70.running_var.new = memplan.batch_norm_update_stats %_70.running_mean, %_70.running_var, %_70.mean, %_70.variance {momentum = 0.1} : (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) loc("70")
    %_71 = memplan.clamp %_70 {max = 6.0, min = 0.0} : (tensor<32x512x7x7xf32>) -> tensor<32x512x7x7xf32> loc("71")
    %_72 = memplan.conv2d %_71, %_72.weight : (tensor<32x512x7x7xf32>, tensor<1024x512x1x1xf32>) -> tensor<32x1024x7x7xf32> loc("72")
    %_73, %_73.mean, %_73.invstd, %_73.variance = memplan.batch_norm %_72, %_73.weight, %_73.bias {epsilon = 1.0e-05} : (tensor<32x1024x7x7xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x7x7xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("73")
    %_73.running_mean.new, %_73.running_var.new = memplan.batch_norm_update_stats %_73.running_mean, %_73.running_var, %_73.mean, %_73.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("73")
    %_74 = memplan.clamp %_73 {max = 6.0, min = 0.0} : (tensor<32x1024x7x7xf32>) -> tensor<32x1024x7x7xf32> loc("74")
    %_75 = memplan.conv2d %_74, %_75.weight {groups = 1024, padding = [1, 1]} : (tensor<32x1024x7x7xf32>, tensor<1024x1x3x3xf32>) -> tensor<32x1024x7x7xf32> loc("75")
    %_76, %_76.mean, %_76.invstd, %_76.variance = memplan.batch_norm %_75, %_76.weight, %_76.bias {epsilon = 1.0e-05} : (tensor<32x1024x7x7xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x7x7xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("76")
    %_76.running_mean.new, %_76.running_var.new = memplan.batch_norm_update_stats %_76.running_mean, %_76.running_var, %_76.mean, %_76.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("76")
    %_77 = memplan.clamp %_76 {max = 6.0, min = 0.0} : (tensor<32x1024x7x7xf32>) -> tensor<32x1024x7x7xf32> loc("77")
    %_78 = memplan.conv2d %_77, %_78.weight : (tensor<32x1024x7x7xf32>, tensor<1024x1024x1x1xf32>) -> tensor<32x1024x7x7xf32> loc("78")
    %_79, %_79.mean, %_79.invstd, %_79.variance = memplan.batch_norm %_78, %_79.weight, %_79.bias {epsilon = 1.0e-05} : (tensor<32x1024x7x7xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<32x1024x7x7xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) loc("79")
    %_79.running_mean.new, %_79.running_var.new = memplan.batch_norm_update_stats %_79.running_mean, %_79.running_var, %_79.mean, %_79.variance {momentum = 0.1} : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) loc("79")
    %_80 = memplan.clamp %_79 {max = 6.0, min = 0.0} : (tensor<32x1024x7x7xf32>) -> tensor<32x1024x7x7xf32> loc("80")
    %_81 = memplan.adaptive_avg_pool2d %_80 {output_size = [1, 1]} : (tensor<32x1024x7x7xf32>) -> tensor<32x1024x1x1xf32> loc("81")
    %_82 = memplan.reshape %_81 {shape = [-1, 1024]} : (tensor<32x1024x1x1xf32>) -> tensor<32x1024xf32> loc("82")
    %_83 = memplan.matmul %_82, %_83.weight, %_83.bias {transpose_rhs} : (tensor<32x1024xf32>, tensor<1000x1024xf32>, tensor<1000xf32>) -> tensor<32x1000xf32> loc("83")
    %cross_entropy, %cross_entropy.logsumexp = memplan.cross_entropy %_83, %label : (tensor<32x1000xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>) loc("loss")
    return %cross_entropy, %_1.running_mean.new, %_1.running_var.new, %_4.running_mean.new, %_4.running_var.new, %_7.running_mean.new, %_7.running_var.new, %_10.running_mean.new, %_10.running_var.new, %_13.running_mean.new, %_13.running_var.new, %_16.running_mean.new, %_16.running_var.new, %_19.running_mean.new, %_19.running_var.new, %_22.running_mean.new, %_22.running_var.new, %_25.running_mean.new, %_25.running_var.new, %_28.running_mean.new, %_28.running_var.new, %_31.running_mean.new, %_31.running_var.new, %_34.running_mean.new, %_34.running_var.new, %_37.running_mean.new, %_37.running_var.new, %_40.running_mean.new, %_40.running_var.new, %_43.running_mean.new, %_43.running_var.new, %_46.running_mean.new, %_46.running_var.new, %_49.running_mean.new, %_49.running_var.new, %_52.running_mean.new, %_52.running_var.new, %_55.running_mean.new, %_55.running_var.new, %_58.running_mean.new, %_58.running_var.new, %_61.running_mean.new, %_61.running_var.new, %_64.running_mean.new, %_64.running_var.new, %_67.running_mean.new, %_67.running_var.new, %_70.running_mean.new, %_70.running_var.new, %_73.running_mean.new, %_73.running_var.new, %_76.running_mean.new, %_76.running_var.new, %_79.running_mean.new, %_79.running_var.new : tensor<f32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
  }
}
