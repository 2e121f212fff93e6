//===- ToyOps.td - A dialect that knows nothing of memplan -*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let cppNamespace = "::toy";
}

def Toy_SoftSignOp : Op<Toy_Dialect, "softsign", [Pure, SameOperandsAndResultType]> {
  let summary = "x / (1 + |x|) of each element, on tensors alone";
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($output)";
}

def Toy_TimesOp : Op<Toy_Dialect, "times", [Pure, SameOperandsAndResultType]> {
  let summary = "The product of two tensors, element by element";
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($output)";
}

def Toy_RowSumsOp : Op<Toy_Dialect, "row_sums", [Pure]> {
  let summary = "The sum of each row";
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$sums);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

def Toy_OuterOp : Op<Toy_Dialect, "outer", [DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "The products of all pairs of elements, in destination style, on tensors or on memrefs";
  let arguments = (ins AnyShaped:$lhs, AnyShaped:$rhs, AnyShaped:$init);
  let results = (outs Variadic<AnyRankedTensor>:$products);
  let assemblyFormat = "$lhs `,` $rhs `into` $init attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = "::mlir::MutableOperandRange getDpsInitsMutable() { return ::mlir::MutableOperandRange(getInitMutable()); }";
}
