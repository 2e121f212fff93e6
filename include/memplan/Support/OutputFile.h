//===- OutputFile.h - What tools and passes write ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_OUTPUTFILE_H
#define MEMPLAN_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace memplan {

/// Writes a file by replaceFile(): all of it or nothing. `-` is standard
/// output.
llvm::Error writeFile(llvm::StringRef path,
                      llvm::function_ref<void(llvm::raw_ostream &)> write);
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef text);

/// Fails early where writeFile() could only fail after all the work.
llvm::Error checkWritable(llvm::StringRef path);

} // namespace memplan

#endif // MEMPLAN_SUPPORT_OUTPUTFILE_H
