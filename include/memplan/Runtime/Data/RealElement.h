//===- RealElement.h - Numbers of tensors on the host -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_DATA_REALELEMENT_H
#define MEMPLAN_RUNTIME_DATA_REALELEMENT_H

#include "memplan/Runtime/Program/Program.h"

#include <cstddef>

namespace memplan::runtime {

/// The element of a real type at `bytes`.
float readReal(DType type, const std::byte *bytes);
/// Writes the number of that type that is nearest to `value`, ties to even.
void writeReal(DType type, float value, std::byte *bytes);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DATA_REALELEMENT_H
