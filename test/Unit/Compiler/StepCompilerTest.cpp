//===- StepCompilerTest.cpp - The compiler as a library -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Compiler/StepCompiler.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Execute/Executor.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <array>
#include <thread>

using namespace memplan;
using ::testing::HasSubstr;

namespace {

const char *const relu = R"(
func.func @step(%x: tensor<4xf32> {memplan.kind = "input"})
    -> (tensor<4xf32> {memplan.kind = "output"}) {
  %0 = memplan.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = memplan.scale %0 {factor = 2.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
)";

const char *const convolution = R"(
func.func @step(%x: tensor<2x16x12x12xf32>, %w: tensor<16x16x3x3xf32>)
    -> tensor<2x16x12x12xf32> {
  %0 = memplan.conv2d %x, %w {padding = [1, 1]} : (tensor<2x16x12x12xf32>,
      tensor<16x16x3x3xf32>) -> tensor<2x16x12x12xf32>
  return %0 : tensor<2x16x12x12xf32>
}
)";

class Compiler : public ::testing::Test {
protected:
  Compiler() : context(compilerDialects()) {
    runtime::registerBuiltInBackends();
    context.getDiagEngine().registerHandler(
        [&](mlir::Diagnostic &diagnostic) { said += diagnostic.str() + "\n"; });
  }

  /// What the step makes of four numbers.
  static std::vector<float> run(runtime::Program program,
                                runtime::StepFunction step) {
    runtime::Result<runtime::Device> device =
        runtime::Device::open("reference");
    EXPECT_TRUE(device.ok());
    auto executable = runtime::Executable::compile(*device, std::move(program));
    EXPECT_TRUE(executable.ok());
    executable->followStep(step);
    std::vector<float> values = {-1, 2, -3, 4}, result(4);
    EXPECT_TRUE(executable->writeArgument(0, values.data(), 16).ok());
    EXPECT_TRUE(executable->run().ok());
    EXPECT_TRUE(executable->readOutput(0, result.data(), 16).ok());
    return result;
  }

  mlir::MLIRContext context;
  std::string said;
};

} // namespace

// One text gives the graph, the plan, the table and the code of a step, and
// all that runs computes the same.
TEST_F(Compiler, goes_from_text_to_everything) {
  StepCompiler compiler(context, {});
  ASSERT_TRUE(compiler.readText(relu, "relu.mlir").ok()) << said;
  EXPECT_FALSE(compiler.isPlanned());
  runtime::Result<Graph> graph = compiler.graph();
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->nodes.size(), 2u);
  runtime::Result<mlir::func::FuncOp> planned = compiler.planned();
  ASSERT_TRUE(planned.ok()) << said;
  EXPECT_TRUE((*planned)->hasAttr("memplan.planned"));

  runtime::Result<runtime::Program> program = compiler.program();
  ASSERT_TRUE(program.ok()) << said;
  runtime::Result<runtime::Program> unplanned = compiler.unplannedProgram();
  ASSERT_TRUE(unplanned.ok()) << said;
  runtime::Result<StepCode> code = compiler.code();
  ASSERT_TRUE(code.ok()) << said;
  std::vector<float> expected = {0, 4, 0, 8};
  EXPECT_EQ(run(*unplanned, nullptr), expected);
  EXPECT_EQ(run(*program, nullptr), expected);
  EXPECT_EQ(run(*program, code->step), expected);
  EXPECT_EQ(said, "");
}

// The caller hears of a mistake through the context, with its place, and
// nowhere else.
TEST_F(Compiler, reports_to_the_caller) {
  StepCompiler compiler(context, {});
  testing::internal::CaptureStderr();
  runtime::Status status = compiler.readText("func.func @f() {", "bad.mlir");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message, HasSubstr("'bad.mlir' was not compiled"));
  EXPECT_NE(said, "");
}

// A plan that was changed after it was made is not lowered.
TEST_F(Compiler, verifies_what_comes_in_planned) {
  StepCompiler first(context, {});
  ASSERT_TRUE(first.readText(relu, "relu.mlir").ok());
  ASSERT_TRUE(first.planned().ok());
  std::string text;
  llvm::raw_string_ostream os(text);
  (*first.planned())->print(os);
  StepCompiler good(context, {});
  ASSERT_TRUE(good.readText(text, "planned.mlir").ok()) << said;
  EXPECT_TRUE(good.isPlanned());
  EXPECT_TRUE(good.program().ok()) << said;
  EXPECT_THAT(good.unplannedProgram().error().message,
              HasSubstr("is planned already"));

  size_t scale = text.find("factor = 2");
  ASSERT_NE(scale, text.npos);
  text[scale + 9] = '3';
  StepCompiler changed(context, {});
  ASSERT_TRUE(changed.readText(text, "changed.mlir").ok()) << said;
  EXPECT_FALSE(changed.program().ok());
  EXPECT_FALSE(changed.code().ok());
  EXPECT_NE(said, "");
}

// The scratch of a backend is asked for only where one is named.
TEST_F(Compiler, plans_the_scratch_of_a_backend) {
  auto workspaces = [&](const char *backend) {
    CompileOptions options;
    options.backend = backend;
    StepCompiler compiler(context, options);
    runtime::Status status = compiler.readText(convolution, "conv.mlir");
    EXPECT_TRUE(status.ok()) << status.message;
    runtime::Result<runtime::Program> program = compiler.program();
    EXPECT_TRUE(program.ok());
    return std::ranges::count_if(
        program->instructions,
        [](const runtime::Instruction &i) { return i.workspace.has_value(); });
  };
  EXPECT_EQ(workspaces("none"), 0);
  EXPECT_EQ(workspaces("reference"), 0);
#ifdef MEMPLAN_TEST_HAS_ONEDNN
  EXPECT_EQ(workspaces("cpu"), 1);
#endif
  CompileOptions options;
  options.backend = "abacus";
  StepCompiler compiler(context, options);
  EXPECT_THAT(compiler.readText(relu, "relu.mlir").message,
              HasSubstr("no backend 'abacus'"));
}

// A host compiles on several threads, each with its own context; what one hears
// or stops is no business of the others.
TEST_F(Compiler, compiles_on_two_threads) {
  std::atomic<bool> stop = true;
  std::array<std::string, 2> plans;
  auto compile = [&](int number) {
    mlir::MLIRContext own(compilerDialects(),
                          mlir::MLIRContext::Threading::DISABLED);
    CompileOptions options;
    options.plan.limits.stop = number == 0 ? &stop : nullptr;
    StepCompiler compiler(own, options);
    runtime::Status status = compiler.readText(convolution, "conv.mlir");
    ASSERT_TRUE(status.ok()) << status.message;
    runtime::Result<mlir::func::FuncOp> planned = compiler.planned();
    ASSERT_TRUE(planned.ok());
    llvm::raw_string_ostream os(plans[size_t(number)]);
    (*planned)->print(os);
  };
  std::thread other(compile, 1);
  compile(0);
  other.join();
  EXPECT_THAT(plans[0], HasSubstr("memplan.planned"));
  EXPECT_EQ(plans[0], plans[1]);
}
