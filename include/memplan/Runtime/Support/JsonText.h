//===- JsonText.h - Writing JSON --------------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_SUPPORT_JSONTEXT_H
#define MEMPLAN_RUNTIME_SUPPORT_JSONTEXT_H

#include <string>
#include <string_view>

namespace memplan::runtime {

/// A quoted and escaped string.
std::string jsonText(std::string_view text);
/// The shortest text that reads back as the same number; null when not finite.
std::string jsonNumber(double value);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_SUPPORT_JSONTEXT_H
