//===- OutputFile.cpp - What tools and passes write -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/OutputFile.h"
#include "memplan/Support/ReplaceFile.h"

using namespace llvm;

static Error asError(const std::string &message) {
  return message.empty() ? Error::success() : createStringError(message);
}

Error memplan::writeFile(StringRef path,
                         function_ref<void(raw_ostream &)> write) {
  std::string text;
  raw_string_ostream os(text);
  write(os);
  return writeFile(path, StringRef(text));
}

Error memplan::writeFile(StringRef path, StringRef text) {
  if (path == "-")
    outs().flush(); // What was written before goes first.
  return asError(replaceFile(
      path.str(), std::as_bytes(std::span(text.data(), text.size()))));
}

Error memplan::checkWritable(StringRef path) {
  return asError(checkReplaceable(path.str()));
}
