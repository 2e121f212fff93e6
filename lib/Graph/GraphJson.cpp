//===- GraphJson.cpp - Reads and writes *.graph.json ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/GraphJson.h"
#include "memplan/Support/JsonReader.h"
#include "memplan/Support/JsonWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <unordered_map>

using namespace llvm;

namespace memplan {

static constexpr int64_t formatVersion = 1;

static const char *kindName(TensorKind kind) {
  switch (kind) {
  case TensorKind::Parameter:
    return "parameter";
  case TensorKind::State:
    return "state";
  case TensorKind::Input:
    return "input";
  case TensorKind::Activation:
    return "activation";
  case TensorKind::Gradient:
    return "gradient";
  case TensorKind::Output:
    return "output";
  }
  llvm_unreachable("unknown tensor kind");
}

static std::optional<TensorKind> parseKind(StringRef name) {
  return StringSwitch<std::optional<TensorKind>>(name)
      .Case("parameter", TensorKind::Parameter)
      .Case("state", TensorKind::State)
      .Case("input", TensorKind::Input)
      .Case("activation", TensorKind::Activation)
      .Case("gradient", TensorKind::Gradient)
      .Case("output", TensorKind::Output)
      .Default(std::nullopt);
}

namespace {
class GraphReader {
public:
  explicit GraphReader(std::vector<std::string> *warnings)
      : warnings(warnings) {}

  /// `split` has the texts of the items of both lists, which the root lacks
  /// then; or nothing.
  Expected<Graph> read(const json::Value &root,
                       ArrayRef<std::vector<StringRef>> split);

private:
  void readTop(JsonFields &fields);
  void readList(JsonFields &top, StringRef key, StringRef what,
                const std::vector<StringRef> *split,
                void (GraphReader::*read)(JsonFields &));
  void readTensor(JsonFields &fields);
  void readNode(JsonFields &fields);
  void readVariants(JsonFields &fields, Node &node);
  void resolveViews();
  TensorId tensor(const JsonFields &fields, StringRef key, int64_t externalId);
  std::vector<TensorId> tensors(JsonFields &fields, StringRef key,
                                bool isRequired);
  void warn(const Twine &text) {
    if (warnings)
      warnings->push_back(text.str());
  }

