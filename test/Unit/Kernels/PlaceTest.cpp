//===- PlaceTest.cpp - Which rank a process is ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

using namespace memplan::runtime::ranks;
using testing::HasSubstr;

namespace {
using Variables = std::map<std::string, std::string>;
/// Variables of the environment, taken back at the end.
struct Environment {
  explicit Environment(Variables values) : values(std::move(values)) {
    for (const auto &[name, value] : this->values)
      setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto &[name, value] : values)
      unsetenv(name.c_str());
  }
  Environment(const Environment &) = delete;
  Variables values;
};
} // namespace

// A process that takes the place of another hangs or adds what is not its own.
TEST(Place, reads_the_environment) {
  Place place;
  std::string error;
  EXPECT_FALSE(Place::isGiven());
  {
    Environment one(Variables{{"MEMPLAN_RANKS", "1"}});
    EXPECT_TRUE(Place::isGiven());
    ASSERT_TRUE(Place::read(place, error)) << error;
    EXPECT_EQ(place.count, 1);
  }
  Environment some(Variables{{"MEMPLAN_RANKS", "4"},
                             {"MEMPLAN_RANK", "3"},
                             {"MEMPLAN_RENDEZVOUS", "[::1]:7000"},
                             {"MEMPLAN_RANKS_TIMEOUT", "7"}});
  ASSERT_TRUE(Place::read(place, error)) << error;
  EXPECT_EQ(place.count, 4);
  EXPECT_EQ(place.rank, 3);
  EXPECT_EQ(place.host, "::1");
  EXPECT_EQ(place.port, "7000");
  EXPECT_EQ(place.timeoutSeconds, 7);
}

// Each refusal names its variable and what it must be.
TEST(Place, refuses_what_is_wrong) {
  const struct {
    Variables given;
    const char *text;
  } cases[] = {
      {{{"MEMPLAN_RANKS", "two"}},
       "MEMPLAN_RANKS is 'two', but must be a whole number from 1 to 4096"},
      {{{"MEMPLAN_RANKS", "0"}}, "MEMPLAN_RANKS is '0'"},
      {{{"MEMPLAN_RANKS", "2x"}}, "MEMPLAN_RANKS is '2x'"},
      {{{"MEMPLAN_RANKS", "2"}}, "MEMPLAN_RANK is not set; it must be a whole"},
      {{{"MEMPLAN_RANKS", "2"}, {"MEMPLAN_RANK", "2"}},
       "MEMPLAN_RANK is '2', but must be a whole number from 0 to 1"},
      {{{"MEMPLAN_RANKS", "2"}, {"MEMPLAN_RANK", "1"}},
       "MEMPLAN_RENDEZVOUS is '', but must be HOST:PORT"},
      {{{"MEMPLAN_RANKS", "2"},
        {"MEMPLAN_RANK", "1"},
        {"MEMPLAN_RENDEZVOUS", "here"}},
       "MEMPLAN_RENDEZVOUS is 'here'"},
      {{{"MEMPLAN_RANKS", "2"},
        {"MEMPLAN_RANK", "1"},
        {"MEMPLAN_RENDEZVOUS", "localhost:7000"},
        {"MEMPLAN_RANKS_TIMEOUT", "-1"}},
       "MEMPLAN_RANKS_TIMEOUT is '-1'"},
  };
  for (const auto &test : cases) {
    Environment environment(test.given);
    Place place;
    std::string error;
    EXPECT_FALSE(Place::read(place, error)) << test.text;
    EXPECT_THAT(error, HasSubstr(test.text));
  }
}
