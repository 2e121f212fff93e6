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
  /// Cells point into the text or, if they stood in quotes, to `quoted`.
  CsvReader(StringRef text, BumpPtrAllocator &quoted)
      : rest(text), quoted(quoted) {
    rest.consume_front("\xef\xbb\xbf"); // Byte order mark
  }

  /// Appends the cells of the next line that is not empty. False at the end.
  Expected<bool> next(std::vector<StringRef> &cells);
  /// Number of the line that next() gave last.
  int line() const { return lineOfRow; }

private:
  Expected<StringRef> readQuoted();
  StringRef readPlain();
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
  BumpPtrAllocator &quoted;
  int currentLine = 1;
  int lineOfRow = 0;
};
} // namespace

StringRef CsvReader::readPlain() {
  const char *end = rest.begin();
  // A carriage return within a line is like any other character.
  while (end != rest.end() && *end != ',' && *end != '\n' &&
         !(*end == '\r' && end + 1 != rest.end() && end[1] == '\n'))
    ++end;
  StringRef cell(rest.begin(), end - rest.begin());
  rest = rest.drop_front(cell.size());
  return cell.trim();
}

Expected<StringRef> CsvReader::readQuoted() {
  std::string cell;
  while (!rest.empty()) {
    char c = rest.front();
    rest = rest.drop_front();
    currentLine += c == '\n';
    if (c == '"' && !rest.consume_front("\"")) {
      if (!atLineEnd() && rest.front() != ',')
        return createStringError("line " + Twine(lineOfRow) +
                                 ": text after a closing quote");
      return StringRef(cell).copy(quoted);
    }
    cell += c;
  }
  return createStringError("line " + Twine(lineOfRow) +
                           ": a quote is never closed");
}

Expected<bool> CsvReader::next(std::vector<StringRef> &cells) {
  while (!rest.empty() && atLineEnd())
    skipLineEnd();
  if (rest.empty())
    return false;
  lineOfRow = currentLine;
  do {
    if (!rest.consume_front("\"")) {
      cells.push_back(readPlain());
      continue;
    }
    Expected<StringRef> cell = readQuoted();
    if (!cell)
      return cell.takeError();
    cells.push_back(*cell);
  } while (rest.consume_front(","));
  skipLineEnd();
  return true;
}

namespace {
/// Columns that mean something.
enum class Column {
  Id,
  Lower,
  Upper,
  Size,
  Alignment,
  FixedOffset,
  Gaps,
  Space,
  Conflicts,
  Offset
};
constexpr StringLiteral columnNames[] = {
    "id",           "lower", "upper", "size",      "alignment",
    "fixed_offset", "gaps",  "space", "conflicts", "offset"};

/// Turns cells into buffers.
class BufferReader {
public:
  Expected<BufferTable> read(StringRef text);

private:
  using Row = ArrayRef<StringRef>;

  Error readHeader(Row header);
  Error readRow(Row row);
  bool has(Column column) const { return places[size_t(column)] >= 0; }
  /// Empty where there is no such column.
  StringRef cell(Row row, Column column) const {
    return has(column) ? row[places[size_t(column)]] : "";
  }
  Error readInteger(Row row, Column column, int64_t &value) const;
  Error readGaps(StringRef text, ArenaBuffer &buffer) const;
  Error readConflicts();
  Error wrong(Column column, const Twine &text) const {
    return createStringError("line " + Twine(line) + ": " +
                             columnNames[size_t(column)] + " " + text);
  }

  BufferTable table;
  int places[std::size(columnNames)]; ///< -1: no such column.
  int line = 0;
  /// (line, row, text) of the column `conflicts`, whose ids may come later.
  std::vector<std::tuple<int, int32_t, StringRef>> conflictTexts;
};
} // namespace

