//===- OpForms.cpp - Syntax, building and verification of both forms ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/IR/PlannedMemory.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::memplan;

static constexpr StringLiteral segmentsName = "operandSegmentSizes";
static constexpr StringLiteral runName = "run";
static constexpr StringLiteral workspaceBytesName = "workspace_bytes";

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

void ops::addInputs(OperationState &state,
                    std::initializer_list<ValueRange> inputs) {
  for (ValueRange range : inputs)
    for (Value value : range)
      if (value)
        state.operands.push_back(value);
}

void ops::segmentInputs(const OpInfo &info, size_t numInputs, size_t numOuts,
                        size_t numWorkspaces, MutableArrayRef<int32_t> sizes) {
  size_t left = numInputs;
  for (size_t i = 0; i < info.required + info.optional; ++i) {
    sizes[i] = left > 0 ? 1 : 0;
    left -= sizes[i];
  }
  if (info.variadic)
    sizes[sizes.size() - 3] = left;
  sizes[sizes.size() - 2] = numOuts;
  sizes.back() = numWorkspaces;
}

/// Makes a copy of `op` on other operands, the last of which are `numOuts`
/// destinations and `numWorkspaces` scratch buffers.
static Operation *copyWith(OpBuilder &builder, Operation *op,
                           ValueRange operands, TypeRange results,
                           size_t numOuts, size_t numWorkspaces, int64_t run) {
  NamedAttrList properties(
      cast<DictionaryAttr>(op->getPropertiesAsAttribute()));
  auto old = cast<DenseI32ArrayAttr>(properties.get(segmentsName));
  SmallVector<int32_t> segments(old.asArrayRef());
  segments[segments.size() - 2] = numOuts;
  segments.back() = numWorkspaces;
  properties.set(segmentsName, builder.getDenseI32ArrayAttr(segments));
  properties.set(runName, builder.getI64IntegerAttr(run));
  if (numWorkspaces)
    properties.set(workspaceBytesName, builder.getI64IntegerAttr(ops::byteSize(
                                           operands.back().getType())));
  SmallVector<NamedAttribute> discardable(op->getDiscardableAttrs());
  OperationState state(op->getLoc(), op->getName(), operands, results,
                       discardable);
  state.propertiesAttr = properties.getDictionary(builder.getContext());
  return builder.create(state);
}

Operation *ops::createMemrefForm(OpBuilder &builder, Operation *op,
                                 ValueRange inputs, ValueRange outs,
                                 Value workspace, int64_t run) {
  SmallVector<Value> operands(inputs);
  llvm::append_range(operands, outs);
  if (workspace)
    operands.push_back(workspace);
  return copyWith(builder, op, operands, TypeRange(), outs.size(),
                  workspace ? 1 : 0, run);
}

Operation *ops::createRecomputation(OpBuilder &builder, Operation *op,
                                    ValueRange inputs, int64_t run) {
  return copyWith(builder, op, inputs, op->getResultTypes(), 0, 0, run);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Reads `(%a, %b : type, type)`.
static ParseResult parseTypedList(OpAsmParser &parser,
                                  SmallVectorImpl<Value> &values) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  return failure(parser.parseLParen() || parser.parseOperandList(operands) ||
                 parser.parseColonTypeList(types) || parser.parseRParen() ||
                 parser.resolveOperands(operands, types, loc, values));
}

