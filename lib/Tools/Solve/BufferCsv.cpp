//===- BufferCsv.cpp - Tables of buffers ----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferCsv.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <tuple>

using namespace llvm;

namespace memplan {

namespace {
/// Reads comma-separated cells; a cell in double quotes may hold commas, line
/// ends and doubled quotes.
class CsvReader {
public:
  explicit CsvReader(StringRef text) : rest(text) {
    rest.consume_front("\xef\xbb\xbf"); // Byte order mark
  }

  /// The next line that is not empty, or none.
  Expected<std::optional<std::vector<std::string>>> next();
  /// Of the line that next() gave last.
  int line() const { return lineOfRow; }

private:
  Expected<std::string> readCell();
  bool atLineEnd() const {
    return rest.empty() || rest.front() == '\n' || rest.starts_with("\r\n");
  }
  void skipLineEnd() {
    if (rest.empty())
      return;
    rest = rest.drop_front(rest.front() == '\r' ? 2 : 1);
    ++currentLine;
  }

  StringRef rest;
  int currentLine = 1;
  int lineOfRow = 0;
};
} // namespace

Expected<std::string> CsvReader::readCell() {
  std::string cell;
  if (!rest.consume_front("\"")) {
    while (!atLineEnd() && rest.front() != ',') {
      cell += rest.front();
      rest = rest.drop_front();
    }
    return StringRef(cell).trim().str();
  }
  while (!rest.empty()) {
    char c = rest.front();
    rest = rest.drop_front();
    currentLine += c == '\n';
    if (c == '"' && !rest.consume_front("\"")) {
      if (!atLineEnd() && rest.front() != ',')
        return createStringError("line " + Twine(lineOfRow) +
                                 ": text after a closing quote");
      return cell;
    }
    cell += c;
  }
  return createStringError("line " + Twine(lineOfRow) +
                           ": a quote is never closed");
}

Expected<std::optional<std::vector<std::string>>> CsvReader::next() {
  while (!rest.empty() && atLineEnd())
    skipLineEnd();
  if (rest.empty())
    return std::nullopt;
  lineOfRow = currentLine;
  std::vector<std::string> cells;
  do {
    Expected<std::string> cell = readCell();
    if (!cell)
      return cell.takeError();
    cells.push_back(std::move(*cell));
  } while (rest.consume_front(","));
  skipLineEnd();
  return cells;
}

namespace {
/// Turns cells into buffers.
class BufferReader {
public:
  Expected<BufferTable> read(StringRef text);

private:
  Error readHeader(std::vector<std::string> header);
  Error readRow(std::vector<std::string> row);
  /// Null where there is no such column.
  const std::string *cell(ArrayRef<std::string> row, StringRef column) const;
  Error readInteger(ArrayRef<std::string> row, StringRef column,
                    int64_t &value) const;
  Error readGaps(StringRef text, ArenaBuffer &buffer) const;
  Error readConflicts();
  Error wrong(StringRef column, const Twine &text) const {
    return createStringError("line " + Twine(line) + ": " + column + " " +
                             text);
  }

