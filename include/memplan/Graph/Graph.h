//===- Graph.h - The training step as planners see it -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph of tensors (bytes) and nodes (cost), free of any IR. It is the value
// that the file format `*.graph.json` holds, that the bridge extracts from IR,
// and that every planning problem refers to.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_GRAPH_H
#define MEMPLAN_GRAPH_GRAPH_H

#include "memplan/Support/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan {

/// Owner of a tensor, and how long it must live.
enum class TensorKind {
  Parameter, ///< Caller's; resident for the whole step.
  State, ///< Caller's; resident for the whole step (optimizer state, running
         ///< statistics).
  Input, ///< Caller's; exists before the step; may be overwritten only if
         ///< donated.
  Activation, ///< Made by the step; may be freed after its last read.
  Gradient,   ///< As Activation; the name serves reports.
  Output,     ///< Made by the step and resident at its end.
};

/// True for tensors whose storage belongs to the caller.
inline bool isCallerOwned(TensorKind kind) {
  return kind == TensorKind::Parameter || kind == TensorKind::State ||
         kind == TensorKind::Input;
}

/// Which bytes of its base a view takes: `rows` runs of `rowBytes`, each
/// `stride` bytes after the one before. The whole of a concat and its pieces
/// have one; where the batch is 1, a piece is one row.
struct PartOf {
  int64_t offset = 0; ///< First row, from the start of the base.
  int64_t rowBytes = 0;
  int64_t rows = 1;
  int64_t stride = 0; ///< Bytes from row to row; 0 where there is one row.
  /// The producer of the view writes these bytes, as opposed to a view of what
  /// others have written. The base is the whole. It is live from its first part
  /// on, and as long as any of its parts or a view of them is needed.
  bool written = false;

  bool isDense() const { return rows == 1; }
  /// One past the last byte, from the start of the base. Of a checked part.
  int64_t end() const { return offset + (rows - 1) * stride + rowBytes; }
  friend bool operator==(const PartOf &, const PartOf &) = default;
};

struct Tensor {
  int64_t externalId = 0; ///< Id in the file or IR; unique.
  std::string name;       ///< May be empty.
  int64_t bytes = 0;      ///< Own bytes; ignored (0) for views.
  TensorKind kind = TensorKind::Activation;
  std::optional<TensorId>
      viewOf; ///< Shares that tensor's storage and keeps it alive.
  std::optional<PartOf> partOf; ///< Views only; unset: not asked for.
  bool donated = false; ///< Inputs only: the step may free or overwrite it.
};

/// An implementation of a node. The node's own cost and workspace are variant
/// 0.
struct NodeVariant {
  double cost = 0;
  int64_t workspaceBytes = 0;
};

struct InPlacePair {
  TensorId output; ///< May take the storage of `input`
  TensorId input;  ///< where the node is the last user of `input`.
  friend bool operator==(const InPlacePair &a, const InPlacePair &b) {
    return a.output == b.output && a.input == b.input;
  }
};

/// The queue of a device on which a node runs.
enum class StreamKind : uint8_t {
  Compute,
  /// Transfers between devices: beside what computes, one after the other.
  Communication,
};

struct Node {
  int64_t externalId =
      0; ///< Id in the file or program order in the IR; unique.
  std::string name;
  double cost = 0; ///< Microseconds when measured; any unit otherwise.
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  int64_t workspaceBytes =
      0; ///< Scratch that lives exactly while the node runs.
  std::vector<InPlacePair> inPlace;
  std::vector<TensorId> writes; ///< Overwritten with their next version.
  bool recompute = true;        ///< False: runs exactly once.
  std::vector<NodeVariant>
      variants; ///< Variants 1.. as listed in the file, without variant 0.
  int64_t flops = 0;
  int64_t bytesMoved = 0;
  bool collective = false;
  bool opaque = false;   ///< What it does is not known: it runs once and keeps
                         ///< its place among such nodes and collectives.
  bool backward = false; ///< Belongs to the backward pass or the update.
  StreamKind stream = StreamKind::Compute;
  /// Places in the source program that it comes from: "encoder/layer0/relu".
  std::vector<std::string> locations;

  bool communicates() const { return stream == StreamKind::Communication; }
  /// Collectives and opaque nodes run in source order among themselves.
  bool keepsPlace() const { return collective || opaque; }
  /// A node with writes, one that keeps its place or recompute == false runs
  /// exactly once.
  bool runsOnce() const {
    return !recompute || keepsPlace() || !writes.empty();
  }

  /// Variants, the node's own cost and workspace (variant 0) included.
  int32_t numVariants() const {
    return static_cast<int32_t>(variants.size()) + 1;
  }
  NodeVariant variant(int32_t number) const {
    return number == 0 ? NodeVariant{cost, workspaceBytes}
                       : variants[size_t(number) - 1];
  }
  /// Least over all variants; not of one variant, in general.
  double leastCost() const;
  int64_t leastWorkspaceBytes() const;
};

/// What a copy takes: latency + bytes / rate. A direction without a rate takes
/// no more than the latency.
struct Bandwidth {
  std::optional<double> hostToDevice; ///< Bytes per cost unit.
  std::optional<double> deviceToHost;
  double latency = 0; ///< Cost units a copy.
};

