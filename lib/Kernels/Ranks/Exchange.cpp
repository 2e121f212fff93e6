//===- Exchange.cpp - Sums over all ranks ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Rank r adds part r of the elements. What goes to another rank p is a header,
// part p of the input, then part r of the output as far as it is computed; what
// comes from it are its header, part r of its input, then part p of its output.
//
// No two ranks wait for each other: a rank that waits for input of one sends
// to all others meanwhile, and input is sent before anything is waited for.
// In place is safe: part p of the output comes after part p of the input went,
// piece by piece, for rank p computes it from that.
//
//===----------------------------------------------------------------------===//

#include "ByMpi.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace memplan::runtime::ranks {

/// The most elements that are added at a time.
static constexpr int64_t mostPieceElements = 16384;
/// Scratch of each: its sum, and what came from another rank.
static constexpr int64_t scratchPerElement = 2 * sizeof(float);

/// One call of allReduce.
class Ranks::Exchange {
public:
  Exchange(Ranks &ranks, const Addition &addition, std::span<std::byte> scratch)
      : ranks(ranks), addition(addition),
        header{ranks.sequence, addition.elements, addition.kind},
        perPart((addition.elements + ranks.count() - 1) / ranks.count()),
        pieceElements(int64_t(scratch.size()) / scratchPerElement),
        sums(reinterpret_cast<float *>(scratch.data())),
        piece(scratch.data() + pieceElements * int64_t(sizeof(float))) {}

  bool run();

private:
  static constexpr int64_t headerBytes = sizeof(Header);

  int64_t beginOf(int rank) const {
    return std::min(rank * perPart, addition.elements);
  }
  int64_t bytesOf(int rank) const {
    return (beginOf(rank + 1) - beginOf(rank)) * addition.elementBytes;
  }
  int own() const { return ranks.rank(); }
  const char *inputAt(int64_t element) const {
    return static_cast<const char *>(addition.input) +
           element * addition.elementBytes;
  }
  char *outputAt(int64_t element) const {
    return static_cast<char *>(addition.output) +
           element * addition.elementBytes;
  }
  bool isComputed() const { return computed == beginOf(own() + 1); }
  int64_t sendBytes(int peer) const {
    return headerBytes + bytesOf(peer) +
           (computed - beginOf(own())) * addition.elementBytes;
  }
  int64_t wholeSendBytes(int peer) const {
    return headerBytes + bytesOf(peer) + bytesOf(own());
  }
  int64_t wholeReceiveBytes(int peer) const {
    return headerBytes + bytesOf(own()) + bytesOf(peer);
  }
  bool isDone() const;
  bool send(int peer, bool &moved);
  bool receive(int peer, bool &moved);
  bool receiveInto(int peer, void *to, int64_t bytes, bool &moved);
  void addPiece();
  /// Whether bytes of this rank are wanted now: of one after the other while
  /// sums are computed, of all at once afterwards.
  bool isWanted(int peer) const;
  bool wait();

  Ranks &ranks;
  const Addition &addition;
  const Header header;
  const int64_t perPart;
  const int64_t pieceElements;
  float *const sums;
  std::byte *const piece;
  /// The first element of the own part without a sum, the rank whose input is
  /// added to its piece next, and how much of that has come.
  int64_t computed = 0;
  int adding = 0;
  int64_t pieceBytes = 0;
  Header theirs;
};

bool Ranks::Exchange::isDone() const {
  if (!isComputed())
    return false;
  for (int p = 0; p < ranks.count(); ++p)
    if (p != own() &&
        (ranks.peers[size_t(p)].sentBytes < wholeSendBytes(p) ||
         ranks.peers[size_t(p)].receivedBytes < wholeReceiveBytes(p)))
      return false;
  return true;
}

