//===- ExtractParts.cpp - Tensors that are rows of others -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

using namespace mlir;
using namespace mlir::memplan;

static core::PartOf partOf(const PiecePlace &place, bool written) {
  return {place.byteOffset, place.rowBytes, place.rows, place.stride, written};
}

/// A tensor that is rows of another, which has none itself.
void Extractor::addSlice(core::TensorId tensor, core::TensorId source,
                         PiecePlace place) {
  core::Tensor &made = view.graph.tensors[tensor.index];
  view.viewOffsets[tensor.index] = place.byteOffset;
  place.byteOffset += view.offsetInBase(source);
  made.partOf = partOf(place, /*written=*/false);
  made.viewOf = source;
  made.bytes = 0;
}

/// Puts a tensor into its whole, which the first one there brings along.
void Extractor::addPart(core::NodeId id, core::TensorId tensor,
                        const PlacedPart &part) {
  core::TensorId &whole = wholes[part.whole];
  core::Node &node = view.graph.nodes[id.index];
  if (!whole.isValid()) {
    const Whole &storage = layout.wholes[part.whole];
    // It is no value of the function: the concat's own is a view of it.
    Value value = storage.value;
    core::TensorId shown = view.tensorOf.lookup(value);
    whole = addTensor(value, view.graph[tensor].kind);
    if (shown.isValid())
      view.tensorOf[value] = shown;
    else
      view.tensorOf.erase(value);
    node.outputs.push_back(whole);
  }
  core::Tensor &made = view.graph.tensors[tensor.index];
  made.partOf = partOf(part.place, part.written);
  made.viewOf = whole;
  made.bytes = 0;
  view.viewOffsets[tensor.index] = part.place.byteOffset;
  // Others read the whole while it is being put together.
  node.recompute &= !part.written;
}