/// Turns `[1, 2]` into `array<i64: 1, 2>` where the operation declares the
/// attribute, and lets ODS check the rest.
static ParseResult parseAttributes(OpAsmParser &parser,
                                   OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if (result.attributes.get(segmentsName))
    return parser.emitError(loc, "'")
           << segmentsName << "' follows from the operands and cannot be given";
  for (StringAttr name : result.name.getAttributeNames()) {
    auto array = dyn_cast_or_null<ArrayAttr>(result.attributes.get(name));
    if (!array)
      continue;
    SmallVector<int64_t> values;
    for (Attribute element : array) {
      auto integer = dyn_cast<IntegerAttr>(element);
      if (!integer || !integer.getType().isSignlessInteger(64))
        return parser.emitError(loc, "attribute '")
               << name.getValue() << "' must list 64-bit integers";
      values.push_back(integer.getInt());
    }
    result.attributes.set(name,
                          parser.getBuilder().getDenseI64ArrayAttr(values));
  }
  return result.name.verifyInherentAttrs(
      result.attributes, [&]() { return parser.emitError(loc); });
}

ParseResult ops::parseOp(OpAsmParser &parser, OperationState &result,
                         const OpInfo &info) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Value> inputs, outs, workspaces;
  SmallVector<OpAsmParser::UnresolvedOperand> tensors;
  bool hasInputs = succeeded(parser.parseOptionalKeyword("ins"));
  if (hasInputs && parseTypedList(parser, inputs))
    return failure();
  bool isMemrefForm =
      hasInputs || succeeded(parser.parseOptionalKeyword("outs"));
  if (hasInputs && parser.parseKeyword("outs"))
    return failure();
  if (isMemrefForm) {
    if (parseTypedList(parser, outs) ||
        (succeeded(parser.parseOptionalKeyword("workspace")) &&
         parseTypedList(parser, workspaces)))
      return failure();
  } else if (parser.parseOperandList(tensors)) {
    return failure();
  }
  size_t count = isMemrefForm ? inputs.size() : tensors.size();
  if (count < info.required ||
      (!info.variadic && count > info.required + info.optional))
    return parser.emitError(loc, "expected ")
           << info.required
           << (info.variadic   ? " or more"
               : info.optional ? " or 1 more"
                               : "")
           << " inputs (" << llvm::join(info.inputs, ", ") << "), got "
           << count;
  if (workspaces.size() > 1)
    return parser.emitError(loc, "expected one workspace, got ")
           << workspaces.size();

  if (parseAttributes(parser, result))
    return failure();
  if (!isMemrefForm) {
    FunctionType type;
    if (parser.parseColonType(type) ||
        parser.resolveOperands(tensors, type.getInputs(), loc, inputs))
      return failure();
    result.addTypes(type.getResults());
  }
  result.addOperands(inputs);
  result.addOperands(outs);
  result.addOperands(workspaces);
  SmallVector<int32_t> segments(info.inputs.size() + 2);
  segmentInputs(info, inputs.size(), outs.size(), workspaces.size(), segments);
  result.addAttribute(segmentsName,
                      parser.getBuilder().getDenseI32ArrayAttr(segments));
  // The workspace says how many bytes it has.
  if (!workspaces.empty() && !result.attributes.get(workspaceBytesName))
    if (isDense(workspaces[0].getType(), hasByteSize))
      result.addAttribute(workspaceBytesName,
                          parser.getBuilder().getI64IntegerAttr(
                              byteSize(workspaces[0].getType())));
  return success();
}

/// Leaves types away where the parser supplies them.
static void printAttribute(OpAsmPrinter &printer, NamedAttribute attribute) {
  printer.printKeywordOrString(attribute.getName());
  Attribute value = attribute.getValue();
  if (isa<UnitAttr>(value))
    return;
  printer << " = ";
  auto integer = dyn_cast<IntegerAttr>(value);
  auto real = dyn_cast<FloatAttr>(value);
  if (integer && integer.getType().isSignlessInteger(64))
    printer << integer.getInt();
  else if (real && real.getType().isF64() && real.getValue().isFinite())
    printer.printAttributeWithoutType(
        real); // infinity is a hexadecimal number, which needs its type
  else
    printer.printAttribute(value);
}

