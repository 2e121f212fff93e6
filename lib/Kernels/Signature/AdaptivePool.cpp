//===- AdaptivePool.cpp - What these launches must be like ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Pool2dGeometry.h"
#include "../Signature.h"

namespace memplan::runtime::kernels {

static bool checkPlanes(Checker &check, const memplan_launch_t *launch,
                        const memplan_tensor_t &image,
                        const memplan_tensor_t &pooled) {
  return check.rank(image, "the image", 4) &&
         check.rank(pooled, "the pooled image", 4) &&
         checkImageLike(check, launch, pooled, "the pooled image", image,
                        pooled.shape[heightDim(launch)],
                        pooled.shape[heightDim(launch) + 1]) &&
         check.require(image.shape[heightDim(launch)] > 0 &&
                           image.shape[heightDim(launch) + 1] > 0,
                       "the image is empty");
}

static memplan_status_t checkForward(const memplan_launch_t *launch) {
  Checker check(launch);
  if (check.counts(1, 1) && check.types("T:T") &&
      checkPlanes(check, launch, check.input(0), check.output(0)) &&
      check.ints("output_size", 2, 0, false)) {
    Pair size = pairAttribute(launch, "output_size", 0);
    const int64_t *pooled = check.output(0).shape + heightDim(launch);
    check.require(size.h == pooled[0] && size.w == pooled[1],
                  "attribute 'output_size' differs from the output");
  }
  return check.status;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("T:T") &&
      checkPlanes(check, launch, check.output(0), check.input(0)) &&
      checkInputSize(check, launch, check.output(0));
  return check.status;
}

SignatureList adaptivePoolSignatures() {
  static constexpr Signature list[] = {
      {"memplan.adaptive_avg_pool2d", checkForward, {}, sampleStrides},
      {"memplan.adaptive_avg_pool2d_grad", checkBackward, {}, sampleStrides},
  };
  return list;
}

} // namespace memplan::runtime::kernels