  std::vector<std::string> *warnings;
  JsonIssues issues;
  Graph graph;
  // Any int64_t can be an id, so no map with reserved keys.
  std::unordered_map<int64_t, TensorId> tensorIds;
  std::vector<std::optional<int64_t>> viewOf; ///< By tensor, external ids.
};
} // namespace

TensorId GraphReader::tensor(const JsonFields &fields, StringRef key,
                             int64_t externalId) {
  auto found = tensorIds.find(externalId);
  if (found != tensorIds.end())
    return found->second;
  issues.fail("key '" + key + "' of " + fields.where() + " names tensor " +
              Twine(externalId) + ", which does not exist");
  return TensorId();
}

std::vector<TensorId> GraphReader::tensors(JsonFields &fields, StringRef key,
                                           bool isRequired) {
  std::vector<TensorId> ids;
  for (int64_t externalId : fields.integers(key, isRequired))
    ids.push_back(tensor(fields, key, externalId));
  return ids;
}

void GraphReader::readTop(JsonFields &fields) {
  int64_t version = fields.integer("version");
  if (version != formatVersion)
    issues.fail("version " + Twine(version) +
                " is not known; this is memplan's version " +
                Twine(formatVersion));
  graph.name = fields.stringOr("name", "");
  graph.fixedBytes = fields.integerOr("fixed_bytes", 0);
  graph.hostBudgetBytes = fields.optionalInteger("host_budget_bytes");
  if (const json::Value *value = fields.value("bandwidth")) {
    JsonFields rates(issues, value, "bandwidth", "bandwidth");
    graph.bandwidth =
        Bandwidth{rates.optionalNumber("h2d"), rates.optionalNumber("d2h"),
                  rates.optionalNumber("latency").value_or(0)};
  }
}

void GraphReader::readTensor(JsonFields &fields) {
  Tensor tensor;
  tensor.externalId = fields.integer("id");
  tensor.name = fields.stringOr("name", "");
  std::string kind = fields.stringOr("kind", "activation");
  if (std::optional<TensorKind> known = parseKind(kind))
    tensor.kind = *known;
  else
    issues.fail("key 'kind' of " + fields.where() + " is '" + kind +
                "'; known are parameter, state, input, activation, gradient "
                "and output");
  tensor.donated = fields.booleanOr("donated", false);
  viewOf.push_back(fields.optionalInteger("view_of"));
  bool isView = viewOf.back().has_value();
  if (const json::Value *value = fields.value("part_of")) {
    JsonFields part(issues, value, fields.where() + ".part_of", "part_of");
    tensor.partOf =
        PartOf{part.integer("offset"), part.integer("bytes"),
               part.integerOr("rows", 1), part.integerOr("stride", 0),
               part.booleanOr("written", false)};
  }
  if (!isView)
    tensor.bytes = fields.integer("bytes");
  else if (fields.integerOr("bytes", 0) != 0)
    warn("key 'bytes' of " + fields.where() +
         " is ignored: a view has no bytes of its own");
  if (!tensorIds.emplace(tensor.externalId, TensorId(graph.tensors.size()))
           .second)
    issues.fail("duplicate tensor id " + Twine(tensor.externalId));
  graph.tensors.push_back(std::move(tensor));
}

void GraphReader::resolveViews() {
  for (size_t i = 0; i < viewOf.size(); ++i) {
    if (!viewOf[i])
      continue;
    auto found = tensorIds.find(*viewOf[i]);
    if (found == tensorIds.end())
      return issues.fail("key 'view_of' of tensors[" + Twine(i) +
                         "] names tensor " + Twine(*viewOf[i]) +
                         ", which does not exist");
    graph.tensors[i].viewOf = found->second;
  }
}

void GraphReader::readVariants(JsonFields &fields, Node &node) {
  const json::Array *variants = fields.array("variants", false);
  if (!variants)
    return;
  for (size_t i = 0; i < variants->size(); ++i) {
    JsonFields read(issues, &(*variants)[i],
                    fields.where() + ".variants[" + std::to_string(i) + "]",
                    "variant");
    NodeVariant variant{read.number("cost"),
                        read.integerOr("workspace_bytes", 0)};
    if (i > 0)
      node.variants.push_back(variant);
    else if (variant.cost != node.cost ||
             variant.workspaceBytes != node.workspaceBytes)
      warn(read.where() + " is ignored: variant 0 is the node's own cost "
                          "and workspace_bytes, which differ");
  }
}

void GraphReader::readNode(JsonFields &fields) {
  Node node;
  node.externalId = fields.integer("id");
  node.name = fields.stringOr("name", "");
  node.cost = fields.number("cost");
  node.workspaceBytes = fields.integerOr("workspace_bytes", 0);
  node.inputs = tensors(fields, "inputs", true);
  node.outputs = tensors(fields, "outputs", true);
  node.writes = tensors(fields, "writes", false);
  for (auto [output, input] : fields.integerPairs("in_place"))
    node.inPlace.push_back({tensor(fields, "in_place", output),
                            tensor(fields, "in_place", input)});
  node.recompute = fields.booleanOr("recompute", true);
  node.collective = fields.booleanOr("collective", false);
  node.opaque = fields.booleanOr("opaque", false);
  node.backward = fields.booleanOr("backward", false);
  const std::string stream = fields.stringOr("stream", "");
  if (stream == "comm")
    node.stream = StreamKind::Communication;
  else if (!stream.empty())
    issues.fail("key 'stream' of " + fields.where() + " is '" + stream +
                "'; known is comm, and without the key a node computes");
  node.locations = fields.strings("locations");
  node.flops = fields.integerOr("flops", 0);
  node.bytesMoved = fields.integerOr("bytes_moved", 0);
  readVariants(fields, node);
  graph.nodes.push_back(std::move(node));
}

void GraphReader::readList(JsonFields &top, StringRef key, StringRef what,
                           const std::vector<StringRef> *split,
                           void (GraphReader::*read)(JsonFields &)) {
  const json::Array *list = top.array(key, true);
  const size_t count = !list ? 0 : split ? split->size() : list->size();
  for (size_t i = 0; i < count && !issues.failed(); ++i) {
    std::optional<json::Value> item;
    if (split) {
      Expected<json::Value> parsed = parseJson((*split)[i]);
      if (!parsed)
        return issues.fail(toString(parsed.takeError()));
      item = std::move(*parsed);
    }
    JsonFields fields(issues, item ? &*item : &(*list)[i],
                      key.str() + "[" + std::to_string(i) + "]", what);
    (this->*read)(fields);
  }
}

Expected<Graph> GraphReader::read(const json::Value &root,
                                  ArrayRef<std::vector<StringRef>> split) {
  {
    JsonFields top(issues, &root, "the graph", "graph");
    readTop(top);
    readList(top, "tensors", "tensor", split.empty() ? nullptr : &split[0],
             &GraphReader::readTensor);
    resolveViews();
    readList(top, "nodes", "node", split.empty() ? nullptr : &split[1],
             &GraphReader::readNode);
  }
  if (issues.failed())
    return issues.takeError();
  if (Error error = graph.check())
    return std::move(error);
  issues.appendWarnings(warnings);
  return std::move(graph);
}

/// Item by item; empty where anything is wrong, which the parser names better
/// where it sees all of the text.
static std::optional<Graph> parseInParts(StringRef text,
                                         std::vector<std::string> *warnings) {
  const std::optional<JsonParts> parts = splitJson(text, {"tensors", "nodes"});
  if (!parts)
    return std::nullopt;
  Expected<json::Value> frame = parseJson(parts->frame);
  if (!frame) {
    consumeError(frame.takeError());
    return std::nullopt;
  }
  std::vector<std::string> said;
  Expected<Graph> graph = GraphReader(&said).read(*frame, parts->lists);
  if (!graph) {
    consumeError(graph.takeError());
    return std::nullopt;
  }
  if (warnings)
    llvm::append_range(*warnings, said);
  return std::move(*graph);
}

Expected<Graph> parseGraph(StringRef text, std::vector<std::string> *warnings) {
  if (std::optional<Graph> graph = parseInParts(text, warnings))
    return std::move(*graph);
  Expected<json::Value> root = parseJson(text);
  if (!root)
    return root.takeError();
  return GraphReader(warnings).read(*root, {});
}

namespace {
class GraphWriter {
public:
  GraphWriter(const Graph &graph, raw_ostream &os) : graph(graph), os(os) {}
  void write();

private:
  void writeTensor(const Tensor &tensor);
  void writePart(const PartOf &part);
  void writeNode(const Node &node);
  void writeVariants(const Node &node);
  void writeBandwidth(const Bandwidth &bandwidth);
  void writeIds(ArrayRef<TensorId> ids) {
    printList(os, ids, [&](TensorId id) { os << graph[id].externalId; });
  }

