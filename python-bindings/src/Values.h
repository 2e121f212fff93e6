//===- Values.h - What the module's classes hold ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PYTHON_VALUES_H
#define MEMPLAN_PYTHON_VALUES_H

#include "Errors.h"
#include "memplan-c/Planner.h"
#include <memory>
#include <nanobind/ndarray.h>
#include <string>
#include <vector>

namespace memplan::python {

/// A text that the C API has made, as Python's.
struct OwnedText {
  char *text = nullptr;
  int64_t bytes = 0;

  OwnedText() = default;
  OwnedText(const OwnedText &) = delete;
  ~OwnedText() { memplan_text_destroy(text); }
};

/// One column of an array of structs, read-only, without a copy. `first` is the
/// field of the first struct; the array lives as long as `owner` does.
template <typename Value, typename Struct>
nb::ndarray<nb::numpy, const Value, nb::ndim<1>>
columnOf(const Struct *structs, const Value *first, size_t count,
         nb::handle owner) {
  static_assert(sizeof(Struct) % sizeof(Value) == 0);
  return {structs ? first : nullptr,
          {count},
          owner,
          {int64_t(sizeof(Struct) / sizeof(Value))}};
}

/// A list of numbers, read-only, without a copy.
template <typename Value>
nb::ndarray<nb::numpy, const Value, nb::ndim<1>>
arrayOf(const Value *values, size_t count, nb::handle owner) {
  return {values, {count}, owner};
}

/// What Python holds of a graph; checked, and never changed again. Plans made
/// for it share the handle.
struct Graph {
  using Handle = std::shared_ptr<memplan_graph_t>;
  Handle handle;

  /// Columns that the C API gives one by one.
  std::vector<int64_t> tensorBytes, tensorIds, nodeIds, nodeWorkspaces;
  std::vector<int32_t> tensorKinds, tensorViews;
  std::vector<double> nodeCosts;
  std::vector<int32_t> reads, makes; ///< Pairs of node and tensor.

  explicit Graph(Handle checked);
};
/// Owns a handle that the C API has made.
Graph::Handle ownGraph(memplan_graph_t *made);

/// The options of one call or of several.
struct Options {
  std::unique_ptr<memplan_options_t, decltype(&memplan_options_destroy)> handle;
  Options();
};

struct Plan {
  Graph::Handle graph;
  /// Destroys the plan, or keeps the curve that it belongs to.
  std::shared_ptr<const memplan_plan_t> handle;

  memplan_plan_info_t info() const;
};

struct Curve {
  Graph::Handle graph;
  std::shared_ptr<const memplan_curve_t> handle;
};

void addGraph(nb::module_ &module);
void addOptions(nb::module_ &module);
void addPlan(nb::module_ &module);
void addPlanning(nb::module_ &module);

} // namespace memplan::python

#endif // MEMPLAN_PYTHON_VALUES_H
