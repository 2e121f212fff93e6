//===- JsonReader.cpp - A small JSON reader -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Support/JsonReader.h"

#include <charconv>

namespace memplan::runtime {

namespace {
class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  bool value(JsonValue &result, int depth) {
    blanks();
    if (depth > mostDepth || at >= text.size())
      return false;
    switch (text[at]) {
    case '{':
      return object(result, depth);
    case '[':
      return array(result, depth);
    case '"':
      result.kind = JsonValue::String;
      return string(result.string);
    case 't':
      return word("true", result, JsonValue::Boolean, 1);
    case 'f':
      return word("false", result, JsonValue::Boolean, 0);
    case 'n':
      return word("null", result, JsonValue::Null, 0);
    default:
      return integer(result);
    }
  }

  bool atEnd() {
    blanks();
    return at == text.size();
  }
  size_t position() const { return at; }

private:
  static constexpr int mostDepth = 16;

  void blanks() {
    at = text.find_first_not_of(" \t\r\n", at);
    at = at == text.npos ? text.size() : at;
  }
  bool take(char c) {
    blanks();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool word(std::string_view word, JsonValue &result, JsonValue::Kind kind,
            int64_t integer) {
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    result.kind = kind;
    result.integer = integer;
    return true;
  }
  bool integer(JsonValue &result) {
    result.kind = JsonValue::Integer;
    auto [end, error] = std::from_chars(
        text.data() + at, text.data() + text.size(), result.integer);
    if (error != std::errc())
      return false;
    at = size_t(end - text.data());
    return at >= text.size() || text.find_first_of(".eE", at) != at;
  }
  bool array(JsonValue &result, int depth) {
    result.kind = JsonValue::Array;
    ++at;
    if (take(']'))
      return true;
    do {
      if (!value(result.items.emplace_back(), depth + 1))
        return false;
    } while (take(','));
    return take(']');
  }
  bool object(JsonValue &result, int depth) {
    result.kind = JsonValue::Object;
    ++at;
    if (take('}'))
      return true;
    do {
      blanks();
      if (!string(result.names.emplace_back()) || !take(':') ||
          !value(result.items.emplace_back(), depth + 1))
        return false;
    } while (take(','));
    return take('}');
  }
  bool string(std::string &result) {
    if (at >= text.size() || text[at] != '"')
      return false;
    for (++at; at < text.size(); ++at) {
      char c = text[at];
      if (c == '"') {
        ++at;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20)
        return false;
      if (c != '\\') {
        result += c;
      } else if (!escape(result)) {
        return false;
      }
    }
    return false;
  }
  bool escape(std::string &result) {
    if (++at >= text.size())
      return false;
    static constexpr std::string_view from = "\"\\/bfnrt";
    static constexpr std::string_view to = "\"\\/\b\f\n\r\t";
    if (size_t known = from.find(text[at]); known != from.npos) {
      result += to[known];
      return true;
    }
    if (text[at] != 'u' || text.size() - at < 5)
      return false;
    unsigned code = 0;
    auto [end, error] =
        std::from_chars(text.data() + at + 1, text.data() + at + 5, code, 16);
    if (error != std::errc() || end != text.data() + at + 5)
      return false;
    at += 4;
    appendUtf8(result, code);
    return true;
  }
  /// One UTF-16 unit; halves of a pair stay apart, which names survive.
  static void appendUtf8(std::string &result, unsigned code) {
    if (code < 0x80) {
      result += char(code);
    } else if (code < 0x800) {
      result += char(0xC0 | code >> 6);
      result += char(0x80 | (code & 0x3F));
    } else {
      result += char(0xE0 | code >> 12);
      result += char(0x80 | (code >> 6 & 0x3F));
      result += char(0x80 | (code & 0x3F));
    }
  }

  std::string_view text;
  size_t at = 0;
};
} // namespace

Result<JsonValue> parseJson(std::string_view text) {
  Parser parser(text);
  JsonValue result;
  if (!parser.value(result, 0) || !parser.atEnd())
    return invalid("malformed JSON at byte " +
                   std::to_string(parser.position()));
  return result;
}

} // namespace memplan::runtime
