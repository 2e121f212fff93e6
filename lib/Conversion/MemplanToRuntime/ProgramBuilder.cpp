//===- ProgramBuilder.cpp - Planned IR to a program table -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Conversion/MemplanToRuntime.h"

#include "Launch.h"
#include "ProgramWaits.h"
#include "memplan/Dialect/Memplan/IR/Constants.h"
#include "memplan/Dialect/Memplan/IR/PlannedMemory.h"
#include "memplan/Dialect/Memplan/IR/VariantName.h"

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
  /// The bytes that a range of an argument of the function counts from.
  struct Base {
    rt::Space space = rt::Space::Arena;
    int32_t index = 0;
  };

  LogicalResult addArgument(BlockArgument argument);
  FailureOr<rt::Operand> makeOperand(Operation *user, Value value);
  LogicalResult add(Operation &op);
  LogicalResult addInstruction(PlannableOpInterface op);
  LogicalResult addCopy(Operation *op, rt::Queue queue, int64_t stream);
  LogicalResult addWait(WaitOp op);
  void finish();
  LogicalResult addOperands(PlannableOpInterface op,
                            rt::Instruction &instruction);
  rt::Operand addConstant(ConstantOp op);
  LogicalResult addOutputs(func::ReturnOp op);
  void addUpdates();

  func::FuncOp function;
  rt::Program program;
  std::vector<Base> bases; ///< By argument of the function.
  AddressMap addresses;
  ProgramWaits waits;
  ConstantBlob constants;
  /// Arguments that an operation makes a new version of.
  llvm::SmallDenseSet<int64_t> updated;
};

} // namespace

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
    bases.push_back({rt::Space::Arena, int32_t(program.arenas.size())});
    program.arenas.push_back(
        {type.getDimSize(0), integer(kAlignmentAttrName, 256),
         isa_and_nonnull<HostAttr>(type.getMemorySpace()) ? "host" : "device"});
    return success();
  }
  std::optional<rt::Operand> operand = describeOperand(type);
  if (!operand)
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
  described.dtype = operand->dtype;
  described.shape = operand->shape;
  described.init = text(kInitAttrName);
  described.high = integer(kHighAttrName, 0);
  described.batchDim = integer(kBatchAttrName, -1);
  described.donated = bool(function.getArgAttr(number, kDonatedAttrName));
  if (function.getArgAttr(number, kArenaOffsetAttrName)) {
    described.arena = 0;
    described.arenaOffset = integer(kArenaOffsetAttrName, 0);
  }
  if (function.getArgAttr(number, kHostOffsetAttrName)) {
    described.arena = 1;
    described.arenaOffset = integer(kHostOffsetAttrName, 0);
  }
  bases.push_back({rt::Space::Argument, int32_t(program.arguments.size())});
  program.arguments.push_back(std::move(described));
  return success();
}

FailureOr<rt::Operand> ProgramBuilder::makeOperand(Operation *user,
                                                   Value value) {
  FailureOr<ByteRange> range = addresses.resolve(value, user);
  if (failed(range))
    return failure();
  std::optional<rt::Operand> operand = describeOperand(value.getType());
  if (!operand)
    return user->emitOpError() << "has an operand of type " << value.getType()
                               << ", for which no kernels exist";
  operand->space = bases[range->argument].space;
  operand->index = bases[range->argument].index;
  operand->byteOffset = range->begin;
  if (!range->isDense()) {
    SmallVector<int64_t> strides;
    int64_t unused;
    (void)cast<MemRefType>(value.getType())
        .getStridesAndOffset(strides, unused);
    operand->strides.assign(strides.begin(), strides.end());
  }
  return std::move(*operand);
}

rt::Operand ProgramBuilder::addConstant(ConstantOp op) {
  rt::Operand source = *describeOperand(op.getOutputAt(0).getType());
  source.space = rt::Space::Constant;
  source.byteOffset = *constants.add(op);
  return source;
}

LogicalResult ProgramBuilder::addOperands(PlannableOpInterface op,
                                          rt::Instruction &instruction) {
  unsigned inputs = op.getNumInputs(), outputs = op.getNumOutputs();
  auto add = [&](Value value, auto consume) -> LogicalResult {
    FailureOr<rt::Operand> operand = makeOperand(op, value);
    if (failed(operand))
      return failure();
    consume(std::move(*operand));
    return success();
  };
  for (Value input : op->getOperands().take_front(inputs))
    if (failed(add(input, [&](rt::Operand operand) {
          instruction.inputs.push_back(std::move(operand));
        })))
      return failure();
  for (unsigned i = 0; i < outputs; ++i)
    if (failed(add(op.getOutputAt(i), [&](rt::Operand operand) {
          if (op.getWrittenOperand(i) && operand.space == rt::Space::Argument)
            updated.insert(operand.index);
          instruction.outputs.push_back(std::move(operand));
        })))
      return failure();
  if (op->getNumOperands() == inputs + outputs)
    return success();
  return add(op->getOperand(inputs + outputs), [&](rt::Operand operand) {
    instruction.workspace = std::move(operand);
  });
}

LogicalResult ProgramBuilder::addInstruction(PlannableOpInterface op) {
  std::string reason;
  FailureOr<rt::Instruction> instruction = describeKernel(op, reason);
  if (failed(instruction))
    return op.emitOpError(reason);
  if (auto node = op->getAttrOfType<IntegerAttr>(kNodeAttrName))
    instruction->node = node.getInt();
  if (auto stream = op->getAttrOfType<IntegerAttr>(kStreamAttrName))
    instruction->stream = stream.getInt();
  if (auto variant = op->getAttrOfType<StringAttr>(kVariantAttrName))
    instruction->variant = variant.getValue().str();
  if (failed(addOperands(op, *instruction)))
    return failure();
  if (auto constant = dyn_cast<ConstantOp>(op.getOperation());
      constant && !fillValue(constant))
    instruction->inputs.push_back(addConstant(constant));
  waits.issue(*instruction, program.instructions.size());
  program.instructions.push_back(std::move(*instruction));
  return success();
}

