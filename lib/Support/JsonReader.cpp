//===- JsonReader.cpp - Typed access to JSON that names what is wrong -----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/JsonReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <exception>

using namespace llvm;

namespace memplan {

static constexpr size_t maxDepth = 64;

/// The position behind the string that begins at `at`, or npos.
static size_t skipString(StringRef text, size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return StringRef::npos;
}

/// Leaves all syntax to the parser and looks at nesting and keys only.
static Error scanNesting(StringRef text) {
  std::vector<StringSet<>> keys; // One set for each open bracket.
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == '{' || c == '[') {
      if (keys.size() == maxDepth)
        return createStringError("JSON nests deeper than " + Twine(maxDepth) +
                                 " levels at byte " + Twine(at));
      keys.emplace_back();
    } else if ((c == '}' || c == ']') && !keys.empty()) {
      keys.pop_back();
    } else if (c == '"') {
      size_t end = skipString(text, at);
      if (end == StringRef::npos)
        return Error::success(); // The parser says it better.
      StringRef string = text.slice(at + 1, end - 1);
      bool isKey = text.substr(end).ltrim(" \t\r\n").starts_with(":");
      if (isKey && !keys.empty() && !keys.back().insert(string).second)
        return createStringError("duplicate key '" + string +
                                 "' in one object at byte " + Twine(at));
      at = end;
      continue;
    }
    ++at;
  }
  return Error::success();
}

Expected<json::Value> parseJson(StringRef text) {
  if (Error error = scanNesting(text))
    return std::move(error);
  return json::parse(text);
}

/// The position of the comma or bracket that ends the value at `at`, or npos.
static size_t skipValue(StringRef text, size_t at) {
  for (int depth = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = skipString(text, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == ']' || c == '}'))
      return at;
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
    ++at;
  }
  return StringRef::npos;
}

