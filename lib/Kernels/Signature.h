//===- Signature.h - What the launches of a kernel are like -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_SIGNATURE_H
#define MEMPLAN_LIB_KERNELS_SIGNATURE_H

#include "Checker.h"

#include <span>
#include <string_view>

namespace memplan::runtime::kernels {

/// The operands of a kernel that may have gaps between the indices of their
/// first `dims` dimensions. Bit 31 stands for all operands from 31 on.
struct StridedOperands {
  uint32_t inputs = 0, outputs = 0;
  int dims = 0;
};
inline constexpr StridedOperands noStrides{};
inline constexpr StridedOperands anyStrides{~0u, ~0u, maxRank};
/// Samples that lie apart: of the first input, or the first two, and the first
/// output.
inline constexpr StridedOperands sampleStrides{1, 1, 1};
inline constexpr StridedOperands twoSampleStrides{3, 1, 1};

/// What every backend asks of the launches of one kernel, at prepare time.
struct Signature {
  const char *name; ///< "memplan.relu"
  /// Counts, types, shapes and attributes of the operands; a kernel relies on
  /// them. The text of a refusal goes where the launch wants it.
  memplan_status_t (*check)(const memplan_launch_t *launch);
  /// The outputs that may lie exactly on inputs.
  std::span<const memplan_in_place_t> inPlace;
  StridedOperands strided = noStrides;
};

/// Whether the strides of a launch, if it has any, are some that the kernel
/// takes. The text of a refusal goes where the launch wants it.
memplan_status_t checkStrides(const memplan_launch_t *launch,
                              const StridedOperands &allowed);

/// Null where memplan knows no such kernel.
const Signature *findSignature(std::string_view name);

/// The name of the kernel that a launch wants: opaque ops name theirs by an
/// attribute.
const char *kernelName(const memplan_launch_t *launch);

/// Whether a product or convolution of f32 may round its operands to TF32.
bool allowsTf32(const memplan_launch_t *launch);
/// Whether a memplan.all_reduce divides its sums by the number of ranks.
bool takesMean(const memplan_launch_t *launch);

/// The first alias of the launch that `allowed` does not list, or null.
const memplan_in_place_t *
forbiddenAlias(const memplan_launch_t *launch,
               std::span<const memplan_in_place_t> allowed);

/// The first output over the first input; over either of the first two.
inline constexpr memplan_in_place_t overFirst[] = {{0, 0}};
inline constexpr memplan_in_place_t overEither[] = {{0, 0}, {0, 1}};

using SignatureList = std::span<const Signature>;
SignatureList activationSignatures();
SignatureList adaptivePoolSignatures();
SignatureList allReduceSignatures();
SignatureList arithmeticSignatures();
SignatureList attentionSignatures();
SignatureList avgPoolSignatures();
SignatureList batchNormSignatures();
SignatureList broadcastSignatures();
SignatureList castSignatures();
SignatureList causalMaskSignatures();
SignatureList codecSignatures();
SignatureList conv2dSignatures();
SignatureList conv2dFilterGradSignatures();
SignatureList conv2dInputGradSignatures();
SignatureList crossEntropySignatures();
SignatureList dropoutSignatures();
SignatureList elementLossSignatures();
SignatureList embeddingSignatures();
SignatureList generatorSignatures();
SignatureList indexSignatures();
SignatureList layerNormSignatures();
SignatureList mapSignatures();
SignatureList matmulSignatures();
SignatureList maxPoolSignatures();
SignatureList movementSignatures();
SignatureList reduceSignatures();
SignatureList softmaxSignatures();
SignatureList transposeSignatures();
SignatureList updateSignatures();

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_SIGNATURE_H
