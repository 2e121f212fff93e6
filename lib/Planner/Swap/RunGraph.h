//===- RunGraph.h - A schedule as TFLMS sees a graph -----------*- C++ -*- ===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TFLMS knows ops that run once. Here each run of a schedule is an op, so that
// what is computed again is one more op of the backward pass. Tensors that the
// caller owns are its variables: they have level 0 and are never swapped.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SWAP_RUNGRAPH_H
#define MEMPLAN_LIB_PLANNER_SWAP_RUNGRAPH_H

#include "memplan/Planner/Swap/SwapProblem.h"
#include "memplan/Schedule/Liveness.h"

namespace memplan {

/// What a run makes and later runs use, itself or views of it.
struct RunValue {
  TensorId tensor;
  int32_t producer = 0;
  std::vector<int32_t> uses; ///< Runs, ascending, each once.
  bool isSwappable = false;  ///< Could be copied away and back.
};

class RunGraph {
public:
  explicit RunGraph(const SwapProblem &problem);

  const SwapProblem &problem;
  std::vector<LiveRange> liveRanges;
  std::vector<RunValue> values; ///< By (producer, tensor).
  /// By run: the longest path from a variable. An update orders the users of
  /// the versions before and after it, and gives its variable no level. What
  /// belongs to the backward pass and could run in the forward pass, which no
  /// schedule that begins there does, is as late as its users allow.
  std::vector<int32_t> levels;
  std::vector<bool> backward; ///< By run.
  /// By run: what it reads the results of, and who reads its own. Ascending.
  std::vector<std::vector<int32_t>> before, after;
  /// Every edge may be rewritten, whatever its ends are.
  bool rewritesAll = false;

  /// By run: makes nothing but views; edges lead through it to their users.
  std::vector<bool> isView;
  /// With a codec, by run: who made what it encodes or decodes; -1 for others.
  /// Edges lead through such a run, which is on the level of that end of them
  /// at which it stands.
  std::vector<int32_t> origins;
  bool isCodec(int32_t run) const { return origins[run] >= 0; }
  /// Whether the run makes what is copied in place of its input.
  bool isEncoder(int32_t run) const;
  /// The run that reads first, by level, what the run decodes; itself if none
  /// does.
  int32_t userOf(int32_t run) const;

  const Node &nodeOf(int32_t run) const {
    return problem.index->graph()[problem.schedule->runs[run]];
  }
  /// What the program calls the run: where it comes from and its first result
  /// or, without any of these, its op. Scopes are parts of them.
  std::vector<llvm::StringRef> placesOf(int32_t run) const;
  bool isBelow(int32_t run, const std::vector<std::string> &scopes) const;
  int32_t numRuns() const { return static_cast<int32_t>(levels.size()); }

private:
  /// By run: all that come after it, versions of what is written included.
  std::vector<std::vector<int32_t>> later;
  std::vector<std::vector<int32_t>> decodedFor; ///< By run that decodes.

  void findValues();
  void findEdges();
  std::vector<int32_t> sourcesOf(int32_t run,
                                 const std::vector<int32_t> &producer);
  void putDecodersBesideUsers();
  void findPhases();
  void runBackwardOpsLate();
  bool isSwappable(const LiveRange &range) const;
};

/// True if the node makes nothing but views of `base`, and reads nothing else
/// that could be freed: it may run again whenever the base is live.
bool canMakeViewsAgain(const GraphIndex &index, NodeId node, TensorId base);

/// The kernel whose outputs are copied encoded, and that which undoes it.
inline constexpr llvm::StringLiteral encoderName = "memplan.encode_bf16";
inline constexpr llvm::StringLiteral decoderName = "memplan.decode_bf16";

/// Whether a name lies below one of the scopes: "conv" is the scope of
/// "conv/relu" and of "conv.0", not of "conv2".
bool isBelow(llvm::StringRef name, const std::vector<std::string> &scopes);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SWAP_RUNGRAPH_H
