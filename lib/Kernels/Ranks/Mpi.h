//===- Mpi.h - Ranks that mpirun starts -------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_RANKS_MPI_H
#define MEMPLAN_LIB_KERNELS_RANKS_MPI_H

namespace memplan::runtime::ranks {

/// Elements of each rank in an array: how many, and where they begin.
struct MpiSpans {
  const int *counts, *places;
};

/// What the module libMemplanMpi.so exports: its MPI is that of the machine it
/// was built on, and the runtime needs none. Each returns null, or why it
/// failed, after which no other call may follow. Elements have 1, 2 or 4 bytes.
struct MpiCalls {
  static constexpr const char *file = "libMemplanMpi.so";
  static constexpr const char *entry = "memplan_mpi_v1";

  /// Starts MPI, which ends with the process.
  const char *(*begin)(int *rank, int *count);
  /// `all` gets the bytes of each rank, in their order.
  const char *(*gather)(const void *own, void *all, int bytes);
  /// Each rank gets its span of every rank's `from`.
  const char *(*exchange)(const void *from, MpiSpans sent, void *to,
                          MpiSpans received, int elementBytes);
  /// Each rank has its span of `elements`, and gets those of the others.
  const char *(*share)(void *elements, MpiSpans spans, int elementBytes);
};

} // namespace memplan::runtime::ranks

#endif // MEMPLAN_LIB_KERNELS_RANKS_MPI_H
