//===- PlanTexts.cpp - The table of planning options in MLIR --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/PlanTexts.h"

using namespace mlir;
using namespace mlir::memplan;
namespace core = ::memplan;

llvm::Expected<core::PlanOptions> PlanTexts::parse() const {
  core::PlanOptions options;
  for (const Row &row : rows)
    if (llvm::Error error =
            core::setOption(options, row.option->name, row.text->getValue()))
      return error;
  return options;
}

void PlanTexts::set(const core::PlanOptions &options) {
  for (Row &row : rows)
    row.text->setValue(row.option->get(options));
}

void PlanTexts::set(const PlanTexts &other) {
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i].text->setValue(other.rows[i].text->getValue());
}
