//===- Module.cpp - The Python module memplan._planner --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"

using namespace memplan::python;

static nb::str versionText() {
  OwnedText text;
  check(memplan_version_text(&text.text));
  return nb::str(text.text);
}

NB_MODULE(_planner, module) {
  module.doc() = "memplan-c/Planner.h for Python; use memplan instead.";
  addGraph(module);
  addOptions(module);
  addPlan(module);
  addPlanning(module);
  module.def("version_text", versionText,
             "Version and features, as every tool of memplan prints them.");
  module.attr("api_version") = memplan_api_version();
}
