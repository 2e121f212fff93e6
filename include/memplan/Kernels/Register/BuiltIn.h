//===- BuiltIn.h - The backends that memplan brings -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_KERNELS_REGISTER_BUILTIN_H
#define MEMPLAN_KERNELS_REGISTER_BUILTIN_H

namespace memplan::runtime {

/// Registers the backends that memplan brings. "reference" has the plain
/// kernels alone. "cpu" has faster kernel libraries where they are built in and
/// cover the case, and the plain kernels otherwise. "cuda" is the plugin
/// libMemplanCuda.so. Called by the C interface, the tools and the tests before
/// they open a device; more than once is no error. A name that the program
/// registered before stays as it is.
void registerBuiltInBackends();

} // namespace memplan::runtime

#endif // MEMPLAN_KERNELS_REGISTER_BUILTIN_H
