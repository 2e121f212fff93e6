//===- TflmsFilters.cpp - Names that choose what is copied ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TflmsFilters.h"
#include "RunGraph.h"
#include "Tuning.h"
#include "memplan/Support/Violation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace memplan;

/// Without the dialect: "relu" of "memplan.relu".
static llvm::StringRef typeOf(llvm::StringRef name) {
  return name.contains('.') ? name.split('.').second : name;
}

bool memplan::isOfType(llvm::StringRef name,
                       const std::vector<std::string> &types) {
  return isBelow(name, types) || isBelow(typeOf(name), types);
}

std::vector<llvm::StringRef> memplan::placesOf(const Graph &graph,
                                               const Node &node) {
  std::vector<llvm::StringRef> places(node.locations.begin(),
                                      node.locations.end());
  if (!node.outputs.empty()) {
    const Tensor &result = graph[node.outputs.front()];
    if (!result.name.empty())
      places.push_back(result.name);
  }
  if (places.empty())
    places.push_back(node.name);
  return places;
}

namespace {
struct Filter {
  const char *key;
  const std::vector<std::string> &names;
  bool isScope;
};
} // namespace

/// The first few names that there are.
static std::string listNames(const Graph &graph, bool isScope) {
  std::set<llvm::StringRef> names;
  for (const Node &node : graph.nodes)
    if (isScope)
      for (llvm::StringRef place : placesOf(graph, node))
        names.insert(place.split('/').first);
    else
      names.insert(typeOf(node.name));
  std::vector<llvm::StringRef> first(
      names.begin(),
      std::next(names.begin(), std::min(tuning::mostNames, names.size())));
  std::string text = "'" + llvm::join(first, "', '") + "'";
  if (names.size() > tuning::mostNames)
    text +=
        " and " + std::to_string(names.size() - tuning::mostNames) + " more";
  return text;
}

llvm::Error memplan::checkFilters(const Graph &graph,
                                  const TflmsParameters &parameters) {
  const Filter filters[] = {
      {"excl_types", parameters.exclTypes, false},
      {"incl_types", parameters.inclTypes, false},
      {"starting_op_names", parameters.startingOpNames, false},
      {"excl_scopes", parameters.exclScopes, true},
      {"incl_scopes", parameters.inclScopes, true},
      {"starting_scope", parameters.startingScope, true}};
  for (const Filter &filter : filters)
    for (const std::string &name : filter.names) {
      const std::vector<std::string> one{name};
      const bool matches = llvm::any_of(graph.nodes, [&](const Node &node) {
        const std::vector<llvm::StringRef> places = placesOf(graph, node);
        const bool isThere = llvm::any_of(
            places, [&](llvm::StringRef place) { return isBelow(place, one); });
        return isThere || isOfType(node.name, one) ||
               llvm::is_contained(places, name);
      });
      if (!matches)
        return violation("swap_i5", "{0}={1} matches no node; there are {2}",
                         filter.key, name, listNames(graph, filter.isScope));
    }
  return llvm::Error::success();
}
