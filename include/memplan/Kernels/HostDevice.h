//===- HostDevice.h - Functions of hosts and devices alike ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_KERNELS_HOSTDEVICE_H
#define MEMPLAN_KERNELS_HOSTDEVICE_H

/// Before a function that kernels of every backend call.
#ifdef __CUDACC__
#define MEMPLAN_HOST_DEVICE __host__ __device__
#else
#define MEMPLAN_HOST_DEVICE
#endif

#endif // MEMPLAN_KERNELS_HOSTDEVICE_H
