//===- OptionTexts.h - Values of options as users write them ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_OPTIONS_OPTIONTEXTS_H
#define MEMPLAN_LIB_PLANNER_OPTIONS_OPTIONTEXTS_H

#include "memplan/Planner/Options.h"

#include <initializer_list>

namespace memplan {

// One of each for options that are more than a text: set reads what a user
// wrote and says what is wrong with it, get writes what reads back as the same.

llvm::Error setOneOf(llvm::StringRef text,
                     std::initializer_list<llvm::StringRef> names,
                     std::string &name);
/// A whole number that is not negative.
llvm::Error setCount(llvm::StringRef text, int64_t &count);
llvm::Error setThreads(llvm::StringRef text, int64_t &threads);
llvm::Error setPareto(PlanOptions &options, llvm::StringRef text);
llvm::Error setBudget(PlanOptions &options, llvm::StringRef text);
std::string getBudget(const PlanOptions &options);
llvm::Error setBandwidth(PlanOptions &options, llvm::StringRef text);
std::string getBandwidth(const PlanOptions &options);
llvm::Error setParetoBandwidths(PlanOptions &options, llvm::StringRef text);
std::string getParetoBandwidths(const PlanOptions &options);
llvm::Error setHostBudget(PlanOptions &options, llvm::StringRef text);
llvm::Error setAlignment(PlanOptions &options, llvm::StringRef text);
llvm::Error setEffort(PlanOptions &options, llvm::StringRef text);
std::string getEffort(const PlanOptions &options);
llvm::Error setTimeLimit(PlanOptions &options, llvm::StringRef text);
llvm::Error setBatch(PlanOptions &options, llvm::StringRef text);
llvm::Error setPrecision(PlanOptions &options, llvm::StringRef text);
llvm::Error setLayout(PlanOptions &options, llvm::StringRef text);
llvm::Error setRanks(PlanOptions &options, llvm::StringRef text);
llvm::Error setLossChunks(PlanOptions &options, llvm::StringRef text);
llvm::Error setLossScale(PlanOptions &options, llvm::StringRef text);
std::string getLossScale(const PlanOptions &options);
llvm::Error setSlowdown(PlanOptions &options, llvm::StringRef text);
llvm::Error setTflms(PlanOptions &options, llvm::StringRef text);
llvm::Error setStreams(PlanOptions &options, llvm::StringRef text);
llvm::Error setParallelism(PlanOptions &options, llvm::StringRef text);
llvm::Error setHostState(PlanOptions &options, llvm::StringRef text);
llvm::Error setParts(PlanOptions &options, llvm::StringRef text);
llvm::Error setHeuristic(PlanOptions &options, llvm::StringRef text);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_OPTIONS_OPTIONTEXTS_H
