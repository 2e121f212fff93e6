//===- CompilerTest.cpp - What C++ hosts add to the compiler in C ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Compiler.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "gmock/gmock.h"
#include <thread>

using ::testing::HasSubstr;

namespace {

const std::string step = R"(
func.func @step(%x: tensor<4xf32> {memplan.kind = "input"})
    -> (tensor<4xf32> {memplan.kind = "output"}) {
  %0 = memplan.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
)";

/// A pass of a host that memplan has never heard of.
struct MarkPass
    : mlir::PassWrapper<MarkPass, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MarkPass)
  llvm::StringRef getArgument() const override { return "host-mark"; }
  void runOnOperation() override {
    getOperation()->setAttr("host.mark", mlir::UnitAttr::get(&getContext()));
  }
};

std::string planned(memplan_compiler_t *compiler, const std::string &bytes) {
  memplan_step_t *handle = nullptr;
  char *text = nullptr;
  std::string result;
  if (memplan_step_read(compiler, bytes.data(), int64_t(bytes.size()), "s",
                        nullptr, &handle) == MEMPLAN_OK &&
      memplan_step_planned_ir(handle, &text, nullptr) == MEMPLAN_OK)
    result = text;
  else
    result = std::string("error: ") + memplan_last_error();
  memplan_text_destroy(text);
  memplan_step_destroy(handle);
  return result;
}

} // namespace

// A host's own pass and its own dialects work through the C interface.
TEST(CompilerInC, runs_passes_of_the_host_in_its_context) {
  mlir::PassRegistration<MarkPass>();
  mlir::MLIRContext context;
  context.allowUnregisteredDialects();
  memplan_compiler_t *compiler = nullptr;
  ASSERT_EQ(memplan_compiler_create_in_context(&context, &compiler),
            MEMPLAN_OK);
  ASSERT_EQ(memplan_compiler_set_passes(compiler, "func.func(host-mark)"),
            MEMPLAN_OK);
  const std::string text = planned(compiler, step);
  EXPECT_THAT(text, HasSubstr("host.mark"));
  EXPECT_THAT(text, HasSubstr("memplan.planned"));
  memplan_compiler_destroy(compiler);
}

// Bytecode says the same as the text that it was made from.
TEST(CompilerInC, reads_bytecode) {
  memplan_compiler_t *compiler = nullptr;
  mlir::MLIRContext context;
  memplan_compiler_t *parser = nullptr; // Brings the dialects.
  ASSERT_EQ(memplan_compiler_create_in_context(&context, &parser), MEMPLAN_OK);
  ASSERT_EQ(memplan_compiler_create(&compiler), MEMPLAN_OK);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(step, &context);
  ASSERT_TRUE(module);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(*module, os)));
  const std::string text = planned(compiler, bytes);
  EXPECT_THAT(text, HasSubstr("memplan.planned"));
  EXPECT_EQ(text, planned(compiler, step));
  memplan_compiler_destroy(parser);
  memplan_compiler_destroy(compiler);
}

// Threads of a host compile side by side, each with its own compiler.
TEST(CompilerInC, compiles_on_two_threads) {
  std::string texts[2];
  auto compile = [&](int number) {
    memplan_compiler_t *compiler = nullptr;
    ASSERT_EQ(memplan_compiler_create(&compiler), MEMPLAN_OK);
    for (int i = 0; i < 5; ++i)
      texts[number] = planned(compiler, step);
    memplan_compiler_destroy(compiler);
  };
  std::thread other(compile, 1);
  compile(0);
  other.join();
  EXPECT_THAT(texts[0], HasSubstr("memplan.planned"));
  EXPECT_EQ(texts[0], texts[1]);
}
