//===- Graph.cpp - Graphs as Python values --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <optional>

using namespace memplan::python;

Graph::Handle memplan::python::ownGraph(memplan_graph_t *made) {
  return {made, memplan_graph_destroy};
}

static memplan_graph_tensor_t tensorOf(const memplan_graph_t *graph,
                                       int32_t number) {
  memplan_graph_tensor_t tensor = MEMPLAN_GRAPH_TENSOR_INIT;
  check(memplan_graph_get_tensor(graph, number, &tensor));
  return tensor;
}

static memplan_graph_node_t nodeOf(const memplan_graph_t *graph,
                                   int32_t number) {
  memplan_graph_node_t node = MEMPLAN_GRAPH_NODE_INIT;
  check(memplan_graph_get_node(graph, number, &node));
  return node;
}

static memplan_graph_info_t infoOf(const memplan_graph_t *graph) {
  memplan_graph_info_t info = MEMPLAN_GRAPH_INFO_INIT;
  check(memplan_graph_get_info(graph, &info));
  return info;
}

Graph::Graph(Handle checked) : handle(std::move(checked)) {
  for (int32_t i = 0; i < memplan_graph_tensor_count(handle.get()); ++i) {
    const memplan_graph_tensor_t tensor = tensorOf(handle.get(), i);
    tensorBytes.push_back(tensor.bytes);
    tensorIds.push_back(tensor.external_id);
    tensorKinds.push_back(tensor.kind);
    tensorViews.push_back(tensor.view_of);
  }
  for (int32_t i = 0; i < memplan_graph_node_count(handle.get()); ++i) {
    const memplan_graph_node_t node = nodeOf(handle.get(), i);
    nodeIds.push_back(node.external_id);
    nodeCosts.push_back(node.cost);
    nodeWorkspaces.push_back(node.workspace_bytes);
    for (int64_t j = 0; j < node.input_count; ++j)
      reads.insert(reads.end(), {i, node.inputs[j]});
    for (int64_t j = 0; j < node.output_count; ++j)
      makes.insert(makes.end(), {i, node.outputs[j]});
  }
}

//===----------------------------------------------------------------------===//
// One tensor, one node
//===----------------------------------------------------------------------===//

using Numbers = std::vector<int32_t>;
using Pairs = std::vector<std::pair<int32_t, int32_t>>;

namespace {
struct TensorView {
  Graph::Handle graph; ///< Keeps the name.
  memplan_graph_tensor_t tensor;
};
struct NodeView {
  Graph::Handle graph;
  memplan_graph_node_t node;
};
} // namespace

static Numbers toNumbers(const int32_t *numbers, int64_t count) {
  return Numbers(numbers, numbers + count);
}

static Pairs toPairs(const memplan_graph_in_place_t *pairs, int64_t count) {
  Pairs made;
  for (int64_t i = 0; i < count; ++i)
    made.emplace_back(pairs[i].output, pairs[i].input);
  return made;
}

using Part = std::tuple<int64_t, int64_t, int64_t, int64_t, bool>;

static std::optional<Part> partOf(const TensorView &view) {
  const memplan_graph_part_t &part = view.tensor.part;
  if (part.row_bytes == 0)
    return std::nullopt;
  return Part(part.offset, part.row_bytes, part.rows, part.stride,
              part.written != 0);
}

static void addTensor(nb::module_ &module) {
  nb::class_<TensorView>(module, "Tensor", "One tensor of a graph.")
      .def_prop_ro(
          "name", [](const TensorView &self) { return self.tensor.name; },
          "Name in messages; may be empty.")
      .def_prop_ro(
          "bytes", [](const TensorView &self) { return self.tensor.bytes; },
          "Bytes of the tensor; 0 for a view.")
      .def_prop_ro(
          "kind",
          [](const TensorView &self) {
            return memplan_tensor_kind_t(self.tensor.kind);
          },
          "Who owns the tensor, and for how long it lives.")
      .def_prop_ro(
          "id", [](const TensorView &self) { return self.tensor.external_id; },
          "Id in files and messages.")
      .def_prop_ro(
          "view_of",
          [](const TensorView &self) -> std::optional<int32_t> {
            if (self.tensor.view_of < 0)
              return std::nullopt;
            return self.tensor.view_of;
          },
          "Number of the tensor whose storage this one uses, or None.")
      .def_prop_ro(
          "donated",
          [](const TensorView &self) { return self.tensor.donated != 0; },
          "Whether the step may free or overwrite this input.")
      .def_prop_ro("part", partOf,
                   "Of a view: (offset, row_bytes, rows, stride, written) in "
                   "its base, in bytes; None where it was not asked for.")
      .def("__repr__", [](const TensorView &self) {
        return "<memplan.Tensor '" + std::string(self.tensor.name) + "', " +
               std::to_string(self.tensor.bytes) + " bytes>";
      });
}

