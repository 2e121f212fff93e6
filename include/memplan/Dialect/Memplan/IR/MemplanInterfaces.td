//===- MemplanInterfaces.td - What planners and autodiff ask of an op -----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_INTERFACES_TD
#define MEMPLAN_INTERFACES_TD

include "mlir/IR/OpBase.td"

def PlannableOpInterface : OpInterface<"PlannableOpInterface"> {
  let cppNamespace = "::mlir::memplan";
  let description = [{
    What planning needs to know of an operation. Planners never look at the concrete operation.

    An operation has inputs, which are its first operands, and outputs. The outputs are results in the tensor form and
    destination operands in the memref form; `index` counts outputs in both.
  }];
  let methods = [
    InterfaceMethod<"Number of inputs. They are the operands [0, getNumInputs()).",
      "unsigned", "getNumInputs">,
    InterfaceMethod<"Number of outputs, in either form.",
      "unsigned", "getNumOutputs">,
    InterfaceMethod<"The result (tensor form) or the destination operand (memref form) of output `index`.",
      "::mlir::Value", "getOutputAt", (ins "unsigned":$index)>,
    InterfaceMethod<"True for the planned form, which takes its destinations as memrefs and has no results.",
      "bool", "isMemrefForm">,
    InterfaceMethod<[{
      Operands whose bytes output `index` may overwrite while the operation runs. Each of them has the type of the output. Empty
      when none is safe. The caller must still prove that this operation is the last reader of those bytes and that no other operand overlaps them.
    }], "::llvm::SmallVector<unsigned>", "getInPlaceOperands", (ins "unsigned":$index)>,
    InterfaceMethod<"Scratch bytes that must be free for this operation alone while it runs; 0 when it needs none.",
      "int64_t", "getWorkspaceBytes">,
    InterfaceMethod<"Floating point operations of one run; 0 for pure data movement.",
      "int64_t", "getFlops">,
    InterfaceMethod<"Bytes read from inputs plus bytes written to outputs by one run; 0 for a view.",
      "int64_t", "getBytesMoved">,
    InterfaceMethod<"Whether a second run gives the same outputs and has no other effect.",
      "bool", "isRerunLegal">,
    InterfaceMethod<[{
      The operand that this operation overwrites and whose new version is output `index`: an optimizer update overwrites its parameter.
      No value where the output is a fresh tensor.
    }], "::std::optional<unsigned>", "getWrittenOperand", (ins "unsigned":$index)>,
    InterfaceMethod<[{
      The operand and the byte offset at which output `index` already lies, so that it needs neither bytes nor a copy. No value where the output has bytes
      of its own, which holds for every operation in memref form: there it copies.
    }], "::std::optional<::mlir::memplan::ViewSource>", "getViewSource", (ins "unsigned":$index)>,
    InterfaceMethod<[{
      Where the bytes of input `index` end up unchanged in output 0, so that the input may lie there already and need not be moved. No value where the
      output is computed from it.
    }], "::std::optional<::mlir::memplan::PiecePlace>", "getPiecePlace", (ins "unsigned":$index),
      /*methodBody=*/[{}], /*defaultImplementation=*/[{ return ::std::nullopt; }]>,
    InterfaceMethod<"The name under which backends register the kernel.",
      "::llvm::StringRef", "getKernelName">,
    InterfaceMethod<"Which run of the operation this is: 0 for the first, distinct for every recomputation.",
      "int64_t", "getRunIndex", (ins), /*methodBody=*/[{}], /*defaultImplementation=*/[{ return 0; }]>,
  ];
}

def GradientOpInterface : OpInterface<"GradientOpInterface"> {
  let cppNamespace = "::mlir::memplan";
  let description = [{
    Builds the gradient of an operation. An operation without this interface has none.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the gradients of the inputs from those of the outputs, at the insertion point of `builder`.

      `outputGrads` has one value per output, null where no gradient arrives. `wanted` has one flag per input. `inputGrads` gets one value
      per input, null where the gradient is not wanted or does not exist. Reads no more forward values than the gradient needs, because each one stays
      alive until then. Fails with a diagnostic on the operation where a wanted gradient cannot be built.
    }], "::llvm::LogicalResult", "buildGradients",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$outputGrads, "::llvm::ArrayRef<bool>":$wanted,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$inputGrads)>,
  ];
}

#endif // MEMPLAN_INTERFACES_TD
