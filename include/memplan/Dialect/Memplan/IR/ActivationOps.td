//===- ActivationOps.td - Activations and their gradients -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ACTIVATION_OPS_TD
#define MEMPLAN_ACTIVATION_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

/// An activation. `output` may overwrite `input`.
class Memplan_Activation<string mnemonic, dag attributeDag, string flopsPerElement>
    : Memplan_SameTypeOp<mnemonic, (ins Memplan_Float:$input), attributeDag, "output"> {
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, " # flopsPerElement # ")";
  let stridedDims = "::mlir::memplan::ops::rankOf(*this, index)";
}

/// The gradient of an activation from its output. `inputGrad` may overwrite either input.
class Memplan_OutputGradient<string mnemonic, dag attributeDag, string flopsPerElement>
    : Memplan_SameTypeOp<mnemonic, (ins Memplan_Float:$output, Memplan_Float:$outputGrad), attributeDag, "inputGrad"> {
  let inPlace = "{0, 1}, {0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, " # flopsPerElement # ")";
  let stridedDims = "::mlir::memplan::ops::rankOf(*this, index)";
}

/// The gradient of an activation from its input. `inputGrad` may overwrite either input.
class Memplan_InputGradient<string mnemonic, dag attributeDag, string flopsPerElement>
    : Memplan_SameTypeOp<mnemonic, (ins Memplan_Float:$input, Memplan_Float:$outputGrad), attributeDag, "inputGrad"> {
  let inPlace = "{0, 1}, {0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, " # flopsPerElement # ")";
  let stridedDims = "::mlir::memplan::ops::rankOf(*this, index)";
}

def Memplan_Approximate : DefaultValuedAttr<ConfinedAttr<StrAttr,
    [AttrConstraint<CPred<"::llvm::cast<::mlir::StringAttr>($_self).getValue() == \"none\" || ::llvm::cast<::mlir::StringAttr>($_self).getValue() == \"tanh\"">,
                    "is \"none\" or \"tanh\"">]>, "\"none\"">;

