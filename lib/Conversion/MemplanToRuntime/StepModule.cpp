//===- StepModule.cpp - A program table as LLVM dialect -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Runtime/Program/ProgramIO.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
namespace rt = ::memplan::runtime;

namespace {

/// Emits the step function of one program.
class StepEmitter {
public:
  StepEmitter(ModuleOp module, const rt::Program &program)
      : program(program), builder(module.getBodyRegion()), loc(module.getLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  void emitStep();
  void emitTable();

private:
  Value constant(int64_t value, unsigned bits) {
    return LLVM::ConstantOp::create(
        builder, loc, builder.getIntegerType(bits),
        builder.getIntegerAttr(builder.getIntegerType(bits), value));
  }
  /// Base pointers are loaded once, at the entry.
  void loadBases(Value table, size_t count, std::vector<Value> &bases);
  Value address(const rt::Operand &operand);
  void emitLaunch(int32_t number, Value operands);

  const rt::Program &program;
  OpBuilder builder;
  Location loc;
  LLVM::LLVMPointerType pointer;
  std::vector<Value> arenas, arguments;
  Value context, launch, constants;
  Block *stop = nullptr; ///< Returns the status of the launch that failed.
};

} // namespace

void StepEmitter::loadBases(Value table, size_t count,
                            std::vector<Value> &bases) {
  for (size_t i = 0; i < count; ++i) {
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, table,
                                     ArrayRef<LLVM::GEPArg>{int32_t(i)});
    bases.push_back(LLVM::LoadOp::create(builder, loc, pointer, slot));
  }
}

Value StepEmitter::address(const rt::Operand &operand) {
  Value base = operand.space == rt::Space::Arena      ? arenas[operand.index]
               : operand.space == rt::Space::Argument ? arguments[operand.index]
                                                      : constants;
  if (operand.byteOffset == 0)
    return base;
  return LLVM::GEPOp::create(
      builder, loc, pointer, builder.getI8Type(), base,
      ArrayRef<LLVM::GEPArg>{constant(operand.byteOffset, 64)});
}

void StepEmitter::emitLaunch(int32_t number, Value operands) {
  const rt::Instruction &instruction = program.instructions[number];
  int32_t slot = 0;
  auto store = [&](const rt::Operand &operand) {
    Value target = LLVM::GEPOp::create(builder, loc, pointer, pointer, operands,
                                       ArrayRef<LLVM::GEPArg>{slot++});
    LLVM::StoreOp::create(builder, loc, address(operand), target);
  };
  for (const rt::Operand &operand : instruction.inputs)
    store(operand);
  for (const rt::Operand &operand : instruction.outputs)
    store(operand);
  if (instruction.workspace)
    store(*instruction.workspace);

  auto type = LLVM::LLVMFunctionType::get(
      builder.getI32Type(), {pointer, builder.getI32Type(), pointer});
  Value status =
      LLVM::CallOp::create(
          builder, loc, type,
          ValueRange{launch, context, constant(number, 32), operands})
          .getResult();
  Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                      status, constant(0, 32));
  Block *current = builder.getInsertionBlock();
  Block *next = builder.createBlock(stop);
  builder.setInsertionPointToEnd(current);
  LLVM::CondBrOp::create(builder, loc, failed, stop, ValueRange{status}, next,
                         ValueRange{});
  builder.setInsertionPointToStart(next);
}

void StepEmitter::emitStep() {
  auto type = LLVM::LLVMFunctionType::get(
      builder.getI32Type(), {pointer, pointer, pointer, pointer, pointer});
  auto function =
      LLVM::LLVMFuncOp::create(builder, loc, mlir::memplan::kStepSymbol, type);
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock(builder);
  stop = builder.createBlock(&function.getBody(), function.getBody().end(),
                             builder.getI32Type(), loc);
  LLVM::ReturnOp::create(builder, loc, stop->getArgument(0));
  builder.setInsertionPointToStart(entry);
  context = entry->getArgument(0);
  launch = entry->getArgument(1);
  constants = entry->getArgument(4);
  size_t most = 1;
  for (const rt::Instruction &instruction : program.instructions)
    most = std::max(most,
                    instruction.inputs.size() + instruction.outputs.size() + 1);
  Value operands = LLVM::AllocaOp::create(builder, loc, pointer, pointer,
                                          constant(most, 32));
  loadBases(entry->getArgument(2), program.arenas.size(), arenas);
  loadBases(entry->getArgument(3), program.arguments.size(), arguments);
  for (int32_t i = 0, e = program.instructions.size(); i < e; ++i)
    emitLaunch(i, operands);
  LLVM::ReturnOp::create(builder, loc, constant(0, 32));
}

void StepEmitter::emitTable() {
  std::vector<std::byte> bytes = rt::serializeProgram(program);
  StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                         LLVM::Linkage::External, mlir::memplan::kProgramSymbol,
                         builder.getStringAttr(text), /*alignment=*/64);
  LLVM::GlobalOp::create(builder, loc, builder.getI64Type(),
                         /*isConstant=*/true, LLVM::Linkage::External,
                         mlir::memplan::kProgramBytesSymbol,
                         builder.getI64IntegerAttr(bytes.size()));
}

OwningOpRef<ModuleOp>
mlir::memplan::buildStepModule(MLIRContext *context,
                               const rt::Program &program) {
  context->loadDialect<LLVM::LLVMDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  StepEmitter emitter(*module, program);
  emitter.emitTable();
  emitter.emitStep();
  return module;
}
