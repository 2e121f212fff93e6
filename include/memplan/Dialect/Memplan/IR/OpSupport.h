//===- OpSupport.h - What all memplan operations share ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_OPSUPPORT_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_OPSUPPORT_H

#include "memplan/Dialect/Memplan/IR/PiecePlace.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::memplan {

/// Where the bytes of a view lie: in the operand with this index, from this
/// byte on.
struct ViewSource {
  unsigned operand = 0;
  int64_t byteOffset = 0;
};

/// An output and an input of one operation, each counted from 0.
struct OutputInput {
  unsigned output = 0;
  unsigned input = 0;
};

/// What the definition of an operation says about its inputs and outputs.
struct OpInfo {
  unsigned required = 0; // inputs that are always there; they come first
  unsigned optional = 0; // then inputs that may be missing
  unsigned variadic = 0; // 1 if any number of further inputs follows
  ArrayRef<StringLiteral> inputs;
  ArrayRef<StringLiteral>
      outputs; // empty where their number depends on attributes
  SmallVector<OutputInput> inPlace;
  SmallVector<OutputInput> writes;
  StringRef elementTypes; // Memplan_OpBase has the letters
};

/// Where a shape function reports what is wrong: at an operation, at a
/// location, or nowhere.
class ShapeErrors {
public:
  explicit ShapeErrors(std::optional<Location> location) : location(location) {}
  explicit ShapeErrors(Operation *op) : op(op) {}

  /// Reports the pieces as one message. Always a failure.
  template <typename... Pieces> LogicalResult error(Pieces &&...pieces) const {
    if (op) {
      InFlightDiagnostic diag = op->emitOpError();
      (diag << ... << std::forward<Pieces>(pieces));
    } else if (location) {
      InFlightDiagnostic diag = emitError(*location);
      (diag << ... << std::forward<Pieces>(pieces));
    }
    return failure();
  }

private:
  Operation *op = nullptr;
  std::optional<Location> location;
};

/// Calls the shape function of an operation in either form.
using InferOutputTypes = LogicalResult (*)(const ShapeErrors &, Operation *,
                                           SmallVectorImpl<RankedTensorType> &);