static void printAttributes(OpAsmPrinter &printer, Operation *op) {
  SmallVector<NamedAttribute> shown;
  auto plannable = cast<PlannableOpInterface>(op);
  bool hasWorkspace = op->getNumOperands() >
                      plannable.getNumInputs() + plannable.getNumOutputs();
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    auto integer = dyn_cast<IntegerAttr>(attribute.getValue());
    StringRef name = attribute.getName();
    if (name == segmentsName ||
        (name == runName && integer && integer.getInt() == 0))
      continue;
    int64_t known = plannable.isMemrefForm() && hasWorkspace
                        ? ops::byteSize(op->getOperands().back().getType())
                        : 0;
    if (name == workspaceBytesName && integer && integer.getInt() == known)
      continue;
    shown.push_back(attribute);
  }
  if (shown.empty())
    return;
  printer << " {";
  llvm::interleaveComma(shown, printer, [&](NamedAttribute attribute) {
    // Only attributes that the operation declares are read back from `[1, 2]`.
    auto list = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (!list || !llvm::is_contained(op->getName().getAttributeNames(),
                                     attribute.getName()))
      return printAttribute(printer, attribute);
    printer << attribute.getName().getValue() << " = [";
    llvm::interleaveComma(list.asArrayRef(), printer);
    printer << "]";
  });
  printer << "}";
}

static void printTypedList(OpAsmPrinter &printer, StringRef keyword,
                           ValueRange values) {
  if (values.empty())
    return;
  printer << " " << keyword << "(" << values << " : " << values.getTypes()
          << ")";
}

