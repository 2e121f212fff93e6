//===- ProgramBuilder.cpp - Planned IR to a program table -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Conversion/MemplanToRuntime.h"

#include "ArenaValues.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::memplan;
namespace rt = ::memplan::runtime;

namespace {

/// Translates one function; values are resolved to places as they appear.
class ProgramBuilder {
public:
  explicit ProgramBuilder(func::FuncOp function) : function(function) {}
  FailureOr<rt::Program> build();

private:
  /// Where a memref starts: an arena or argument and the bytes from its base.
  struct Place {
    rt::Space space = rt::Space::Arena;
    int32_t index = 0;
    int64_t byteOffset = 0;
  };

  LogicalResult addArgument(BlockArgument argument);
  LogicalResult resolveView(Operation *op);
  FailureOr<rt::Operand> makeOperand(Operation *user, Value value);
  LogicalResult addInstruction(PlannableOpInterface op);
  FailureOr<rt::Operand> addConstant(ConstantOp op);
  LogicalResult addOutputs(func::ReturnOp op);
  void addUpdates();

  func::FuncOp function;
  rt::Program program;
  DenseMap<Value, Place> places;
  ArenaValues arenaValues;
};

} // namespace

static std::optional<rt::DType> convertElementType(Type type) {
  if (type.isF32())
    return rt::DType::F32;
  if (type.isInteger(64))
    return rt::DType::I64;
  if (type.isInteger(8))
    return rt::DType::I8;
  return std::nullopt;
}

LogicalResult ProgramBuilder::addArgument(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return function.emitError()
           << "argument " << number << " has type " << argument.getType()
           << "; a planned function takes dense memrefs of static shape";
  auto text = [&](StringRef name) {
    auto attribute = function.getArgAttrOfType<StringAttr>(number, name);
    return attribute ? attribute.getValue().str() : std::string();
  };
  auto integer = [&](StringRef name, int64_t otherwise) {
    auto attribute = function.getArgAttrOfType<IntegerAttr>(number, name);
    return attribute ? attribute.getInt() : otherwise;
  };
  if (function.getArgAttr(number, kArenaAttrName)) {
    if (type.getRank() != 1 || !type.getElementType().isInteger(8))
      return function.emitError() << "arena argument " << number << " has type "
                                  << type << "; it must be memref<Nxi8>";
    places[argument] = {rt::Space::Arena, int32_t(program.arenas.size()), 0};
    program.arenas.push_back(
        {type.getDimSize(0), integer(kAlignmentAttrName, 256), "device"});
    return success();
  }
  std::optional<rt::DType> dtype = convertElementType(type.getElementType());
  if (!dtype)
    return function.emitError() << "argument " << number << " has type " << type
                                << ", for which no kernels exist";
  rt::Argument described;
  described.name = text(kNameAttrName);
  if (described.name.empty())
    described.name = "arg" + std::to_string(program.arguments.size());
  std::string kind = text(kKindAttrName);
  described.kind = kind == "parameter" ? rt::ArgumentKind::Parameter
                   : kind == "state"   ? rt::ArgumentKind::State
                                       : rt::ArgumentKind::Input;
  described.dtype = *dtype;
  described.shape.assign(type.getShape().begin(), type.getShape().end());
  described.init = text(kInitAttrName);
  described.high = integer(kHighAttrName, 0);
  described.batchDim = integer(kBatchAttrName, -1);
  described.donated = bool(function.getArgAttr(number, kDonatedAttrName));
  places[argument] = {rt::Space::Argument, int32_t(program.arguments.size()),
                      0};
  program.arguments.push_back(std::move(described));
  return success();
}

