//===- Options.cpp - Options of planning in Python ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace memplan::python;

Options::Options() : handle(nullptr, memplan_options_destroy) {
  memplan_options_t *made = nullptr;
  check(memplan_options_create(&made));
  handle.reset(made);
}

static std::string valueOf(const Options &options, const std::string &name) {
  OwnedText value;
  check(memplan_options_get(options.handle.get(), name.c_str(), &value.text));
  return value.text;
}

namespace {
struct OptionInfo {
  std::string name, value, defaultText, help;
  bool isSwitch;
};
} // namespace

static std::vector<OptionInfo> listOptions() {
  std::vector<OptionInfo> options;
  const Options defaults;
  for (int32_t i = 0; i < memplan_option_count(); ++i) {
    memplan_option_info_t info = MEMPLAN_OPTION_INFO_INIT;
    check(memplan_option(i, &info));
    options.push_back({info.name, info.value, valueOf(defaults, info.name),
                       info.help, info.is_switch != 0});
  }
  return options;
}

static int64_t parseSize(const std::string &text) {
  int64_t bytes = 0;
  check(memplan_parse_size(text.c_str(), &bytes));
  return bytes;
}

void memplan::python::addOptions(nb::module_ &module) {
  using namespace nb::literals;
  nb::class_<OptionInfo>(module, "OptionInfo", "One planning option.")
      .def_ro("name", &OptionInfo::name,
              "Name on command lines: \"time-limit\".")
      .def_ro("value", &OptionInfo::value,
              "What kind of value it takes; empty for a switch.")
      .def_ro("default", &OptionInfo::defaultText, "Its value if not given.")
      .def_ro("help", &OptionInfo::help, "One line.")
      .def_ro("is_switch", &OptionInfo::isSwitch,
              "Whether it takes \"true\" or \"false\" and may stand alone.")
      .def("__repr__", [](const OptionInfo &self) {
        return "<memplan.OptionInfo " + self.name + ">";
      });
  module.def("options", listOptions,
             "Every planning option: names, defaults and help as all of "
             "memplan's tools have them.");
  module.def(
      "parse_size", parseSize, "text"_a,
      "Bytes of a size such as \"16G\" (powers of 1024) or \"1.5GB\" (of "
      "1000).\n\nRaises InputError for anything else.");
  nb::class_<Options>(module, "_Options")
      .def(nb::init<>())
      .def(
          "set",
          [](Options &self, const std::string &name, const std::string &value) {
            check(memplan_options_set(self.handle.get(), name.c_str(),
                                      value.c_str()));
          },
          "name"_a, "value"_a, "Reads the value as a command line would.")
      .def("get", valueOf, "name"_a, "The value as set() would read it back.")
      .def(
          "cancel",
          [](Options &self, bool cancelled) {
            memplan_options_cancel(self.handle.get(), cancelled);
          },
          "cancelled"_a = true,
          "Makes plannings with these options return soon, from any thread.");
}
