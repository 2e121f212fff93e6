//===- RowsTest.cpp - Kernels on operands with gaps between samples -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"

#include "memplan/Kernels/Register/BuiltIn.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;

/// Between the samples, and no multiple of a vector.
static constexpr int64_t gapElements = 21;

namespace {

/// The instruction of a case with gaps between the samples of some operands,
/// each of them in a flat tensor of its own.
class GappedCase {
public:
  /// `gapped` has a flag for each input and then each output.
  GappedCase(const Case &test, const std::vector<bool> &gapped) : test(test) {
    program = caseProgram(test);
    Instruction &call = program.instructions[0];
    int64_t end = 0;
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      spread(call.inputs[i], gapped[i]);
      program.arguments[i].shape = {spanElements(call.inputs[i])};
    }
    for (size_t o = 0; o < call.outputs.size(); ++o) {
      Operand &output = call.outputs[o];
      spread(output, gapped[call.inputs.size() + o]);
      output.byteOffset = end;
      Operand flat = output;
      flat.shape = {spanElements(output)};
      flat.strides.clear();
      program.outputs[o].operand = flat;
      end += (output.spanBytes() + 255) / 256 * 256;
    }
    program.arenas[0].bytes = end;
  }

  /// The outputs without their gaps.
  Result<std::vector<std::vector<std::byte>>> run(const Device &device) {
    const Instruction call = program.instructions[0];
    if (Status status = addWorkspace(device, program); !status.ok())
      return status;
    const int64_t arenaBytes = program.arenas[0].bytes;
    Result<Executable> executable = Executable::compile(device, program);
    if (!executable)
      return executable.error();
    for (size_t i = 0; i < test.inputs.size(); ++i) {
      std::vector<std::byte> flat = fill(call.inputs[i], test.inputs[i]);
      if (Status status = executable->writeArgument(int32_t(i), flat.data(),
                                                    int64_t(flat.size()));
          !status.ok())
        return status;
    }
    device.backend().fill(device.handle(), executable->arenaBase(0), 0xFF,
                          arenaBytes);
    if (Status status = executable->run(); !status.ok())
      return status;
    std::vector<std::vector<std::byte>> found;
    for (size_t o = 0; o < call.outputs.size(); ++o) {
      std::vector<std::byte> flat(size_t(call.outputs[o].spanBytes()));
      if (Status status = executable->readOutput(int32_t(o), flat.data(),
                                                 int64_t(flat.size()));
          !status.ok())
        return status;
      found.push_back(gather(call.outputs[o], flat));
    }
    return found;
  }

private:
  static void spread(Operand &operand, bool gapped) {
    if (!gapped)
      return;
    operand.strides = denseStrides(operand.shape);
    operand.strides[0] += gapElements;
  }
  static int64_t spanElements(const Operand &operand) {
    return operand.spanBytes() / byteSize(operand.dtype);
  }
  static std::vector<std::byte> fill(const Operand &operand,
                                     const TestTensor &tensor) {
    std::vector<std::byte> flat(size_t(operand.spanBytes()), std::byte(0xFF));
    std::vector<std::byte> dense = toBytes(tensor);
    size_t next = 0;
    for (const ByteRun &run : runsOf(operand)) {
      std::copy_n(dense.begin() + int64_t(next), run.end - run.begin,
                  flat.begin() + (run.begin - operand.byteOffset));
      next += size_t(run.end - run.begin);
    }
    return flat;
  }
  /// Gaps must hold what they held.
  static std::vector<std::byte> gather(const Operand &operand,
                                       std::vector<std::byte> flat) {
    std::vector<std::byte> dense;
    for (const ByteRun &run : runsOf(operand)) {
      auto begin = flat.begin() + (run.begin - operand.byteOffset),
           end = flat.begin() + (run.end - operand.byteOffset);
      dense.insert(dense.end(), begin, end);
      std::fill(begin, end, std::byte(0xFF));
    }
    EXPECT_TRUE(std::all_of(flat.begin(), flat.end(), [](std::byte b) {
      return b == std::byte(0xFF);
    })) << "wrote into a gap";
    return dense;
  }

  const Case &test;
  Program program;
};

} // namespace

