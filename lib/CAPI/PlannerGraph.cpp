//===- PlannerGraph.cpp - Graphs from C -----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannerHandles.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Schedule/Liveness.h"

using namespace memplan;
using namespace memplan::capi;

memplan_status_t memplan_graph_create(const char *name,
                                      memplan_graph_t **graph) {
  clear(graph);
  return guardLlvm([&] {
    if (!graph)
      return refuse("memplan_graph_create got a null pointer");
    auto made = std::make_unique<memplan_graph>();
    made->graph.name = name ? name : "";
    *graph = made.release();
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_graph_read_json(const char *text, int64_t byte_count,
                                         memplan_graph_t **graph) {
  clear(graph);
  return guardLlvm([&] {
    if (!text || byte_count < 0 || !graph)
      return refuse("memplan_graph_read_json got a null pointer or a negative "
                    "size");
    llvm::Expected<Graph> read =
        parseGraph(llvm::StringRef(text, size_t(byte_count)));
    if (!read)
      return fail(MEMPLAN_INVALID_ARGUMENT, read.takeError());
    *graph = new memplan_graph{std::move(*read)};
    return MEMPLAN_OK;
  });
}

void memplan_graph_destroy(memplan_graph_t *graph) { delete graph; }

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

memplan_status_t memplan_graph_add_tensor(memplan_graph_t *graph,
                                          const memplan_graph_tensor_t *tensor,
                                          int32_t *number) {
  return guardLlvm([&] {
    if (!graph || !hasSize(tensor))
      return refuse("memplan_graph_add_tensor got a null pointer or a struct "
                    "without struct_bytes");
    const memplan_graph_tensor_t given =
        read(tensor, memplan_graph_tensor_t(MEMPLAN_GRAPH_TENSOR_INIT));
    if (given.kind < MEMPLAN_PARAMETER || given.kind > MEMPLAN_OUTPUT)
      return refuse("memplan_graph_add_tensor got a kind that is none");
    std::vector<Tensor> &tensors = graph->graph.tensors;
    if (tensors.size() >= size_t(INT32_MAX))
      return refuse("a graph has at most 2^31 - 1 tensors");
    Tensor made;
    made.externalId =
        given.external_id < 0 ? int64_t(tensors.size()) : given.external_id;
    made.name = given.name ? given.name : "";
    made.bytes = given.bytes;
    made.kind = TensorKind(given.kind);
    if (given.view_of >= 0)
      made.viewOf = TensorId(given.view_of);
    if (given.part.row_bytes != 0)
      made.partOf =
          PartOf{given.part.offset, given.part.row_bytes, given.part.rows,
                 given.part.stride, given.part.written != 0};
    made.donated = given.donated != 0;
    tensors.push_back(std::move(made));
    if (number)
      *number = int32_t(tensors.size() - 1);
    return MEMPLAN_OK;
  });
}

/// The caller's array as ids, which Graph::check() looks at.
static std::vector<TensorId> toIds(const int32_t *numbers, int64_t count) {
  std::vector<TensorId> ids;
  for (int64_t i = 0; i < count; ++i)
    ids.push_back(TensorId(numbers[i]));
  return ids;
}

static bool isArray(const void *data, int64_t count) {
  return count == 0 || (count > 0 && data);
}

static Node toNode(const memplan_graph_node_t &given) {
  Node node;
  node.name = given.name ? given.name : "";
  node.cost = given.cost;
  node.workspaceBytes = given.workspace_bytes;
  node.inputs = toIds(given.inputs, given.input_count);
  node.outputs = toIds(given.outputs, given.output_count);
  node.writes = toIds(given.writes, given.write_count);
  for (int64_t i = 0; i < given.in_place_count; ++i)
    node.inPlace.push_back({TensorId(given.in_place[i].output),
                            TensorId(given.in_place[i].input)});
  for (int64_t i = 0; i < given.variant_count; ++i)
    node.variants.push_back(
        {given.variants[i].cost, given.variants[i].workspace_bytes});
  node.flops = given.flops;
  node.bytesMoved = given.bytes_moved;
  node.recompute = given.run_once == 0;
  node.collective = given.collective != 0;
  node.opaque = given.opaque != 0;
  node.backward = given.backward != 0;
  if (given.communicates != 0)
    node.stream = StreamKind::Communication;
  return node;
}

memplan_status_t memplan_graph_add_node(memplan_graph_t *graph,
                                        const memplan_graph_node_t *node,
                                        int32_t *number) {
  return guardLlvm([&] {
    if (!graph || !hasSize(node))
      return refuse("memplan_graph_add_node got a null pointer or a struct "
                    "without struct_bytes");
    const memplan_graph_node_t given =
        read(node, memplan_graph_node_t(MEMPLAN_GRAPH_NODE_INIT));
    if (!isArray(given.inputs, given.input_count) ||
        !isArray(given.outputs, given.output_count) ||
        !isArray(given.writes, given.write_count) ||
        !isArray(given.in_place, given.in_place_count) ||
        !isArray(given.variants, given.variant_count))
      return refuse("memplan_graph_add_node got a negative count or a count "
                    "without an array");
    std::vector<Node> &nodes = graph->graph.nodes;
    if (nodes.size() >= size_t(INT32_MAX))
      return refuse("a graph has at most 2^31 - 1 nodes");
    Node made = toNode(given);
    made.externalId =
        given.external_id < 0 ? int64_t(nodes.size()) : given.external_id;
    nodes.push_back(std::move(made));
    if (number)
      *number = int32_t(nodes.size() - 1);
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_graph_set_fixed_bytes(memplan_graph_t *graph,
                                               int64_t bytes) {
  return guardLlvm([&] {
    if (!graph)
      return refuse("memplan_graph_set_fixed_bytes got a null pointer");
    graph->graph.fixedBytes = bytes;
    return MEMPLAN_OK;
  });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

memplan_status_t memplan_graph_check(const memplan_graph_t *graph) {
  return guardLlvm([&] {
    if (!graph)
      return refuse("memplan_graph_check got a null pointer");
    llvm::Error wrong = graph->graph.check();
    return wrong ? fail(MEMPLAN_INVALID_ARGUMENT, std::move(wrong))
                 : MEMPLAN_OK;
  });
}

int32_t memplan_graph_tensor_count(const memplan_graph_t *graph) {
  return graph ? int32_t(graph->graph.tensors.size()) : 0;
}

int32_t memplan_graph_node_count(const memplan_graph_t *graph) {
  return graph ? int32_t(graph->graph.nodes.size()) : 0;
}

memplan_status_t memplan_graph_get_tensor(const memplan_graph_t *graph,
                                          int32_t number,
                                          memplan_graph_tensor_t *tensor) {
  return guardLlvm([&] {
    if (!graph || !hasSize(tensor))
      return refuse("memplan_graph_get_tensor got a null pointer or a struct "
                    "without struct_bytes");
    if (number < 0 || size_t(number) >= graph->graph.tensors.size())
      return fail(
          MEMPLAN_INVALID_ARGUMENT,
          llvm::createStringError("no tensor " + llvm::Twine(number) + " of " +
                                  llvm::Twine(graph->graph.tensors.size())));
    const Tensor &from = graph->graph[TensorId(number)];
    const PartOf part = from.partOf.value_or(PartOf());
    fill(tensor, {0,
                  int32_t(from.kind),
                  from.bytes,
                  from.name.c_str(),
                  from.externalId,
                  from.viewOf ? from.viewOf->index : -1,
                  from.donated,
                  {part.offset, part.rowBytes, part.rows, part.stride,
                   part.written, 0}});
    return MEMPLAN_OK;
  });
}

/// Ids and pairs of ids are numbers in structs, as C has them.
static const int32_t *numbersOf(const std::vector<TensorId> &ids) {
  static_assert(sizeof(TensorId) == sizeof(int32_t));
  return ids.empty() ? nullptr : &ids.front().index;
}
static_assert(sizeof(InPlacePair) == sizeof(memplan_graph_in_place_t) &&
              sizeof(NodeVariant) == sizeof(memplan_graph_variant_t));

memplan_status_t memplan_graph_get_node(const memplan_graph_t *graph,
                                        int32_t number,
                                        memplan_graph_node_t *node) {
  return guardLlvm([&] {
    if (!graph || !hasSize(node))
      return refuse("memplan_graph_get_node got a null pointer or a struct "
                    "without struct_bytes");
    const std::vector<Node> &nodes = graph->graph.nodes;
    if (number < 0 || size_t(number) >= nodes.size())
      return fail(MEMPLAN_INVALID_ARGUMENT,
                  llvm::createStringError("no node " + llvm::Twine(number) +
                                          " of " + llvm::Twine(nodes.size())));
    const Node &from = nodes[size_t(number)];
    memplan_graph_node_t shown = MEMPLAN_GRAPH_NODE_INIT;
    shown.run_once = !from.recompute;
    shown.name = from.name.c_str();
    shown.external_id = from.externalId;
    shown.cost = from.cost;
    shown.workspace_bytes = from.workspaceBytes;
    shown.inputs = numbersOf(from.inputs);
    shown.input_count = int64_t(from.inputs.size());
    shown.outputs = numbersOf(from.outputs);
    shown.output_count = int64_t(from.outputs.size());
    shown.writes = numbersOf(from.writes);
    shown.write_count = int64_t(from.writes.size());
    shown.in_place =
        reinterpret_cast<const memplan_graph_in_place_t *>(from.inPlace.data());
    shown.in_place_count = int64_t(from.inPlace.size());
    shown.variants =
        reinterpret_cast<const memplan_graph_variant_t *>(from.variants.data());
    shown.variant_count = int64_t(from.variants.size());
    shown.flops = from.flops;
    shown.bytes_moved = from.bytesMoved;
    shown.collective = from.collective;
    shown.opaque = from.opaque;
    shown.backward = from.backward;
    shown.communicates = from.communicates();
    fill(node, shown);
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_graph_get_info(const memplan_graph_t *graph,
                                        memplan_graph_info_t *info) {
  return guardLlvm([&] {
    if (!graph || !hasSize(info))
      return refuse("memplan_graph_get_info got a null pointer or a struct "
                    "without struct_bytes");
    const Graph &from = graph->graph;
    const Bandwidth bandwidth = from.bandwidth.value_or(Bandwidth());
    fill(info, {0, 0, from.name.c_str(), from.fixedBytes,
                from.hostBudgetBytes.value_or(-1),
                bandwidth.hostToDevice.value_or(-1),
                bandwidth.deviceToHost.value_or(-1),
                from.bandwidth ? bandwidth.latency : -1});
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_graph_unplanned_bytes(const memplan_graph_t *graph,
                                               int64_t *bytes) {
  return guardLlvm([&] {
    if (!graph || !bytes)
      return refuse("memplan_graph_unplanned_bytes got a null pointer");
    if (llvm::Error wrong = graph->graph.check())
      return fail(MEMPLAN_INVALID_ARGUMENT, std::move(wrong));
    *bytes = measureUnplanned(GraphIndex(graph->graph)).peakBytes;
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_graph_json(const memplan_graph_t *graph, char **text,
                                    int64_t *byte_count) {
  clear(text);
  clear(byte_count);
  return guardLlvm([&] {
    if (!graph || !text)
      return refuse("memplan_graph_json got a null pointer");
    if (llvm::Error wrong = graph->graph.check())
      return fail(MEMPLAN_INVALID_ARGUMENT, std::move(wrong));
    return giveText(
        textOf([&](llvm::raw_ostream &os) { writeGraph(graph->graph, os); }),
        text, byte_count);
  });
}