LogicalResult ProgramBuilder::resolveView(Operation *op) {
  Value source = op->getOperand(0);
  auto found = places.find(source);
  if (found == places.end())
    return op->emitOpError()
           << "views a memref that is neither an arena nor an argument";
  Place place = found->second;
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    IntegerAttr shift;
    if (!matchPattern(view.getByteShift(), m_Constant(&shift)))
      return op->emitOpError()
             << "has an offset that is not a constant; memory "
                "planning fixes every offset";
    place.byteOffset += shift.getInt();
  } else if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
    ArrayRef<int64_t> offsets = cast.getStaticOffsets();
    if (offsets.size() != 1 || ShapedType::isDynamic(offsets[0]))
      return op->emitOpError() << "has an offset that is not a constant";
    auto type = mlir::cast<MemRefType>(cast.getType());
    place.byteOffset += offsets[0] * (type.getElementTypeBitWidth() / 8);
  } else if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp,
                  memref::CastOp>(op)) {
    return op->emitOpError() << "cannot stand in a planned function";
  }
  places[op->getResult(0)] = place;
  return success();
}

FailureOr<rt::Operand> ProgramBuilder::makeOperand(Operation *user,
                                                   Value value) {
  auto found = places.find(value);
  if (found == places.end())
    return user->emitOpError()
           << "uses a memref that is neither in an arena nor an argument";
  auto type = cast<MemRefType>(value.getType());
  std::optional<rt::DType> dtype = convertElementType(type.getElementType());
  if (!dtype)
    return user->emitOpError() << "has an operand of type " << type
                               << ", for which no kernels exist";
  rt::Operand operand;
  operand.space = found->second.space;
  operand.index = found->second.index;
  operand.byteOffset = found->second.byteOffset;
  operand.dtype = *dtype;
  operand.shape.assign(type.getShape().begin(), type.getShape().end());
  return operand;
}

/// The value of an inherent attribute as the table holds it, or nothing for
/// one that is not part of the kernel's contract.
static std::optional<rt::AttributeValue> convertAttribute(Attribute attribute) {
  if (isa<UnitAttr>(attribute))
    return rt::AttributeValue(int64_t(1));
  if (auto boolean = dyn_cast<BoolAttr>(attribute))
    return rt::AttributeValue(int64_t(boolean.getValue()));
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return rt::AttributeValue(integer.getInt());
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return rt::AttributeValue(number.getValueAsDouble());
  if (auto text = dyn_cast<StringAttr>(attribute))
    return rt::AttributeValue(text.getValue().str());
  if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute))
    return rt::AttributeValue(std::vector<int64_t>(list.asArrayRef().begin(),
                                                   list.asArrayRef().end()));
  if (auto list = dyn_cast<DenseF64ArrayAttr>(attribute))
    return rt::AttributeValue(std::vector<double>(list.asArrayRef().begin(),
                                                  list.asArrayRef().end()));
  return std::nullopt;
}

static LogicalResult addAttributes(Operation *op,
                                   rt::Instruction &instruction) {
  SmallVector<NamedAttribute> attributes;
  if (isa<ConstantOp>(op))
    return success(); // Its value went into the constants.
  if (isa<OpaqueOp>(op)) {
    // The kernel of an opaque op sees its own attributes, not those that
    // describe the op to planners.
    if (auto attrs = op->getAttrOfType<DictionaryAttr>("parameters"))
      llvm::append_range(attributes, attrs);
  } else {
    static constexpr llvm::StringLiteral planning[] = {"run", "workspace_bytes",
                                                       "operandSegmentSizes"};
    for (NamedAttribute attribute : op->getAttrs())
      if (!llvm::is_contained(planning, attribute.getName().getValue()) &&
          !attribute.getName().getValue().contains('.'))
        attributes.push_back(attribute);
  }
  for (NamedAttribute attribute : attributes) {
    std::optional<rt::AttributeValue> value =
        convertAttribute(attribute.getValue());
    if (!value)
      return op->emitOpError()
             << "has attribute '" << attribute.getName().getValue()
             << "' of a kind that kernels do not take: "
             << attribute.getValue();
    instruction.attributes.push_back(
        {attribute.getName().getValue().str(), std::move(*value)});
  }
  llvm::sort(instruction.attributes,
             [](const rt::Attribute &a, const rt::Attribute &b) {
               return a.name < b.name;
             });
  return success();
}

