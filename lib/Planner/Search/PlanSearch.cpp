//===- PlanSearch.cpp - The search, a phase at a time ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/PlanSearch.h"
#include "SearchDriver.h"

using namespace memplan;

PlanSearch::PlanSearch(const SearchStep &step, Packing &packing,
                       SearchRules rules, uint64_t seed, Effort &effort)
    : driver(
          std::make_unique<SearchDriver>(step, packing, rules, seed, effort)) {}

PlanSearch::~PlanSearch() = default;

void PlanSearch::start() { driver->start(); }

void PlanSearch::start(std::vector<PlannedRun> plan) {
  driver->start(std::move(plan));
}

bool PlanSearch::startFromTurns() { return driver->startFromTurns(); }

void PlanSearch::improve(double enoughTime, int64_t moves) {
  driver->improve(enoughTime, moves);
}
