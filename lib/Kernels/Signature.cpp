//===- Signature.cpp - What the launches of a kernel are like -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signature.h"

#include <cstring>
#include <map>

namespace memplan::runtime::kernels {

/// Never destroyed: a program may prepare kernels while it ends.
static const std::map<std::string_view, const Signature *> &signatures() {
  static const auto &all = []() -> auto & {
    auto &all = *new std::map<std::string_view, const Signature *>;
    for (SignatureList list : {activationSignatures(),
                               adaptivePoolSignatures(),
                               allReduceSignatures(),
                               arithmeticSignatures(),
                               attentionSignatures(),
                               avgPoolSignatures(),
                               batchNormSignatures(),
                               broadcastSignatures(),
                               castSignatures(),
                               causalMaskSignatures(),
                               codecSignatures(),
                               conv2dSignatures(),
                               conv2dFilterGradSignatures(),
                               conv2dInputGradSignatures(),
                               crossEntropySignatures(),
                               dropoutSignatures(),
                               elementLossSignatures(),
                               embeddingSignatures(),
                               generatorSignatures(),
                               indexSignatures(),
                               layerNormSignatures(),
                               mapSignatures(),
                               matmulSignatures(),
                               maxPoolSignatures(),
                               movementSignatures(),
                               reduceSignatures(),
                               softmaxSignatures(),
                               transposeSignatures(),
                               updateSignatures()})
      for (const Signature &signature : list)
        all.emplace(signature.name, &signature);
    return all;
  }();
  return all;
}

const Signature *findSignature(std::string_view name) {
  auto found = signatures().find(name);
  return found == signatures().end() ? nullptr : found->second;
}

const char *kernelName(const memplan_launch_t *launch) {
  if (std::strcmp(launch->kernel, "memplan.opaque") != 0)
    return launch->kernel;
  const memplan_attribute_t *kernel = findAttribute(launch, "kernel");
  return kernel && kernel->kind == MEMPLAN_ATTRIBUTE_STRING ? kernel->string
                                                            : launch->kernel;
}

bool allowsTf32(const memplan_launch_t *launch) {
  return intAttribute(launch, "tf32", 0) != 0;
}

memplan_status_t checkStrides(const memplan_launch_t *launch,
                              const StridedOperands &allowed) {
  Checker check(launch);
  for (int i = 0; i < launch->input_count + launch->output_count; ++i) {
    const int dims = gapDims(launch, i);
    const bool isInput = i < launch->input_count;
    const int number = isInput ? i : i - launch->input_count;
    const uint32_t mask = isInput ? allowed.inputs : allowed.outputs;
    const int most =
        (mask >> (number < 31 ? number : 31)) & 1 ? allowed.dims : 0;
    check.require(dims >= 0 && dims <= most,
                  "%s %d has gaps in its first %d dimensions; %d are allowed",
                  isInput ? "input" : "output", number, dims, most);
  }
  return check.status;
}

const memplan_in_place_t *
forbiddenAlias(const memplan_launch_t *launch,
               std::span<const memplan_in_place_t> allowed) {
  for (int32_t i = 0; i < launch->alias_count; ++i) {
    const memplan_in_place_t &alias = launch->aliases[i];
    bool listed = false;
    for (const memplan_in_place_t &pair : allowed)
      listed |= pair.output == alias.output && pair.input == alias.input;
    if (!listed)
      return &alias;
  }
  return nullptr;
}

} // namespace memplan::runtime::kernels
