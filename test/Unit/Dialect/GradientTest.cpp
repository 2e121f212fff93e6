//===- GradientTest.cpp - Gradients against finite differences ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each differentiable op is put into a small step, differentiated by
// memplan-autodiff, lowered and run on the plain kernels. Every element of
// every gradient is held against the slope of the loss. A gradient rule that is
// wrong, or an op without a case here, fails.
//
// The kernels compute in f32, and a loss that they sum up has an error of about
// 1e-6, which a difference over a small step multiplies by a hundred. So the
// forward program returns the op's output, and the loss is formed from it in
// double: then only the elements that a step changes add their rounding. Two
// central differences make one of fourth order (Richardson), which allows a
// step of 1/64, with an error of 1/64^4 of the fifth derivative.
//
//===----------------------------------------------------------------------===//

#include "GradientCases.h"

#include "memplan/Bridge/ApplyPlan.h"
#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "memplan/Kernels/Cpu/KernelTable.h"
#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Execute/Device.h"
#include "memplan/Runtime/Execute/Executor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::memplan;
namespace rt = ::memplan::runtime;

namespace {

enum class Returns { Loss, Output };

/// The step that returns the loss, or %y and no loss (which is %y itself for
/// an op that computes a loss).
std::string stepFunction(const GradientCase &testCase, Returns returns) {
  std::string text = "func.func @step(";
  for (size_t i = 0; i < testCase.arguments.size(); ++i) {
    const std::string &type = testCase.arguments[i];
    bool integer = type.find("i64") != std::string::npos;
    text +=
        std::string(i ? ", " : "") + "%" + char('a' + i) + ": tensor<" + type +
        "> {memplan.kind = " + (integer ? "\"input\"" : "\"parameter\"") + "}";
  }
  if (!testCase.isLoss)
    text +=
        ", %target: tensor<" + testCase.result + "> {memplan.kind = \"input\"}";
  if (returns == Returns::Output && !testCase.isLoss)
    return text + ") -> (tensor<" + testCase.result +
           "> {memplan.kind = \"output\"}) {\n" + testCase.body +
           "\nreturn %y : tensor<" + testCase.result + ">\n}";
  text +=
      ") -> (tensor<f32> {memplan.kind = \"loss\"}) {\n" + testCase.body + "\n";
  if (!testCase.isLoss)
    text += "%loss = memplan.mse_loss %y, %target : (tensor<" +
            testCase.result + ">, tensor<" + testCase.result +
            ">) -> tensor<f32>\nreturn %loss : tensor<f32>\n}";
  else
    text += "return %y : tensor<f32>\n}";
  return text;
}

/// A step on the plain kernels.
class Step {
  static rt::Device open() {
    rt::registerBuiltInBackends();
    return std::move(*rt::Device::open("reference"));
  }

public:
  Step(MLIRContext &context, const std::string &text, bool gradients)
      : device(open()) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return;
    auto function = *module->getOps<func::FuncOp>().begin();
    if (gradients) {
      AutodiffPassOptions options;
      options.gradients = true;
      PassManager passes(&context, func::FuncOp::getOperationName());
      passes.addPass(createAutodiffPass(options));
      if (failed(passes.run(function)))
        return;
    }
    FailureOr<GraphView> view = extractGraph(function);
    if (failed(view) || failed(applyPlan(*view, naivePlan(view->graph))))
      return;
    FailureOr<rt::Program> program = buildProgram(function);
    if (failed(program))
      return;
    auto compiled = rt::Executable::compile(device, std::move(*program));
    if (!compiled) {
      ADD_FAILURE() << compiled.error().message;
      return;
    }
    executable.emplace(std::move(*compiled));
  }

  bool ready() const { return executable.has_value(); }
  const rt::Program &program() const { return executable->program(); }

  void write(int32_t argument, const std::vector<std::byte> &bytes) {
    ASSERT_TRUE(
        executable->writeArgument(argument, bytes.data(), bytes.size()).ok());
  }
  void run() { ASSERT_TRUE(executable->run().ok()); }
  std::vector<float> output(int32_t number) {
    std::vector<float> values(
        executable->program().outputs[number].operand.bytes() / 4);
    EXPECT_TRUE(
        executable->readOutput(number, values.data(), values.size() * 4).ok());
    return values;
  }

private:
  rt::Device device;
  std::optional<rt::Executable> executable;
};