static size_t skipSpace(StringRef text, size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

/// Reads up to the bracket that ends the list whose first item is at `at`.
static size_t splitList(StringRef text, size_t at,
                        std::vector<StringRef> &items) {
  at = skipSpace(text, at);
  if (at < text.size() && text[at] == ']')
    return at;
  while (true) {
    const size_t end = skipValue(text, at);
    if (end == StringRef::npos || text[end] == '}')
      return StringRef::npos;
    items.push_back(text.slice(at, end));
    if (text[end] == ']')
      return end;
    at = end + 1;
  }
}

std::optional<JsonParts> splitJson(StringRef text, ArrayRef<StringRef> keys) {
  JsonParts parts;
  parts.lists.resize(keys.size());
  std::vector<bool> isFound(keys.size(), false);
  auto isAt = [&](size_t at, char c) {
    return at < text.size() && text[at] == c;
  };
  size_t at = skipSpace(text, 0), copied = 0;
  if (!isAt(at, '{'))
    return std::nullopt;
  do {
    at = skipSpace(text, at + 1);
    const size_t end = isAt(at, '"') ? skipString(text, at) : StringRef::npos;
    if (end == StringRef::npos)
      return std::nullopt;
    const auto key =
        size_t(llvm::find(keys, text.slice(at + 1, end - 1)) - keys.begin());
    at = skipSpace(text, end);
    if (!isAt(at, ':'))
      return std::nullopt;
    at = skipSpace(text, at + 1);
    if (key < keys.size() && isAt(at, '[')) {
      if (isFound[key])
        return std::nullopt;
      isFound[key] = true;
      parts.frame += text.slice(copied, at + 1);
      at = copied = splitList(text, at + 1, parts.lists[key]);
    }
    at = at == StringRef::npos ? at : skipValue(text, at + isAt(at, ']'));
    if (at == StringRef::npos)
      return std::nullopt;
  } while (isAt(at, ','));
  parts.frame += text.substr(copied);
  return parts;
}

void JsonIssues::appendWarnings(std::vector<std::string> *warnings) const {
  if (!warnings)
    return;
  for (const auto &[where, count] : unknown)
    warnings->push_back(
        "unknown key '" + where.second + "' of " + where.first + " is ignored" +
        (count == 1 ? std::string() : ", " + std::to_string(count) + " times"));
}

JsonFields::JsonFields(JsonIssues &issues, const json::Value *value,
                       std::string where, StringRef what)
    : log(&issues), object(value ? value->getAsObject() : nullptr),
      place(std::move(where)), sort(what) {
  if (!object)
    issues.fail(place + " must be an object");
}

JsonFields::~JsonFields() noexcept(false) {
  if (std::uncaught_exceptions() > uncaught)
    return; // A second exception would end the program.
  if (!object || log->failed())
    return;
  for (const auto &member : *object)
    if (!llvm::is_contained(asked, StringRef(member.first)))
      log->addUnknownKey(sort, member.first);
}

const json::Value *JsonFields::find(StringRef key) const {
  asked.push_back(key);
  const json::Value *value = object ? object->get(key) : nullptr;
  // null is how some writers say that there is no value.
  return value && value->getAsNull() ? nullptr : value;
}

const json::Value *JsonFields::require(StringRef key) {
  const json::Value *value = find(key);
  if (!value && object)
    log->fail(place + " lacks the key '" + key + "'");
  return value;
}

void JsonFields::illTyped(StringRef key, StringRef wanted) {
  log->fail("key '" + key + "' of " + place + " must be " + wanted);
}

std::optional<int64_t> JsonFields::toInteger(const json::Value &value) const {
  std::optional<double> number = value.getAsNumber();
  // Doubles from 2^63 on would not survive the conversion.
  if (!number || !(std::abs(*number) < 9.2e18))
    return std::nullopt;
  return value.getAsInteger();
}

int64_t JsonFields::integer(StringRef key) {
  require(key);
  return optionalInteger(key).value_or(0);
}

std::optional<int64_t> JsonFields::optionalInteger(StringRef key) {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  std::optional<int64_t> integer = toInteger(*value);
  if (!integer)
    illTyped(key, "an integer between -9.2e18 and 9.2e18");
  return integer;
}

double JsonFields::number(StringRef key) {
  require(key);
  return optionalNumber(key).value_or(0);
}

std::optional<double> JsonFields::optionalNumber(StringRef key) {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  std::optional<double> number = value->getAsNumber();
  if (!number || !std::isfinite(*number)) {
    illTyped(key, "a finite number");
    return std::nullopt;
  }
  return number;
}

bool JsonFields::booleanOr(StringRef key, bool otherwise) {
  const json::Value *value = find(key);
  if (!value)
    return otherwise;
  std::optional<bool> boolean = value->getAsBoolean();
  if (!boolean)
    illTyped(key, "true or false");
  return boolean.value_or(otherwise);
}

std::string JsonFields::string(StringRef key) {
  require(key);
  return stringOr(key, "");
}

std::string JsonFields::stringOr(StringRef key, StringRef otherwise) {
  const json::Value *value = find(key);
  if (!value)
    return otherwise.str();
  std::optional<StringRef> text = value->getAsString();
  if (!text)
    illTyped(key, "a string");
  return text.value_or(otherwise).str();
}

const json::Array *JsonFields::array(StringRef key, bool isRequired) {
  const json::Value *value = isRequired ? require(key) : find(key);
  if (!value)
    return nullptr;
  const json::Array *array = value->getAsArray();
  if (!array)
    illTyped(key, "an array");
  return array;
}

std::vector<int64_t> JsonFields::integers(StringRef key, bool isRequired) {
  std::vector<int64_t> list;
  if (const json::Array *values = array(key, isRequired))
    for (const json::Value &value : *values) {
      std::optional<int64_t> integer = toInteger(value);
      if (!integer)
        illTyped(key, "an array of integers");
      list.push_back(integer.value_or(0));
    }
  return list;
}

std::vector<std::pair<int64_t, int64_t>>
JsonFields::integerPairs(StringRef key) {
  std::vector<std::pair<int64_t, int64_t>> list;
  if (const json::Array *values = array(key, false))
    for (const json::Value &value : *values) {
      const json::Array *pair = value.getAsArray();
      std::optional<int64_t> first, second;
      if (pair && pair->size() == 2) {
        first = toInteger((*pair)[0]);
        second = toInteger((*pair)[1]);
      }
      if (!first || !second)
        illTyped(key, "an array of pairs of integers");
      list.emplace_back(first.value_or(0), second.value_or(0));
    }
  return list;
}

std::vector<std::string> JsonFields::strings(StringRef key) {
  std::vector<std::string> list;
  if (const json::Array *values = array(key, false))
    for (const json::Value &value : *values) {
      std::optional<StringRef> text = value.getAsString();
      if (!text)
        illTyped(key, "an array of strings");
      list.push_back(text.value_or("").str());
    }
  return list;
}

} // namespace memplan
