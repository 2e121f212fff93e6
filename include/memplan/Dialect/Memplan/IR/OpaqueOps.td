//===- OpaqueOps.td - What memplan does not know -----------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_OPAQUE_OPS_TD
#define MEMPLAN_OPAQUE_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_Effects : DefaultValuedAttr<ConfinedAttr<StrAttr,
    [AttrConstraint<CPred<"::llvm::cast<::mlir::StringAttr>($_self).getValue() == \"pure\" || ::llvm::cast<::mlir::StringAttr>($_self).getValue() == \"unknown\"">,
                    "is \"pure\" or \"unknown\"">]>, "\"pure\"">;

def Memplan_OpaqueOp : Memplan_OpBase<"opaque", (ins Variadic<Memplan_Any>:$inputs),
    (ins StrAttr:$kernel, OptionalAttr<DictionaryAttr>:$parameters, OptionalAttr<Memplan_F64>:$cost,
         Memplan_I64Default<"0">:$flop_count, DefaultValuedAttr<BoolAttr, "true">:$recompute, UnitAttr:$random,
         DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$in_place,
         DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$writes, Memplan_Effects:$effects), [], []> {
  let summary = "Anything else, by its bytes and its cost";
  let description = [{
    Runs the registered kernel `kernel` with `parameters`. It is planned by the bytes of its types and by `cost` in microseconds, or else by `flop_count` and the bytes moved;
    `workspace_bytes` are what it takes beside its operands. Exporters carry an operator without counterpart so: it is planned, and run where a kernel of its name is registered.

    It declares what planning would otherwise not dare: `recompute` says whether a second run gives the same outputs; `in_place` lists pairs (output, input) whose bytes may be shared;
    `writes` lists pairs (output, input) where it overwrites the input and the output is its new version, as an update does; `random` says that it draws from a generator, so that a second run
    would give something else. Neither of these two may be recomputed. With
    `effects = "unknown"` it keeps its place among all other operations with effects and is neither recomputed nor removed.

    ```mlir
    %y = memplan.opaque %x, %w {cost = 12.5, in_place = [0, 0], kernel = "my.swish", parameters = {beta = 2.0 : f64}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$inputs, "::llvm::StringRef":$kernel),
      "$_state.addOperands(inputs); $_state.addTypes(results); auto &properties = $_state.getOrAddProperties<Properties>(); "
      "properties.kernel = $_builder.getStringAttr(kernel); "
      "::mlir::memplan::ops::segmentInputs(getInfo(), inputs.size(), 0, 0, properties.operandSegmentSizes);">
  ];
  let inPlaceOperands = "::mlir::memplan::ops::opaqueInPlaceOperands(*this, index)";
  let writtenOperand = "::mlir::memplan::ops::opaqueWrittenOperand(*this, index)";
  let flops = "getFlopCount()";
  let recompute = "getRecompute() && !getRandom() && getWrites().empty() && getEffects() == \"pure\"";
  let kernelName = "getKernel()";
  let unknownEffects = "getEffects() != \"pure\"";
  let hasVerifier = 1;
}

#endif // MEMPLAN_OPAQUE_OPS_TD
