//===- Errors.h - From a status to a Python exception -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PYTHON_ERRORS_H
#define MEMPLAN_PYTHON_ERRORS_H

#include "memplan-c/Status.h"
#include <nanobind/nanobind.h>
#include <string>

namespace memplan::python {

namespace nb = nanobind;

/// Raises memplan.errors.<what the status stands for> with the text of the last
/// error, or with a text that was kept, unless the status is MEMPLAN_OK.
void check(memplan_status_t status);
void check(memplan_status_t status, const std::string &text);

} // namespace memplan::python

#endif // MEMPLAN_PYTHON_ERRORS_H