namespace ops {

//===----------------------------------------------------------------------===//
// Types and sizes. Sums and products stop at the largest int64_t.
//===----------------------------------------------------------------------===//

/// True for a tensor, or for a memref in row-major order whose elements have no
/// gaps but between rows of equal length. Dimensions are static and at least 1.
/// `element` accepts the element type. The bytes are fewer than int64_t can
/// count.
bool isInRows(Type type, function_ref<bool(Type)> element);
/// The same without gaps.
bool isDense(Type type, function_ref<bool(Type)> element);
/// Dense memrefs in the memory space of the host, and in any other or none.
bool isOnHost(Type type);
bool isOnDevice(Type type);
/// True for integers and floats of whole bytes.
bool hasByteSize(Type elementType);
/// True for f32, bf16 and f16.
bool isRealType(Type elementType);
/// The real type of this name; null for another name.
FloatType realTypeOf(MLIRContext *context, StringRef name);
/// "f32", "bf16", "f16", of a value's elements.
StringRef realNameOf(Value value);
int64_t addBytes(int64_t a, int64_t b);
int64_t multiplyBytes(int64_t a, int64_t b);
/// Bytes of a dense type.
int64_t byteSize(Type type);
/// `factor` times the number of elements of `value`.
int64_t elements(Value value, int64_t factor = 1);
/// `factor` times the number of elements of output 0.
int64_t outputElements(Operation *op, int64_t factor = 1);
/// `factor` times the number of elements of all inputs.
int64_t inputElements(Operation *op, int64_t factor = 1);
/// Bytes of all inputs and all outputs.
int64_t operandBytes(Operation *op);
/// Bytes moved by an operation some of whose outputs are views: the others are
/// read and written.
int64_t viewBytesMoved(Operation *op);
/// Two operations for each element of `filter`, at each image position of
/// `image` [N,C,H,W], or [N,H,W,C] with channels last.
int64_t convFlops(Value filter, Value image, bool channelsLast);
/// Two operations for each element of `output` and each term of its sum.
int64_t productFlops(Value output, Value lhs, bool transposeLhs);
/// Work of an attention, with dropout or not, or its gradient; masked keys that
/// `causal` excludes count nothing.
int64_t attentionFlops(Operation *op);
/// One for each step of the expression and each element.
int64_t mapFlops(Operation *op);
int64_t windowFlops(ArrayRef<int64_t> kernel, Value output);

//===----------------------------------------------------------------------===//
// The planning interface
//===----------------------------------------------------------------------===//

SmallVector<unsigned>
inPlaceOperands(Operation *op, ArrayRef<OutputInput> pairs, unsigned output);
SmallVector<unsigned> opaqueInPlaceOperands(Operation *op, unsigned output);
std::optional<unsigned> writtenOperand(const OpInfo &info, unsigned output);
std::optional<unsigned> opaqueWrittenOperand(Operation *op, unsigned output);
/// All inputs that have the type of output `output`.
SmallVector<unsigned> inputsOfSameType(Operation *op, unsigned output);
std::optional<ViewSource> splitViewSource(Operation *op, unsigned output);
/// Place of an input of a `memplan.concat`.
std::optional<PiecePlace> concatPiecePlace(Operation *op, unsigned input);
std::optional<ViewSource> sliceViewSource(Operation *op, int64_t dim,
                                          int64_t start);
/// Place of an output of a `memplan.split`, or of the output of a
/// `memplan.slice`.
std::optional<PiecePlace> splitPlace(Operation *op, unsigned output);
std::optional<PiecePlace> slicePlace(Operation *op, int64_t dim, int64_t start,
                                     int64_t size);
/// Number of dimensions of operand `index`; inputs first, then outputs.
unsigned rankOf(Operation *op, unsigned index);
/// The rank where all inputs have the shape of output 0; 0 where one is
/// repeated.
unsigned elementwiseRowDims(Operation *op);
/// Dimensions before the last ones that are all added up, or all kept: kernels
/// take these as one run, and add in its order.
unsigned reducedRowDims(Value input, ArrayRef<int64_t> dims);
void addEffects(
    Operation *op, bool unknown,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

//===----------------------------------------------------------------------===//
// What the planning interface says of operations of other dialects
//===----------------------------------------------------------------------===//

unsigned defaultNumInputs(Operation *op);
unsigned defaultNumOutputs(Operation *op);
Value defaultOutput(Operation *op, unsigned index);
bool defaultIsMemrefForm(Operation *op);
std::optional<unsigned> defaultDestination(Operation *op, unsigned index);
/// One for each element of output 0.
int64_t defaultFlops(Operation *op);
/// Bytes of the operands that are read and of the outputs; 0 for a view.
int64_t defaultBytesMoved(Operation *op);
/// `memplan.run`.
int64_t defaultRunIndex(Operation *op);
/// A copy of an operation in destination style on memrefs: it has no results.
/// Scalars among `inputs` stay what they are.
Operation *createDestinationForm(OpBuilder &builder, Operation *op,
                                 ValueRange inputs, ValueRange outs,
                                 int64_t run);
/// A copy on `operands`, marked `memplan.run`.
Operation *cloneAsRun(OpBuilder &builder, Operation *op, ValueRange operands,
                      int64_t run);

//===----------------------------------------------------------------------===//
// Syntax, building, verification
//===----------------------------------------------------------------------===//

/// The memref form of an operation of this dialect.
Operation *createMemrefForm(OpBuilder &builder, Operation *op,
                            ValueRange inputs, ValueRange outs, Value workspace,
                            int64_t run);
Operation *createRecomputation(OpBuilder &builder, Operation *op,
                               ValueRange inputs, int64_t run);
ParseResult parseOp(OpAsmParser &parser, OperationState &result,
                    const OpInfo &info);
void printOp(OpAsmPrinter &printer, Operation *op, const OpInfo &info);
LogicalResult verifyOp(Operation *op, const OpInfo &info,
                       InferOutputTypes infer);
/// Real inputs have the element types that `info` wants.
LogicalResult verifyElementTypes(Operation *op, const OpInfo &info,
                                 ValueRange inputs);
/// Adds the inputs that are there; a missing optional input is a null value.
void addInputs(OperationState &state, std::initializer_list<ValueRange> inputs);
/// Fills `sizes`, one for each input of the definition and two for `outs` and
/// `workspace`.
void segmentInputs(const OpInfo &info, size_t numInputs, size_t numOuts,
                   size_t numWorkspaces, MutableArrayRef<int32_t> sizes);

//===----------------------------------------------------------------------===//
// Shape functions that several families need
//===----------------------------------------------------------------------===//

/// The type of `value` as a tensor.
RankedTensorType tensorOf(Value value);
/// A tensor of f32, as statistics are.
RankedTensorType statisticsOf(Value value, ArrayRef<int64_t> shape);
ArrayRef<int64_t> shapeOf(Value value);
/// `[1, 2]`, for messages.
std::string listText(ArrayRef<int64_t> values);
/// All inputs (the first of `operands`) agree in type; so does the output.
LogicalResult inferSameType(const ShapeErrors &errors, const OpInfo &info,
                            ValueRange operands,
                            SmallVectorImpl<RankedTensorType> &outputs);
LogicalResult checkSameType(const ShapeErrors &errors, StringRef name,
                            Value value, StringRef otherName, Value other);
/// `axis`, the attribute `name`, is in [-rank, rank) of `value`.
LogicalResult checkAxis(const ShapeErrors &errors, int64_t axis, StringRef name,
                        Value value);
/// `value` has at least `rank` dimensions.
LogicalResult checkRank(const ShapeErrors &errors, Value value, StringRef name,
                        int64_t rank);

/// A dropout drops less than everything, by a seed of one element.
LogicalResult checkDropout(const ShapeErrors &errors, double p, Value seed);

/// The attribute `tf32` is set where the elements of `value` are f32 only.
LogicalResult checkTf32(const ShapeErrors &errors, bool tf32, Value value);
/// The attribute `ranks` counts processes.
LogicalResult checkRanks(const ShapeErrors &errors, int64_t ranks);

/// The attributes `min` and `max` are a range.
LogicalResult checkRange(const ShapeErrors &errors, double min, double max);

} // namespace ops

/// Verifies that an operation is in one form and that its outputs are what its
/// shape function gives.
template <typename ConcreteOp>
class MemplanOp : public OpTrait::TraitBase<ConcreteOp, MemplanOp> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return ops::verifyOp(op, ConcreteOp::getInfo(),
                         &ConcreteOp::inferOutputTypes);
  }
};

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_OPSUPPORT_H
