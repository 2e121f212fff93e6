//===- TflmsParameters.h - What TFLMS can be told ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SWAP_TFLMSPARAMETERS_H
#define MEMPLAN_PLANNER_SWAP_TFLMSPARAMETERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// How TFLMS looks for the op that triggers a swap-in.
enum class ControlStrategy { ChainRule, DirectOrder };

/// The parameters of TFLMS (Le et al., 2018, table 2) under their own names,
/// with their defaults; `graph` is the problem's. The last four are what the
/// text speaks of and the table does not name.
struct TflmsParameters {
  /// Ops below these scopes belong to the backward pass. Empty: what the graph
  /// says of its nodes. "none": every edge is rewritten, whatever its ends are.
  std::vector<std::string> optimizerScopes;
  /// Where the search for tensors begins; both empty: at the users of what
  /// the caller owns.
  std::vector<std::string> startingScope, startingOpNames;
  /// Outputs of which ops are swapped. Exclusion wins; an inclusion that names
  /// something restricts.
  std::vector<std::string> exclScopes, inclScopes, exclTypes, inclTypes;
  /// At most so many tensors; -1: all; unset: the fewest that fit.
  std::optional<int64_t> nTensors = -1;
  std::optional<int64_t> lb = 1; ///< Unset ("auto"): the fastest that fits.
  int64_t ub = 10000;
  ControlStrategy ctrldStrategy = ControlStrategy::ChainRule;
  bool fuseSwapins = false;
  bool swapBranches = false;
  int64_t branchThreshold = 0;

  /// Edges whose ends are further apart are rewritten. Unset ("auto"): 1
  /// without a budget, else the largest that fits.
  std::optional<int64_t> threshold;
  /// Consumers that are no further from the first of them share a swap-in.
  int64_t closeness = 1;
  /// "none"; or "bf16": what nodes encode as bf16 is copied and nothing else,
  /// at any distance. These nodes are in the graph already, and lose bits.
  std::string codec = "none";

  /// "lb=3,ctrld_strategy=direct_order,excl_types=relu+add"; empty: defaults.
  static llvm::Expected<TflmsParameters> parse(llvm::StringRef text);
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SWAP_TFLMSPARAMETERS_H
