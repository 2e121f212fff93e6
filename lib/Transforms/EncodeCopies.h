//===- EncodeCopies.h - Codecs around copies to the host --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan says what is copied; a codec changes what a program computes. So it is
// the program that encodes, and a plan of it copies what is encoded.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_ENCODECOPIES_H
#define MEMPLAN_LIB_TRANSFORMS_ENCODECOPIES_H

#include "Planning.h"

namespace mlir::memplan {

/// Whether the options ask for copies that are encoded.
bool encodesCopies(const core::PlanOptions &options);

/// How a pass plans.
struct EncodedPlanning {
  core::PlanOptions options; ///< With the codec.
  /// Plans the graph of the function as it is, or one that differs from it in
  /// what the host offers.
  std::function<FailureOr<core::Plan>(const core::Graph &,
                                      const core::PlanOptions &)>
      choose;
  /// Sees the function and plans it.
  std::function<FailureOr<Planned>(const core::PlanOptions &)> make;
};

/// Finds out what would be copied, encodes these values in the function and
/// plans that. Where everything fits, nothing is encoded. Reports its own
/// errors; the function is then as it was.
FailureOr<Planned> planEncoded(const GraphView &view,
                               const EncodedPlanning &planning);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_TRANSFORMS_ENCODECOPIES_H