LogicalResult ProgramBuilder::addInstruction(PlannableOpInterface op) {
  int32_t number = program.instructions.size();
  rt::Instruction instruction;
  instruction.kernel = op.getKernelName().str();
  if (auto node = op->getAttrOfType<IntegerAttr>(kNodeAttrName))
    instruction.node = node.getInt();
  instruction.run = op.getRunIndex();
  unsigned inputs = op.getNumInputs(), outputs = op.getNumOutputs();
  if (auto constant = dyn_cast<ConstantOp>(op.getOperation())) {
    FailureOr<rt::Operand> source = addConstant(constant);
    if (failed(source))
      return failure();
    instruction.inputs.push_back(std::move(*source));
  }
  for (Value input : op->getOperands().take_front(inputs)) {
    FailureOr<rt::Operand> operand = makeOperand(op, input);
    if (failed(operand))
      return failure();
    arenaValues.read(*operand, number);
    instruction.inputs.push_back(std::move(*operand));
  }
  for (unsigned i = 0; i < outputs; ++i) {
    FailureOr<rt::Operand> operand = makeOperand(op, op.getOutputAt(i));
    if (failed(operand))
      return failure();
    instruction.outputs.push_back(std::move(*operand));
  }
  for (const rt::Operand &output : instruction.outputs)
    arenaValues.write(output, number, instruction.inputs);
  if (op->getNumOperands() > inputs + outputs) {
    FailureOr<rt::Operand> operand =
        makeOperand(op, op->getOperand(inputs + outputs));
    if (failed(operand))
      return failure();
    instruction.workspace = std::move(*operand);
  }
  if (failed(addAttributes(op, instruction)))
    return failure();
  program.instructions.push_back(std::move(instruction));
  return success();
}

FailureOr<rt::Operand> ProgramBuilder::addConstant(ConstantOp op) {
  auto value = cast<DenseElementsAttr>(op.getValue());
  std::optional<rt::DType> dtype = convertElementType(value.getElementType());
  if (!dtype)
    return op.emitOpError() << "has element type " << value.getElementType()
                            << ", for which no kernels exist";
  rt::Operand source;
  source.space = rt::Space::Constant;
  source.dtype = *dtype;
  ArrayRef<int64_t> shape = value.getType().getShape();
  source.shape.assign(shape.begin(), shape.end());
  // Every constant starts aligned for any element type and vector load.
  program.constants.resize(llvm::alignTo(program.constants.size(), 64));
  source.byteOffset = program.constants.size();
  auto append = [&](uint64_t bits, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      program.constants.push_back(std::byte(bits >> (8 * i)));
  };
  unsigned bytes = rt::byteSize(*dtype);
  if (*dtype == rt::DType::F32)
    for (const APFloat &element : value.getValues<APFloat>())
      append(element.bitcastToAPInt().getZExtValue(), bytes);
  else
    for (const APInt &element : value.getValues<APInt>())
      append(element.getZExtValue(), bytes);
  return source;
}

LogicalResult ProgramBuilder::addOutputs(func::ReturnOp op) {
  for (OpOperand &returned : op->getOpOperands()) {
    unsigned index = returned.getOperandNumber();
    FailureOr<rt::Operand> operand = makeOperand(op, returned.get());
    if (failed(operand))
      return failure();
    if (auto updates = function.getResultAttrOfType<IntegerAttr>(
            index, kUpdatesAttrName)) {
      return function.emitError()
             << "result " << index << " updates argument " << updates.getInt()
             << "; in a planned function updates write their argument";
    }
    arenaValues.keep(*operand);
    rt::Output output;
    auto kind = function.getResultAttrOfType<StringAttr>(index, kKindAttrName);
    output.kind = kind && kind.getValue() == "loss" ? rt::OutputKind::Loss
                                                    : rt::OutputKind::Output;
    auto name = function.getResultAttrOfType<StringAttr>(index, kNameAttrName);
    output.name = name ? name.getValue().str()
                       : std::string(toString(output.kind)) +
                             (index ? std::to_string(index) : "");
    output.operand = std::move(*operand);
    program.outputs.push_back(std::move(output));
  }
  return success();
}

