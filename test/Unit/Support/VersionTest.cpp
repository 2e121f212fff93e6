//===- VersionTest.cpp - What this build of memplan is --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/Version.h"
#include "memplan/Support/Config.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace memplan;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Bug reports and the tests' features rely on --version naming what was really
// built in.
TEST(Version, names_what_is_built_in) {
  EXPECT_THAT(versionText(), StartsWith("memplan " MEMPLAN_VERSION "\n"));
  EXPECT_THAT(versionText(),
              HasSubstr(MEMPLAN_HAS_HIGHS ? "+highs" : "-highs"));
  EXPECT_THAT(versionText(), HasSubstr(MEMPLAN_HAS_CBC ? "+cbc" : "-cbc"));
  EXPECT_THAT(versionText(), HasSubstr(MEMPLAN_HAS_MLIR ? "+mlir" : "-mlir"));
  EXPECT_THAT(versionText(),
              HasSubstr(MEMPLAN_HAS_ONEDNN ? "+onednn" : "-onednn"));
  EXPECT_THAT(versionText(), HasSubstr(MEMPLAN_HAS_CUDA ? "+cuda" : "-cuda"));
}
