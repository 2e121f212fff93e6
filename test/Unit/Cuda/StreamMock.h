//===- StreamMock.h - Streams that hold their work back ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams and events of the mock. Work runs when a wait or a synchronization
// forces it, or earlier where CudaMock::order says so: every order that a GPU
// may take can be had, and an order that the program does not ask for shows.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CUDA_STREAMMOCK_H
#define MEMPLAN_TEST_UNIT_CUDA_STREAMMOCK_H

#include "CudaMock.h"

#include <cuda_runtime_api.h>
#include <type_traits>

namespace mock {

/// Holds `body`, bytes of its own once it is held, until `stream` may run it.
void hold(cudaStream_t stream, const void *body, size_t bytes,
          void (*run)(const void *body), bool isKernel);

/// A body that captures pointers and numbers, by value as a GPU takes them.
template <typename Body>
void hold(cudaStream_t stream, const Body &body, bool isKernel = true) {
  static_assert(std::is_trivially_copyable_v<Body>);
  auto run = [](const void *held) { (*static_cast<const Body *>(held))(); };
  hold(stream, &body, sizeof(body), run, isKernel);
}

/// Inside of a capture: ends it in failure, and gives the error of a call that
/// no capture allows.
bool refusesInCapture();

/// Runs what the stream was given, and what that waits for.
void synchronize(cudaStream_t stream);
/// Runs everything, one stream after the other.
void synchronizeAll();

/// Number of a stream or an event since the last CudaMock::reset(); -1: null.
int numberOf(const void *handle);
void note(const std::string &what);

/// Keeps the error for cudaGetLastError; a lost context outlives every call.
cudaError_t give(cudaError_t code);

} // namespace mock

#endif // MEMPLAN_TEST_UNIT_CUDA_STREAMMOCK_H
