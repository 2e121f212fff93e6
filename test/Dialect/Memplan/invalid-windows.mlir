// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Rules of convolution and pooling: without them a kernel would read outside its operands.

func.func @input_rank(%x: tensor<4x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{input 'input' is 'tensor<4x8xf32>', but must have 4 dimensions}}
  %y = memplan.conv2d %x, %w : (tensor<4x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @filter_rank(%x: tensor<2x4x8x8xf32>, %w: tensor<4x8xf32>) {
  // expected-error @+1 {{input 'filter' is 'tensor<4x8xf32>', but must have 4 dimensions}}
  %y = memplan.conv2d %x, %w : (tensor<2x4x8x8xf32>, tensor<4x8xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @groups_divide_input(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{attribute 'groups' is 3, but must divide the 4 input channels}}
  %y = memplan.conv2d %x, %w {groups = 3} : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @groups_divide_output(%x: tensor<2x4x8x8xf32>, %w: tensor<6x1x3x3xf32>) {
  // expected-error @+1 {{attribute 'groups' is 4, but must divide the 6 output channels}}
  %y = memplan.conv2d %x, %w {groups = 4} : (tensor<2x4x8x8xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @groups_positive(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{attribute 'groups' is 0, but must divide the 4 input channels}}
  %y = memplan.conv2d %x, %w {groups = 0} : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @filter_channels(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{input 'filter' has 4 channels in dimension 1, but 4 input channels in 2 groups make 2}}
  %y = memplan.conv2d %x, %w {groups = 2} : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @bias_size(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{input 'bias' is 'tensor<4xf32>', but must have one element for each of the 6 output channels}}
  %y = memplan.conv2d %x, %w, %b : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<4xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @stride_zero(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{attribute 'strides' has 0, but must be in [1, 1073741824]}}
  %y = memplan.conv2d %x, %w {strides = [0, 1]} : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @padding_negative(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{attribute 'padding' has -1, but must be in [0, 1073741824]}}
  %y = memplan.conv2d %x, %w {padding = [0, -1]} : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @dilation_huge(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{attribute 'dilation' has 9223372036854775807, but must be in [1, 1073741824]}}
  %y = memplan.conv2d %x, %w {dilation = [1, 9223372036854775807]} : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @strides_count(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{attribute 'strides' has 3 elements, but must have 2 (height, width)}}
  %y = memplan.conv2d %x, %w {strides = [1, 1, 1]} : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @window_too_large(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{window of height 9 (kernel 3, dilation 4) is larger than the padded image of height 8}}
  %y = memplan.conv2d %x, %w {dilation = [4, 1]} : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @input_grad_channels(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{input 'outputGrad' has 4 channels, but 'filter' has 6 in dimension 0}}
  %y = memplan.conv2d_input_grad %x, %w : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @input_grad_output_padding(%x: tensor<2x6x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{attribute 'output_padding' has 1 for height, but must be less than stride 1 or dilation 1}}
  %y = memplan.conv2d_input_grad %x, %w {output_padding = [1, 0]} : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @input_grad_empty(%x: tensor<2x6x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{computes an image of height 0, but it must be at least 1}}
  %y = memplan.conv2d_input_grad %x, %w {padding = [5, 0]} : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @filter_grad_batch(%x: tensor<2x4x8x8xf32>, %w: tensor<3x6x6x6xf32>) {
  // expected-error @+1 {{input 'outputGrad' has batch 3, but 'input' has 2}}
  %y = memplan.conv2d_filter_grad %x, %w {kernel = [3, 3]} : (tensor<2x4x8x8xf32>, tensor<3x6x6x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @filter_grad_size(%x: tensor<2x4x8x8xf32>, %w: tensor<2x6x5x6xf32>) {
  // expected-error @+1 {{input 'outputGrad' has size 5x6, but the window has 6x6 positions in 'input'}}
  %y = memplan.conv2d_filter_grad %x, %w {kernel = [3, 3]} : (tensor<2x4x8x8xf32>, tensor<2x6x5x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @filter_grad_kernel(%x: tensor<2x4x8x8xf32>, %w: tensor<2x6x6x6xf32>) {
  // expected-error @+1 {{attribute 'kernel' failed to satisfy constraint: i64 dense array attribute with exactly 2 elements}}
  %y = memplan.conv2d_filter_grad %x, %w {kernel = [3]} : (tensor<2x4x8x8xf32>, tensor<2x6x6x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @transposed_channels(%x: tensor<2x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{input 'input' has 4 channels, but 'filter' has 6 in dimension 0}}
  %y = memplan.conv_transpose2d %x, %w : (tensor<2x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @transposed_bias(%x: tensor<2x6x8x8xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{input 'bias' is 'tensor<4xf32>', but must have one element for each of the 8 output channels}}
  %y = memplan.conv_transpose2d %x, %w, %b {groups = 2} : (tensor<2x6x8x8xf32>, tensor<6x4x3x3xf32>, tensor<4xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @conv2d_filter_grad_more_1(%a0: tensor<1x3x8x8xf32>, %a1: tensor<1x4x8x8xf32>) {
  // expected-error @+1 {{attribute 'groups' is 2, but must divide the 3 input channels}}
  %y = memplan.conv2d_filter_grad %a0, %a1 {kernel = [3, 3], dilation = [1, 1], groups = 2, padding = [1, 1], strides = [1, 1]} : (tensor<1x3x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<4x3x3x3xf32>
  return
}

// -----

func.func @conv2d_filter_grad_more_2(%a0: tensor<1x3x8x8xf32>, %a1: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{input 'outputGrad' has batch 2, but 'input' has 1}}
  %y = memplan.conv2d_filter_grad %a0, %a1 {kernel = [3, 3], dilation = [1, 1], groups = 1, padding = [1, 1], strides = [1, 1]} : (tensor<1x3x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<4x3x3x3xf32>
  return
}

// -----

func.func @conv2d_input_grad_more_1(%a0: tensor<1x5x8x8xf32>, %a1: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{input 'outputGrad' has 5 channels, but 'filter' has 4 in dimension 0}}
  %y = memplan.conv2d_input_grad %a0, %a1 {input_size = [8, 8], dilation = [1, 1], groups = 1, padding = [1, 1], strides = [1, 1]} : (tensor<1x5x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @conv2d_input_grad_more_2(%a0: tensor<1x4x8x8xf32>, %a1: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{attribute 'dilation' has 0, but must be in [1, 1073741824]}}
  %y = memplan.conv2d_input_grad %a0, %a1 {input_size = [8, 8], dilation = [0, 1], groups = 1, padding = [1, 1], strides = [1, 1]} : (tensor<1x4x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @conv2d_channels_last(%x: tensor<2x8x8x4xf32>, %w: tensor<6x3x3x3xf32>) {
  // expected-error @+1 {{input 'filter' has 3 channels in dimension 3, but 4 input channels in 1 groups make 4}}
  %y = memplan.conv2d %x, %w {channels_last} : (tensor<2x8x8x4xf32>, tensor<6x3x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @conv2d_channels_last_output(%x: tensor<2x8x8x4xf32>, %w: tensor<6x3x3x4xf32>) {
  // expected-error @+1 {{tensor<2x6x6x6xf32>}}
  %y = memplan.conv2d %x, %w {channels_last, padding = [1, 1]} : (tensor<2x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @max_pool2d_grad_channels_last(%dy: tensor<2x4x4x3xf32>, %i: tensor<2x4x4x3xi8>) {
  // expected-error @+1 {{input 'outputGrad' has size 4x4, but the window has 5x5 positions in 'input_size' 10x10}}
  %dx = memplan.max_pool2d_grad %dy, %i {channels_last, input_size = [10, 10], kernel = [2, 2], strides = [2, 2]} : (tensor<2x4x4x3xf32>, tensor<2x4x4x3xi8>) -> tensor<2x10x10x3xf32>
  return
}
