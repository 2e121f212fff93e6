//===- Module.cpp - The calls of MPI that ranks need ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Mpi.h"

#include <chrono>
#include <cstdlib>
#include <mpi.h>
#include <string>
#include <thread>

namespace memplan::runtime::ranks {

static const char *explain(int code) {
  static thread_local char text[MPI_MAX_ERROR_STRING + 1];
  int length = 0;
  if (code == MPI_SUCCESS)
    return nullptr;
  MPI_Error_string(code, text, &length);
  return text;
}

/// A rank that ends early leaves the others in a call that never returns:
/// then all end.
static void endMpi() {
  constexpr auto patience = std::chrono::seconds(10);
  int isOver = 0;
  MPI_Finalized(&isOver);
  if (isOver)
    return;
  MPI_Request meeting;
  MPI_Ibarrier(MPI_COMM_WORLD, &meeting);
  const auto end = std::chrono::steady_clock::now() + patience;
  int isMet = 0;
  while (MPI_Test(&meeting, &isMet, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
         !isMet) {
    if (std::chrono::steady_clock::now() > end)
      MPI_Abort(MPI_COMM_WORLD, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  MPI_Finalize();
}

static const char *begin(int *rank, int *count) {
  int isBegun = 0;
  if (const char *why = explain(MPI_Initialized(&isBegun)))
    return why;
  if (!isBegun) {
    // Calls come one after the other, from any thread.
    int given = 0;
    if (const char *why = explain(
            MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given)))
      return why;
    std::atexit(endMpi);
    if (given < MPI_THREAD_SERIALIZED)
      return "this MPI wants all calls from one thread";
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (const char *why = explain(MPI_Comm_rank(MPI_COMM_WORLD, rank)))
    return why;
  return explain(MPI_Comm_size(MPI_COMM_WORLD, count));
}

static const char *gather(const void *own, void *all, int bytes) {
  return explain(MPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE,
                               MPI_COMM_WORLD));
}

static MPI_Datatype typeOf(int elementBytes) {
  return elementBytes == 1   ? MPI_UINT8_T
         : elementBytes == 2 ? MPI_UINT16_T
                             : MPI_UINT32_T;
}

static const char *exchange(const void *from, MpiSpans sent, void *to,
                            MpiSpans received, int elementBytes) {
  const MPI_Datatype type = typeOf(elementBytes);
  return explain(MPI_Alltoallv(from, sent.counts, sent.places, type, to,
                               received.counts, received.places, type,
                               MPI_COMM_WORLD));
}

static const char *share(void *elements, MpiSpans spans, int elementBytes) {
  return explain(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, elements,
                                spans.counts, spans.places,
                                typeOf(elementBytes), MPI_COMM_WORLD));
}

extern "C" __attribute__((visibility("default"))) const MpiCalls *
memplan_mpi_v1() {
  static constexpr MpiCalls calls = {begin, gather, exchange, share};
  return &calls;
}

} // namespace memplan::runtime::ranks
