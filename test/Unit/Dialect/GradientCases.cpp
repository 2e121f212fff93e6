//===- GradientCases.cpp - Ops and shapes to differentiate ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientCases.h"

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

  // Slopes of a rounded function are none: to 16 bits it is the same rule.
  unary("cast", "to its own type", "3x4xf32", "3x4xf32", "{element = \"f32\"}");
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
  add("conv2d", "channels last", {"1x8x7x2xf32", "3x3x2x2xf32", "3xf32"},
      "1x3x3x3xf32",
      "%y = memplan.conv2d %a, %b, %c {strides = [2, 2], channels_last} : "
      "(tensor<1x8x7x2xf32>, tensor<3x3x2x2xf32>, tensor<3xf32>) -> "
      "tensor<1x3x3x3xf32>");
  add("conv_transpose2d", "channels last",
      {"1x3x4x3xf32", "3x2x2x2xf32", "2xf32"}, "1x6x8x2xf32",
      "%y = memplan.conv_transpose2d %a, %b, %c {strides = [2, 2], "
      "channels_last} : (tensor<1x3x4x3xf32>, tensor<3x2x2x2xf32>, "
      "tensor<2xf32>) -> tensor<1x6x8x2xf32>");
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

  for (std::string attributes : {"{k = 2}", "{axis = 1, k = 2, smallest}"})
    add("topk", attributes, {"2x4x4xf32"},
        attributes == "{k = 2}" ? "2x4x2xf32" : "2x2x4xf32",
        "%y, %i = memplan.topk %a " + attributes +
            " : (tensor<2x4x4xf32>) -> " +
            (attributes == "{k = 2}"
                 ? "(tensor<2x4x2xf32>, tensor<2x4x2xi64>)"
                 : "(tensor<2x2x4xf32>, tensor<2x2x4xi64>)"),
        V::Distinct);
  add("gather", "repeated indices", {"2x5x3xf32", "2x4x3xi64"}, "2x4x3xf32",
      "%y = memplan.gather %a, %b {axis = 1} : (tensor<2x5x3xf32>, "
      "tensor<2x4x3xi64>) -> tensor<2x4x3xf32>");
  std::string places = "%i = memplan.constant {value = dense<[[0, 4], [3, 1]]> "
                       ": tensor<2x2xi64>} : () -> tensor<2x2xi64>\n";
  add("scatter", "into zeros", {"2x2xf32"}, "2x5xf32",
      places + "%y = memplan.scatter %i, %a {size = 5} : (tensor<2x2xi64>, "
               "tensor<2x2xf32>) -> tensor<2x5xf32>");
  add("scatter", "into a base", {"2x2xf32", "2x5xf32"}, "2x5xf32",
      places + "%y = memplan.scatter %i, %a, %b {size = 5} : (tensor<2x2xi64>, "
               "tensor<2x2xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>");
  unary("cumsum", "", "2x3x4xf32", "2x3x4xf32", "{axis = 1}");
  unary("cumsum", "reverse", "2x3x4xf32", "2x3x4xf32", "{reverse}");

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
  // Each function of an expression once, where it is smooth.
  for (std::string expression : {"x0 neg",
                                 "x0 abs",
                                 "x0 exp",
                                 "x0 abs 1 add log",
                                 "x0 abs log1p",
                                 "x0 expm1",
                                 "x0 abs sqrt",
                                 "x0 abs rsqrt",
                                 "x0 sin",
                                 "x0 cos",
                                 "x0 tanh",
                                 "x0 sigmoid",
                                 "x0 erf",
                                 "x0 abs 1.5 pow",
                                 "2 x0 pow",
                                 "x0 floor x0 mul",
                                 "x0 0.6 min",
                                 "x0 -0.6 max",
                                 "x0 3 add; t0 0 max 6 min; x0 t2 mul 6 div",
                                 "x0 0 lt x0 exp x0 0.5 mul select"})
    unary("map", expression, shape, shape,
          "{expression = \"" + expression + "\"}");
  for (std::string expression :
       {"x0 x1 add", "x0 x1 sub x1 mul", "x0 x1 mul x1 mul", "x0 x1 div",
        "x0 abs x1 pow", "x0 x1 min", "x0 x1 max", "x0 x1 abs 7 add mod",
        "x0 x1 lt x0 x1 mul x1 select"})
    for (std::string rhs : {"2x3x4xf32", "3x1xf32"})
      add("map", expression + " " + rhs, {shape, rhs}, shape,
          "%y = memplan.map %a, %b {expression = \"" + expression +
              "\"} : (tensor<" + shape + ">, tensor<" + rhs + ">) -> tensor<" +
              shape + ">");
  add("map", "repeated to a shape", {"3x1xf32"}, shape,
      "%y = memplan.map %a {expression = \"x0 x0 mul\", shape = [2, 3, 4]} : "
      "(tensor<3x1xf32>) -> tensor<2x3x4xf32>");
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

  std::string attended =
      "tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x3xf32>";
  std::string attention = " -> (tensor<2x3x3xf32>, tensor<2x3xf32>)";
  for (std::string attributes : {"{scale = 0.7}", "{causal, scale = -0.4}"})
    add("attention", attributes, {"2x3x4xf32", "2x5x4xf32", "2x5x3xf32"},
        "2x3x3xf32",
        "%y, %l = memplan.attention %a, %b, %c " + attributes + " : (" +
            attended + ")" + attention);
  add("attention", "mask", {"2x3x4xf32", "2x5x4xf32", "2x5x3xf32"}, "2x3x3xf32",
      "%m = memplan.constant {value = dense<[[0.5, -1.0, 0.0, 2.0, -0.25]]> : "
      "tensor<1x5xf32>} : () -> tensor<1x5xf32>\n"
      "%y, %l = memplan.attention %a, %b, %c, %m {scale = 0.7} : (" +
          attended + ", tensor<1x5xf32>)" + attention);

  // Where all keys of a row are dropped its output is 0.
  for (std::string attributes : {"{p = 0.4, salt = 3, scale = 0.7}",
                                 "{causal, p = 0.4, salt = 3, scale = -0.4}"})
    add("attention_dropout", attributes,
        {"2x3x4xf32", "2x5x4xf32", "2x5x3xf32", "1xi64"}, "2x3x3xf32",
        "%y, %l = memplan.attention_dropout %a, %b, %c, %d " + attributes +
            " : (" + attended + ", tensor<1xi64>)" + attention);

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
  add("max_pool2d", "channels last", {"1x5x6x2xf32"}, "1x3x3x2xf32",
      "%y, %i = memplan.max_pool2d %a {kernel = [3, 3], strides = [2, 2], "
      "padding = [1, 1], channels_last} : (tensor<1x5x6x2xf32>) -> "
      "(tensor<1x3x3x2xf32>, tensor<1x3x3x2xi8>)",
      V::Distinct);
  unary("avg_pool2d", "channels last", "1x5x6x2xf32", "1x3x3x2xf32",
        "{kernel = [3, 3], strides = [2, 2], padding = [1, 1], "
        "channels_last}");
  unary("adaptive_avg_pool2d", "channels last", "1x5x7x2xf32", "1x2x3x2xf32",
        "{output_size = [2, 3], channels_last}");
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
  add("cross_entropy", "sum", {"4x5xf32", "4xi64"}, "",
      "%y, %lse = memplan.cross_entropy %a, %b {sum} : (tensor<4x5xf32>, "
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
