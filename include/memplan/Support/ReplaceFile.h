//===- ReplaceFile.h - Files that change all at once ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_REPLACEFILE_H
#define MEMPLAN_SUPPORT_REPLACEFILE_H

#include <cstddef>
#include <span>
#include <string>

namespace memplan {

/// What a new file is for; an existing one keeps its permissions and owner.
enum class FileUse { Data, Execute };

/// Makes `bytes` the whole content of the file `path`, through a file beside it
/// that takes its name when it is complete. What reads `path` meanwhile, and
/// whatever ends the process, finds the old content or the new and nothing
/// between. Symbolic links are followed. What is no regular file (a pipe,
/// /dev/null) is written directly, and `-` is standard output.
///
/// Returns an empty text, or one that names the path and says why the old
/// content is still there. Uses the C++ library and POSIX only, so that the
/// runtime has it too.
std::string replaceFile(const std::string &path,
                        std::span<const std::byte> bytes,
                        FileUse use = FileUse::Data);

/// Why replaceFile() would fail, as far as that can be known before: asked
/// before long work. Leaves nothing behind. An empty text for an empty path.
std::string checkReplaceable(const std::string &path);

} // namespace memplan

#endif // MEMPLAN_SUPPORT_REPLACEFILE_H
