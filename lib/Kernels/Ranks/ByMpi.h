//===- ByMpi.h - Sums over all ranks, by MPI --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_RANKS_BYMPI_H
#define MEMPLAN_LIB_KERNELS_RANKS_BYMPI_H

#include "Mpi.h"
#include "Ranks.h"

namespace memplan::runtime::ranks {

/// What each rank says of a call.
struct Ranks::Header {
  uint64_t sequence = 0;
  int64_t elements = 0;
  uint32_t kind = 0;
  uint32_t reserved = 0;
};

/// The calls of MPI, and room for them, so that none is taken in a step.
class Ranks::ByMpi {
public:
  /// Opens the module and says which rank this process is. False with the
  /// reason in `error`.
  bool begin(Place &place, std::string &error);
  bool allReduce(Ranks &ranks, const Addition &addition,
                 std::span<std::byte> scratch);

private:
  /// What comes from all ranks at a time.
  static constexpr int64_t pieceBytes = 65536;

  const MpiCalls *calls = nullptr;
  std::vector<Header> headers;
  /// By rank: elements of a piece that go to it and come from it, with places.
  std::vector<int> sent, sentAt, came, cameAt;
  std::vector<std::byte> received;
};

} // namespace memplan::runtime::ranks

#endif // MEMPLAN_LIB_KERNELS_RANKS_BYMPI_H
