//===- CallCost.cpp - What a call costs, by its types ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Dynamic/DynamicExecutable.h"

#include <cmath>

namespace memplan::runtime {

static constexpr double flopsPerMicro = 50e3, bytesPerMicro = 10e3;
static constexpr double launchMicros = 1;

static double elements(const Operand &operand) {
  return double(operand.bytes()) / double(byteSize(operand.dtype));
}

/// Multiplications of a product of two tensors: the root of the product of the
/// elements of its three operands, m n k of matrices. A convolution has the
/// window of its filter beside it, and as many shares of it as groups.
static double productOf(const Instruction &instruction) {
  const bool isConvolution =
      instruction.kernel.find(".conv") != std::string::npos;
  const bool isProduct =
      isConvolution || instruction.kernel.find(".matmul") != std::string::npos;
  if (!isProduct || instruction.inputs.size() < 2 ||
      instruction.outputs.empty())
    return 0;
  double product = 1, window = 0, groups = 1;
  for (const Operand *operand : {&instruction.inputs[0], &instruction.inputs[1],
                                 &instruction.outputs[0]}) {
    product *= elements(*operand);
    if (operand->shape.size() == 4) {
      const auto size = double(operand->shape[2] * operand->shape[3]);
      window = window > 0 ? std::min(window, size) : size;
    }
  }
  if (!isConvolution)
    return std::sqrt(product);
  for (const Attribute &attribute : instruction.attributes)
    if (const auto *value = std::get_if<int64_t>(&attribute.value);
        value && attribute.name == "groups" && *value > 0)
      groups = double(*value);
  return std::sqrt(product * window / groups);
}

double estimatedMicros(const Instruction &instruction) {
  double bytes = 0;
  for (const std::vector<Operand> *operands :
       {&instruction.inputs, &instruction.outputs})
    for (const Operand &operand : *operands)
      bytes += double(operand.bytes());
  return launchMicros + bytes / bytesPerMicro +
         2 * productOf(instruction) / flopsPerMicro;
}

} // namespace memplan::runtime