def Memplan_ReluOp : Memplan_Activation<"relu", (ins), "1"> {
  let summary = "Larger of the input and zero";
  let description = [{
    `output[i] = max(input[i], 0)`; NaN stays NaN.

    The gradient reads `output`. `output` may overwrite `input`.

    ```mlir
    %y = memplan.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_ReluGradOp : Memplan_OutputGradient<"relu_grad", (ins), "1"> {
  let summary = "Gradient of `memplan.relu`";
  let description = [{
    `inputGrad[i] = output[i] > 0 ? outputGrad[i] : 0`.

    Reads the forward *output*, so the input may be freed by then. `inputGrad` may overwrite `outputGrad` or `output`.

    ```mlir
    %dx = memplan.relu_grad %y, %dy : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_ClampOp : Memplan_Activation<"clamp", (ins Memplan_F64:$min, Memplan_F64:$max), "2"> {
  let summary = "Input limited to a range";
  let description = [{
    `output[i] = min(max(input[i], min), max)` with `min < max`; relu6 is `{min = 0.0, max = 6.0}`.

    The gradient reads `output`. `output` may overwrite `input`.

    ```mlir
    %y = memplan.clamp %x {max = 6.0, min = 0.0} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let moreInference = "::mlir::memplan::ops::checkRange(errors, adaptor.getMin(), adaptor.getMax())";
}

def Memplan_ClampGradOp : Memplan_OutputGradient<"clamp_grad", (ins Memplan_F64:$min, Memplan_F64:$max), "2"> {
  let summary = "Gradient of `memplan.clamp`";
  let description = [{
    `inputGrad[i] = min < output[i] && output[i] < max ? outputGrad[i] : 0`.

    Reads the forward *output*, so the input may be freed by then. `inputGrad` may overwrite `outputGrad` or `output`.

    ```mlir
    %dx = memplan.clamp_grad %y, %dy {max = 6.0, min = 0.0} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let moreInference = "::mlir::memplan::ops::checkRange(errors, adaptor.getMin(), adaptor.getMax())";
}

def Memplan_SigmoidOp : Memplan_Activation<"sigmoid", (ins), "4"> {
  let summary = "Logistic function";
  let description = [{
    `output[i] = 1 / (1 + exp(-input[i]))`.

    The gradient reads `output`. `output` may overwrite `input`.

    ```mlir
    %y = memplan.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_SigmoidGradOp : Memplan_OutputGradient<"sigmoid_grad", (ins), "3"> {
  let summary = "Gradient of `memplan.sigmoid`";
  let description = [{
    `inputGrad[i] = outputGrad[i] * output[i] * (1 - output[i])`.

    Reads the forward *output*, so the input may be freed by then. `inputGrad` may overwrite `outputGrad` or `output`.

    ```mlir
    %dx = memplan.sigmoid_grad %y, %dy : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_TanhOp : Memplan_Activation<"tanh", (ins), "6"> {
  let summary = "Hyperbolic tangent";
  let description = [{
    `output[i] = tanh(input[i])`.

    The gradient reads `output`. `output` may overwrite `input`.

    ```mlir
    %y = memplan.tanh %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_TanhGradOp : Memplan_OutputGradient<"tanh_grad", (ins), "3"> {
  let summary = "Gradient of `memplan.tanh`";
  let description = [{
    `inputGrad[i] = outputGrad[i] * (1 - output[i]^2)`.

    Reads the forward *output*, so the input may be freed by then. `inputGrad` may overwrite `outputGrad` or `output`.

    ```mlir
    %dx = memplan.tanh_grad %y, %dy : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_GeluOp : Memplan_Activation<"gelu", (ins Memplan_Approximate:$approximate), "8"> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `output[i] = x * Phi(x)` for x = `input[i]`, with the error function (`approximate = "none"`) or the usual formula with tanh (`"tanh"`).

    The gradient reads `input`. `output` may overwrite `input`.

    ```mlir
    %y = memplan.gelu %x {approximate = "tanh"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let stridedDims = "0";
}

def Memplan_GeluGradOp : Memplan_InputGradient<"gelu_grad", (ins Memplan_Approximate:$approximate), "14"> {
  let summary = "Gradient of `memplan.gelu`";
  let description = [{
    `inputGrad[i] = outputGrad[i] * (Phi(x) + x * phi(x))` for x = `input[i]`, or the derivative of the formula with tanh.

    Reads the forward *input*, so the output may be freed by then. `inputGrad` may overwrite `outputGrad` or `input`.

    ```mlir
    %dx = memplan.gelu_grad %x, %dy {approximate = "tanh"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let stridedDims = "0";
}

def Memplan_SiluOp : Memplan_Activation<"silu", (ins), "5"> {
  let summary = "Sigmoid linear unit";
  let description = [{
    `output[i] = input[i] / (1 + exp(-input[i]))`.

    The gradient reads `input`. `output` may overwrite `input`.

    ```mlir
    %y = memplan.silu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_SiluGradOp : Memplan_InputGradient<"silu_grad", (ins), "8"> {
  let summary = "Gradient of `memplan.silu`";
  let description = [{
    `inputGrad[i] = outputGrad[i] * s * (1 + x * (1 - s))` for x = `input[i]` and s = sigmoid(x).

    Reads the forward *input*, so the output may be freed by then. `inputGrad` may overwrite `outputGrad` or `input`.

    ```mlir
    %dx = memplan.silu_grad %x, %dy : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_SoftmaxOp : Memplan_SameTypeOp<"softmax", (ins Memplan_Float:$input), (ins Memplan_I64Default<"-1">:$axis), "output"> {
  let summary = "Softmax along one dimension";
  let description = [{
    `output = exp(input - m) / sum(exp(input - m))` with m the largest element along `axis`, which counts from the end where it is negative.

    The gradient reads `output`. `output` may overwrite `input`.

    ```mlir
    %y = memplan.softmax %x {axis = -1} : (tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 5)";
  let moreInference = "::mlir::memplan::ops::checkAxis(errors, adaptor.getAxis(), \"axis\", adaptor.getInput())";
}

def Memplan_SoftmaxGradOp : Memplan_SameTypeOp<"softmax_grad",
    (ins Memplan_Float:$output, Memplan_Float:$outputGrad), (ins Memplan_I64Default<"-1">:$axis), "inputGrad"> {
  let summary = "Gradient of `memplan.softmax`";
  let description = [{
    `inputGrad = output * (outputGrad - sum(outputGrad * output))` along `axis`.

    Reads the forward *output*, so the input may be freed by then. `inputGrad` may overwrite `outputGrad`.

    ```mlir
    %dx = memplan.softmax_grad %y, %dy {axis = -1} : (tensor<2x12x64x64xf32>, tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
    ```
  }];
  let inPlace = "{0, 1}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 4)";
  let moreInference = "::mlir::memplan::ops::checkAxis(errors, adaptor.getAxis(), \"axis\", adaptor.getOutput())";
}

#endif // MEMPLAN_ACTIVATION_OPS_TD