  const Graph &graph;
  raw_ostream &os;
};
} // namespace

void GraphWriter::writeTensor(const Tensor &tensor) {
  os << "{\"id\": " << tensor.externalId;
  if (tensor.viewOf)
    os << ", \"view_of\": " << graph[*tensor.viewOf].externalId;
  if (tensor.viewOf && tensor.partOf)
    writePart(*tensor.partOf);
  if (!tensor.viewOf)
    os << ", \"bytes\": " << tensor.bytes;
  os << ", \"kind\": \"" << kindName(tensor.kind) << '"';
  if (tensor.donated)
    os << ", \"donated\": true";
  if (!tensor.name.empty())
    os << ", \"name\": " << printString(tensor.name);
  os << '}';
}

void GraphWriter::writePart(const PartOf &part) {
  os << ", \"part_of\": {\"offset\": " << part.offset
     << ", \"bytes\": " << part.rowBytes;
  if (!part.isDense())
    os << ", \"rows\": " << part.rows << ", \"stride\": " << part.stride;
  os << (part.written ? ", \"written\": true}" : "}");
}

void GraphWriter::writeVariants(const Node &node) {
  std::vector<NodeVariant> variants = {{node.cost, node.workspaceBytes}};
  variants.insert(variants.end(), node.variants.begin(), node.variants.end());
  os << ", \"variants\": ";
  printList(os, variants, [&](const NodeVariant &variant) {
    os << "{\"cost\": " << printNumber(variant.cost)
       << ", \"workspace_bytes\": " << variant.workspaceBytes << '}';
  });
}

void GraphWriter::writeNode(const Node &node) {
  os << "{\"id\": " << node.externalId
     << ", \"name\": " << printString(node.name)
     << ", \"cost\": " << printNumber(node.cost) << ", \"inputs\": ";
  writeIds(node.inputs);
  os << ", \"outputs\": ";
  writeIds(node.outputs);
  if (node.workspaceBytes != 0)
    os << ", \"workspace_bytes\": " << node.workspaceBytes;
  if (!node.inPlace.empty()) {
    os << ", \"in_place\": ";
    printList(os, node.inPlace, [&](const InPlacePair &pair) {
      os << '[' << graph[pair.output].externalId << ", "
         << graph[pair.input].externalId << ']';
    });
  }
  if (!node.writes.empty()) {
    os << ", \"writes\": ";
    writeIds(node.writes);
  }
  if (!node.recompute)
    os << ", \"recompute\": false";
  if (node.collective)
    os << ", \"collective\": true";
  if (node.opaque)
    os << ", \"opaque\": true";
  if (node.backward)
    os << ", \"backward\": true";
  if (node.communicates())
    os << ", \"stream\": \"comm\"";
  if (!node.locations.empty()) {
    os << ", \"locations\": ";
    printList(os, node.locations,
              [&](const std::string &path) { os << printString(path); });
  }
  if (!node.variants.empty())
    writeVariants(node);
  if (node.flops != 0)
    os << ", \"flops\": " << node.flops;
  if (node.bytesMoved != 0)
    os << ", \"bytes_moved\": " << node.bytesMoved;
  os << '}';
}

void GraphWriter::writeBandwidth(const Bandwidth &bandwidth) {
  const char *separator = "";
  auto field = [&](const char *key, double value) {
    os << separator << '"' << key << "\": " << printNumber(value);
    separator = ", ";
  };
  os << ", \"bandwidth\": {";
  if (bandwidth.hostToDevice)
    field("h2d", *bandwidth.hostToDevice);
  if (bandwidth.deviceToHost)
    field("d2h", *bandwidth.deviceToHost);
  if (bandwidth.latency != 0)
    field("latency", bandwidth.latency);
  os << '}';
}

void GraphWriter::write() {
  os << "{\"version\": " << formatVersion
     << ", \"name\": " << printString(graph.name)
     << ", \"fixed_bytes\": " << graph.fixedBytes;
  if (graph.hostBudgetBytes)
    os << ", \"host_budget_bytes\": " << *graph.hostBudgetBytes;
  if (graph.bandwidth)
    writeBandwidth(*graph.bandwidth);
  os << ",\n \"tensors\": [";
  const char *separator = "\n  ";
  for (const Tensor &tensor : graph.tensors) {
    os << separator;
    writeTensor(tensor);
    separator = ",\n  ";
  }
  os << "],\n \"nodes\": [";
  separator = "\n  ";
  for (const Node &node : graph.nodes) {
    os << separator;
    writeNode(node);
    separator = ",\n  ";
  }
  os << "]}\n";
}

void writeGraph(const Graph &graph, raw_ostream &os) {
  GraphWriter(graph, os).write();
}

} // namespace memplan
