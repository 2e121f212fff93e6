//===- JsonPartsTest.cpp - Long lists, taken apart ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/JsonReader.h"
#include "memplan/Support/Random.h"
#include "gtest/gtest.h"

using namespace memplan;

namespace {

/// The object with the items put back, each parsed by itself; empty where a
/// part is no JSON.
std::optional<llvm::json::Value>
putTogether(const JsonParts &parts, llvm::ArrayRef<llvm::StringRef> keys) {
  llvm::Expected<llvm::json::Value> frame = parseJson(parts.frame);
  if (!frame || !frame->getAsObject()) {
    llvm::consumeError(frame.takeError());
    return std::nullopt;
  }
  for (size_t list = 0; list < keys.size(); ++list)
    for (llvm::StringRef text : parts.lists[list]) {
      llvm::Expected<llvm::json::Value> item = parseJson(text);
      if (!item) {
        llvm::consumeError(item.takeError());
        return std::nullopt;
      }
      frame->getAsObject()->getArray(keys[list])->push_back(std::move(*item));
    }
  return std::move(*frame);
}

constexpr llvm::StringRef keys[] = {"a", "b"};

// A comma or a bracket within a string would end an item.
TEST(JsonParts, items_are_what_stands_between_the_commas) {
  const std::optional<JsonParts> parts = splitJson(
      R"( {"x": {"a": [1]}, "a" : [ {"s": "],\"}", "l": [1, [2]]}, "t", 3 ],
           "c": [], "b":[]} )",
      keys);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->lists[0].size(), 3u);
  EXPECT_EQ(parts->lists[0][1].trim(), "\"t\"");
  EXPECT_TRUE(parts->lists[1].empty());
  EXPECT_EQ(parts->frame.find("\"t\""), std::string::npos);
  for (const char *text : {"", "[1]", "{", R"({"a": [1, 2})", R"({"a": [1)",
                           R"({"a": [1], "a": [2]})", R"({a: [1]})",
                           R"({"a" [1]})", R"({"a": ["x]})"})
    EXPECT_FALSE(splitJson(text, keys)) << text;
}

// A text would be taken in parts that is none, or mean something else.
TEST(JsonParts, parts_and_the_whole_say_the_same) {
  const std::string sound =
      R"({"v": 1, "a": [{"i": 0, "s": "q,]"}, {"i": [1, 2]}], "b": [[], {}]})";
  Random random(7);
  int split = 0, same = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = sound;
    for (int edits = random.below(3); edits >= 0; --edits) {
      const auto at = size_t(random.below(int(text.size())));
      const char of[] = "{}[],:\"ab\\ 1";
      const char made = of[random.below(int(sizeof(of)) - 1)];
      if (random.chance(0.4))
        text.erase(at, 1);
      else if (random.chance(0.5))
        text[at] = made;
      else
        text.insert(at, 1, made);
    }
    const std::optional<JsonParts> parts = splitJson(text, keys);
    if (!parts)
      continue;
    ++split;
    const std::optional<llvm::json::Value> joined = putTogether(*parts, keys);
    if (!joined)
      continue;
    llvm::Expected<llvm::json::Value> whole = parseJson(text);
    ASSERT_TRUE(bool(whole)) << text << llvm::toString(whole.takeError());
    EXPECT_EQ(*whole, *joined) << text;
    ++same;
  }
  EXPECT_GT(split, 5'000);
  EXPECT_GT(same, 500);
}

} // namespace