static bool mayHaveGaps(const TestTensor &tensor) {
  return !tensor.shape.empty() && tensor.shape[0] > 1 &&
         count(tensor.shape) > 0;
}

/// Runs the case with gaps in each operand alone, and in all that were taken
/// alone; gives their numbers.
static std::set<size_t> runGapped(const Device &device, const Case &test) {
  std::set<size_t> taken;
  std::vector<TestTensor> operands(test.inputs);
  operands.insert(operands.end(), test.outputs.begin(), test.outputs.end());
  auto dense = runCase(device, test);
  EXPECT_TRUE(dense.ok()) << dense.error().message;
  std::vector<bool> all(operands.size());
  for (size_t i = 0; i <= operands.size(); ++i) {
    std::vector<bool> gapped = all;
    if (i < operands.size()) {
      gapped.assign(operands.size(), false);
      if (!mayHaveGaps(operands[i]))
        continue;
      gapped[i] = true;
    } else if (taken.size() < 2) {
      continue;
    }
    auto found = GappedCase(test, gapped).run(device);
    if (!found.ok() && i < operands.size()) {
      EXPECT_NE(found.error().message.find("gaps"), std::string::npos)
          << test.kernel << ": " << found.error().message;
      continue;
    }
    EXPECT_TRUE(found.ok()) << test.kernel << ": " << found.error().message;
    if (found.ok())
      EXPECT_TRUE(*found == *dense)
          << test.kernel << " (" << test.variant << ") on " << device.name()
          << " computes other bits with gaps in operand " << i;
    if (i < operands.size()) {
      taken.insert(i);
      all[i] = true;
    }
  }
  return taken;
}

// A piece of a concat lies in rows; a kernel that took one for dense would read
// and write its neighbours. What a kernel takes it computes bit for bit.
TEST(Rows, kernels_compute_the_same_bits_with_gaps) {
  registerBuiltInBackends();
  for (const std::string name : {"reference", "cpu"}) {
    Result<Device> device = Device::open(name, 0, 2);
    ASSERT_TRUE(device.ok());
    std::map<std::string, std::set<size_t>> taken;
    for (const Case &test : allCases())
      taken[test.kernel.substr(8)].merge(runGapped(*device, test));
    // What the operations of the dialect promise.
    for (const char *kernel :
         {"relu", "clamp", "sigmoid", "tanh", "silu", "scale"})
      EXPECT_EQ(taken[kernel], (std::set<size_t>{0, 1})) << kernel;
    for (const char *kernel : {"relu_grad", "clamp_grad", "sigmoid_grad",
                               "tanh_grad", "silu_grad", "add", "accumulate"})
      EXPECT_EQ(taken[kernel], (std::set<size_t>{0, 1, 2})) << kernel;
    for (const char *kernel :
         {"max_pool2d", "avg_pool2d", "avg_pool2d_grad", "slice"})
      EXPECT_EQ(taken[kernel], (std::set<size_t>{0, 1})) << kernel;
    EXPECT_EQ(taken["max_pool2d_grad"], (std::set<size_t>{0, 2}));
    EXPECT_EQ(taken["conv2d_filter_grad"], (std::set<size_t>{0, 1}));
    EXPECT_EQ(taken["conv2d_input_grad"], (std::set<size_t>{0, 2}));
    for (const char *kernel : {"conv2d", "conv_transpose2d"}) {
      EXPECT_TRUE(taken[kernel].contains(0)) << kernel;
      EXPECT_TRUE(taken[kernel].contains(2) || taken[kernel].contains(3))
          << kernel;
    }
    EXPECT_EQ(taken["batch_norm"], (std::set<size_t>{0, 3}));
    EXPECT_EQ(taken["batch_norm_grad"], (std::set<size_t>{0, 1, 5}));
    EXPECT_EQ(taken["reduce_sum"], (std::set<size_t>{0}));
    EXPECT_GE(taken["concat"].size(), 3u);
    EXPECT_GE(taken["split"].size(), 3u);
    for (const char *kernel :
         {"gelu", "softmax", "matmul", "layer_norm", "transpose", "reshape"})
      EXPECT_TRUE(taken[kernel].empty()) << kernel;
  }
}
