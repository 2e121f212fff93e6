//===- JsonReader.h - Typed access to JSON that names what is wrong -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_JSONREADER_H
#define MEMPLAN_SUPPORT_JSONREADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// Parses text after checking what the JSON parser of LLVM does not. It
/// recurses as deep as the text nests, and lets a repeated key win silently.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

/// An object of long lists, taken apart: one item after the other takes a tenth
/// of the memory of all of them.
struct JsonParts {
  std::string frame; ///< The text without the items.
  /// Texts of the items, by list.
  std::vector<std::vector<llvm::StringRef>> lists;
};
/// Takes the lists out that stand under these keys. Looks at brackets and
/// strings only: the parser is to judge the frame and each item. Empty where
/// the text is no object, or where a key occurs twice.
std::optional<JsonParts> splitJson(llvm::StringRef text,
                                   llvm::ArrayRef<llvm::StringRef> keys);

/// What went wrong while reading one file: the first error, and the unknown
/// keys.
class JsonIssues {
public:
  void fail(const llvm::Twine &text) {
    if (message.empty())
      message = text.str();
  }
  bool failed() const { return !message.empty(); }
  llvm::Error takeError() const { return llvm::createStringError(message); }
  void addUnknownKey(llvm::StringRef object, llvm::StringRef key) {
    ++unknown[{object.str(), key.str()}];
  }
  void appendWarnings(std::vector<std::string> *warnings) const;

private:
  std::string message;
  std::map<std::pair<std::string, std::string>, int>
      unknown; ///< (what holds it, key): how often
};

/// The members of one object. Each accessor returns a neutral value after
/// recording an error, so that a reader can go on and ask JsonIssues::failed()
/// once.
class JsonFields {
public:
  /// `where` names this object in messages ("nodes[3]"), `what` its sort
  /// ("node").
  JsonFields(JsonIssues &issues, const llvm::json::Value *value,
             std::string where, llvm::StringRef what);
  /// Reports the keys that were not asked for, for which memory may lack.
  ~JsonFields() noexcept(false);

  bool has(llvm::StringRef key) const { return find(key) != nullptr; }
  int64_t integer(llvm::StringRef key);
  std::optional<int64_t> optionalInteger(llvm::StringRef key);
  int64_t integerOr(llvm::StringRef key, int64_t otherwise) {
    return optionalInteger(key).value_or(otherwise);
  }
  double number(llvm::StringRef key);
  std::optional<double> optionalNumber(llvm::StringRef key);
  bool booleanOr(llvm::StringRef key, bool otherwise);
  std::string string(llvm::StringRef key);
  std::string stringOr(llvm::StringRef key, llvm::StringRef otherwise);
  /// Strings of an array; absent: none.
  std::vector<std::string> strings(llvm::StringRef key);
  /// Null (an error if required) where there is none.
  const llvm::json::Array *array(llvm::StringRef key, bool isRequired);
  /// Integers of an array; absent: none.
  std::vector<int64_t> integers(llvm::StringRef key, bool isRequired);
  /// Pairs of integers of an array of two-element arrays; absent: none.
  std::vector<std::pair<int64_t, int64_t>> integerPairs(llvm::StringRef key);
  const llvm::json::Value *value(llvm::StringRef key) { return find(key); }

  const std::string &where() const { return place; }
  JsonIssues &issues() { return *log; }

private:
  const llvm::json::Value *find(llvm::StringRef key) const;
  const llvm::json::Value *require(llvm::StringRef key);
  void illTyped(llvm::StringRef key, llvm::StringRef wanted);
  std::optional<int64_t> toInteger(const llvm::json::Value &value) const;

  JsonIssues *log;
  const llvm::json::Object *object = nullptr;
  std::string place;
  llvm::StringRef sort;
  mutable llvm::SmallVector<llvm::StringRef, 16> asked;
  int uncaught = std::uncaught_exceptions();
};

} // namespace memplan

#endif // MEMPLAN_SUPPORT_JSONREADER_H