struct Graph {
  std::string name;
  int64_t fixedBytes = 0;      ///< Always there, in no tensor.
  std::vector<Tensor> tensors; ///< Indexed by TensorId.
  std::vector<Node>
      nodes; ///< Indexed by NodeId; a topological order, the source order.
  std::optional<int64_t> hostBudgetBytes;
  std::optional<Bandwidth> bandwidth;

  const Tensor &operator[](TensorId id) const { return tensors[id.index]; }
  const Node &operator[](NodeId id) const { return nodes[id.index]; }

  /// Structural constraints; every consumer may rely on them afterwards:
  /// - graph_i1: ids in range; external ids unique; bytes, costs and workspaces
  ///   non-negative and finite
  /// - graph_i2: one producer at most per tensor; a tensor without one is a
  ///   caller's tensor or a view of one
  /// - graph_i3: nodes in topological order: inputs are made by earlier nodes
  ///   or owned by the caller
  /// - graph_i4: views form no cycle; a view's base is available before the
  ///   view is made
  /// - graph_i5: in-place pairs name an output and an input of the node; the
  ///   output is no view
  /// - graph_i6: written tensors are caller's parameters, states or donated
  ///   inputs, or made earlier; each once per node
  /// - graph_i7: all sizes together are at most 2^61 bytes, so that sums of
  ///   live bytes cannot overflow
  /// - graph_i8: all costs together, of the most expensive variants, are at
  ///   most 1e100 microseconds, so that sums and products of costs stay finite
  /// - graph_i9: only views have a part; it has rows of at least one byte that
  ///   do not overlap each other, inside the base
  /// - graph_i10: a node that writes a part runs once; parts of one base that
  ///   nodes write share no byte
  llvm::Error check() const;

  /// Sum of the costs of all nodes run once (variant 0).
  double totalCost() const;
  /// Whether any node runs on the communication stream.
  bool communicates() const;
  /// fixedBytes + the bytes of every tensor that the caller owns.
  int64_t persistentBytes() const;
};

/// Facts derived from a checked graph, each indexed by dense ids. O(tensors +
/// edges).
class GraphIndex {
public:
  explicit GraphIndex(const Graph &graph);

  const Graph &graph() const { return *owner; }
  /// Node that makes the tensor, if any.
  std::optional<NodeId> producer(TensorId id) const {
    return producers[id.index];
  }
  /// Nodes that read the tensor itself, ascending, each once.
  const std::vector<NodeId> &users(TensorId id) const {
    return userLists[id.index];
  }
  /// The tensor whose storage this one uses (itself unless a view).
  TensorId base(TensorId id) const { return bases[id.index]; }
  /// All tensors with that base, the base first, then its views ascending.
  /// Empty for a view.
  const std::vector<TensorId> &aliasSet(TensorId base) const {
    return aliasSets[base.index];
  }
  /// Number of writes to the base of `input` that come before `node` in source
  /// order: the version of it that the node has to read.
  int32_t versionBefore(NodeId node, TensorId input) const;
  /// Nodes that write the base of `id`, ascending.
  const std::vector<NodeId> &writersOf(TensorId id) const {
    return writers[bases[id.index].index];
  }
  /// Base tensors that a run of the node needs in memory. They are those of its
  /// inputs and writes, and those that its view outputs look into unless it
  /// makes them itself. Ascending, each once.
  llvm::ArrayRef<TensorId> usedBases(NodeId id) const {
    return slice(usedLists, usedEnds, id);
  }
  /// Outputs of the node that have bytes of their own. Ascending.
  llvm::ArrayRef<TensorId> madeBases(NodeId id) const {
    return slice(madeLists, madeEnds, id);
  }
  /// True if the tensor itself must be readable after the step: parameters,
  /// states, outputs, inputs not donated.
  bool staysToTheEnd(TensorId id) const;
  /// True for a base that the step makes and that must be resident at its end,
  /// for itself or for one of its views.
  bool isKept(TensorId base) const { return kept[base.index]; }

private:
  void addNode(NodeId id);
  static llvm::ArrayRef<TensorId> slice(const std::vector<TensorId> &lists,
                                        const std::vector<size_t> &ends,
                                        NodeId id) {
    size_t begin = id.index == 0 ? 0 : ends[id.index - 1];
    return llvm::ArrayRef<TensorId>(lists).slice(begin, ends[id.index] - begin);
  }

  const Graph *owner;
  std::vector<std::optional<NodeId>> producers;
  std::vector<std::vector<NodeId>> userLists;
  std::vector<TensorId> bases;
  std::vector<std::vector<TensorId>> aliasSets;
  std::vector<std::vector<NodeId>> writers; ///< By base, ascending.
  std::vector<TensorId> usedLists,
      madeLists; ///< For all nodes, one after the other ...
  std::vector<size_t> usedEnds,
      madeEnds;           ///< ... and where each node's part ends.
  std::vector<bool> kept; ///< By base.
};

/// Name for messages: `tensor 17 'w1'`, `node 3`, with external ids.
std::string describe(const Graph &graph, TensorId id);
std::string describe(const Graph &graph, NodeId id);

} // namespace memplan

#endif // MEMPLAN_GRAPH_GRAPH_H
