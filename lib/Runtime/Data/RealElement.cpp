//===- RealElement.cpp - Numbers of tensors on the host -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Data/RealElement.h"

#include "memplan/Kernels/Bf16.h"
#include "memplan/Kernels/F16.h"

#include <cstring>

namespace memplan::runtime {

float readReal(DType type, const std::byte *bytes) {
  if (type == DType::F32) {
    float value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, bytes, sizeof(bits));
  return type == DType::BF16 ? floatOfBf16(bits) : floatOfF16(bits);
}

void writeReal(DType type, float value, std::byte *bytes) {
  if (type == DType::F32) {
    std::memcpy(bytes, &value, sizeof(value));
    return;
  }
  auto bits = uint16_t(type == DType::BF16 ? bf16Bits(value) : f16Bits(value));
  std::memcpy(bytes, &bits, sizeof(bits));
}

} // namespace memplan::runtime
