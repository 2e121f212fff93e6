//===- Errors.cpp - From a status to a Python exception -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Errors.h"

using namespace memplan::python;

/// The class in memplan/errors.py, or a built-in one.
static const char *className(memplan_status_t status) {
  switch (status) {
  case MEMPLAN_INVALID_ARGUMENT:
    return "InputError";
  case MEMPLAN_UNAVAILABLE:
    return "UnavailableError";
  case MEMPLAN_OUT_OF_MEMORY:
    return "OutOfMemoryError";
  case MEMPLAN_CHECK_FAILED:
    return "CheckError";
  case MEMPLAN_OK:
  case MEMPLAN_FAILED:
    break;
  }
  return "Error";
}

void memplan::python::check(memplan_status_t status, const std::string &text) {
  if (status == MEMPLAN_OK)
    return;
  const nb::object type =
      nb::module_::import_("memplan.errors").attr(className(status));
  PyErr_SetObject(type.ptr(), type(nb::str(text.c_str(), text.size())).ptr());
  throw nb::python_error();
}

void memplan::python::check(memplan_status_t status) {
  if (status != MEMPLAN_OK)
    check(status, memplan_last_error());
}
