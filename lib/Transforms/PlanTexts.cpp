//===- PlanTexts.cpp - The table of planning options in MLIR --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/PlanTexts.h"
#include <map>

using namespace mlir;
using namespace mlir::memplan;
namespace core = ::memplan;

StringRef PlanTexts::describe(const core::PlanningOption &option) {
  static std::map<std::string, std::string> texts;
  return texts.try_emplace(option.name.str(), option.describe()).first->second;
}

llvm::Expected<core::PlanOptions> PlanTexts::parse() const {
  core::PlanOptions options;
  for (const auto &[option, text] : texts)
    if (llvm::Error error =
            core::setOption(options, option->name, text->getValue()))
      return error;
  return options;
}

void PlanTexts::set(const core::PlanOptions &options) {
  for (auto &[option, text] : texts)
    text->setValue(option->get(options));
}

void PlanTexts::set(const PlanTexts &other) {
  for (size_t i = 0; i < texts.size(); ++i)
    texts[i].second->setValue(other.texts[i].second->getValue());
}
