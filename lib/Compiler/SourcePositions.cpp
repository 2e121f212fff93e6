//===- SourcePositions.cpp - Where named operations stand -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A location in the text replaces the position that the parser would have
// given, and exporters write names only. The parser knows the positions all the
// same when it is asked for its state, so the text is parsed once more, and the
// two modules are walked side by side.
//
//===----------------------------------------------------------------------===//

#include "memplan/Compiler/SourcePositions.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// True for `loc("conv1")`: a name, and no position behind it.
static bool isOnlyNamed(Location location) {
  auto name = dyn_cast<NameLoc>(location);
  return name && isa<UnknownLoc>(name.getChildLoc());
}

static SmallVector<Operation *> operationsOf(ModuleOp module) {
  SmallVector<Operation *> operations;
  module.getBody()->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { operations.push_back(op); });
  return operations;
}

static SmallVector<Operation *> operationsOf(Block &parsed) {
  // The parser's block holds the module, or what stands without one.
  if (llvm::hasSingleElement(parsed))
    if (auto module = dyn_cast<ModuleOp>(parsed.front()))
      return operationsOf(module);
  SmallVector<Operation *> operations;
  parsed.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { operations.push_back(op); });
  return operations;
}

void memplan::addSourcePositions(ModuleOp module,
                                 llvm::MemoryBufferRef source) {
  SmallVector<Operation *> operations = operationsOf(module);
  if (llvm::none_of(operations,
                    [](Operation *op) { return isOnlyNamed(op->getLoc()); }))
    return;
  MLIRContext *context = module.getContext();
  // What is wrong with the text was said when it was parsed first.
  ScopedDiagnosticHandler silent(context, [](Diagnostic &) {});
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(source),
                             llvm::SMLoc());
  Block parsed;
  AsmParserState state;
  if (failed(parseAsmSourceFile(
          sources, &parsed, ParserConfig(context, /*verifyAfterParse=*/false),
          &state)))
    return;
  SmallVector<Operation *> parsedOps = operationsOf(parsed);
  if (parsedOps.size() != operations.size())
    return;
  auto file = StringAttr::get(context, source.getBufferIdentifier());
  for (auto [op, parsedOp] : llvm::zip_equal(operations, parsedOps)) {
    const AsmParserState::OperationDefinition *definition =
        state.getOpDef(parsedOp);
    if (!definition || op->getName() != parsedOp->getName() ||
        !isOnlyNamed(op->getLoc()))
      continue;
    auto [line, column] = sources.getLineAndColumn(definition->loc.Start);
    op->setLoc(NameLoc::get(cast<NameLoc>(op->getLoc()).getName(),
                            FileLineColLoc::get(file, line, column)));
  }
}

namespace {

struct SourcePositionsPass
    : PassWrapper<SourcePositionsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SourcePositionsPass)
  explicit SourcePositionsPass(llvm::MemoryBufferRef source) : source(source) {}

  StringRef getArgument() const override { return "memplan-source-positions"; }
  void runOnOperation() override {
    memplan::addSourcePositions(getOperation(), source);
    markAllAnalysesPreserved();
  }

  llvm::MemoryBufferRef source;
};

} // namespace

std::unique_ptr<Pass>
memplan::createSourcePositionsPass(llvm::MemoryBufferRef source) {
  return std::make_unique<SourcePositionsPass>(source);
}
