//===- MilpText.cpp - Integer programs as LP and MPS files ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Solver/MilpText.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;

namespace memplan {

/// All digits, so that a reader solves the same program.
static format_object<double> exact(double value) {
  return format("%.17g", value);
}

static ArrayRef<MilpTerm> termsOf(const MilpModel &model, int32_t row) {
  const size_t begin = size_t(model.rowStart[size_t(row)]),
               end = size_t(model.rowStart[size_t(row) + 1]);
  return ArrayRef(model.terms).slice(begin, end - begin);
}

static void writeSum(ArrayRef<MilpTerm> terms, ArrayRef<std::string> names,
                     raw_ostream &os) {
  constexpr int perLine = 8; // Readers take lines of a few hundred characters.
  int written = 0;
  for (const MilpTerm &term : terms) {
    if (written++ % perLine == 0 && written > 1)
      os << "\n  ";
    os << (term.coefficient < 0 ? " - " : " + ")
       << exact(std::abs(term.coefficient)) << ' '
       << names[size_t(term.column)];
  }
}

/// A row with two different limits is written once for each.
static void writeLpRow(const MilpModel &model, int32_t row,
                       ArrayRef<std::string> names, raw_ostream &os) {
  const double lower = model.rowLower[size_t(row)],
               upper = model.rowUpper[size_t(row)];
  auto write = [&](const char *suffix, const char *relation, double limit) {
    os << " r" << row << suffix << ':';
    writeSum(termsOf(model, row), names, os);
    os << ' ' << relation << ' ' << exact(limit) << '\n';
  };
  if (termsOf(model, row).empty())
    return;
  if (lower == upper)
    return write("", "=", lower);
  if (lower > -MilpModel::infinity)
    write("l", ">=", lower);
  if (upper < MilpModel::infinity)
    write("u", "<=", upper);
}

void writeLp(const MilpModel &model, ArrayRef<std::string> names,
             raw_ostream &os) {
  os << "Minimize\n obj:";
  std::vector<MilpTerm> objective;
  for (int32_t c = 0; c < model.numColumns(); ++c)
    if (model.columnCost[size_t(c)] != 0)
      objective.push_back({c, model.columnCost[size_t(c)]});
  writeSum(objective, names, os);
  os << "\nSubject To\n";
  for (int32_t row = 0; row < model.numRows(); ++row)
    writeLpRow(model, row, names, os);
  os << "Bounds\n";
  for (int32_t c = 0; c < model.numColumns(); ++c) {
    const double lower = model.columnLower[size_t(c)],
                 upper = model.columnUpper[size_t(c)];
    os << ' ';
    if (lower > -MilpModel::infinity)
      os << exact(lower);
    else
      os << "-inf";
    os << " <= " << names[size_t(c)];
    if (upper < MilpModel::infinity)
      os << " <= " << exact(upper);
    os << '\n';
  }
  os << "General\n";
  for (int32_t c = 0; c < model.numColumns(); ++c)
    if (model.columnInteger[size_t(c)])
      os << ' ' << names[size_t(c)] << '\n';
  os << "End\n";
}

static char kindOf(double lower, double upper) {
  if (lower == upper)
    return 'E';
  if (lower > -MilpModel::infinity)
    return 'G'; // With a range where there is an upper limit too.
  return upper < MilpModel::infinity ? 'L' : 'N';
}

namespace {
struct Entry {
  int32_t row;
  double coefficient;
};
} // namespace

static void writeMpsColumns(const MilpModel &model, ArrayRef<std::string> names,
                            raw_ostream &os) {
  std::vector<std::vector<Entry>> columns(size_t(model.numColumns()));
  for (int32_t row = 0; row < model.numRows(); ++row)
    for (const MilpTerm &term : termsOf(model, row))
      columns[size_t(term.column)].push_back({row, term.coefficient});
  bool inIntegers = false;
  for (size_t c = 0; c < columns.size(); ++c) {
    if (model.columnInteger[c] != inIntegers) {
      inIntegers = !inIntegers;
      os << " MARKER MARKER 'MARKER' "
         << (inIntegers ? "'INTORG'\n" : "'INTEND'\n");
    }
    os << ' ' << names[c] << " obj " << exact(model.columnCost[c]) << '\n';
    for (const Entry &entry : columns[c])
      os << ' ' << names[c] << " r" << entry.row << ' '
         << exact(entry.coefficient) << '\n';
  }
  if (inIntegers)
    os << " MARKER MARKER 'MARKER' 'INTEND'\n";
}

void writeMps(const MilpModel &model, ArrayRef<std::string> names,
              raw_ostream &os) {
  os << "NAME memplan\nROWS\n N obj\n";
  for (size_t r = 0; r < model.rowLower.size(); ++r)
    os << ' ' << kindOf(model.rowLower[r], model.rowUpper[r]) << " r" << r
       << '\n';
  os << "COLUMNS\n";
  writeMpsColumns(model, names, os);
  os << "RHS\n";
  for (size_t r = 0; r < model.rowLower.size(); ++r) {
    const char kind = kindOf(model.rowLower[r], model.rowUpper[r]);
    if (kind != 'N')
      os << " RHS r" << r << ' '
         << exact(kind == 'L' ? model.rowUpper[r] : model.rowLower[r]) << '\n';
  }
  os << "RANGES\n";
  for (size_t r = 0; r < model.rowLower.size(); ++r)
    if (kindOf(model.rowLower[r], model.rowUpper[r]) == 'G' &&
        model.rowUpper[r] < MilpModel::infinity)
      os << " RNG r" << r << ' ' << exact(model.rowUpper[r] - model.rowLower[r])
         << '\n';
  os << "BOUNDS\n";
  for (size_t c = 0; c < model.columnLower.size(); ++c) {
    auto write = [&](const char *kind, double bound) {
      os << ' ' << kind << " BND " << names[c] << ' ' << exact(bound) << '\n';
    };
    if (model.columnLower[c] > -MilpModel::infinity)
      write("LO", model.columnLower[c]);
    else
      os << " MI BND " << names[c] << '\n';
    if (model.columnUpper[c] < MilpModel::infinity)
      write("UP", model.columnUpper[c]);
    else
      os << " PL BND " << names[c] << '\n';
  }
  os << "ENDATA\n";
}

} // namespace memplan
