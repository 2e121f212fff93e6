//===- PlanningFlagsTest.cpp - Flags made from the option table -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/PlanningFlags.h"
#include "ErrorMatchers.h"
#include "llvm/Support/raw_ostream.h"

using namespace memplan;

/// The table with one more row, which sets the file of the cost model.
static std::vector<PlanningOption> tableWithFlavor() {
  std::vector<PlanningOption> table(planningOptions().begin(),
                                    planningOptions().end());
  PlanningOption flavor = *findOption("cost-model");
  flavor.name = "flavor";
  flavor.value = "NAME";
  flavor.help = "Nothing that memplan knows";
  flavor.users = unsigned(OptionUser::SolveArena) | unsigned(OptionUser::Opt);
  flavor.set = [](PlanOptions &options, llvm::StringRef text) -> llvm::Error {
    if (text == "none")
      return llvm::createStringError("'none' is not a flavor");
    options.costModel = text.str();
    return llvm::Error::success();
  };
  table.push_back(flavor);
  return table;
}

namespace {
struct Command : llvm::cl::SubCommand {
  using SubCommand::SubCommand;
  ~Command() { unregisterSubCommand(); }
};

/// A command line of its own, so that tests do not see each other's flags.
struct CommandLine {
  explicit CommandLine(OptionUser user, std::span<const PlanningOption> table =
                                            planningOptions())
      : flags(user, category(), command, {}, table) {}

  /// False where a flag is unknown.
  bool reads(std::vector<const char *> words) {
    llvm::cl::ResetAllOptionOccurrences();
    words.insert(words.begin(), {"test", "plan"});
    std::string said;
    llvm::raw_string_ostream stream(said);
    return llvm::cl::ParseCommandLineOptions(int(words.size()), words.data(),
                                             "", &stream);
  }

  /// LLVM keeps categories for good.
  static llvm::cl::OptionCategory &category() {
    static llvm::cl::OptionCategory only{"planning"};
    return only;
  }

  Command command{"plan"};
  PlanningFlags flags;
};
} // namespace

// One row is all that a new option takes: its users have the flag, its setter
// sets and checks, and nobody else has it.
TEST(PlanningFlags, a_row_more_is_a_flag_of_its_users) {
  const std::vector<PlanningOption> table = tableWithFlavor();
  for (OptionUser user : {OptionUser::SolveArena, OptionUser::Opt}) {
    CommandLine line(user, table);
    ASSERT_TRUE(line.reads({"--flavor=sweet"}));
    EXPECT_TRUE(line.flags.isGiven("flavor"));
    llvm::Expected<PlanOptions> options = line.flags.options();
    ASSERT_TRUE(bool(options));
    EXPECT_EQ(options->costModel, "sweet");
    ASSERT_TRUE(line.reads({"--flavor=none"}));
    EXPECT_THAT(line.flags.options(),
                FailsWith("--flavor: 'none' is not a flavor"));
  }
  CommandLine other(OptionUser::Check, table);
  EXPECT_FALSE(other.reads({"--flavor=sweet"}));
  EXPECT_FALSE(other.flags.isGiven("flavor"));
}
