//===- MpiExchange.cpp - Sums over all ranks, by MPI ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The parts, the order of sums and the bits are those of Exchange.cpp; MPI only
// moves bytes. A piece of every part goes out before its sums come back, so
// that the output may be the input.
//
//===----------------------------------------------------------------------===//

#include "ByMpi.h"

#include "memplan/Runtime/Support/PluginPath.h"

#include <algorithm>
#include <climits>
#include <dlfcn.h>

namespace memplan::runtime::ranks {

static const MpiCalls *openModule(std::string &error) {
  const std::string file = findPlugin(MpiCalls::file);
  void *library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  auto *entry = library ? reinterpret_cast<const MpiCalls *(*)()>(
                              ::dlsym(library, MpiCalls::entry))
                        : nullptr;
  if (entry)
    return entry();
  error = std::string("MEMPLAN_RANKS is mpi, but MPI cannot be used: ") +
          ::dlerror() + "; build with MEMPLAN_WITH_MPI=ON";
  return nullptr;
}

bool Ranks::ByMpi::begin(Place &place, std::string &error) {
  calls = openModule(error);
  if (!calls)
    return false;
  if (const char *why = calls->begin(&place.rank, &place.count)) {
    error = std::string("MPI does not start: ") + why;
    return false;
  }
  const auto count = size_t(place.count);
  headers.resize(count);
  for (std::vector<int> *each : {&sent, &sentAt, &came, &cameAt})
    each->resize(count);
  received.resize(pieceBytes + count * sizeof(float));
  return true;
}

bool Ranks::ByMpi::allReduce(Ranks &ranks, const Addition &addition,
                             std::span<std::byte> scratch) {
  const Header own{ranks.sequence, addition.elements, addition.kind};
  if (const char *why = calls->gather(&own, headers.data(), sizeof(own)))
    return ranks.fail(why);
  for (int rank = 0; rank < ranks.count(); ++rank)
    if (!ranks.checkHeader(rank, headers[size_t(rank)], own))
      return false;
  if (addition.elements > INT_MAX)
    return ranks.fail("MPI counts elements in 31 bits");
  const int64_t count = ranks.count(), bytes = addition.elementBytes;
  const int64_t perPart = (addition.elements + count - 1) / count;
  const int64_t perPiece =
      std::clamp(int64_t(scratch.size() / sizeof(float)), int64_t(1),
                 std::max(int64_t(1), pieceBytes / (count * bytes)));
  auto *sums = reinterpret_cast<float *>(scratch.data());
  for (int64_t at = 0; at < perPart; at += perPiece) {
    for (int64_t p = 0; p < count; ++p) {
      const int64_t end = std::min((p + 1) * perPart, addition.elements);
      const int64_t first = std::min(p * perPart + at, end);
      sentAt[size_t(p)] = int(first);
      sent[size_t(p)] = int(std::min(perPiece, end - first));
    }
    const auto mine = size_t(ranks.rank());
    for (int64_t p = 0; p < count; ++p) {
      came[size_t(p)] = sent[mine];
      cameAt[size_t(p)] = int(p) * sent[mine];
    }
    const MpiSpans spans = {sent.data(), sentAt.data()};
    if (const char *why =
            calls->exchange(addition.input, spans, received.data(),
                            {came.data(), cameAt.data()}, int(bytes)))
      return ranks.fail(why);
    for (int64_t p = 0; p < count; ++p)
      (p == 0 ? addition.load : addition.add)(
          received.data() + cameAt[size_t(p)] * bytes, sent[mine], sums);
    addition.store(sums, sent[mine], addition.factor,
                   static_cast<char *>(addition.output) + sentAt[mine] * bytes);
    if (const char *why = calls->share(addition.output, spans, int(bytes)))
      return ranks.fail(why);
  }
  return true;
}

} // namespace memplan::runtime::ranks
