//===- Ranks.h - Processes that run one program together --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pair of ranks has a TCP connection: nothing has to be installed, and
// whatever starts processes can start ranks. Or mpirun has started them, and
// MPI moves the bytes; sums and their order are the same.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_RANKS_RANKS_H
#define MEMPLAN_LIB_KERNELS_RANKS_RANKS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <poll.h>
#include <span>
#include <string>
#include <vector>

namespace memplan::runtime::ranks {

/// Which rank a process is, of how many, and where rank 0 is found.
struct Place {
  bool byMpi = false; ///< MPI says all but the timeout
  int rank = 0;
  int count = 1;
  std::string host; ///< where rank 0 listens; of no meaning for one rank
  std::string port;
  double timeoutSeconds = 300; ///< without any progress

  /// Whether the environment names ranks: MEMPLAN_RANKS is set.
  static bool isGiven();
  /// Reads MEMPLAN_RANKS, which may be `mpi` and is all then, MEMPLAN_RANK,
  /// MEMPLAN_RENDEZVOUS=HOST:PORT and MEMPLAN_RANKS_TIMEOUT in seconds. False
  /// with the reason in `error` where one is missing or wrong.
  static bool read(Place &place, std::string &error);
};

/// A file descriptor that is closed at the end.
class Socket {
public:
  explicit Socket(int file = -1) : file(file) {}
  Socket(Socket &&other) noexcept : file(other.release()) {}
  Socket &operator=(Socket &&other) noexcept;
  ~Socket() { close(); }
  int get() const { return file; }
  explicit operator bool() const { return file >= 0; }
  int release();
  void close();

private:
  int file;
};

/// What all ranks add up, each its own operands of one size and type. Output
/// and input may be the same bytes.
struct Addition {
  const void *input = nullptr;
  void *output = nullptr;
  int64_t elements = 0;
  int64_t elementBytes = 4; ///< at most 4
  float factor = 1;         ///< what each sum is multiplied by
  uint32_t kind = 0;        ///< type and reduction; equal on all ranks
  /// sums[i] = element i of `from`, or plus it.
  void (*load)(const void *from, int64_t count, float *sums) = nullptr;
  void (*add)(const void *from, int64_t count, float *sums) = nullptr;
  /// Element i of `to` = sums[i] * factor, rounded.
  void (*store)(const float *sums, int64_t count, float factor,
                void *to) = nullptr;
};

/// The ranks of a run, connected. After a failure all further calls fail with
/// the same text, and the other ranks find their connections closed.
class Ranks {
public:
  /// Connects to all other ranks: rank 0 listens, the others look for it until
  /// the time is over. By MPI they meet as its processes do. Null with the
  /// reason in `error`.
  static std::unique_ptr<Ranks> connect(Place place, std::string &error);
  ~Ranks();

  int rank() const { return place.rank; }
  int count() const { return place.count; }
  bool isByMpi() const { return place.byMpi; }

  /// Scratch of `allReduce`, for any number of ranks: 128 KiB at most.
  static int64_t scratchBytes(int64_t elements);
  /// Adds in f32 in the order of the ranks: each rank adds one part of the
  /// elements and hands its sums to the others, so that 2 (n-1)/n of the bytes
  /// go out and come in. All get the same bits. Every rank calls this in the
  /// same order with as many elements of the same kind; what differs is an
  /// error on both. Allocates nothing. False with the reason in `error()`.
  bool allReduce(const Addition &addition, std::span<std::byte> scratch);
  /// Gives all ranks the bytes of rank 0.
  bool broadcast(std::span<std::byte> bytes);
  const std::string &error() const { return failure; }

private:
  /// Another rank, and how many bytes of this call went to it and came.
  struct Peer {
    Socket socket;
    int64_t sentBytes = 0, receivedBytes = 0;
  };
  struct Header;
  class Exchange;
  class ByMpi;

  explicit Ranks(const Place &place);
  /// Whether rank `peer` makes the call that this rank makes.
  bool checkHeader(int peer, const Header &theirs, const Header &own);
  bool connectAll(std::string &error);
  bool fail(const std::string &reason);

  Place place;
  std::vector<Peer> peers; ///< by rank; the own one is unused
  std::vector<pollfd> polled;
  std::unique_ptr<ByMpi> mpi; ///< null: sockets
  std::mutex calls;
  uint64_t sequence = 0;
  std::string failure;
};

/// The ranks that the environment of this process names, connected when first
/// asked for; null with the reason in `error`.
Ranks *ranksOfProcess(std::string &error);

} // namespace memplan::runtime::ranks

#endif // MEMPLAN_LIB_KERNELS_RANKS_RANKS_H
