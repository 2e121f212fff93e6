//===- GraphJson.h - Reading and writing graph files ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_GRAPHJSON_H
#define MEMPLAN_GRAPH_GRAPHJSON_H

#include "memplan/Graph/Graph.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace memplan {

/// Parses `*.graph.json` and checks it. Unknown keys are appended to `warnings`
/// (if given); a missing or ill-typed key is an error that names it and where
/// it stands.
llvm::Expected<Graph> parseGraph(llvm::StringRef text,
                                 std::vector<std::string> *warnings = nullptr);
void writeGraph(const Graph &graph, llvm::raw_ostream &os);

/// Hexadecimal hash of everything in the graph that a plan depends on; equal
/// graphs, equal text, on every machine.
std::string hashGraph(const Graph &graph);

} // namespace memplan

#endif // MEMPLAN_GRAPH_GRAPHJSON_H
