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

#include "memplan/Bridge/ApplyPlan.h"
#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
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

/// How the elements of a case's inputs are drawn.
enum class Values {
  Random,   ///< signed, away from 0 and from +-0.6, where some ops have kinks
  Distinct, ///< at least 0.05 apart, so that no maximum is near a tie
};

/// `body` computes %y of type `result` from %a, %b, %c of the given types. f32
/// arguments are parameters, i64 ones are inputs below `high`.
struct GradientCase {
  std::string op; ///< the op whose gradient this is
  std::string variant;
  std::vector<std::string> arguments;
  std::string result;
  std::string body;
  Values values = Values::Random;
  int64_t high = 5;
  /// Empty: mean squared error of %y against a constant target. Otherwise the
  /// body computes the scalar loss %y itself.
  bool isLoss = false;
};

void PrintTo(const GradientCase &testCase, std::ostream *os) {
  *os << testCase.op << " " << testCase.variant;
}

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

std::vector<GradientCase> gradientCases() {
  using V = Values;
  std::vector<GradientCase> cases;
  auto add = [&](std::string op, std::string variant,
                 std::vector<std::string> arguments, std::string result,
                 std::string body, V values = V::Random, int64_t high = 5,
                 bool isLoss = false) {
    cases.push_back(
        {op, variant, arguments, result, body, values, high, isLoss});
  };
  /// An op on %a alone.
  auto unary = [&](std::string op, std::string variant, std::string type,
                   std::string result, std::string attributes,
                   V values = V::Random) {
    add(op, variant, {type}, result,
        "%y = memplan." + op + " %a " + attributes + " : (tensor<" + type +
            ">) -> tensor<" + result + ">",
        values);
  };

  add("conv2d", "bias", {"2x3x5x6xf32", "4x3x3x3xf32", "4xf32"}, "2x4x5x6xf32",
      "%y = memplan.conv2d %a, %b, %c {padding = [1, 1]} : "
      "(tensor<2x3x5x6xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> "
      "tensor<2x4x5x6xf32>");
  add("conv2d", "stride that leaves rows", {"1x2x8x7xf32", "3x2x3x2xf32"},
      "1x3x3x3xf32",
      "%y = memplan.conv2d %a, %b {strides = [2, 2], padding = [0, 0]} : "
      "(tensor<1x2x8x7xf32>, tensor<3x2x3x2xf32>) -> tensor<1x3x3x3xf32>");
  add("conv2d", "groups and dilation", {"1x4x7x7xf32", "6x2x3x3xf32"},
      "1x6x5x5xf32",
      "%y = memplan.conv2d %a, %b {dilation = [2, 2], groups = 2 : i64, "
      "padding = [1, 1]} : (tensor<1x4x7x7xf32>, tensor<6x2x3x3xf32>) -> "
      "tensor<1x6x5x5xf32>");
  add("conv_transpose2d", "bias", {"1x3x3x4xf32", "3x2x2x2xf32", "2xf32"},
      "1x2x6x8xf32",
      "%y = memplan.conv_transpose2d %a, %b, %c {strides = [2, 2]} : "
      "(tensor<1x3x3x4xf32>, tensor<3x2x2x2xf32>, tensor<2xf32>) -> "
      "tensor<1x2x6x8xf32>");
  add("conv_transpose2d", "output padding", {"1x2x3x3xf32", "2x2x3x3xf32"},
      "1x2x6x6xf32",
      "%y = memplan.conv_transpose2d %a, %b {strides = [2, 2], padding = "
      "[1, 1], output_padding = [1, 1]} : (tensor<1x2x3x3xf32>, "
      "tensor<2x2x3x3xf32>) -> tensor<1x2x6x6xf32>");
  for (int flags = 0; flags < 4; ++flags) {
    bool left = flags & 1, right = flags & 2;
    std::string lhs = left ? "2x4x3xf32" : "2x3x4xf32";
    std::string rhs = right ? "2x5x4xf32" : "2x4x5xf32";
    std::string attributes = flags == 3   ? "{transpose_lhs, transpose_rhs}"
                             : flags == 2 ? "{transpose_rhs}"
                             : flags == 1 ? "{transpose_lhs}"
                                          : "";
    add("matmul", "batched " + attributes, {lhs, rhs}, "2x3x5xf32",
        "%y = memplan.matmul %a, %b " + attributes + " : (tensor<" + lhs +
            ">, tensor<" + rhs + ">) -> tensor<2x3x5xf32>");
  }
  for (std::string attributes : {"", "{transpose_rhs}"}) {
    std::string rhs = attributes.empty() ? "4x5xf32" : "5x4xf32";
    add("matmul", "one rhs for a batch " + attributes,
        {"2x3x4xf32", rhs, "5xf32"}, "2x3x5xf32",
        "%y = memplan.matmul %a, %b, %c " + attributes +
            " : (tensor<2x3x4xf32>, tensor<" + rhs +
            ">, tensor<5xf32>) -> tensor<2x3x5xf32>");
  }
  add("embedding", "repeated ids", {"5x3xf32", "2x4xi64"}, "2x4x3xf32",
      "%y = memplan.embedding %a, %b : (tensor<5x3xf32>, tensor<2x4xi64>) -> "
      "tensor<2x4x3xf32>");

  std::string shape = "2x3x4xf32";
  unary("relu", "", shape, shape, "");
  unary("clamp", "", shape, shape, "{min = -0.6 : f64, max = 0.6 : f64}");
  unary("sigmoid", "", shape, shape, "");
  unary("tanh", "", shape, shape, "");
  unary("gelu", "erf", shape, shape, "{approximate = \"none\"}");
  unary("gelu", "tanh", shape, shape, "{approximate = \"tanh\"}");
  unary("silu", "", shape, shape, "");
  unary("softmax", "last axis", shape, shape, "{axis = -1 : i64}");
  unary("softmax", "inner axis", shape, shape, "{axis = 1 : i64}");
  unary("scale", "", shape, shape, "{factor = -1.5 : f64}");
  unary("causal_mask", "", "2x4x4xf32", "2x4x4xf32", "{fill = 0.25 : f64}");
  for (std::string op : {"add", "sub", "mul", "div"}) {
    for (std::string rhs : {"2x3x4xf32", "4xf32", "1x3x1xf32"})
      add(op, rhs, {shape, rhs}, shape,
          "%y = memplan." + op + " %a, %b : (tensor<" + shape + ">, tensor<" +
              rhs + ">) -> tensor<" + shape + ">");
    add(op, "broadcast lhs", {"3x1xf32", shape}, shape,
        "%y = memplan." + op + " %a, %b : (tensor<3x1xf32>, tensor<" + shape +
            ">) -> tensor<" + shape + ">");
  }
  add("accumulate", "", {shape, shape}, shape,
      "%y = memplan.accumulate %a, %b : (tensor<2x3x4xf32>, "
      "tensor<2x3x4xf32>) -> tensor<2x3x4xf32>");
  add("mul", "one value twice: its gradients add up", {shape}, shape,
      "%s = memplan.tanh %a : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>\n"
      "%y = memplan.mul %s, %s : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> "
      "tensor<2x3x4xf32>");
  add("dropout", "", {shape, "1xi64"}, shape,
      "%y = memplan.dropout %a, %b {p = 0.4 : f64, salt = 3 : i64} : "
      "(tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x3x4xf32>");

  std::string norm = "(tensor<3x2x3x2xf32>, tensor<2xf32>, tensor<2xf32>) -> "
                     "(tensor<3x2x3x2xf32>, tensor<2xf32>, tensor<2xf32>, "
                     "tensor<2xf32>)";
  add("batch_norm", "", {"3x2x3x2xf32", "2xf32", "2xf32"}, "3x2x3x2xf32",
      "%y, %m, %s, %v = memplan.batch_norm %a, %b, %c {epsilon = 1.0e-3 : "
      "f64} : " +
          norm);
  add("layer_norm", "", {"2x3x6xf32", "6xf32", "6xf32"}, "2x3x6xf32",
      "%y, %m, %s = memplan.layer_norm %a, %b, %c {epsilon = 1.0e-3 : f64} : "
      "(tensor<2x3x6xf32>, tensor<6xf32>, tensor<6xf32>) -> "
      "(tensor<2x3x6xf32>, tensor<2x3xf32>, tensor<2x3xf32>)");

  add("max_pool2d", "overlapping, padded", {"1x2x5x6xf32"}, "1x2x3x3xf32",
      "%y, %i = memplan.max_pool2d %a {kernel = [3, 3], strides = [2, 2], "
      "padding = [1, 1]} : (tensor<1x2x5x6xf32>) -> (tensor<1x2x3x3xf32>, "
      "tensor<1x2x3x3xi8>)",
      V::Distinct);
  unary("avg_pool2d", "padded", "1x2x5x6xf32", "1x2x3x3xf32",
        "{kernel = [3, 3], strides = [2, 2], padding = [1, 1]}");
  unary("avg_pool2d", "counts the padding", "1x2x4x4xf32", "1x2x3x3xf32",
        "{kernel = [2, 2], strides = [2, 2], padding = [1, 1], "
        "count_include_pad}");
  unary("adaptive_avg_pool2d", "uneven", "1x2x5x7xf32", "1x2x2x3xf32",
        "{output_size = [2, 3]}");

  unary("reshape", "", shape, "6x4xf32", "{shape = [6, -1]}");
  unary("transpose", "", shape, "4x2x3xf32", "{perm = [2, 0, 1]}");
  unary("slice", "copy", shape, "2x2x4xf32",
        "{dim = 1 : i64, size = 2 : i64, start = 1 : i64}");
  unary("slice", "view", "4x3xf32", "2x3xf32",
        "{dim = 0 : i64, size = 2 : i64, start = 1 : i64}");
  add("split", "all parts read", {"2x5xf32"}, "2x2xf32",
      "%p, %q, %r = memplan.split %a {dim = 1 : i64, sizes = [2, 1, 2]} : "
      "(tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x1xf32>, "
      "tensor<2x2xf32>)\n"
      "%s = memplan.mul %p, %q : (tensor<2x2xf32>, tensor<2x1xf32>) -> "
      "tensor<2x2xf32>\n"
      "%y = memplan.mul %s, %r : (tensor<2x2xf32>, tensor<2x2xf32>) -> "
      "tensor<2x2xf32>");
  add("split", "a part that nothing reads", {"4x3xf32"}, "1x3xf32",
      "%p, %q = memplan.split %a {dim = 0 : i64, sizes = [1, 3]} : "
      "(tensor<4x3xf32>) -> (tensor<1x3xf32>, tensor<3x3xf32>)\n"
      "%y = memplan.tanh %p : (tensor<1x3xf32>) -> tensor<1x3xf32>");
  add("concat", "", {"2x2xf32", "2x3xf32"}, "2x5xf32",
      "%y = memplan.concat %a, %b {dim = 1 : i64} : (tensor<2x2xf32>, "
      "tensor<2x3xf32>) -> tensor<2x5xf32>");
  unary("reduce_sum", "", shape, "3xf32", "{dims = [0, 2]}");
  unary("reduce_sum", "keepdims", shape, "2x1x4xf32", "{dims = [1], keepdims}");
  unary("reduce_mean", "", shape, "2xf32", "{dims = [1, 2]}");
  unary("reduce_mean", "keepdims", shape, "1x3x1xf32",
        "{dims = [0, 2], keepdims}");
  unary("broadcast", "", "2x3xf32", "2x4x3xf32", "{dims = [1], sizes = [4]}");

  add("cross_entropy", "", {"4x5xf32", "4xi64"}, "",
      "%y, %lse = memplan.cross_entropy %a, %b : (tensor<4x5xf32>, "
      "tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)",
      V::Random, 5, true);
  add("bce_with_logits", "", {"3x4xf32"}, "",
      "%t = memplan.constant {value = dense<0.3> : tensor<3x4xf32>} : () -> "
      "tensor<3x4xf32>\n"
      "%y = memplan.bce_with_logits %a, %t : (tensor<3x4xf32>, "
      "tensor<3x4xf32>) -> tensor<f32>",
      V::Random, 5, true);
  unary("mse_loss", "of any value", shape, shape, "");
  cases.back().body =
      "%y = memplan.scale %a {factor = 2.0 : f64} : (tensor<2x3x4xf32>) -> "
      "tensor<2x3x4xf32>";
  return cases;
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
