//===- Connect.cpp - How ranks find each other ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Rank 0 listens at the rendezvous. Every other rank connects to it, says who
// it is and where it listens itself, and gets the list of all such places.
// Then each connects to the ranks below it and is connected to by those above.
//
//===----------------------------------------------------------------------===//

#include "ByMpi.h"

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace memplan::runtime::ranks {

using Clock = std::chrono::steady_clock;

Socket &Socket::operator=(Socket &&other) noexcept {
  if (this != &other) {
    close();
    file = other.release();
  }
  return *this;
}

int Socket::release() { return std::exchange(file, -1); }

void Socket::close() {
  if (file >= 0)
    ::close(file);
  file = -1;
}

namespace {
/// What a connection begins with.
struct Hello {
  static constexpr uint32_t wanted = 0x314b524d; // "MRK1"
  uint32_t magic = wanted;
  int32_t rank = 0, count = 0;
  int32_t reserved = 0;
};
/// Where a rank listens.
struct Address {
  sockaddr_storage storage = {};
  socklen_t bytes = 0;
};
} // namespace

static std::string because(const std::string &what) {
  return what + ": " + std::strerror(errno);
}

/// Waits for one file until `end`. False when the time is over.
static bool waitFor(int file, short events, Clock::time_point end) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - Clock::now());
    pollfd wanted = {file, events, 0};
    const int found =
        ::poll(&wanted, 1, int(std::max<int64_t>(left.count(), 0)));
    if (found > 0)
      return true;
    if (found == 0 || errno != EINTR)
      return false;
  }
}

/// Moves `bytes` bytes one way until `end`; a null `to` sends.
static bool transfer(int file, const void *from, void *to, size_t bytes,
                     Clock::time_point end) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t moved =
        to ? ::recv(file, static_cast<char *>(to) + done, bytes - done, 0)
           : ::send(file, static_cast<const char *>(from) + done, bytes - done,
                    MSG_NOSIGNAL);
    if (moved > 0) {
      done += size_t(moved);
      continue;
    }
    if (moved == 0)
      return false;
    if (errno == EINTR)
      continue;
    if ((errno != EAGAIN && errno != EWOULDBLOCK) ||
        !waitFor(file, to ? POLLIN : POLLOUT, end))
      return false;
  }
  return true;
}
static bool sendTo(int file, const void *data, size_t bytes,
                   Clock::time_point end) {
  return transfer(file, data, nullptr, bytes, end);
}
static bool receiveFrom(int file, void *data, size_t bytes,
                        Clock::time_point end) {
  return transfer(file, nullptr, data, bytes, end);
}

/// Never waits, and sends at once what it is given.
static void prepareSocket(const Socket &socket) {
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(socket.get(), F_SETFD, FD_CLOEXEC);
}

static Socket listenAt(const Address &address) {
  Socket socket(::socket(address.storage.ss_family, SOCK_STREAM, 0));
  const int on = 1;
  if (!socket)
    return socket;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address.storage),
             address.bytes) != 0 ||
      ::listen(socket.get(), SOMAXCONN) != 0)
    return Socket();
  ::fcntl(socket.get(), F_SETFD, FD_CLOEXEC);
  return socket;
}

static Socket connectTo(const Address &address) {
  Socket socket(::socket(address.storage.ss_family, SOCK_STREAM, 0));
  if (!socket || ::connect(socket.get(),
                           reinterpret_cast<const sockaddr *>(&address.storage),
                           address.bytes) != 0)
    return Socket();
  prepareSocket(socket);
  return socket;
}

static bool resolve(const Place &place, std::vector<Address> &found,
                    std::string &error) {
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo *list = nullptr;
  const int code =
      ::getaddrinfo(place.host.c_str(), place.port.c_str(), &wanted, &list);
  if (code != 0) {
    error = "MEMPLAN_RENDEZVOUS: no address of " + place.host + ":" +
            place.port + ": " + ::gai_strerror(code);
    return false;
  }
  for (const addrinfo *each = list; each; each = each->ai_next) {
    Address &address = found.emplace_back();
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
    address.bytes = each->ai_addrlen;
  }
  ::freeaddrinfo(list);
  return true;
}

static Address localAddress(int file) {
  Address address;
  address.bytes = sizeof(address.storage);
  ::getsockname(file, reinterpret_cast<sockaddr *>(&address.storage),
                &address.bytes);
  return address;
}

/// The address with another port, 0 for any.
static Address withoutPort(Address address) {
  if (address.storage.ss_family == AF_INET6)
    reinterpret_cast<sockaddr_in6 &>(address.storage).sin6_port = 0;
  else
    reinterpret_cast<sockaddr_in &>(address.storage).sin_port = 0;
  return address;
}

