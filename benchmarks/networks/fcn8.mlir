// One training step of FCN8 on VGG-16, batch 1: forward pass and loss.
// 134265702 parameters (537062808 bytes). Written by benchmarks/networks/export.py fcn8
module {
  func.func @train_step(
      %levels.0.0.weight: tensor<64x3x3x3xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "levels.0.0.weight"},
      %levels.0.0.bias: tensor<64xf32> {memplan.init = "uniform:0.1924501", memplan.kind = "parameter", memplan.name = "levels.0.0.bias"},
      %levels.0.2.weight: tensor<64x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "levels.0.2.weight"},
      %levels.0.2.bias: tensor<64xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "levels.0.2.bias"},
      %levels.1.0.weight: tensor<128x64x3x3xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "levels.1.0.weight"},
      %levels.1.0.bias: tensor<128xf32> {memplan.init = "uniform:0.04166667", memplan.kind = "parameter", memplan.name = "levels.1.0.bias"},
      %levels.1.2.weight: tensor<128x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "levels.1.2.weight"},
      %levels.1.2.bias: tensor<128xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "levels.1.2.bias"},
      %levels.2.0.weight: tensor<256x128x3x3xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "levels.2.0.weight"},
      %levels.2.0.bias: tensor<256xf32> {memplan.init = "uniform:0.02946278", memplan.kind = "parameter", memplan.name = "levels.2.0.bias"},
      %levels.2.2.weight: tensor<256x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "levels.2.2.weight"},
      %levels.2.2.bias: tensor<256xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "levels.2.2.bias"},
      %levels.2.4.weight: tensor<256x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "levels.2.4.weight"},
      %levels.2.4.bias: tensor<256xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "levels.2.4.bias"},
      %levels.3.0.weight: tensor<512x256x3x3xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "levels.3.0.weight"},
      %levels.3.0.bias: tensor<512xf32> {memplan.init = "uniform:0.02083333", memplan.kind = "parameter", memplan.name = "levels.3.0.bias"},
      %levels.3.2.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.3.2.weight"},
      %levels.3.2.bias: tensor<512xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.3.2.bias"},
      %levels.3.4.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.3.4.weight"},
      %levels.3.4.bias: tensor<512xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.3.4.bias"},
      %levels.4.0.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.4.0.weight"},
      %levels.4.0.bias: tensor<512xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.4.0.bias"},
      %levels.4.2.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.4.2.weight"},
      %levels.4.2.bias: tensor<512xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.4.2.bias"},
      %levels.4.4.weight: tensor<512x512x3x3xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.4.4.weight"},
      %levels.4.4.bias: tensor<512xf32> {memplan.init = "uniform:0.01473139", memplan.kind = "parameter", memplan.name = "levels.4.4.bias"},
      %head.0.weight: tensor<4096x512x7x7xf32> {memplan.init = "uniform:0.006313453", memplan.kind = "parameter", memplan.name = "head.0.weight"},
      %head.0.bias: tensor<4096xf32> {memplan.init = "uniform:0.006313453", memplan.kind = "parameter", memplan.name = "head.0.bias"},
      %head.3.weight: tensor<4096x4096x1x1xf32> {memplan.init = "uniform:0.015625", memplan.kind = "parameter", memplan.name = "head.3.weight"},
      %head.3.bias: tensor<4096xf32> {memplan.init = "uniform:0.015625", memplan.kind = "parameter", memplan.name = "head.3.bias"},
      %head.6.weight: tensor<1x4096x1x1xf32> {memplan.init = "uniform:0.015625", memplan.kind = "parameter", memplan.name = "head.6.weight"},
      %head.6.bias: tensor<1xf32> {memplan.init = "uniform:0.015625", memplan.kind = "parameter", memplan.name = "head.6.bias"},
      %score4.weight: tensor<1x512x1x1xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "score4.weight"},
      %score4.bias: tensor<1xf32> {memplan.init = "uniform:0.04419417", memplan.kind = "parameter", memplan.name = "score4.bias"},
      %score3.weight: tensor<1x256x1x1xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "score3.weight"},
      %score3.bias: tensor<1xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "score3.bias"},
      %up2.weight: tensor<1x1x4x4xf32> {memplan.init = "uniform:0.25", memplan.kind = "parameter", memplan.name = "up2.weight"},
      %up2.bias: tensor<1xf32> {memplan.init = "uniform:0.25", memplan.kind = "parameter", memplan.name = "up2.bias"},
      %up4.weight: tensor<1x1x4x4xf32> {memplan.init = "uniform:0.25", memplan.kind = "parameter", memplan.name = "up4.weight"},
      %up4.bias: tensor<1xf32> {memplan.init = "uniform:0.25", memplan.kind = "parameter", memplan.name = "up4.bias"},
      %up8.weight: tensor<1x1x16x16xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "up8.weight"},
      %up8.bias: tensor<1xf32> {memplan.init = "uniform:0.0625", memplan.kind = "parameter", memplan.name = "up8.bias"},
      %image: tensor<1x3x416x608xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "image"},
      %mask: tensor<1x1x416x608xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "mask"},
      %dropout_seed: tensor<1xi64> {memplan.high = 2147483647, memplan.kind = "input", memplan.name = "dropout_seed"}
  ) -> (
      tensor<f32> {memplan.kind = "loss", memplan.name = "loss"}
  )
    attributes {memplan.optimizer = {lr = 0.01, name = "sgd"}} {
    %levels.0.0 = memplan.conv2d %image, %levels.0.0.weight, %levels.0.0.bias {padding = [1, 1]} : (tensor<1x3x416x608xf32>, tensor<64x3x3x3xf32>, tensor<64xf32>) -> tensor<1x64x416x608xf32> loc("levels.0.0")
    %levels.0.1 = memplan.relu %levels.0.0 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("levels.0.1")
    %levels.0.2 = memplan.conv2d %levels.0.1, %levels.0.2.weight, %levels.0.2.bias {padding = [1, 1]} : (tensor<1x64x416x608xf32>, tensor<64x64x3x3xf32>, tensor<64xf32>) -> tensor<1x64x416x608xf32> loc("levels.0.2")
    %levels.0.3 = memplan.relu %levels.0.2 : (tensor<1x64x416x608xf32>) -> tensor<1x64x416x608xf32> loc("levels.0.3")
    %max_pool2d, %max_pool2d.indices = memplan.max_pool2d %levels.0.3 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x64x416x608xf32>) -> (tensor<1x64x208x304xf32>, tensor<1x64x208x304xi8>) loc("model")
    %levels.1.0 = memplan.conv2d %max_pool2d, %levels.1.0.weight, %levels.1.0.bias {padding = [1, 1]} : (tensor<1x64x208x304xf32>, tensor<128x64x3x3xf32>, tensor<128xf32>) -> tensor<1x128x208x304xf32> loc("levels.1.0")
    %levels.1.1 = memplan.relu %levels.1.0 : (tensor<1x128x208x304xf32>) -> tensor<1x128x208x304xf32> loc("levels.1.1")
    %levels.1.2 = memplan.conv2d %levels.1.1, %levels.1.2.weight, %levels.1.2.bias {padding = [1, 1]} : (tensor<1x128x208x304xf32>, tensor<128x128x3x3xf32>, tensor<128xf32>) -> tensor<1x128x208x304xf32> loc("levels.1.2")
    %levels.1.3 = memplan.relu %levels.1.2 : (tensor<1x128x208x304xf32>) -> tensor<1x128x208x304xf32> loc("levels.1.3")
    %max_pool2d_1, %max_pool2d.indices_1 = memplan.max_pool2d %levels.1.3 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x128x208x304xf32>) -> (tensor<1x128x104x152xf32>, tensor<1x128x104x152xi8>) loc("model")
    %levels.2.0 = memplan.conv2d %max_pool2d_1, %levels.2.0.weight, %levels.2.0.bias {padding = [1, 1]} : (tensor<1x128x104x152xf32>, tensor<256x128x3x3xf32>, tensor<256xf32>) -> tensor<1x256x104x152xf32> loc("levels.2.0")
    %levels.2.1 = memplan.relu %levels.2.0 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("levels.2.1")
    %levels.2.2 = memplan.conv2d %levels.2.1, %levels.2.2.weight, %levels.2.2.bias {padding = [1, 1]} : (tensor<1x256x104x152xf32>, tensor<256x256x3x3xf32>, tensor<256xf32>) -> tensor<1x256x104x152xf32> loc("levels.2.2")
    %levels.2.3 = memplan.relu %levels.2.2 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("levels.2.3")
    %levels.2.4 = memplan.conv2d %levels.2.3, %levels.2.4.weight, %levels.2.4.bias {padding = [1, 1]} : (tensor<1x256x104x152xf32>, tensor<256x256x3x3xf32>, tensor<256xf32>) -> tensor<1x256x104x152xf32> loc("levels.2.4")
    %levels.2.5 = memplan.relu %levels.2.4 : (tensor<1x256x104x152xf32>) -> tensor<1x256x104x152xf32> loc("levels.2.5")
    %max_pool2d_2, %max_pool2d.indices_2 = memplan.max_pool2d %levels.2.5 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x256x104x152xf32>) -> (tensor<1x256x52x76xf32>, tensor<1x256x52x76xi8>) loc("model")
    %levels.3.0 = memplan.conv2d %max_pool2d_2, %levels.3.0.weight, %levels.3.0.bias {padding = [1, 1]} : (tensor<1x256x52x76xf32>, tensor<512x256x3x3xf32>, tensor<512xf32>) -> tensor<1x512x52x76xf32> loc("levels.3.0")
    %levels.3.1 = memplan.relu %levels.3.0 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("levels.3.1")
    %levels.3.2 = memplan.conv2d %levels.3.1, %levels.3.2.weight, %levels.3.2.bias {padding = [1, 1]} : (tensor<1x512x52x76xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<1x512x52x76xf32> loc("levels.3.2")
    %levels.3.3 = memplan.relu %levels.3.2 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("levels.3.3")
    %levels.3.4 = memplan.conv2d %levels.3.3, %levels.3.4.weight, %levels.3.4.bias {padding = [1, 1]} : (tensor<1x512x52x76xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<1x512x52x76xf32> loc("levels.3.4")
    %levels.3.5 = memplan.relu %levels.3.4 : (tensor<1x512x52x76xf32>) -> tensor<1x512x52x76xf32> loc("levels.3.5")
    %max_pool2d_3, %max_pool2d.indices_3 = memplan.max_pool2d %levels.3.5 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x512x52x76xf32>) -> (tensor<1x512x26x38xf32>, tensor<1x512x26x38xi8>) loc("model")
    %levels.4.0 = memplan.conv2d %max_pool2d_3, %levels.4.0.weight, %levels.4.0.bias {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<1x512x26x38xf32> loc("levels.4.0")
    %levels.4.1 = memplan.relu %levels.4.0 : (tensor<1x512x26x38xf32>) -> tensor<1x512x26x38xf32> loc("levels.4.1")
    %levels.4.2 = memplan.conv2d %levels.4.1, %levels.4.2.weight, %levels.4.2.bias {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<1x512x26x38xf32> loc("levels.4.2")
    %levels.4.3 = memplan.relu %levels.4.2 : (tensor<1x512x26x38xf32>) -> tensor<1x512x26x38xf32> loc("levels.4.3")
    %levels.4.4 = memplan.conv2d %levels.4.3, %levels.4.4.weight, %levels.4.4.bias {padding = [1, 1]} : (tensor<1x512x26x38xf32>, tensor<512x512x3x3xf32>, tensor<512xf32>) -> tensor<1x512x26x38xf32> loc("levels.4.4")
    %levels.4.5 = memplan.relu %levels.4.4 : (tensor<1x512x26x38xf32>) -> tensor<1x512x26x38xf32> loc("levels.4.5")
    %max_pool2d_4, %max_pool2d.indices_4 = memplan.max_pool2d %levels.4.5 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x512x26x38xf32>) -> (tensor<1x512x13x19xf32>, tensor<1x512x13x19xi8>) loc("model")
    %head.0 = memplan.conv2d %max_pool2d_4, %head.0.weight, %head.0.bias {padding = [3, 3]} : (tensor<1x512x13x19xf32>, tensor<4096x512x7x7xf32>, tensor<4096xf32>) -> tensor<1x4096x13x19xf32> loc("head.0")
    %head.1 = memplan.relu %head.0 : (tensor<1x4096x13x19xf32>) -> tensor<1x4096x13x19xf32> loc("head.1")
    %head.2 = memplan.dropout %head.1, %dropout_seed {p = 0.5, salt = 0} : (tensor<1x4096x13x19xf32>, tensor<1xi64>) -> tensor<1x4096x13x19xf32> loc("head.2")
    %head.3 = memplan.conv2d %head.2, %head.3.weight, %head.3.bias : (tensor<1x4096x13x19xf32>, tensor<4096x4096x1x1xf32>, tensor<4096xf32>) -> tensor<1x4096x13x19xf32> loc("head.3")
    %head.4 = memplan.relu %head.3 : (tensor<1x4096x13x19xf32>) -> tensor<1x4096x13x19xf32> loc("head.4")
    %head.5 = memplan.dropout %head.4, %dropout_seed {p = 0.5, salt = 1} : (tensor<1x4096x13x19xf32>, tensor<1xi64>) -> tensor<1x4096x13x19xf32> loc("head.5")
    %head.6 = memplan.conv2d %head.5, %head.6.weight, %head.6.bias : (tensor<1x4096x13x19xf32>, tensor<1x4096x1x1xf32>, tensor<1xf32>) -> tensor<1x1x13x19xf32> loc("head.6")
    %up2 = memplan.conv_transpose2d %head.6, %up2.weight, %up2.bias {padding = [1, 1], strides = [2, 2]} : (tensor<1x1x13x19xf32>, tensor<1x1x4x4xf32>, tensor<1xf32>) -> tensor<1x1x26x38xf32> loc("up2")
    %score4 = memplan.conv2d %max_pool2d_3, %score4.weight, %score4.bias : (tensor<1x512x26x38xf32>, tensor<1x512x1x1xf32>, tensor<1xf32>) -> tensor<1x1x26x38xf32> loc("score4")
    %add = memplan.add %up2, %score4 : (tensor<1x1x26x38xf32>, tensor<1x1x26x38xf32>) -> tensor<1x1x26x38xf32> loc("model")
    %up4 = memplan.conv_transpose2d %add, %up4.weight, %up4.bias {padding = [1, 1], strides = [2, 2]} : (tensor<1x1x26x38xf32>, tensor<1x1x4x4xf32>, tensor<1xf32>) -> tensor<1x1x52x76xf32> loc("up4")
    %score3 = memplan.conv2d %max_pool2d_2, %score3.weight, %score3.bias : (tensor<1x256x52x76xf32>, tensor<1x256x1x1xf32>, tensor<1xf32>) -> tensor<1x1x52x76xf32> loc("score3")
    %add_1 = memplan.add %up4, %score3 : (tensor<1x1x52x76xf32>, tensor<1x1x52x76xf32>) -> tensor<1x1x52x76xf32> loc("model")
    %up8 = memplan.conv_transpose2d %add_1, %up8.weight, %up8.bias {padding = [4, 4], strides = [8, 8]} : (tensor<1x1x52x76xf32>, tensor<1x1x16x16xf32>, tensor<1xf32>) -> tensor<1x1x416x608xf32> loc("up8")
    %bce_with_logits = memplan.bce_with_logits %up8, %mask : (tensor<1x1x416x608xf32>, tensor<1x1x416x608xf32>) -> tensor<f32> loc("loss")
    return %bce_with_logits : tensor<f32>
  }
}
