//===- DeviceProfileTest.cpp - Tests of reading profiles ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Profile/DeviceProfile.h"
#include "ErrorMatchers.h"
#include <gtest/gtest.h>

using namespace memplan;

// A variant that is lost here is one that no planner can choose; one that is
// no better than another only makes the search longer.
TEST(DeviceProfile, KeepsTheVariantsThatAreBestInSomething) {
  llvm::Expected<DeviceProfile> profile =
      parseDeviceProfile(R"json({"version": 1, "device": "cpu", "entries": [
      {"key": "memplan.relu{} (4xf32) -> (4xf32)", "variants": [{"micros": 3}, {"micros": 1.5, "workspace_bytes": 64},
        {"micros": 2, "workspace_bytes": 64}, {"micros": 2.5, "workspace_bytes": 32}, {"micros": 9, "workspace_bytes": 128}]}]})json");
  ASSERT_TRUE(static_cast<bool>(profile));
  const ProfileEntry *entry =
      profile->find("memplan.relu{} (4xf32) -> (4xf32)");
  ASSERT_NE(entry, nullptr);
  std::vector<std::pair<double, int64_t>> variants;
  for (const ProfileVariant &variant : *entry)
    variants.emplace_back(variant.micros, variant.workspaceBytes);
  EXPECT_THAT(variants, testing::ElementsAre(testing::Pair(1.5, 64),
                                             testing::Pair(2.5, 32),
                                             testing::Pair(3, 0)));
  EXPECT_EQ(profile->find("memplan.relu{} (8xf32) -> (8xf32)"), nullptr);
}

// A damaged profile must say where, not plan with zeros.
TEST(DeviceProfile, RejectsDamage) {
  auto reason = [](llvm::StringRef text) {
    llvm::Expected<DeviceProfile> profile = parseDeviceProfile(text);
    return profile ? std::string("accepted")
                   : llvm::toString(profile.takeError());
  };
  EXPECT_EQ(reason(R"json({"device": "cpu", "entries": []})json"),
            "profile needs 'version' 1");
  EXPECT_EQ(reason(R"json({"version": 1, "entries": []})json"),
            "profile needs a string 'device'");
  EXPECT_EQ(reason(R"json({"version": 1, "device": "cpu"})json"),
            "profile needs an array 'entries'");
  EXPECT_EQ(
      reason(R"json({"version": 1, "device": "cpu", "entries": [{}]})json"),
      "entries[0] needs a string 'key'");
  EXPECT_EQ(
      reason(
          R"json({"version": 1, "device": "cpu", "entries": [{"key": "k", "variants": []}]})json"),
      "entries[0] needs a non-empty array 'variants'");
  EXPECT_EQ(
      reason(
          R"json({"version": 1, "device": "cpu", "entries": [{"key": "k", "variants": [{"micros": -1}]}]})json"),
      "entries[0] variants[0] needs a non-negative number 'micros'");
  EXPECT_EQ(
      reason(
          R"json({"version": 1, "device": "cpu", "entries": [{"key": "k", "variants": [{"micros": 1}]},
                      {"key": "k", "variants": [{"micros": 1}]}]})json"),
      "entries[1] repeats the key 'k'");
}