std::vector<std::byte> drawArgument(const GradientCase &testCase,
                                    const rt::Argument &argument,
                                    std::mt19937 &random) {
  int64_t count = *rt::tensorBytes(argument.dtype, argument.shape) /
                  rt::byteSize(argument.dtype);
  std::vector<std::byte> bytes(count * rt::byteSize(argument.dtype));
  if (argument.dtype == rt::DType::I64) {
    for (int64_t i = 0; i < count; ++i)
      reinterpret_cast<int64_t *>(bytes.data())[i] = random() % testCase.high;
    return bytes;
  }
  auto *values = reinterpret_cast<float *>(bytes.data());
  std::vector<int64_t> ranks(count);
  for (int64_t i = 0; i < count; ++i)
    ranks[i] = i;
  std::shuffle(ranks.begin(), ranks.end(), random);
  std::uniform_real_distribution<float> size(0.0f, 1.0f);
  for (int64_t i = 0; i < count; ++i) {
    if (testCase.values == Values::Distinct) {
      values[i] = 0.1f * (ranks[i] - count / 2);
      continue;
    }
    float magnitude = size(random);
    magnitude =
        random() % 2 ? 0.2f + 0.3f * magnitude : 0.7f + 0.5f * magnitude;
    values[i] = random() % 2 ? magnitude : -magnitude;
  }
  return bytes;
}

class Gradients : public ::testing::TestWithParam<GradientCase> {
public:
  static MLIRContext &context() {
    static MLIRContext &context = *new MLIRContext;
    context.loadDialect<MemplanDialect, func::FuncDialect,
                        memref::MemRefDialect, arith::ArithDialect>();
    return context;
  }
};

/// The loss of a program that returns %y, and its slopes.
class Loss {
public:
  Loss(Step &forward, bool isLoss, std::vector<float> target)
      : forward(forward), isLoss(isLoss), target(std::move(target)) {}

  /// At the arguments as they were written.
  double operator()() {
    forward.run();
    std::vector<float> output = forward.output(0);
    if (isLoss)
      return output[0];
    EXPECT_EQ(output.size(), target.size());
    double sum = 0;
    for (size_t i = 0; i < output.size(); ++i) {
      double difference = double(output[i]) - double(target[i]);
      sum += difference * difference;
    }
    return sum / double(output.size());
  }

  /// With respect to element `k` of `argument`, whose values are `bytes`.
  double slope(int32_t argument, std::vector<std::byte> &bytes, size_t k) {
    constexpr float step = 1.0f / 64;
    double fine = difference(argument, bytes, k, step);
    double coarse = difference(argument, bytes, k, 2 * step);
    return (4 * fine - coarse) / 3;
  }

private:
  double difference(int32_t argument, std::vector<std::byte> &bytes, size_t k,
                    float step) {
    auto *values = reinterpret_cast<float *>(bytes.data());
    float middle = values[k];
    // Sums are rounded, so the step is what lies between the two.
    float ends[] = {middle - step, middle + step};
    double losses[2];
    for (int side = 0; side < 2; ++side) {
      values[k] = ends[side];
      forward.write(argument, bytes);
      losses[side] = (*this)();
    }
    values[k] = middle;
    forward.write(argument, bytes);
    return (losses[1] - losses[0]) / (double(ends[1]) - double(ends[0]));
  }

  Step &forward;
  bool isLoss;
  std::vector<float> target;
};

std::vector<float> asFloats(const std::vector<std::byte> &bytes) {
  auto *values = reinterpret_cast<const float *>(bytes.data());
  return {values, values + bytes.size() / sizeof(float)};
}

} // namespace

// Every element of every gradient agrees with the slope of the loss, to a
// thousandth of the largest.
TEST_P(Gradients, agree_with_finite_differences) {
  const GradientCase &testCase = GetParam();
  std::string text = stepFunction(testCase, Returns::Loss);
  SCOPED_TRACE(text);
  Step forward(context(), stepFunction(testCase, Returns::Output), false);
  Step backward(context(), text, true);
  ASSERT_TRUE(forward.ready());
  ASSERT_TRUE(backward.ready());

  constexpr unsigned seed = 20240717;
  std::mt19937 random(seed);
  const std::vector<rt::Argument> &arguments = forward.program().arguments;
  std::vector<std::vector<std::byte>> data;
  for (size_t i = 0; i < arguments.size(); ++i) {
    data.push_back(drawArgument(testCase, arguments[i], random));
    forward.write(i, data[i]);
    backward.write(i, data[i]);
  }
  backward.run();

  std::map<std::string, int32_t> outputs;
  for (size_t i = 0; i < backward.program().outputs.size(); ++i)
    outputs[backward.program().outputs[i].name] = i;
  // The target is the last argument.
  Loss loss(forward, testCase.isLoss,
            testCase.isLoss ? std::vector<float>() : asFloats(data.back()));
  int checked = 0;
  double worst = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != rt::ArgumentKind::Parameter)
      continue;
    auto found = outputs.find("arg" + std::to_string(i) + ".grad");
    ASSERT_NE(found, outputs.end()) << "argument " << i << " has no gradient";
    std::vector<float> gradient = backward.output(found->second);
    float scale = 0;
    for (float element : gradient)
      scale = std::max(scale, std::fabs(element));
    EXPECT_GT(scale, 1e-3f) << "argument " << i << " has hardly a gradient";
    for (size_t k = 0; k < gradient.size(); ++k) {
      double error = std::fabs(gradient[k] - loss.slope(i, data[i], k)) / scale;
      EXPECT_LE(error, 1e-3)
          << "argument " << i << ", element " << k << ", seed " << seed;
      worst = std::max(worst, error);
      ++checked;
    }
  }
  RecordProperty("largest_error", std::to_string(worst));
  EXPECT_GT(checked, 0);
}

