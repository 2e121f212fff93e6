//===- PlanTexts.h - The table of planning options in MLIR ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PLANTEXTS_H
#define MEMPLAN_TRANSFORMS_PLANTEXTS_H

#include "memplan/Planner/Options.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::memplan {

/// The planning options of a pass or a pipeline as text, made from the table.
class PlanTexts {
public:
  using Text = ::mlir::detail::PassOptions::Option<std::string>;

  /// Declares them as options of `owner`. `OptionT` is the owner's
  /// Option<std::string>.
  template <typename OptionT, typename Owner> void declareIn(Owner &owner) {
    for (const ::memplan::PlanningOption &option :
         ::memplan::planningOptions()) {
      if (!option.isFor(::memplan::OptionUser::Pass))
        continue;
      // The text refers to its help.
      auto help = std::make_unique<std::string>(option.describe());
      auto text =
          std::make_unique<OptionT>(owner, option.name, llvm::cl::desc(*help),
                                    llvm::cl::value_desc(option.value),
                                    llvm::cl::init(option.defaultText()));
      rows.push_back({&option, std::move(help), std::move(text)});
    }
  }

  /// What the texts say. Errors begin with the option's name.
  llvm::Expected<::memplan::PlanOptions> parse() const;
  void set(const ::memplan::PlanOptions &options);
  void set(const PlanTexts &other);

private:
  struct Row {
    const ::memplan::PlanningOption *option;
    std::unique_ptr<std::string> help;
    std::unique_ptr<Text> text;
  };
  std::vector<Row> rows;
};

} // namespace mlir::memplan

#endif // MEMPLAN_TRANSFORMS_PLANTEXTS_H
