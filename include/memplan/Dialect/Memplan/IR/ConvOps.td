//===- ConvOps.td - Convolutions ---------------------------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CONV_OPS_TD
#define MEMPLAN_CONV_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

defvar Memplan_WindowAttributes = (ins Memplan_Pair<"1, 1">:$strides, Memplan_Pair<"0, 0">:$padding,
                                       Memplan_Pair<"1, 1">:$dilation, Memplan_I64Default<"1">:$groups, UnitAttr:$channels_last);

def Memplan_Conv2DOp : Memplan_Op<"conv2d",
    (ins Memplan_Float:$input, Memplan_Float:$filter, Optional<Memplan_Float>:$bias), Memplan_WindowAttributes, ["output"]> {
  let summary = "2-D convolution";
  let description = [{
    Correlates `input` [N,C,H,W] with `filter` [O,C/groups,kh,kw] and adds `bias` [O] where there is one. `strides`, `padding` (on both sides)
    and `dilation` are pairs (height, width). `output` is [N,O,Ho,Wo] with `Ho = (H + 2p - d*(kh-1) - 1) / s + 1`.

    With `tf32` a backend may round f32 operands to the 10 bits of TF32 before it multiplies; sums stay f32. So it is for all convolutions and their gradients.

    With `channels_last` images are [N,H,W,C] and filters [O,kh,kw,C/groups]. So it is for all convolutions and their gradients.

    With `relu` the output is `memplan.relu` of that, by one kernel where a backend has it; the pass `memplan-fuse` sets it, and `memplan-split` takes it away.

    Its gradients read `input` and `filter`, without `relu` never `output`, and have its precision and layout. `output` shares no bytes with an input.

    ```mlir
    %y = memplan.conv2d %x, %w, %b {padding = [1, 1], strides = [2, 2]} : (tensor<8x3x32x32xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>) -> tensor<8x16x16x16xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::convFlops(getFilter(), getOutputAt(0), getChannelsLast())";
  let settings = (ins UnitAttr:$tf32, UnitAttr:$relu);
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
}

def Memplan_Conv2DInputGradOp : Memplan_Op<"conv2d_input_grad",
    (ins Memplan_Float:$outputGrad, Memplan_Float:$filter),
    !con(Memplan_WindowAttributes, (ins Memplan_Pair<"0, 0">:$output_padding)), ["inputGrad"]> {
  let summary = "Gradient of `memplan.conv2d` with respect to its input";
  let description = [{
    Spreads `outputGrad` [N,O,Ho,Wo] back through `filter` [O,C/groups,kh,kw] to `inputGrad` [N,C,H,W] with
    `H = (Ho-1)*s - 2p + d*(kh-1) + 1 + output_padding`. `output_padding` (less than the stride) restores the rows that the forward stride left out.

    Does not read the forward input. `inputGrad` shares no bytes with an input.

    ```mlir
    %dx = memplan.conv2d_input_grad %dy, %w {output_padding = [1, 1], padding = [1, 1], strides = [2, 2]} : (tensor<8x16x16x16xf32>, tensor<16x3x3x3xf32>) -> tensor<8x3x32x32xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::convFlops(getFilter(), getOutputGrad(), getChannelsLast())";
  let settings = (ins UnitAttr:$tf32);
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
}

def Memplan_Conv2DFilterGradOp : Memplan_Op<"conv2d_filter_grad",
    (ins Memplan_Float:$input, Memplan_Float:$outputGrad),
    !con(Memplan_WindowAttributes, (ins ConfinedAttr<DenseI64ArrayAttr, [DenseArrayCount<2>]>:$kernel)), ["filterGrad"]> {
  let summary = "Gradient of `memplan.conv2d` with respect to its filter";
  let description = [{
    Correlates `input` [N,C,H,W] with `outputGrad` [N,O,Ho,Wo] into `filterGrad` [O,C/groups,kh,kw], where `kernel` is (kh, kw).

    Does not read the filter. `filterGrad` shares no bytes with an input.

    ```mlir
    %dw = memplan.conv2d_filter_grad %x, %dy {kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<8x3x32x32xf32>, tensor<8x16x16x16xf32>) -> tensor<16x3x3x3xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::convFlops(getOutputAt(0), getOutputGrad(), getChannelsLast())";
  let settings = (ins UnitAttr:$tf32);
  let stridedDims = "index < 2 ? 1 : 0";
}

def Memplan_ConvTranspose2DOp : Memplan_Op<"conv_transpose2d",
    (ins Memplan_Float:$input, Memplan_Float:$filter, Optional<Memplan_Float>:$bias),
    !con(Memplan_WindowAttributes, (ins Memplan_Pair<"0, 0">:$output_padding)), ["output"]> {
  let summary = "Transposed 2-D convolution";
  let description = [{
    Spreads `input` [N,C,H,W] through `filter` [C,O/groups,kh,kw] and adds `bias` [O] where there is one. `output` is [N,O,Ho,Wo] with
    `Ho = (H-1)*s - 2p + d*(kh-1) + 1 + output_padding`; `output_padding` is less than the stride or the dilation.

    Its gradients are `memplan.conv2d` of the output's gradient with the same filter, and `memplan.conv2d_filter_grad` with the two arguments exchanged. `output` shares no
    bytes with an input.

    ```mlir
    %y = memplan.conv_transpose2d %x, %w {strides = [2, 2]} : (tensor<1x64x16x16xf32>, tensor<64x32x2x2xf32>) -> tensor<1x32x32x32xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::convFlops(getFilter(), getInput(), getChannelsLast())";
  let settings = (ins UnitAttr:$tf32);
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
}

#endif // MEMPLAN_CONV_OPS_TD
