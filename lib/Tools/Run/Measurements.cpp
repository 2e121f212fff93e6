//===- Measurements.cpp - What a step really took -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measurements.h"

#include <cstdio>

using namespace memplan::runtime;

namespace memplan {

static std::string textOf(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", number);
  return text;
}

static std::string arenasOf(const Executable &executable, const StepUse &use) {
  std::string text;
  for (size_t a = 0; a < use.arenas.size(); ++a) {
    const bool isHost = executable.program().arenas[a].isHost();
    text +=
        std::string(a ? ", " : "") + "{\"space\": \"" +
        (isHost ? "host" : "device") +
        "\", \"planned_bytes\": " + std::to_string(use.arenas[a].plannedBytes) +
        ", \"handed_out_bytes\": " +
        std::to_string(use.arenas[a].handedOutBytes) +
        ", \"touched_bytes\": " + std::to_string(use.arenas[a].touchedBytes) +
        "}";
  }
  return text;
}

std::string measurementsText(const Executable &executable,
                             const ProfileObserver &profile,
                             const StepUse &use) {
  std::string runs, copies;
  const std::vector<Instruction> &all = executable.program().instructions;
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string micros =
        ", \"micros\": " + textOf(profile.medianMicros(i)) + "}";
    if (all[i].isCopy())
      copies += std::string(copies.empty() ? "" : ",") +
                "\n  {\"direction\": \"" + std::string(toString(all[i].queue)) +
                "\"" + micros;
    else
      runs += std::string(runs.empty() ? "" : ",") +
              "\n  {\"node\": " + std::to_string(all[i].node) +
              ", \"run\": " + std::to_string(all[i].run) + micros;
  }
  return "{\"version\": 1, \"kind\": \"memplan measurements\",\n"
         " \"arenas\": [" +
         arenasOf(executable, use) + "],\n \"runs\": [" + runs +
         "],\n \"copies\": [" + copies + "]}\n";
}

} // namespace memplan
