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
                               arithmeticSignatures(),
                               avgPoolSignatures(),
                               batchNormSignatures(),
                               broadcastSignatures(),
                               causalMaskSignatures(),
                               conv2dSignatures(),
                               conv2dFilterGradSignatures(),
                               conv2dInputGradSignatures(),
                               crossEntropySignatures(),
                               dropoutSignatures(),
                               elementLossSignatures(),
                               embeddingSignatures(),
                               generatorSignatures(),
                               layerNormSignatures(),
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