void ProgramBuilder::addUpdates() {
  std::vector<bool> written(program.arguments.size());
  for (const rt::Instruction &instruction : program.instructions)
    for (const rt::Operand &output : instruction.outputs)
      if (output.space == rt::Space::Argument)
        written[output.index] = true;
  for (auto [index, argument] : llvm::enumerate(program.arguments)) {
    // A donated input is scratch for the step, not a value that it hands back.
    if (!written[index] || argument.kind == rt::ArgumentKind::Input)
      continue;
    rt::Operand value;
    value.space = rt::Space::Argument;
    value.index = index;
    value.dtype = argument.dtype;
    value.shape = argument.shape;
    program.updates.push_back({int32_t(index), std::move(value)});
  }
}

FailureOr<rt::Program> ProgramBuilder::build() {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError()
           << "is no planned function: it must have one block";
  program.name = function.getName().str();
  for (BlockArgument argument : function.getArguments())
    if (failed(addArgument(argument)))
      return failure();
  for (Operation &op : function.front()) {
    LogicalResult added = success();
    if (auto plannable = dyn_cast<PlannableOpInterface>(op)) {
      if (!plannable.isMemrefForm())
        return op.emitOpError() << "is in tensor form; plan the function with "
                                   "memplan-plan before it is lowered";
      added = addInstruction(plannable);
    } else if (isa<memref::MemRefDialect>(op.getDialect())) {
      added = resolveView(&op);
    } else if (auto terminator = dyn_cast<func::ReturnOp>(op)) {
      added = addOutputs(terminator);
    } else if (!isa<arith::ConstantOp>(op)) {
      return op.emitOpError() << "has no kernel; a planned function holds "
                                 "memplan ops, memref views and constants";
    }
    if (failed(added))
      return failure();
  }
  addUpdates();
  arenaValues.finish(program);
  if (rt::Status status = program.check(); !status.ok())
    return function.emitError()
           << "lowers to an invalid program: " << status.message;
  return std::move(program);
}

FailureOr<rt::Program> mlir::memplan::buildProgram(func::FuncOp planned) {
  return ProgramBuilder(planned).build();
}

FailureOr<rt::Instruction>
mlir::memplan::describeLaunch(PlannableOpInterface op) {
  rt::Instruction instruction;
  instruction.kernel = op.getKernelName().str();
  int32_t places = 0;
  auto describe = [&](Value value) -> FailureOr<rt::Operand> {
    auto type = cast<ShapedType>(value.getType());
    std::optional<rt::DType> dtype = convertElementType(type.getElementType());
    if (!dtype)
      return op.emitOpError() << "has an operand of type " << type
                              << ", for which no kernels exist";
    rt::Operand operand;
    // Each operand in a place of its own: no launch is in place.
    operand.space = rt::Space::Argument;
    operand.index = places++;
    operand.dtype = *dtype;
    operand.shape.assign(type.getShape().begin(), type.getShape().end());
    return operand;
  };
  auto add = [&](Value value, std::vector<rt::Operand> &operands) {
    FailureOr<rt::Operand> operand = describe(value);
    if (succeeded(operand))
      operands.push_back(std::move(*operand));
    return LogicalResult(operand);
  };
  for (Value input : op->getOperands().take_front(op.getNumInputs()))
    if (failed(add(input, instruction.inputs)))
      return failure();
  for (unsigned i = 0, e = op.getNumOutputs(); i < e; ++i)
    if (failed(add(op.getOutputAt(i), instruction.outputs)))
      return failure();
  // The elements of a constant are its one input.
  if (isa<ConstantOp>(op.getOperation())) {
    instruction.inputs.push_back(instruction.outputs.front());
    instruction.inputs.back().index = places++;
  }
  if (failed(addAttributes(op, instruction)))
    return failure();
  return instruction;
}