LogicalResult ProgramBuilder::addCopy(Operation *op, rt::Queue queue,
                                      int64_t stream) {
  rt::Instruction copy;
  copy.kernel = op->getName().getStringRef().str();
  copy.queue = queue;
  copy.stream = stream;
  FailureOr<rt::Operand> source = makeOperand(op, op->getOperand(0)),
                         destination = makeOperand(op, op->getOperand(1));
  if (failed(source) || failed(destination))
    return failure();
  copy.inputs.push_back(std::move(*source));
  copy.outputs.push_back(std::move(*destination));
  const int32_t number = program.instructions.size();
  waits.issue(copy, number);
  waits.endOfCopy(op->getResult(0), number);
  program.instructions.push_back(std::move(copy));
  return success();
}

LogicalResult ProgramBuilder::addWait(WaitOp op) {
  if (waits.wait(op.getEvent(), op.getStream()))
    return success();
  return op.emitOpError(
      "waits for an event that neither a copy nor memplan.record gives");
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

/// A copy to the place on the host where the argument is between steps.
static bool goesHome(const rt::Operand &output, const rt::Argument &argument) {
  return output.space == rt::Space::Arena && argument.arena == 1 &&
         output.index == 1 && output.byteOffset == argument.arenaOffset;
}

void ProgramBuilder::addUpdates() {
  std::vector<bool> written(program.arguments.size());
  for (const rt::Instruction &instruction : program.instructions)
    for (const rt::Operand &output : instruction.outputs) {
      // A copy brings back what is there.
      if (output.space == rt::Space::Argument && !instruction.isCopy())
        written[output.index] = true;
      for (auto [index, argument] : llvm::enumerate(program.arguments))
        if (instruction.isCopy() && goesHome(output, argument))
          written[index] = true;
    }
  for (auto [index, argument] : llvm::enumerate(program.arguments)) {
    // A donated input is scratch for the step, not a value that it hands back.
    if (!written[index] ||
        (argument.kind == rt::ArgumentKind::Input && !updated.contains(index)))
      continue;
    rt::Operand value;
    value.space = argument.arena < 0 ? rt::Space::Argument : rt::Space::Arena;
    value.index = argument.arena < 0 ? int32_t(index) : argument.arena;
    value.byteOffset = argument.arenaOffset;
    value.dtype = argument.dtype;
    value.shape = argument.shape;
    program.updates.push_back({int32_t(index), std::move(value)});
  }
}

LogicalResult ProgramBuilder::add(Operation &op) {
  if (auto plannable = dyn_cast<PlannableOpInterface>(op)) {
    if (!isa<MemplanDialect>(op.getDialect()))
      return op.emitOpError()
             << "has no kernel in memplan's runtime, which runs operations of "
                "the memplan dialect; lower this function by the passes of the "
                "operation's own dialect";
    if (!plannable.isMemrefForm())
      return op.emitOpError() << "is in tensor form; plan the function with "
                                 "memplan-plan before it is lowered";
    return addInstruction(plannable);
  }
  if (auto evict = dyn_cast<EvictOp>(op))
    return addCopy(evict, rt::Queue::DeviceToHost, evict.getStream());
  if (auto fetch = dyn_cast<FetchOp>(op))
    return addCopy(fetch, rt::Queue::HostToDevice, fetch.getStream());
  if (auto record = dyn_cast<RecordOp>(op)) {
    waits.record(record.getEvent(), record.getStream());
    return success();
  }
  if (auto wait = dyn_cast<WaitOp>(op))
    return addWait(wait);
  if (auto terminator = dyn_cast<func::ReturnOp>(op))
    return addOutputs(terminator);
  if (isAddressArithmetic(&op))
    return success();
  return op.emitOpError() << "has no kernel; a planned function holds memplan "
                             "ops, memref views and constants";
}

/// What the function says of itself, and what its constants hold.
void ProgramBuilder::finish() {
  program.constants.resize(constants.bytes());
  for (auto [offset, elements] : constants.parts())
    llvm::copy(llvm::map_range(elements, [](char c) { return std::byte(c); }),
               program.constants.begin() + offset);
  if (auto budget = function->getAttrOfType<IntegerAttr>("memplan.budget"))
    program.budgetBytes = budget.getInt();
  if (auto fixed = function->getAttrOfType<IntegerAttr>("memplan.fixed_bytes"))
    program.fixedBytes = fixed.getInt();
  if (auto device = function->getAttrOfType<StringAttr>(kDeviceAttrName))
    program.device = device.str();
}

FailureOr<rt::Program> ProgramBuilder::build() {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError()
           << "is not a planned function: it must have one block";
  program.name = function.getName().str();
  for (BlockArgument argument : function.getArguments())
    if (failed(addArgument(argument)))
      return failure();
  for (Operation &op : function.front())
    if (failed(add(op)))
      return failure();
  addUpdates();
  finish();
  // The places are those of a verified plan, so that what lies at each when its
  // turn comes is the value that the plan means there.
  if (rt::Status status = nameValues(program); !status.ok())
    return function.emitError()
           << "lowers to an invalid program: " << status.message;
  return std::move(program);
}

FailureOr<rt::Program> mlir::memplan::buildProgram(func::FuncOp planned) {
  return ProgramBuilder(planned).build();
}
