//===- ByteSize.h - Byte sizes as people write them -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_BYTESIZE_H
#define MEMPLAN_SUPPORT_BYTESIZE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <variant>

namespace memplan {

/// Reads a size in bytes: a decimal number, perhaps with a fraction, and one of
///   nothing or B        bytes; a fraction is an error
///   K M G T, KiB..TiB   powers of 1024
///   KB MB GB TB         powers of 1000
/// in any letter case, so that "16G" is 17179869184 and "1.5K" is 1536. A
/// fraction is rounded down to whole bytes. Fails, quoting the text, when it is
/// empty, negative, not a number, has another unit, or exceeds int64_t.
llvm::Expected<int64_t> parseByteSize(llvm::StringRef text);

/// A share of something that only the caller knows, such as the device's
/// memory.
struct Percentage {
  double percent; // 0 < percent <= 100

  /// The share of `totalBytes`, rounded down.
  int64_t ofBytes(int64_t totalBytes) const;
};

/// Either form that users may write for a budget.
using ByteSizeOrPercentage = std::variant<int64_t, Percentage>;

/// Reads what parseByteSize reads, or a percentage above 0 and up to 100 such
/// as "80%" or "12.5%".
llvm::Expected<ByteSizeOrPercentage>
parseByteSizeOrPercentage(llvm::StringRef text);

/// Writes a size for parseByteSize to read back exactly: the largest power of
/// 1024 that divides it, as in "16G" or "1536K", else plain bytes.
std::string printByteSize(int64_t bytes);

/// Writes a size for a person, rounded to three digits: "1.46 GiB", "512 B".
std::string describeByteSize(int64_t bytes);

} // namespace memplan

#endif // MEMPLAN_SUPPORT_BYTESIZE_H
