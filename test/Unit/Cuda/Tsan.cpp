//===- Tsan.cpp - Kernels under the thread sanitizer ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of the CUDA plugin on threads of the host, a block at a time, the
// blocks in two random orders. "safe" runs cases of each kernel, which must be
// right, give the same bits in both orders and where operands lie between 16
// bytes, and leave the sanitizer silent;
// "unsafe" a body that lacks a barrier, which it must report.
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"
#include "CudaMock.h"
#include "HostThreads.h"

#include "memplan/Runtime/Execute/Backends.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;

extern "C" const memplan_backend_t *memplan_backend_v1();

static bool isSmall(const Case &test) {
  int64_t most = 0;
  for (const auto *tensors : {&test.inputs, &test.outputs})
    for (const TestTensor &tensor : *tensors)
      most = std::max(most, count(tensor.shape));
  return most <= 4096;
}

/// Cases of an attention that cross tiles in both directions, or have masks.
static bool isTile(const Case &test) {
  return test.variant.ends_with("causal, fewer keys") ||
         test.variant.ends_with("128 columns and 24") ||
         test.variant.ends_with("mask of heads");
}

static bool isRight(const Case &test,
                    const std::vector<std::vector<std::byte>> &found) {
  for (size_t o = 0; o < found.size(); ++o) {
    const Values values = toValues(found[o], test.outputs[o].dtype);
    for (size_t i = 0; i < values.size(); ++i) {
      const double wanted = test.outputs[o].values[i];
      const bool isSame =
          values[i] == wanted || (std::isnan(values[i]) && std::isnan(wanted));
      if (!isSame && !(std::abs(values[i] - wanted) <=
                       test.tolerance * (1 + std::abs(wanted))))
        return false;
    }
  }
  return true;
}

static constexpr size_t npos = std::string::npos;

static int runSafe(const Device &device) {
  std::map<std::string, int> ran;
  int failed = 0, all = 0;
  for (const Case &test : casesOf(device)) {
    // Two of each kernel, and those that take another one by their sizes.
    if (test.variant.starts_with("tiles")
            ? !isTile(test)
            : !isSmall(test) || ran[test.kernel] == 2)
      continue;
    ++ran[test.kernel];
    ++all;
    cudaMock().blockSeed = 1;
    auto first = runCase(device, test);
    cudaMock().blockSeed = 77;
    auto second = runCase(device, test);
    auto shifted = runCase(device, test, nullptr, /*shift=*/1);
    // Tensor cores read 16 bytes at once: the program is refused.
    const bool isRefused = !shifted.ok() && shifted.error().message.find(
                                                "multiples of 16") != npos;
    if (first.ok() && second.ok() && *first == *second &&
        (isRefused || (shifted.ok() && *first == *shifted)) &&
        isRight(test, *first))
      continue;
    ++failed;
    std::fprintf(
        stderr, "%s (%s): %s\n", test.kernel.c_str(), test.variant.c_str(),
        !first.ok()     ? first.error().message.c_str()
        : !shifted.ok() ? shifted.error().message.c_str()
                        : "wrong, or other bits in another order or place");
  }
  std::printf("%d cases of %zu kernels ran, %d failed\n", all, ran.size(),
              failed);
  return failed > 0 || ran.size() < 60;
}

int main(int argc, char **argv) {
  if (argc > 1 && std::strcmp(argv[1], "unsafe") == 0) {
    static unsigned shared[64];
    static unsigned sums[64];
    cuda::HostBlock::get().run([] {
      const unsigned mine = threadIdx.x;
      shared[mine] = mine;
      // Here the barrier is missing.
      sums[mine] = shared[mine] + shared[(mine + 1) % 64];
    });
    std::printf("ran, %u\n", sums[7]);
    return 0;
  }
  Status status = registerBackend("cuda", memplan_backend_v1());
  Result<Device> device = Device::open("cuda", 0, 1);
  if (!status.ok() || !device.ok()) {
    std::fprintf(stderr, "%s\n", device.error().message.c_str());
    return 1;
  }
  return runSafe(*device);
}