/// Takes connections until every rank above `least` has one. What says
/// something else than a rank would is closed.
template <typename Take>
static bool acceptRanks(int listener, const Place &place, int expected,
                        Clock::time_point end, Take &&take,
                        std::string &error) {
  // Long enough for a rank, and short for whatever else connects.
  constexpr auto patience = std::chrono::seconds(10);
  while (expected > 0) {
    if (!waitFor(listener, POLLIN, end)) {
      error = "rank " + std::to_string(place.rank) + " waits for " +
              std::to_string(expected) + " more of " +
              std::to_string(place.count) +
              " ranks to connect, and the time is over "
              "(MEMPLAN_RANKS_TIMEOUT)";
      return false;
    }
    Socket socket(::accept(listener, nullptr, nullptr));
    if (!socket)
      continue;
    prepareSocket(socket);
    Hello hello;
    if (!receiveFrom(socket.get(), &hello, sizeof(hello),
                     std::min(end, Clock::now() + patience)) ||
        hello.magic != Hello::wanted)
      continue;
    if (hello.count != place.count) {
      error = "a rank " + std::to_string(hello.rank) + " of " +
              std::to_string(hello.count) + " connects to rank " +
              std::to_string(place.rank) + " of " + std::to_string(place.count);
      return false;
    }
    if (!take(hello.rank, std::move(socket)))
      return false;
    --expected;
  }
  return true;
}

Ranks::Ranks(const Place &place) : place(place), peers(size_t(place.count)) {
  polled.reserve(peers.size());
}

Ranks::~Ranks() = default;

std::unique_ptr<Ranks> Ranks::connect(Place place, std::string &error) {
  std::unique_ptr<ByMpi> mpi;
  if (place.byMpi) {
    mpi = std::make_unique<ByMpi>();
    if (!mpi->begin(place, error))
      return nullptr;
  }
  std::unique_ptr<Ranks> ranks(new Ranks(place));
  ranks->mpi = std::move(mpi);
  if (!place.byMpi && place.count > 1 && !ranks->connectAll(error))
    return nullptr;
  return ranks;
}

bool Ranks::connectAll(std::string &error) {
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(place.timeoutSeconds));
  const std::string where = place.host + ":" + place.port;
  std::vector<Address> meeting;
  if (!resolve(place, meeting, error))
    return false;
  auto add = [&](int rank, Socket socket) {
    if (rank <= 0 || rank >= place.count || peers[size_t(rank)].socket) {
      error = "rank " + std::to_string(rank) + " connects twice: two " +
              "processes have the same MEMPLAN_RANK";
      return false;
    }
    peers[size_t(rank)].socket = std::move(socket);
    return true;
  };
  std::vector<Address> table(size_t(place.count));
  if (place.rank == 0) {
    Socket listener = listenAt(meeting.front());
    if (!listener) {
      error = because("rank 0 cannot listen at " + where);
      return false;
    }
    if (!acceptRanks(listener.get(), place, place.count - 1, end, add, error))
      return false;
    for (int i = 1; i < place.count; ++i)
      if (!receiveFrom(peers[size_t(i)].socket.get(), &table[size_t(i)],
                       sizeof(Address), end)) {
        error = "rank " + std::to_string(i) + " left before all were there";
        return false;
      }
    for (int i = 1; i < place.count; ++i)
      if (!sendTo(peers[size_t(i)].socket.get(), table.data(),
                  table.size() * sizeof(Address), end)) {
        error = "rank " + std::to_string(i) + " left before all were there";
        return false;
      }
    return true;
  }
  // Rank 0 may start later.
  Socket &first = peers[0].socket;
  while (!first) {
    for (const Address &address : meeting)
      if (!first)
        first = connectTo(address);
    if (first)
      break;
    if (Clock::now() >= end) {
      error = because("rank " + std::to_string(place.rank) +
                      " finds no rank 0 at " + where);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  // Where the way to rank 0 begins, those above can come in.
  Socket listener = listenAt(withoutPort(localAddress(first.get())));
  if (!listener) {
    error = because("rank " + std::to_string(place.rank) + " cannot listen");
    return false;
  }
  const Hello hello{Hello::wanted, place.rank, place.count};
  const Address own = localAddress(listener.get());
  if (!sendTo(first.get(), &hello, sizeof(hello), end) ||
      !sendTo(first.get(), &own, sizeof(own), end) ||
      !receiveFrom(first.get(), table.data(), table.size() * sizeof(Address),
                   end)) {
    error = "rank 0 at " + where + " closed the connection of rank " +
            std::to_string(place.rank) +
            ": it may wait for another number of ranks, or have one of this "
            "number already";
    return false;
  }
  for (int i = 1; i < place.rank; ++i) {
    Socket &socket = peers[size_t(i)].socket;
    socket = connectTo(table[size_t(i)]);
    if (!socket || !sendTo(socket.get(), &hello, sizeof(hello), end)) {
      error = because("rank " + std::to_string(place.rank) +
                      " cannot connect to rank " + std::to_string(i));
      return false;
    }
  }
  return acceptRanks(listener.get(), place, place.count - 1 - place.rank, end,
                     add, error);
}

} // namespace memplan::runtime::ranks
