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
    What planning needs to know of an operation. Planners never look at the concrete operation, so that a dialect is planned by attaching this interface to its
    operations; an external model does. Each method has a default that suits an operation on tensors without effects, or one with
    `DestinationStyleOpInterface`: a model that says nothing plans such an operation as it is, with nothing in place.

    An operation has inputs, which are its first operands, and outputs. The outputs are results in the tensor form and
    destination operands in the memref form; `index` counts outputs in both. In the tensor form an operation in destination style has operands besides,
    the values that its outputs start from. Whether an operation has effects is asked of `MemoryEffectOpInterface`.
  }];
  let methods = [
    InterfaceMethod<"Number of inputs. They are the operands [0, getNumInputs()).",
      "unsigned", "getNumInputs", (ins), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::memplan::ops::defaultNumInputs($_op); }]>,
    InterfaceMethod<"Number of outputs, in either form.",
      "unsigned", "getNumOutputs", (ins), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::memplan::ops::defaultNumOutputs($_op); }]>,
    InterfaceMethod<"The result (tensor form) or the destination operand (memref form) of output `index`.",
      "::mlir::Value", "getOutputAt", (ins "unsigned":$index), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::memplan::ops::defaultOutput($_op, index); }]>,
    InterfaceMethod<"True for the planned form, which takes its destinations as memrefs and has no results.",
      "bool", "isMemrefForm", (ins), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::memplan::ops::defaultIsMemrefForm($_op); }]>,
    InterfaceMethod<[{
      Whether there is a memref form. Where there is none, the planned operation stays on tensors, which it reads from the arena and which are stored there.
    }], "bool", "hasMemrefForm", (ins), /*methodBody=*/[{}], /*defaultImplementation=*/[{ return false; }]>,
    InterfaceMethod<[{
      The operand that output `index` starts from: in the tensor form a value of its type, in the memref form the destination itself. No value for an
      operation that is not in destination style.
    }], "::std::optional<unsigned>", "getDestinationOperand", (ins "unsigned":$index), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::memplan::ops::defaultDestination($_op, index); }]>,
    InterfaceMethod<"Whether what the destination of output `index` holds before is read, rather than only overwritten.",
      "bool", "isDestinationRead", (ins "unsigned":$index), /*methodBody=*/[{}], /*defaultImplementation=*/[{ return true; }]>,
    InterfaceMethod<[{
      Operands whose bytes output `index` may overwrite while the operation runs. Each of them has the type of the output. Empty
      when none is safe. The caller must still prove that this operation is the last user of those bytes and that no other operand overlaps them. A destination that is read
      may always be overwritten and need not be named.
    }], "::llvm::SmallVector<unsigned>", "getInPlaceOperands", (ins "unsigned":$index), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return {}; }]>,
    InterfaceMethod<"Scratch bytes that must be free for this operation alone while it runs; 0 when it needs none.",
      "int64_t", "getWorkspaceBytes", (ins), /*methodBody=*/[{}], /*defaultImplementation=*/[{ return 0; }]>,
    InterfaceMethod<"Floating point operations of one run; 0 for pure data movement.",
      "int64_t", "getFlops", (ins), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::memplan::ops::defaultFlops($_op); }]>,
    InterfaceMethod<"Bytes read from inputs plus bytes written to outputs by one run; 0 for a view.",
      "int64_t", "getBytesMoved", (ins), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::memplan::ops::defaultBytesMoved($_op); }]>,
    InterfaceMethod<"Whether a second run gives the same outputs and has no other effect.",
      "bool", "isRecomputable", (ins), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::isMemoryEffectFree($_op); }]>,
    InterfaceMethod<[{
      Whether all ranks of a run take part at once, so that each must run its collectives in one order. Such an operation has effects, keeps its
      place among all others that have some, and is never recomputed.
    }], "bool", "isCollective", (ins), /*methodBody=*/[{}], /*defaultImplementation=*/[{ return false; }]>,
    InterfaceMethod<[{
      Whether the outputs hold anything. An operation for which they do not, such as `tensor.empty`, names a shape: it is not run and gets no bytes, and
      its output serves as a destination that is not read.
    }], "bool", "hasContents", (ins), /*methodBody=*/[{}], /*defaultImplementation=*/[{ return true; }]>,
    InterfaceMethod<[{
      The operand that this operation overwrites and whose new version is output `index`: an optimizer update overwrites its parameter.
      No value where the output is a fresh tensor.
    }], "::std::optional<unsigned>", "getWrittenOperand", (ins "unsigned":$index), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      The operand and the byte offset at which output `index` already lies, so that it needs neither bytes nor a copy. No value where the output has bytes
      of its own, which holds for every operation in memref form: there it copies.
    }], "::std::optional<::mlir::memplan::ViewSource>", "getViewSource", (ins "unsigned":$index), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      Where the bytes of input `index` end up unchanged in output 0, so that the input may lie there already and need not be moved. No value where the
      output is computed from it.
    }], "::std::optional<::mlir::memplan::PiecePlace>", "getPiecePlace", (ins "unsigned":$index),
      /*methodBody=*/[{}], /*defaultImplementation=*/[{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      Which bytes of input 0 output `index` has unchanged, so that users of the output may read them there. No value where it is computed, or has
      bytes of several inputs.
    }], "::std::optional<::mlir::memplan::PiecePlace>", "getSlicePlace", (ins "unsigned":$index),
      /*methodBody=*/[{}], /*defaultImplementation=*/[{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      How many of the first dimensions of operand `index` may count rows with gaps between them: 0 where the kernel takes a dense operand only, 1 where
      samples may lie apart. `index` counts inputs first, then outputs.
    }], "unsigned", "getStridedDims", (ins "unsigned":$index),
      /*methodBody=*/[{}], /*defaultImplementation=*/[{ return 0; }]>,
    InterfaceMethod<"The name under which backends register the kernel.",
      "::llvm::StringRef", "getKernelName", (ins), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return $_op->getName().getStringRef(); }]>,
    InterfaceMethod<"Which run of the operation this is: 0 for the first, distinct for every recomputation.",
      "int64_t", "getRunIndex", (ins), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::memplan::ops::defaultRunIndex($_op); }]>,
    InterfaceMethod<[{
      Makes the memref form on `inputs`, writing `outs`, with `workspace` as scratch (null when the operation needs none) and as run `run`. Called
      only where `hasMemrefForm()`. The default serves operations in destination style; it leaves the workspace to the attribute `memplan.workspace_offset`.
    }], "::mlir::Operation *", "createMemrefForm", (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$inputs,
        "::mlir::ValueRange":$outs, "::mlir::Value":$workspace, "int64_t":$run), /*methodBody=*/[{}],
      /*defaultImplementation=*/[{ return ::mlir::memplan::ops::createDestinationForm(builder, $_op, inputs, outs, run); }]>,
    InterfaceMethod<"Makes a copy of the tensor form on `operands`, as run `run`. Result types stay.",
      "::mlir::Operation *", "createRecomputation", (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands, "int64_t":$run),
      /*methodBody=*/[{}], /*defaultImplementation=*/[{ return ::mlir::memplan::ops::cloneAsRun(builder, $_op, operands, run); }]>,
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