  BufferTable table;
  int line = 0;
  /// (line, row, text) of the column `conflicts`, whose ids may come later.
  std::vector<std::tuple<int, int32_t, std::string>> conflictTexts;
};
} // namespace

Error BufferReader::readHeader(std::vector<std::string> header) {
  for (size_t i = 0; i < header.size(); ++i)
    if (is_contained(ArrayRef(header).take_front(i), header[i]))
      return createStringError("duplicate column '" + header[i] + "'");
  for (StringRef column : {"id", "lower", "upper", "size"})
    if (!is_contained(header, column))
      return createStringError("column '" + column + "' is missing");
  table.header = std::move(header);
  if (is_contained(table.header, "offset"))
    table.offsets.emplace();
  return Error::success();
}

const std::string *BufferReader::cell(ArrayRef<std::string> row,
                                      StringRef column) const {
  auto found = llvm::find(table.header, column);
  return found == table.header.end() ? nullptr
                                     : &row[found - table.header.begin()];
}

Error BufferReader::readInteger(ArrayRef<std::string> row, StringRef column,
                                int64_t &value) const {
  const std::string *text = cell(row, column);
  if (text && StringRef(*text).getAsInteger(10, value))
    return wrong(column, "'" + *text + "' is not an integer below 2^63");
  return Error::success();
}

Error BufferReader::readGaps(StringRef text, ArenaBuffer &buffer) const {
  SmallVector<StringRef> parts;
  SplitString(text, parts);
  for (StringRef part : parts) {
    auto [begin, end] = part.split('-');
    std::pair<int64_t, int64_t> gap;
    if (begin.getAsInteger(10, gap.first) || end.getAsInteger(10, gap.second))
      return wrong("gaps", "'" + part + "' is not an interval such as 3-7");
    buffer.gaps.push_back(gap);
  }
  llvm::sort(buffer.gaps);
  return Error::success();
}

Error BufferReader::readConflicts() {
  if (conflictTexts.empty())
    return Error::success();
  StringMap<int32_t> rowOf;
  for (const ArenaBuffer &buffer : table.buffers)
    rowOf.try_emplace(buffer.id, static_cast<int32_t>(rowOf.size()));
  for (const auto &[lineOfText, row, text] : conflictTexts) {
    line = lineOfText;
    for (StringRef id : split(StringRef(text), ';')) {
      auto other = rowOf.find(id.trim());
      if (other == rowOf.end())
        return wrong("conflicts", "'" + id.trim() + "' is the id of no row");
      table.conflicts.push_back({row, other->second});
    }
  }
  return Error::success();
}

Error BufferReader::readRow(std::vector<std::string> row) {
  if (row.size() != table.header.size())
    return createStringError("line " + Twine(line) + ": " + Twine(row.size()) +
                             " cells where the header has " +
                             Twine(table.header.size()));
  ArenaBuffer buffer;
  buffer.id = *cell(row, "id");
  if (Error error = readInteger(row, "lower", buffer.begin))
    return error;
  if (Error error = readInteger(row, "upper", buffer.end))
    return error;
  if (Error error = readInteger(row, "size", buffer.bytes))
    return error;
  if (const std::string *text = cell(row, "alignment"); text && !text->empty())
    if (Error error = readInteger(row, "alignment", buffer.alignmentBytes))
      return error;
  if (const std::string *text = cell(row, "fixed_offset");
      text && !text->empty())
    if (Error error =
            readInteger(row, "fixed_offset", buffer.fixedOffset.emplace()))
      return error;
  if (const std::string *text = cell(row, "gaps"))
    if (Error error = readGaps(*text, buffer))
      return error;
  if (const std::string *text = cell(row, "space"))
    buffer.space = *text;
  if (const std::string *text = cell(row, "conflicts"); text && !text->empty())
    conflictTexts.push_back({line, int32_t(table.rows.size()), *text});
  if (table.offsets)
    if (Error error = readInteger(row, "offset", table.offsets->emplace_back()))
      return error;
  table.buffers.push_back(std::move(buffer));
  table.rows.push_back(std::move(row));
  return Error::success();
}

Expected<BufferTable> BufferReader::read(StringRef text) {
  CsvReader reader(text);
  while (true) {
    Expected<std::optional<std::vector<std::string>>> row = reader.next();
    if (!row)
      return row.takeError();
    if (!*row)
      break;
    line = reader.line();
    Error error = table.header.empty() ? readHeader(std::move(**row))
                                       : readRow(std::move(**row));
    if (error)
      return std::move(error);
  }
  if (table.header.empty())
    return createStringError(
        "the file is empty; its first line must be id,lower,upper,size");
  if (Error error = readConflicts())
    return std::move(error);
  return std::move(table);
}

Expected<BufferTable> parseBuffers(StringRef text) {
  return BufferReader().read(text);
}

static void writeCell(StringRef cell, raw_ostream &os) {
  if (cell.find_first_of(",\"\r\n") == StringRef::npos) {
    os << cell;
    return;
  }
  os << '"';
  for (char c : cell) {
    if (c == '"')
      os << c;
    os << c;
  }
  os << '"';
}

void writeBuffers(const BufferTable &table, ArrayRef<int64_t> offsets,
                  raw_ostream &os) {
  auto writeRow = [&](ArrayRef<std::string> row) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (table.header[i] == "offset")
        continue;
      writeCell(row[i], os);
      os << ',';
    }
  };
  writeRow(table.header);
  os << "offset\n";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    writeRow(table.rows[i]);
    os << offsets[i] << '\n';
  }
}

} // namespace memplan
