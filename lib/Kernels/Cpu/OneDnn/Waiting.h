//===- Waiting.h - How idle threads of the CPU kernels wait -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_ONEDNN_WAITING_H
#define MEMPLAN_LIB_KERNELS_CPU_ONEDNN_WAITING_H

extern "C" {

/// How often a thread of OpenMP that waits looks again before it sleeps, unless
/// the user chose something else. Programs that name it load the library that
/// sets it.
__attribute__((visibility("default"))) const char *memplan_spins();
}

#endif // MEMPLAN_LIB_KERNELS_CPU_ONEDNN_WAITING_H
