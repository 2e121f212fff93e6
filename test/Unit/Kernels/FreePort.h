//===- FreePort.h - A place where ranks can meet ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_KERNELS_FREEPORT_H
#define MEMPLAN_TEST_UNIT_KERNELS_FREEPORT_H

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace memplan::runtime::test {

/// A port of this machine that is free now.
inline std::string freePort() {
  const int file = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof(address);
  EXPECT_EQ(
      ::bind(file, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
  EXPECT_EQ(::getsockname(file, reinterpret_cast<sockaddr *>(&address), &bytes),
            0);
  ::close(file);
  return std::to_string(ntohs(address.sin_port));
}

} // namespace memplan::runtime::test

#endif // MEMPLAN_TEST_UNIT_KERNELS_FREEPORT_H
