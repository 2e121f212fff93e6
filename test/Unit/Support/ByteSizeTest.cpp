//===- ByteSizeTest.cpp - Byte sizes as people write them -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/ByteSize.h"
#include "ErrorMatchers.h"
#include <cstdint>
#include <utility>
#include <vector>

using namespace memplan;

// A budget read as another number of bytes would silently break the promise
// that a budget is real bytes.
TEST(ByteSize, reads_units_exactly) {
  std::vector<std::pair<const char *, int64_t>> cases = {
      {"0", 0},
      {"4096", 4096},
      {"17B", 17},
      {"16G", 17179869184},
      {"16g", 17179869184},
      {"16GiB", 17179869184},
      {"16 GiB", 17179869184},
      {"16GB", 16000000000},
      {"1K", 1024},
      {"1KB", 1000},
      {"3M", 3145728},
      {"3MB", 3000000},
      {"2T", 2199023255552},
      {"2TB", 2000000000000},
      {"1.5G", 1610612736},
      {"0.1K", 102},
      {"1.5KB", 1500},
      {"0.000000000000000000001T", 0},
      {"9223372036854775807", INT64_MAX},
  };
  for (auto [text, bytes] : cases) {
    llvm::Expected<int64_t> parsed = parseByteSize(text);
    ASSERT_TRUE(static_cast<bool>(parsed))
        << text << ": " << llvm::toString(parsed.takeError());
    EXPECT_EQ(*parsed, bytes) << text;
  }
}

// A mistyped budget must stop the run with the text that was typed, not plan
// for some other size.
TEST(ByteSize, rejects_what_is_not_a_size) {
  std::vector<std::pair<const char *, const char *>> cases = {
      {"", "size '' is empty"},
      {"  ", "is empty"},
      {"-1", "size '-1' is negative"},
      {"G", "size 'G' is not a number"},
      {"abc", "size 'abc' is not a number"},
      {"1..5G", "size '1..5G' is not a number"},
      {".5G", "is not a number"},
      {"1.", "is not a number"},
      {"1e9", "size '1e9' has the unknown unit 'e9'"},
      {"16X", "unknown unit 'X'"},
      {"0x10", "unknown unit 'x10'"},
      {"1.5", "fraction of a byte"},
      {"1.5B", "fraction of a byte"},
      {"80%", "unknown unit '%'"},
      {"9223372036854775808",
       "exceeds the largest size of 9223372036854775807"},
      {"8388608T", "exceeds"},
      {"99999999999999999999999G", "exceeds"},
  };
  for (auto [text, message] : cases)
    EXPECT_THAT(parseByteSize(text), FailsWith(message)) << text;
}

// A report or command line that memplan prints must mean the same bytes when it
// is typed back.
TEST(ByteSize, print_reads_back) {
  EXPECT_EQ(printByteSize(0), "0");
  EXPECT_EQ(printByteSize(1000), "1000");
  EXPECT_EQ(printByteSize(1536), "1536");
  EXPECT_EQ(printByteSize(int64_t(1536) * 1024), "1536K");
  EXPECT_EQ(printByteSize(17179869184), "16G");
  for (int64_t bytes :
       {int64_t(1), int64_t(1023), int64_t(1024), int64_t(5) << 40,
        int64_t(1) << 60, int64_t(INT64_MAX)}) {
    llvm::Expected<int64_t> parsed = parseByteSize(printByteSize(bytes));
    ASSERT_TRUE(static_cast<bool>(parsed));
    EXPECT_EQ(*parsed, bytes);
  }
}

// People read these in the summary line; a wrong unit or a lost digit misleads
// them by a factor of 1024.
TEST(ByteSize, describes_with_three_digits) {
  EXPECT_EQ(describeByteSize(0), "0 B");
  EXPECT_EQ(describeByteSize(512), "512 B");
  EXPECT_EQ(describeByteSize(999), "999 B");
  EXPECT_EQ(describeByteSize(1000), "0.98 KiB");
  EXPECT_EQ(describeByteSize(1024), "1.00 KiB");
  EXPECT_EQ(describeByteSize(17179869184), "16.0 GiB");
  EXPECT_EQ(describeByteSize(int64_t(250) << 20), "250 MiB");
}

// 80% of the device must not lose a byte to floating point, and a share above
// the whole is a mistake.
TEST(ByteSize, percentages) {
  llvm::Expected<ByteSizeOrPercentage> share = parseByteSizeOrPercentage("80%");
  ASSERT_TRUE(static_cast<bool>(share));
  ASSERT_TRUE(std::holds_alternative<Percentage>(*share));
  EXPECT_EQ(std::get<Percentage>(*share).ofBytes(10), 8);
  EXPECT_EQ(std::get<Percentage>(*share).ofBytes(int64_t(80) << 30), int64_t(64)
                                                                         << 30);
  llvm::Expected<ByteSizeOrPercentage> bytes = parseByteSizeOrPercentage("2K");
  ASSERT_TRUE(static_cast<bool>(bytes));
  EXPECT_EQ(std::get<int64_t>(*bytes), 2048);
  for (const char *text : {"0%", "101%", "1e9%"})
    EXPECT_THAT(parseByteSizeOrPercentage(text), FailsWith(text)) << text;
  for (const char *text : {"%", "-5%", "nan%", "x%"})
    EXPECT_THAT(parseByteSizeOrPercentage(text),
                FailsWith("is not a percentage"))
        << text;
}