Error BufferReader::readHeader(Row header) {
  for (size_t i = 0; i < header.size(); ++i)
    if (is_contained(header.take_front(i), header[i]))
      return createStringError("duplicate column '" + header[i] + "'");
  for (StringRef column : {"id", "lower", "upper", "size"})
    if (!is_contained(header, column))
      return createStringError("column '" + column + "' is missing");
  table.header.assign(header.begin(), header.end());
  for (size_t i = 0; i < std::size(columnNames); ++i) {
    auto found = llvm::find(header, columnNames[i]);
    places[i] = found == header.end() ? -1 : int(found - header.begin());
  }
  if (has(Column::Offset))
    table.offsets.emplace();
  return Error::success();
}

Error BufferReader::readInteger(Row row, Column column, int64_t &value) const {
  const StringRef text = cell(row, column);
  if (text.getAsInteger(10, value))
    return wrong(column, "'" + text + "' is not an integer below 2^63");
  return Error::success();
}

Error BufferReader::readGaps(StringRef text, ArenaBuffer &buffer) const {
  SmallVector<StringRef> parts;
  SplitString(text, parts);
  for (StringRef part : parts) {
    auto [begin, end] = part.split('-');
    std::pair<int64_t, int64_t> gap;
    if (begin.getAsInteger(10, gap.first) || end.getAsInteger(10, gap.second))
      return wrong(Column::Gaps,
                   "'" + part + "' is not an interval such as 3-7");
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
    for (StringRef id : split(text, ';')) {
      auto other = rowOf.find(id.trim());
      if (other == rowOf.end())
        return wrong(Column::Conflicts,
                     "'" + id.trim() + "' is the id of no row");
      table.conflicts.push_back({row, other->second});
    }
  }
  return Error::success();
}

Error BufferReader::readRow(Row row) {
  if (row.size() != table.header.size())
    return createStringError("line " + Twine(line) + ": " + Twine(row.size()) +
                             " cells where the header has " +
                             Twine(table.header.size()));
  const auto place = static_cast<int32_t>(table.buffers.size());
  ArenaBuffer &buffer = table.buffers.emplace_back();
  buffer.id = cell(row, Column::Id).str();
  if (Error error = readInteger(row, Column::Lower, buffer.begin))
    return error;
  if (Error error = readInteger(row, Column::Upper, buffer.end))
    return error;
  if (Error error = readInteger(row, Column::Size, buffer.bytes))
    return error;
  if (!cell(row, Column::Alignment).empty())
    if (Error error =
            readInteger(row, Column::Alignment, buffer.alignmentBytes))
      return error;
  if (!cell(row, Column::FixedOffset).empty())
    if (Error error =
            readInteger(row, Column::FixedOffset, buffer.fixedOffset.emplace()))
      return error;
  if (Error error = readGaps(cell(row, Column::Gaps), buffer))
    return error;
  buffer.space = cell(row, Column::Space).str();
  if (StringRef text = cell(row, Column::Conflicts); !text.empty())
    conflictTexts.push_back({line, place, text});
  if (table.offsets)
    return readInteger(row, Column::Offset, table.offsets->emplace_back());
  return Error::success();
}

Expected<BufferTable> BufferReader::read(StringRef text) {
  CsvReader reader(text, *table.quoted);
  std::vector<StringRef> header;
  Expected<bool> more = reader.next(header);
  if (!more)
    return more.takeError();
  if (!*more)
    return createStringError(
        "the file is empty; its first line must be id,lower,upper,size");
  if (Error error = readHeader(header))
    return std::move(error);
  const auto lines = size_t(llvm::count(text, '\n')) + 1;
  table.buffers.reserve(lines);
  table.cells.reserve(lines * header.size());
  while (true) {
    const size_t first = table.cells.size();
    more = reader.next(table.cells);
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    line = reader.line();
    if (Error error = readRow(ArrayRef(table.cells).drop_front(first)))
      return std::move(error);
  }
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
  const ArrayRef<std::string> header = table.header;
  for (const std::string &name : header)
    if (name != "offset") {
      writeCell(name, os);
      os << ',';
    }
  os << "offset\n";
  const StringRef *cell = table.cells.data();
  for (int64_t offset : offsets) {
    for (size_t column = 0; column < header.size(); ++column, ++cell)
      if (!table.offsets || header[column] != "offset") {
        writeCell(*cell, os);
        os << ',';
      }
    os << offset << '\n';
  }
}

} // namespace memplan