static void addNode(nb::module_ &module) {
  nb::class_<NodeView> node(module, "Node", "One node of a graph.");
  node.def_prop_ro(
          "name", [](const NodeView &self) { return self.node.name; },
          "Name in messages; may be empty.")
      .def_prop_ro(
          "id", [](const NodeView &self) { return self.node.external_id; },
          "Id in files and messages.")
      .def_prop_ro(
          "cost", [](const NodeView &self) { return self.node.cost; },
          "Microseconds, or any unit that all nodes share.")
      .def_prop_ro(
          "workspace_bytes",
          [](const NodeView &self) { return self.node.workspace_bytes; },
          "Scratch bytes while the node runs.")
      .def_prop_ro(
          "inputs",
          [](const NodeView &self) {
            return toNumbers(self.node.inputs, self.node.input_count);
          },
          "Numbers of the tensors that the node reads.")
      .def_prop_ro(
          "outputs",
          [](const NodeView &self) {
            return toNumbers(self.node.outputs, self.node.output_count);
          },
          "Numbers of the tensors that the node makes.")
      .def_prop_ro(
          "writes",
          [](const NodeView &self) {
            return toNumbers(self.node.writes, self.node.write_count);
          },
          "Numbers of the tensors that the node overwrites.")
      .def_prop_ro(
          "in_place",
          [](const NodeView &self) {
            return toPairs(self.node.in_place, self.node.in_place_count);
          },
          "(output, input): the output may take the storage of the input.")
      .def_prop_ro(
          "variants",
          [](const NodeView &self) {
            std::vector<std::pair<double, int64_t>> variants;
            for (int64_t i = 0; i < self.node.variant_count; ++i)
              variants.emplace_back(self.node.variants[i].cost,
                                    self.node.variants[i].workspace_bytes);
            return variants;
          },
          "(cost, workspace_bytes) of each variant but the node's own.");
  node.def_prop_ro(
          "run_once",
          [](const NodeView &self) { return self.node.run_once != 0; },
          "Whether the node may not be computed again.")
      .def_prop_ro(
          "flops", [](const NodeView &self) { return self.node.flops; },
          "Floating-point operations, for the option cost_model.")
      .def_prop_ro(
          "bytes_moved",
          [](const NodeView &self) { return self.node.bytes_moved; },
          "Bytes read and written, for the option cost_model.")
      .def_prop_ro(
          "collective",
          [](const NodeView &self) { return self.node.collective != 0; },
          "Whether it keeps its place among collective and opaque nodes.")
      .def_prop_ro(
          "opaque", [](const NodeView &self) { return self.node.opaque != 0; },
          "Whether what it does is unknown: it runs once, in its place.")
      .def_prop_ro(
          "backward",
          [](const NodeView &self) { return self.node.backward != 0; },
          "Whether it belongs to the backward pass or the update.")
      .def_prop_ro(
          "communicates",
          [](const NodeView &self) { return self.node.communicates != 0; },
          "Whether it runs on the communication stream, beside what computes.")
      .def("__repr__", [](const NodeView &self) {
        return "<memplan.Node '" + std::string(self.node.name) + "'>";
      });
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

namespace {
/// A graph that is not finished.
struct GraphBuilder {
  Graph::Handle handle;

  explicit GraphBuilder(const std::string &name);
  memplan_graph_t *get() const;
  Graph build();
};
} // namespace

GraphBuilder::GraphBuilder(const std::string &name) {
  memplan_graph_t *made = nullptr;
  check(memplan_graph_create(name.c_str(), &made));
  handle = ownGraph(made);
}

memplan_graph_t *GraphBuilder::get() const {
  if (!handle)
    throw nb::value_error("build() has been called; make another builder");
  return handle.get();
}

Graph GraphBuilder::build() {
  check(memplan_graph_check(get()));
  return Graph(std::move(handle));
}

static int32_t addTensorTo(GraphBuilder &self, int64_t bytes,
                           memplan_tensor_kind_t kind, const std::string &name,
                           std::optional<int32_t> viewOf, bool donated,
                           const std::optional<Part> &part,
                           std::optional<int64_t> id) {
  memplan_graph_tensor_t tensor = MEMPLAN_GRAPH_TENSOR_INIT;
  tensor.bytes = bytes;
  tensor.kind = kind;
  tensor.name = name.c_str();
  tensor.view_of = viewOf.value_or(-1);
  tensor.donated = donated;
  tensor.external_id = id.value_or(-1);
  if (part) {
    const auto &[offset, rowBytes, rows, stride, written] = *part;
    tensor.part = {offset, rowBytes, rows, stride, written, 0};
  }
  int32_t number = -1;
  check(memplan_graph_add_tensor(self.get(), &tensor, &number));
  return number;
}

static int32_t addNodeTo(GraphBuilder &self, const Numbers &inputs,
                         const Numbers &outputs, double cost,
                         const std::string &name, const Numbers &writes,
                         const Pairs &inPlace,
                         const std::vector<std::pair<double, int64_t>> &ways,
                         int64_t workspaceBytes, bool runOnce, int64_t flops,
                         int64_t bytesMoved, bool collective, bool opaque,
                         bool backward, bool communicates,
                         std::optional<int64_t> id) {
  std::vector<memplan_graph_in_place_t> pairs;
  for (auto [output, input] : inPlace)
    pairs.push_back({output, input});
  std::vector<memplan_graph_variant_t> variants;
  for (auto [variantCost, bytes] : ways)
    variants.push_back({variantCost, bytes});
  memplan_graph_node_t node = MEMPLAN_GRAPH_NODE_INIT;
  node.name = name.c_str();
  node.external_id = id.value_or(-1);
  node.cost = cost;
  node.workspace_bytes = workspaceBytes;
  node.inputs = inputs.data();
  node.input_count = int64_t(inputs.size());
  node.outputs = outputs.data();
  node.output_count = int64_t(outputs.size());
  node.writes = writes.data();
  node.write_count = int64_t(writes.size());
  node.in_place = pairs.data();
  node.in_place_count = int64_t(pairs.size());
  node.variants = variants.data();
  node.variant_count = int64_t(variants.size());
  node.run_once = runOnce;
  node.flops = flops;
  node.bytes_moved = bytesMoved;
  node.collective = collective;
  node.opaque = opaque;
  node.backward = backward;
  node.communicates = communicates;
  int32_t number = -1;
  check(memplan_graph_add_node(self.get(), &node, &number));
  return number;
}

static void addBuilder(nb::module_ &module) {
  using namespace nb::literals;
  nb::class_<GraphBuilder>(
      module, "GraphBuilder",
      "A graph in the making: tensors and nodes get numbers from 0 in the "
      "order in which they are added.")
      .def(nb::init<const std::string &>(), "name"_a = "")
      .def("add_tensor", addTensorTo, "bytes"_a = 0, nb::kw_only(),
           "kind"_a = MEMPLAN_ACTIVATION, "name"_a = "",
           "view_of"_a = nb::none(), "donated"_a = false, "part"_a = nb::none(),
           "id"_a = nb::none(),
           "Adds a tensor and returns its number.\n\n"
           "bytes    its own bytes; 0 for a view\n"
           "view_of  number of the tensor whose storage it uses\n"
           "part     of a view: (offset, row_bytes, rows, stride, written)\n"
           "id       in files and messages, unique; its number if not given")
      .def("add_node", addNodeTo, "inputs"_a, "outputs"_a, "cost"_a = 0.0,
           nb::kw_only(), "name"_a = "", "writes"_a = Numbers(),
           "in_place"_a = Pairs(),
           "variants"_a = std::vector<std::pair<double, int64_t>>(),
           "workspace_bytes"_a = 0, "run_once"_a = false, "flops"_a = 0,
           "bytes_moved"_a = 0, "collective"_a = false, "opaque"_a = false,
           "backward"_a = false, "communicates"_a = false, "id"_a = nb::none(),
           "Adds a node and returns its number. Inputs are made by nodes "
           "added before, or are the caller's.\n\n"
           "inputs, outputs, writes  numbers of tensors\n"
           "cost                     microseconds, or any unit\n"
           "in_place                 (output, input) pairs that may share "
           "bytes\n"
           "variants                 (cost, workspace_bytes) of other ways to "
           "run it\n"
           "communicates             runs on the communication stream, beside "
           "what computes")
      .def(
          "set_fixed_bytes",
          [](GraphBuilder &self, int64_t bytes) {
            check(memplan_graph_set_fixed_bytes(self.get(), bytes));
          },
          "bytes"_a, "Sets device bytes that are always there, in no tensor.")
      .def("build", &GraphBuilder::build,
           "Checks the graph and returns it; the builder is used up.\n\n"
           "Raises InputError with the first thing that is wrong; then the "
           "builder may go on.");
}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

static Graph readGraph(nb::bytes text) {
  memplan_graph_t *made = nullptr;
  check(memplan_graph_read_json(text.c_str(), int64_t(text.size()), &made));
  return Graph(ownGraph(made));
}

static nb::str jsonOf(const Graph &graph) {
  OwnedText json;
  check(memplan_graph_json(graph.handle.get(), &json.text, &json.bytes));
  return nb::str(json.text, size_t(json.bytes));
}

static int64_t unplannedBytes(const Graph &graph) {
  int64_t bytes = 0;
  check(memplan_graph_unplanned_bytes(graph.handle.get(), &bytes));
  return bytes;
}

using Edges = nb::ndarray<nb::numpy, const int32_t, nb::shape<-1, 2>>;

template <typename Value>
static void addColumn(nb::class_<Graph> &type, const char *name,
                      std::vector<Value> Graph::*column, const char *text) {
  type.def_prop_ro(
      name,
      [column](nb::handle_t<Graph> self) {
        const std::vector<Value> &values = nb::cast<Graph &>(self).*column;
        return arrayOf(values.data(), values.size(), self);
      },
      text);
}

static void addEdges(nb::class_<Graph> &type, const char *name,
                     std::vector<int32_t> Graph::*pairs, const char *text) {
  type.def_prop_ro(
      name,
      [pairs](nb::handle_t<Graph> self) {
        const std::vector<int32_t> &values = nb::cast<Graph &>(self).*pairs;
        return Edges(values.data(), {values.size() / 2, 2}, self);
      },
      text);
}

static void addArrays(nb::class_<Graph> &type) {
  addColumn(type, "tensor_bytes", &Graph::tensorBytes,
            "int64[tensors]: bytes of each tensor, 0 for views. Read-only.");
  addColumn(type, "tensor_kinds", &Graph::tensorKinds,
            "int32[tensors]: TensorKind of each tensor. Read-only.");
  addColumn(type, "tensor_view_of", &Graph::tensorViews,
            "int32[tensors]: whose storage a view uses, else -1. Read-only.");
  addColumn(type, "tensor_ids", &Graph::tensorIds,
            "int64[tensors]: ids in files and messages. Read-only.");
  addColumn(type, "node_costs", &Graph::nodeCosts,
            "float64[nodes]: cost of each node. Read-only.");
  addColumn(type, "node_workspace_bytes", &Graph::nodeWorkspaces,
            "int64[nodes]: scratch bytes of each node. Read-only.");
  addColumn(type, "node_ids", &Graph::nodeIds,
            "int64[nodes]: ids in files and messages. Read-only.");
  addEdges(type, "reads", &Graph::reads,
           "int32[edges, 2]: node and tensor that it reads. Read-only.");
  addEdges(type, "makes", &Graph::makes,
           "int32[edges, 2]: node and tensor that it makes. Read-only.");
}

void memplan::python::addGraph(nb::module_ &module) {
  using namespace nb::literals;
  nb::enum_<memplan_tensor_kind_t>(
      module, "TensorKind", nb::is_arithmetic(),
      "Who owns a tensor, and for how long it lives.")
      .value("PARAMETER", MEMPLAN_PARAMETER)
      .value("STATE", MEMPLAN_STATE)
      .value("INPUT", MEMPLAN_INPUT)
      .value("ACTIVATION", MEMPLAN_ACTIVATION)
      .value("GRADIENT", MEMPLAN_GRADIENT)
      .value("OUTPUT", MEMPLAN_OUTPUT);
  addTensor(module);
  addNode(module);
  nb::class_<Graph> graph(
      module, "Graph",
      "One training step as tensors and nodes. A value: checked, and never "
      "changed.");
  addBuilder(module);
  graph
      .def_static("_read", readGraph, "text"_a,
                  "Reads and checks UTF-8 text of a *.graph.json.")
      .def("json", jsonOf, "The graph as text of a *.graph.json.")
      .def_prop_ro(
          "name",
          [](const Graph &self) { return infoOf(self.handle.get()).name; },
          "Name of the graph; may be empty.")
      .def_prop_ro(
          "fixed_bytes",
          [](const Graph &self) {
            return infoOf(self.handle.get()).fixed_bytes;
          },
          "Device bytes that are always there, in no tensor.")
      .def_prop_ro("unplanned_peak_bytes", unplannedBytes,
                   "Peak of live bytes in source order, nothing recomputed: "
                   "what a budget of \"80%\" is a share of.")
      .def_prop_ro(
          "tensor_count",
          [](const Graph &self) { return self.tensorBytes.size(); },
          "Number of tensors.")
      .def_prop_ro(
          "node_count", [](const Graph &self) { return self.nodeCosts.size(); },
          "Number of nodes.")
      .def(
          "tensor",
          [](const Graph &self, int32_t number) {
            return TensorView{self.handle, tensorOf(self.handle.get(), number)};
          },
          "number"_a, "The tensor of this number, from 0.")
      .def(
          "node",
          [](const Graph &self, int32_t number) {
            return NodeView{self.handle, nodeOf(self.handle.get(), number)};
          },
          "number"_a, "The node of this number, from 0.")
      .def("__repr__", [](const Graph &self) {
        return "<memplan.Graph '" +
               std::string(infoOf(self.handle.get()).name) +
               "': " + std::to_string(self.nodeCosts.size()) + " nodes, " +
               std::to_string(self.tensorBytes.size()) + " tensors>";
      });
  addArrays(graph);
}
