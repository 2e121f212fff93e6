//===- GraphHash.cpp - Hash of what a plan depends on ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/GraphJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/SHA256.h"
#include <array>
#include <bit>

using namespace llvm;

namespace memplan {

namespace {
/// Feeds values as little-endian 64-bit words; lists with their length first,
/// so that no two graphs feed the same words.
class GraphHasher {
public:
  void add(int64_t value) {
    std::array<uint8_t, 8> bytes;
    support::endian::write64le(bytes.data(), static_cast<uint64_t>(value));
    hash.update(bytes);
  }
  void add(double value) { add(std::bit_cast<int64_t>(value)); }
  void add(bool value) { add(int64_t(value)); }
  void add(ArrayRef<TensorId> ids) {
    add(int64_t(ids.size()));
    for (TensorId id : ids)
      add(int64_t(id.index));
  }
  void add(const Tensor &tensor);
  void add(const Node &node);
  std::string take() {
    std::array<uint8_t, 32> digest = hash.final();
    return toHex(ArrayRef(digest).take_front(16), /*LowerCase=*/true);
  }

private:
  SHA256 hash;
};
} // namespace

void GraphHasher::add(const Tensor &tensor) {
  add(tensor.externalId);
  add(tensor.viewOf ? int64_t(0) : tensor.bytes);
  add(int64_t(tensor.kind));
  add(int64_t(tensor.viewOf ? tensor.viewOf->index : -1));
  add(tensor.donated);
}

void GraphHasher::add(const Node &node) {
  add(node.externalId);
  add(node.cost);
  add(node.workspaceBytes);
  add(node.inputs);
  add(node.outputs);
  add(node.writes);
  add(int64_t(node.inPlace.size()));
  for (const InPlacePair &pair : node.inPlace) {
    add(int64_t(pair.output.index));
    add(int64_t(pair.input.index));
  }
  add(int64_t(node.variants.size()));
  for (const NodeVariant &variant : node.variants) {
    add(variant.cost);
    add(variant.workspaceBytes);
  }
  add(node.recompute);
  // Graphs without opaque nodes and streams keep the hash that they had before
  // there were any.
  add(int64_t(node.collective) + (node.opaque ? 2 : 0) +
      (node.communicates() ? 4 : 0));
  add(node.backward);
}

std::string hashGraph(const Graph &graph) {
  GraphHasher hasher;
  hasher.add(graph.fixedBytes);
  hasher.add(graph.hostBudgetBytes.value_or(-1));
  // A rate is positive, so that 0 says that there is none.
  Bandwidth bandwidth = graph.bandwidth.value_or(Bandwidth());
  hasher.add(bandwidth.hostToDevice.value_or(0));
  hasher.add(bandwidth.deviceToHost.value_or(0));
  hasher.add(int64_t(graph.tensors.size()));
  for (const Tensor &tensor : graph.tensors)
    hasher.add(tensor);
  hasher.add(int64_t(graph.nodes.size()));
  for (const Node &node : graph.nodes)
    hasher.add(node);
  // Last, and only where there are any: graphs without keep their hash.
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    if (const std::optional<PartOf> &part = graph.tensors[i].partOf)
      for (int64_t number : {int64_t(i), part->offset, part->rowBytes,
                             part->rows, part->stride, int64_t(part->written)})
        hasher.add(number);
  if (bandwidth.latency != 0)
    hasher.add(bandwidth.latency);
  return hasher.take();
}

} // namespace memplan