INSTANTIATE_TEST_SUITE_P(Ops, Gradients, ::testing::ValuesIn(gradientCases()));

// An op gains a gradient only together with a case above.
TEST(GradientList, every_differentiable_op_has_a_case) {
  std::set<std::string> covered;
  for (const GradientCase &testCase : gradientCases())
    covered.insert("memplan." + testCase.op);
  std::set<std::string> differentiable;
  for (RegisteredOperationName name :
       Gradients::context().getRegisteredOperations())
    if (name.getDialectNamespace() == "memplan" &&
        name.hasInterface<GradientOpInterface>())
      differentiable.insert(name.getStringRef().str());
  EXPECT_GE(differentiable.size(), 35u);
  EXPECT_EQ(covered, differentiable);
}

static std::set<std::string> operationsOfTheDialect() {
  std::set<std::string> names;
  for (RegisteredOperationName name :
       Gradients::context().getRegisteredOperations())
    if (name.getDialectNamespace() == "memplan")
      names.insert(name.stripDialect().str());
  return names;
}

// An op whose author forgot its gradient would stop the first step that has it.
// Those without one: what a backward pass or an update consists of, what has no
// slope, and what moves or holds values.
TEST(OperationList, what_has_no_gradient_is_known) {
  const std::set<std::string> known = {
      // Gradients, and products fused with them.
      "relu_grad", "clamp_grad", "sigmoid_grad", "tanh_grad", "gelu_grad",
      "silu_grad", "softmax_grad", "attention_grad", "attention_dropout_grad",
      "conv2d_input_grad", "conv2d_filter_grad", "gather_grad", "matmul_gelu",
      "matmul_gelu_grad", "matmul_bias_grad", "embedding_grad",
      "cross_entropy_grad", "bce_with_logits_grad", "mse_loss_grad",
      "batch_norm_grad", "layer_norm_grad", "max_pool2d_grad",
      "avg_pool2d_grad", "adaptive_avg_pool2d_grad", "reduce_mean_grad",
      "slice_grad",
      // Updates, and what they read.
      "sgd_update", "sgd_momentum_update", "adam_update", "adamw_update",
      "rmsprop_update", "rmsprop_momentum_update", "adagrad_update",
      "lion_update", "increment", "loss_scale_update", "global_norm",
      "non_finite", "batch_norm_update_stats", "all_reduce",
      // Without a slope.
      "iota", "constant",
      // Copies, their codecs and waits.
      "evict", "fetch", "record", "wait", "encode_bf16", "decode_bf16",
      // Whatever a caller says it is.
      "opaque"};
  std::set<std::string> found;
  for (const std::string &name : operationsOfTheDialect())
    if (!RegisteredOperationName::lookup("memplan." + name,
                                         &Gradients::context())
             ->hasInterface<GradientOpInterface>())
      found.insert(name);
  EXPECT_EQ(found, known);
}

// Each kernel has a conformance case (KernelTest.cpp); an op without a kernel
// has none and runs nowhere.
TEST(OperationList, each_has_a_plain_kernel) {
  std::set<std::string> kernels;
  for (const memplan_kernel_t &kernel : rt::referenceKernels())
    kernels.insert(kernel.name);
  // Copies and waits are the executor's own; opaque operations name theirs.
  const std::set<std::string> others = {"evict", "fetch", "record", "wait",
                                        "opaque"};
  for (const std::string &name : operationsOfTheDialect())
    EXPECT_NE(kernels.count("memplan." + name) > 0, others.count(name) > 0)
        << "memplan." << name;
}
