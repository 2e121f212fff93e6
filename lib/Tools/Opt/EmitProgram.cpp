//===- EmitProgram.cpp - Writing the program table of a step --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summary.h"
#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "memplan/Support/OutputFile.h"

using namespace mlir;

namespace {

struct EmitProgramPass
    : PassWrapper<EmitProgramPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EmitProgramPass)
  explicit EmitProgramPass(const std::string &output) : output(output) {}

  StringRef getArgument() const override { return "memplan-opt-emit-program"; }
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    FailureOr<::memplan::runtime::Program> program =
        mlir::memplan::buildProgram(function);
    if (failed(program))
      return signalPassFailure();
    std::vector<std::byte> bytes =
        ::memplan::runtime::serializeProgram(*program);
    StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    if (llvm::Error error = ::memplan::writeFile(output, text)) {
      emitError(function.getLoc(), "the program: ")
          << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }

  std::string output;
};

} // namespace

namespace memplan {

std::unique_ptr<Pass> createEmitProgramPass(const std::string &output) {
  return std::make_unique<EmitProgramPass>(output);
}

} // namespace memplan
