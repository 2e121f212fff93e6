//===- PoolOps.td - Pooling --------------------------------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_POOL_OPS_TD
#define MEMPLAN_POOL_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

/// A pair (height, width) that has no default.
defvar Memplan_Size = ConfinedAttr<DenseI64ArrayAttr, [DenseArrayCount<2>]>;

def Memplan_MaxPool2DOp : Memplan_Op<"max_pool2d", (ins Memplan_Float:$input),
    (ins Memplan_Size:$kernel, Memplan_Pair<"1, 1">:$strides, Memplan_Pair<"0, 0">:$padding, Memplan_Pair<"1, 1">:$dilation,
         UnitAttr:$channels_last),
    ["output", "indices"]> {
  let summary = "Largest element of each window, and where it was";
  let description = [{
    `output` [N,C,Ho,Wo] holds the largest element of each window of `input` [N,C,H,W]; `indices` (i8) its position `row * kw + column` inside the window, the first one of
    equals. Padding never wins. A window has at most 127 elements, and padding is at most half of it.

    With `channels_last` images are [N,H,W,C]. So it is for all pooling and its gradients.

    The gradient reads `indices` alone, a quarter of the bytes of `output`. Outputs share no bytes with `input`.

    ```mlir
    %y, %i = memplan.max_pool2d %x {kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<8x64x112x112xf32>) -> (tensor<8x64x56x56xf32>, tensor<8x64x56x56xi8>)
    ```
  }];
  let flops = "::mlir::memplan::ops::windowFlops(getKernel(), getOutputAt(0))";
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
}

def Memplan_MaxPool2DGradOp : Memplan_Op<"max_pool2d_grad", (ins Memplan_Float:$outputGrad, Memplan_Int8:$indices),
    (ins Memplan_Size:$kernel, Memplan_Pair<"1, 1">:$strides, Memplan_Pair<"0, 0">:$padding, Memplan_Pair<"1, 1">:$dilation,
         Memplan_Size:$input_size, UnitAttr:$channels_last), ["inputGrad"]> {
  let summary = "Gradient of `memplan.max_pool2d`";
  let description = [{
    Adds each element of `outputGrad` to the place of `inputGrad` [N,C,H,W] that `indices` names; `input_size` is (H, W).

    Reads neither the forward input nor its output. `inputGrad` shares no bytes with an input.

    ```mlir
    %dx = memplan.max_pool2d_grad %dy, %i {input_size = [112, 112], kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<8x64x56x56xf32>, tensor<8x64x56x56xi8>) -> tensor<8x64x112x112xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::elements(getOutputGrad())";
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
}

def Memplan_AvgPool2DOp : Memplan_Op<"avg_pool2d", (ins Memplan_Float:$input),
    (ins Memplan_Size:$kernel, Memplan_Pair<"1, 1">:$strides, Memplan_Pair<"0, 0">:$padding, UnitAttr:$count_include_pad,
         UnitAttr:$channels_last),
    ["output"]> {
  let summary = "Average of each window";
  let description = [{
    `output` [N,C,Ho,Wo] is the mean of each window of `input` [N,C,H,W], over the elements inside the image, or with `count_include_pad` over the padding as well.

    The gradient reads no forward value. `output` shares no bytes with `input`.

    ```mlir
    %y = memplan.avg_pool2d %x {count_include_pad, kernel = [2, 2], strides = [2, 2]} : (tensor<8x64x28x28xf32>) -> tensor<8x64x14x14xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::windowFlops(getKernel(), getOutputAt(0))";
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
}

def Memplan_AvgPool2DGradOp : Memplan_Op<"avg_pool2d_grad", (ins Memplan_Float:$outputGrad),
    (ins Memplan_Size:$kernel, Memplan_Pair<"1, 1">:$strides, Memplan_Pair<"0, 0">:$padding, UnitAttr:$count_include_pad,
         Memplan_Size:$input_size, UnitAttr:$channels_last), ["inputGrad"]> {
  let summary = "Gradient of `memplan.avg_pool2d`";
  let description = [{
    Spreads each element of `outputGrad` evenly over its window of `inputGrad` [N,C,H,W]; `input_size` is (H, W).

    Reads no forward value. `inputGrad` shares no bytes with an input.

    ```mlir
    %dx = memplan.avg_pool2d_grad %dy {count_include_pad, input_size = [28, 28], kernel = [2, 2], strides = [2, 2]} : (tensor<8x64x14x14xf32>) -> tensor<8x64x28x28xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::windowFlops(getKernel(), getOutputGrad())";
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
}

def Memplan_AdaptiveAvgPool2DOp : Memplan_Op<"adaptive_avg_pool2d", (ins Memplan_Float:$input), (ins Memplan_Size:$output_size, UnitAttr:$channels_last),
    ["output"]> {
  let summary = "Average pooling to a given size";
  let description = [{
    Output row i of `output_size` = (Ho, Wo) is the mean over the input rows [floor(i*H/Ho), ceil((i+1)*H/Ho)), and so for columns. `output_size = [1, 1]` is global pooling.

    The gradient reads no forward value. `output` shares no bytes with `input`.

    ```mlir
    %y = memplan.adaptive_avg_pool2d %x {output_size = [1, 1]} : (tensor<8x2048x7x7xf32>) -> tensor<8x2048x1x1xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::elements(getInput())";
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
}

def Memplan_AdaptiveAvgPool2DGradOp : Memplan_Op<"adaptive_avg_pool2d_grad", (ins Memplan_Float:$outputGrad),
    (ins Memplan_Size:$input_size, UnitAttr:$channels_last), ["inputGrad"]> {
  let summary = "Gradient of `memplan.adaptive_avg_pool2d`";
  let description = [{
    Spreads each element of `outputGrad` evenly over its window of `inputGrad` [N,C,H,W]; `input_size` is (H, W).

    Reads no forward value. `inputGrad` shares no bytes with an input.

    ```mlir
    %dx = memplan.adaptive_avg_pool2d_grad %dy {input_size = [7, 7]} : (tensor<8x2048x1x1xf32>) -> tensor<8x2048x7x7xf32>
    ```
  }];
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
}

#endif // MEMPLAN_POOL_OPS_TD
