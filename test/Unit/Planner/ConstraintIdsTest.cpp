//===- ConstraintIdsTest.cpp - Numbered constraints hang together ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constraint stands in its header, in its page of docs/Planner, in the code
// that enforces it, and in the name of a test that breaks it. A number that is
// missing from one of the four is a promise that is not kept.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

static const fs::path root = fs::path(MEMPLAN_TEST_DIR).parent_path();

static std::string read(const fs::path &path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

static std::set<std::string> find(const std::string &text,
                                  const std::string &pattern) {
  std::regex regex(pattern);
  std::set<std::string> ids;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end;
       ++it)
    ids.insert((*it)[1]);
  return ids;
}

/// All files of a folder whose names begin with `prefix`, one after the other.
static std::string readAll(const fs::path &folder, const std::string &prefix) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cpp" &&
        entry.path().filename().string().starts_with(prefix))
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::string text;
  for (const fs::path &path : paths)
    text += read(path);
  return text;
}

struct PlanningProblem {
  const char *name;   ///< Of its room and page.
  const char *prefix; ///< Of its constraints.
};

class ConstraintIds : public testing::TestWithParam<PlanningProblem> {};

TEST_P(ConstraintIds, agree_in_header_page_code_and_tests) {
  auto [name, prefix] = GetParam();
  std::string id = std::string("\\b(") + prefix + "_[ic][0-9]+)";
  std::set<std::string> promised =
      find(read(root / "include/memplan/Planner" / name /
                (std::string(name) + "Problem.h")),
           "/// - " + id.substr(2) + ":");
  EXPECT_FALSE(promised.empty());
  EXPECT_EQ(find(read(root / "docs/Planner" / (std::string(name) + ".md")),
                 id + "\\b"),
            promised);
  EXPECT_EQ(find(readAll(root / "lib/Planner" / name, ""),
                 "\"" + id.substr(2) + "\""),
            promised);
  EXPECT_EQ(find(readAll(root / "test/Unit/Planner" / name, name),
                 "TEST\\(\\w+,\\s*" + id.substr(2) + "_"),
            promised);
}

INSTANTIATE_TEST_SUITE_P(Planner, ConstraintIds,
                         testing::Values(PlanningProblem{"Arena", "arena"},
                                         PlanningProblem{"InPlace", "inplace"},
                                         PlanningProblem{"Order", "order"},
                                         PlanningProblem{"Remat", "remat"},
                                         PlanningProblem{"Sharing", "sharing"},
                                         PlanningProblem{"Swap", "swap"}),
                         [](const auto &info) { return info.param.name; });

// The planned form has no problem header: its list stands in the verifier's,
// its code beside it and in the memory model, and its tests are functions that
// break one constraint each.
TEST(PlannedConstraintIds, planned_agrees_in_header_page_code_and_tests) {
  const std::string id = "(planned_c[0-9]+)";
  std::set<std::string> promised =
      find(read(root / "include/memplan/Bridge/VerifyPlanned.h"),
           "/// - " + id + ":");
  EXPECT_FALSE(promised.empty());
  EXPECT_EQ(find(read(root / "docs/Planner/Planned.md"), "\\b" + id + "\\b"),
            promised);
  EXPECT_EQ(find(readAll(root / "lib/Bridge", "Verify") +
                     read(root / "lib/Dialect/Memplan/IR/PlannedMemory.cpp"),
                 "\\(" + id + "\\)"),
            promised);
  EXPECT_EQ(find(read(root / "test/Transforms/verify-plan/invalid.mlir"),
                 "func.func @" + id + "_"),
            promised);
}

struct RoomIds {
  const char *id;      ///< Pattern of its constraints.
  const char *header;  ///< Below include/memplan.
  const char *page;    ///< Below docs/Planner.
  const char *library; ///< Below lib.
  const char *tests;   ///< Below test/Unit.
};

class RoomConstraintIds : public testing::TestWithParam<RoomIds> {};

// Graphs, schedules and plans have verifiers, and no problem header.
TEST_P(RoomConstraintIds, agree_in_header_page_code_and_tests) {
  RoomIds room = GetParam();
  const std::string id = room.id;
  std::set<std::string> promised =
      find(read(root / "include/memplan" / room.header), "/// - " + id + ":");
  EXPECT_FALSE(promised.empty());
  EXPECT_EQ(find(read(root / "docs/Planner" / room.page), "\\b" + id + "\\b"),
            promised);
  EXPECT_EQ(find(readAll(root / "lib" / room.library, ""), "\"" + id + "\""),
            promised);
  EXPECT_EQ(find(readAll(root / "test/Unit" / room.tests, ""),
                 "TEST\\(\\w+,\\s*" + id + "_"),
            promised);
}

INSTANTIATE_TEST_SUITE_P(
    Rooms, RoomConstraintIds,
    testing::Values(RoomIds{"(graph_i[0-9]+)", "Graph/Graph.h", "Graph.md",
                            "Graph", "Graph"},
                    RoomIds{"(schedule_c[0-9]+)", "Schedule/Liveness.h",
                            "Schedule.md", "Schedule", "Schedule"},
                    RoomIds{"(plan_c[0-9]+)", "Plan/PlanVerifier.h", "Plan.md",
                            "Plan", "Plan"}),
    [](const auto &info) { return std::string(info.param.library); });