void ops::printOp(OpAsmPrinter &printer, Operation *op, const OpInfo &info) {
  auto plannable = cast<PlannableOpInterface>(op);
  ValueRange inputs = op->getOperands().take_front(plannable.getNumInputs());
  if (!plannable.isMemrefForm()) {
    if (!inputs.empty())
      printer << " " << inputs;
    printAttributes(printer, op);
    printer << " : ";
    printer.printFunctionalType(op);
    return;
  }
  ValueRange rest = op->getOperands().drop_front(inputs.size());
  printTypedList(printer, "ins", inputs);
  printTypedList(printer, "outs", rest.take_front(plannable.getNumOutputs()));
  printTypedList(printer, "workspace",
                 rest.drop_front(plannable.getNumOutputs()));
  printAttributes(printer, op);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static std::string outputName(const OpInfo &info, size_t index) {
  return index < info.outputs.size()
             ? ("output '" + info.outputs[index] + "'").str()
             : "output #" + std::to_string(index);
}

/// All tensors and no destination, or all memrefs and no result.
static LogicalResult verifyForm(PlannableOpInterface op, ValueRange inputs,
                                bool hasWorkspace) {
  if (op->getNumResults() != 0 && op.isMemrefForm())
    return op->emitOpError(
        "has both results (tensor form) and outs (memref form)");
  if (op->getNumResults() == 0 && !op.isMemrefForm())
    return op->emitOpError(
        "has neither results (tensor form) nor outs (memref form)");
  for (auto [index, input] : llvm::enumerate(inputs))
    if (isa<MemRefType>(input.getType()) != op.isMemrefForm())
      return op->emitOpError("mixes the two forms: input #")
             << index << " is " << input.getType()
             << (op.isMemrefForm() ? ", but there are outs"
                                   : ", but there are results");
  if (hasWorkspace && !op.isMemrefForm())
    return op->emitOpError("has a workspace in tensor form; the attribute "
                           "'workspace_bytes' says how much it needs");
  return success();
}

static LogicalResult verifyRunAndWorkspace(PlannableOpInterface op,
                                           Value workspace) {
  if (op.getRunIndex() < 0)
    return op->emitOpError("attribute 'run' is ")
           << op.getRunIndex() << ", but must be at least 0";
  if (op.getRunIndex() > 0 && !op.isRecomputable())
    return op->emitOpError("is marked as run ")
           << op.getRunIndex() << ", but may run only once";
  int64_t needed = op.getWorkspaceBytes();
  if (needed < 0)
    return op->emitOpError("attribute 'workspace_bytes' is ")
           << needed << ", but must be at least 0";
  if (!op.isMemrefForm())
    return success();
  if (!workspace) {
    if (needed > 0)
      return op->emitOpError("needs ")
             << needed << " bytes of workspace, but has no workspace operand";
    return success();
  }
  auto type = cast<MemRefType>(workspace.getType());
  if (type.getRank() != 1 ||
      !ops::isDense(type, [](Type element) { return element.isInteger(8); }))
    return op->emitOpError("workspace is ")
           << type << ", but must be a dense memref<Nxi8>";
  if (type.getNumElements() < needed)
    return op->emitOpError("needs ")
           << needed << " bytes of workspace, but has "
           << type.getNumElements();
  return success();
}

static LogicalResult verifyOutputs(PlannableOpInterface op, const OpInfo &info,
                                   ArrayRef<RankedTensorType> inferred) {
  if (op.getNumOutputs() != inferred.size())
    return op->emitOpError("has ")
           << op.getNumOutputs() << " outputs, but computes " << inferred.size()
           << (info.outputs.empty() ? "" : ": ")
           << llvm::join(info.outputs, ", ");
  for (auto [index, type] : llvm::enumerate(inferred)) {
    Type actual = op.getOutputAt(index).getType();
    if (!ops::isInRows(actual, ops::hasByteSize))
      return op->emitOpError()
             << outputName(info, index) << " is " << actual
             << ", but must be a statically shaped dense tensor or memref";
    if (ops::tensorOf(op.getOutputAt(index)) != type)
      return op->emitOpError()
             << outputName(info, index) << " is " << actual
             << ", but its shape and element type follow as " << type;
  }
  return success();
}

/// Only operands that the kernel takes so have gaps between their rows.
static LogicalResult verifyRows(PlannableOpInterface op, const OpInfo &info) {
  const unsigned inputs = op.getNumInputs();
  for (unsigned i = 0, n = inputs + op.getNumOutputs(); i < n; ++i) {
    Value operand = op->getOperand(i);
    const unsigned dims =
        rowsOf(cast<MemRefType>(operand.getType()))->outerDims;
    if (dims > op.getStridedDims(i))
      return op->emitOpError()
             << (i < inputs ? "input #" + std::to_string(i)
                            : outputName(info, i - inputs))
             << " is " << operand.getType() << ", but must be "
             << (op.getStridedDims(i) == 0
                     ? "dense"
                     : "dense within each index of its first dimension");
  }
  return success();
}

LogicalResult ops::verifyOp(Operation *op, const OpInfo &info,
                            InferOutputTypes infer) {
  auto plannable = cast<PlannableOpInterface>(op);
  ValueRange inputs = op->getOperands().take_front(plannable.getNumInputs());
  size_t numOthers = inputs.size() +
                     (plannable.isMemrefForm() ? plannable.getNumOutputs() : 0);
  Value workspace =
      op->getNumOperands() > numOthers ? op->getOperands().back() : Value();
  SmallVector<RankedTensorType> inferred;
  if (failed(verifyForm(plannable, inputs, workspace != nullptr)) ||
      failed(verifyRunAndWorkspace(plannable, workspace)) ||
      failed(verifyElementTypes(op, info, inputs)) ||
      failed(infer(ShapeErrors(op), op, inferred)) ||
      failed(verifyOutputs(plannable, info, inferred)))
    return failure();
  if (!plannable.isMemrefForm())
    return success();
  if (failed(verifyRows(plannable, info)))
    return failure();
  // A planned update overwrites its operand where it lies.
  for (OutputInput pair : info.writes)
    if (plannable.getOutputAt(pair.output) != op->getOperand(pair.input))
      return op->emitOpError()
             << outputName(info, pair.output) << " must be written to input '"
             << info.inputs[pair.input] << "', whose new version it is";
  return success();
}