bool Ranks::Exchange::send(int p, bool &moved) {
  Peer &peer = ranks.peers[size_t(p)];
  while (peer.sentBytes < sendBytes(p)) {
    const int64_t at = peer.sentBytes;
    const char *from;
    int64_t bytes;
    if (at < headerBytes) {
      from = reinterpret_cast<const char *>(&header) + at;
      bytes = headerBytes - at;
    } else if (at < headerBytes + bytesOf(p)) {
      from = inputAt(beginOf(p)) + (at - headerBytes);
      bytes = headerBytes + bytesOf(p) - at;
    } else {
      from = outputAt(beginOf(own())) + (at - headerBytes - bytesOf(p));
      bytes = sendBytes(p) - at;
    }
    const ssize_t sent =
        ::send(peer.socket.get(), from, size_t(bytes), MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return true;
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent < 0)
      return ranks.fail("rank " + std::to_string(p) +
                        " cannot be sent to: " + std::strerror(errno));
    peer.sentBytes += sent;
    moved = true;
  }
  return true;
}

/// Reads what is there, at most `bytes`.
bool Ranks::Exchange::receiveInto(int p, void *to, int64_t bytes, bool &moved) {
  Peer &peer = ranks.peers[size_t(p)];
  const ssize_t got = ::recv(peer.socket.get(), to, size_t(bytes), 0);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    return true;
  if (got <= 0)
    return ranks.fail(
        "rank " + std::to_string(p) + " is gone: " +
        (got == 0 ? "it closed its connection" : std::strerror(errno)));
  peer.receivedBytes += got;
  moved = true;
  return true;
}

bool Ranks::checkHeader(int p, const Header &theirs, const Header &own) {
  if (theirs.sequence == own.sequence && theirs.elements == own.elements &&
      theirs.kind == own.kind)
    return true;
  auto say = [](const Header &one) {
    return "call " + std::to_string(one.sequence) + " with " +
           std::to_string(one.elements) + " elements of kind " +
           std::to_string(one.kind);
  };
  return fail("the ranks run different programs: rank " + std::to_string(p) +
              " is at all_reduce " + say(theirs) + ", rank " +
              std::to_string(rank()) + " at " + say(own));
}

void Ranks::Exchange::addPiece() {
  const int64_t count = std::min(pieceElements, beginOf(own() + 1) - computed);
  const void *from =
      adding == own() ? static_cast<const void *>(inputAt(computed)) : piece;
  (adding == 0 ? addition.load : addition.add)(from, count, sums);
  pieceBytes = 0;
  if (++adding < ranks.count())
    return;
  addition.store(sums, count, addition.factor, outputAt(computed));
  computed += count;
  adding = 0;
}

bool Ranks::Exchange::receive(int p, bool &moved) {
  Peer &peer = ranks.peers[size_t(p)];
  while (isWanted(p)) {
    const int64_t before = peer.receivedBytes;
    if (before < headerBytes) {
      // One header at a time is wanted, as one rank is, unless there is
      // nothing to add: then the headers come whole or are few bytes each.
      if (!receiveInto(p, reinterpret_cast<char *>(&theirs) + before,
                       headerBytes - before, moved))
        return false;
      if (peer.receivedBytes == headerBytes &&
          !ranks.checkHeader(p, theirs, header))
        return false;
    } else if (!isComputed()) {
      const int64_t count =
          std::min(pieceElements, beginOf(own() + 1) - computed);
      const int64_t bytes = count * addition.elementBytes;
      if (!receiveInto(p, piece + pieceBytes, bytes - pieceBytes, moved))
        return false;
      pieceBytes += peer.receivedBytes - before;
      if (pieceBytes == bytes)
        addPiece();
    } else {
      const int64_t at = before - headerBytes - bytesOf(own());
      if (!receiveInto(p, outputAt(beginOf(p)) + at, bytesOf(p) - at, moved))
        return false;
    }
    if (peer.receivedBytes == before)
      return true;
  }
  return true;
}

bool Ranks::Exchange::isWanted(int p) const {
  if (p == own())
    return false;
  if (!isComputed())
    return p == adding;
  const int64_t received = ranks.peers[size_t(p)].receivedBytes;
  if (received >= wholeReceiveBytes(p))
    return false;
  // With nothing to add, headers come one after the other too.
  for (int q = 0; received < headerBytes && q < p; ++q)
    if (q != own() && ranks.peers[size_t(q)].receivedBytes < headerBytes)
      return false;
  return true;
}

