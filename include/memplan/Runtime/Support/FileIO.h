//===- FileIO.h - Whole files in and out ------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_SUPPORT_FILEIO_H
#define MEMPLAN_RUNTIME_SUPPORT_FILEIO_H

#include "memplan/Runtime/Support/Status.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace memplan::runtime {

/// All bytes of a file; the error names the path and the system's reason.
Result<std::vector<std::byte>> readFile(const std::string &path);
/// Writes by replaceFile(): all of the file, or the old one stays.
Status writeFile(const std::string &path, std::span<const std::byte> bytes);
/// Fails before long work where writeFile() could only fail after it.
Status checkWritable(const std::string &path);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_SUPPORT_FILEIO_H