bool Ranks::Exchange::wait() {
  ranks.polled.clear();
  for (int p = 0; p < ranks.count(); ++p) {
    if (p == own())
      continue;
    short events = 0;
    if (isWanted(p))
      events |= POLLIN;
    if (ranks.peers[size_t(p)].sentBytes < sendBytes(p))
      events |= POLLOUT;
    if (events)
      ranks.polled.push_back({ranks.peers[size_t(p)].socket.get(), events, 0});
  }
  constexpr double millis = 1000;
  const int found =
      ::poll(ranks.polled.data(), nfds_t(ranks.polled.size()),
             int(std::min(ranks.place.timeoutSeconds * millis, 2e9)));
  if (found > 0 || (found < 0 && errno == EINTR))
    return true;
  if (found < 0)
    return ranks.fail(std::string("poll: ") + std::strerror(errno));
  std::string waited;
  for (int p = 0; p < ranks.count(); ++p)
    if (isWanted(p))
      waited += " " + std::to_string(p);
  return ranks.fail(
      "waited " + std::to_string(int64_t(ranks.place.timeoutSeconds)) +
      " s for rank" + waited + " without a byte (MEMPLAN_RANKS_TIMEOUT)");
}

bool Ranks::Exchange::run() {
  for (Peer &peer : ranks.peers)
    peer.sentBytes = peer.receivedBytes = 0;
  computed = beginOf(own());
  while (!isDone()) {
    bool moved = false;
    for (int p = 0; p < ranks.count(); ++p)
      if (p != own() && !send(p, moved))
        return false;
    if (!isComputed() && adding == own()) {
      addPiece();
      continue;
    }
    for (int p = 0; p < ranks.count(); ++p)
      if (!receive(p, moved))
        return false;
    if (!moved && !isDone() && !wait())
      return false;
  }
  return true;
}

int64_t Ranks::scratchBytes(int64_t elements) {
  return std::clamp(elements, int64_t(1), mostPieceElements) *
         scratchPerElement;
}

bool Ranks::fail(const std::string &reason) {
  failure = reason;
  // The others shall not wait for this rank.
  for (Peer &peer : peers)
    peer.socket.close();
  return false;
}

bool Ranks::allReduce(const Addition &addition, std::span<std::byte> scratch) {
  std::lock_guard lock(calls);
  if (!failure.empty())
    return false;
  ++sequence;
  return mpi ? mpi->allReduce(*this, addition, scratch)
             : Exchange(*this, addition, scratch).run();
}

/// The sum of bytes of which only rank 0 has any that are not 0.
bool Ranks::broadcast(std::span<std::byte> bytes) {
  const auto scratchSize = size_t(scratchBytes(int64_t(bytes.size())));
  std::vector<std::byte> scratch(scratchSize);
  if (rank() != 0)
    std::fill(bytes.begin(), bytes.end(), std::byte(0));
  Addition addition;
  addition.input = bytes.data();
  addition.output = bytes.data();
  addition.elements = int64_t(bytes.size());
  addition.elementBytes = 1;
  addition.kind = ~0u;
  addition.load = [](const void *from, int64_t count, float *sums) {
    for (int64_t i = 0; i < count; ++i)
      sums[i] = float(static_cast<const uint8_t *>(from)[i]);
  };
  addition.add = [](const void *from, int64_t count, float *sums) {
    for (int64_t i = 0; i < count; ++i)
      sums[i] += float(static_cast<const uint8_t *>(from)[i]);
  };
  addition.store = [](const float *sums, int64_t count, float, void *to) {
    for (int64_t i = 0; i < count; ++i)
      static_cast<uint8_t *>(to)[i] = uint8_t(sums[i]);
  };
  return allReduce(addition, scratch);
}

} // namespace memplan::runtime::ranks
