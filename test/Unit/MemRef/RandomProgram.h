//===- RandomProgram.h - Programs on memrefs for tests ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_MEMREF_RANDOMPROGRAM_H
#define MEMPLAN_TEST_UNIT_MEMREF_RANDOMPROGRAM_H

#include "RandomGraph.h"
#include <string>
#include <vector>

namespace memplan::test {

/// Writes functions on buffers of one type with views, selects, branches,
/// loops that carry buffers, and regions of several blocks. Conditions come
/// from "test.flip", which whoever runs the program decides.
class RandomProgram {
public:
  RandomProgram(unsigned seed, bool straight)
      : dice(seed), isStraight(straight) {}

  std::string write() {
    text = "func.func @f(%arg: memref<1xf32>, %i: index, %n: index) {\n";
    std::vector<std::string> visible = {"%arg"};
    statements(visible, 4 + pick(10), 0);
    return text + "  return\n}\n";
  }

private:
  using Names = std::vector<std::string>;

  unsigned pick(unsigned count) { return unsigned(dice.roll(count)); }
  std::string fresh() { return "%v" + std::to_string(count++); }
  std::string any(const Names &visible) {
    // Rather a recent one.
    size_t back = std::min<size_t>(pick(4), visible.size() - 1);
    return pick(4) ? visible[visible.size() - 1 - back]
                   : visible[pick(unsigned(visible.size()))];
  }
  void line(const std::string &what) { text += "  " + what + "\n"; }
  std::string flip() {
    std::string name = fresh();
    line(name + " = \"test.flip\"() : () -> i1");
    return name;
  }

  void statements(Names visible, unsigned number, unsigned depth) {
    for (unsigned i = 0; i < number; ++i)
      statement(visible, depth);
  }

  void statement(Names &visible, unsigned depth) {
    switch (pick(isStraight || depth > 2 ? 8 : 13)) {
    case 0:
    case 1:
    case 2:
      visible.push_back(fresh());
      return line(visible.back() + " = memref.alloc() : memref<1xf32>");
    case 3:
    case 4:
    case 5:
      return line(fresh() + " = memref.load " + any(visible) +
                  "[%i] : memref<1xf32>");
    case 6: {
      std::string source = any(visible);
      visible.push_back(fresh());
      return line(visible.back() + " = memref.assume_alignment " + source +
                  ", 4 : memref<1xf32>");
    }
    case 7: {
      std::string other = any(visible), one = any(visible), bit = flip();
      visible.push_back(fresh());
      return line(visible.back() + " = arith.select " + bit + ", " + one +
                  ", " + other + " : memref<1xf32>");
    }
    case 8:
    case 9:
      return branch(visible, depth);
    case 10:
      return loop(visible, depth);
    case 11:
      return blocks(visible, depth);
    default:
      return whileLoop(visible, depth);
    }
  }

  /// A region that ends by yielding one of what it sees.
  void body(Names visible, unsigned depth) {
    unsigned number = 1 + pick(4);
    for (unsigned i = 0; i < number; ++i)
      statement(visible, depth + 1);
    line("scf.yield " + any(visible) + " : memref<1xf32>");
  }

  void branch(Names &visible, unsigned depth) {
    std::string bit = flip(), result = fresh();
    line(result + " = scf.if " + bit + " -> memref<1xf32> {");
    body(visible, depth);
    line("} else {");
    body(visible, depth);
    line("}");
    visible.push_back(result);
  }

  void loop(Names &visible, unsigned depth) {
    std::string result = fresh(), carried = fresh(), step = fresh();
    line(result + " = scf.for " + step + " = %i to %n step %n iter_args(" +
         carried + " = " + any(visible) + ") -> memref<1xf32> {");
    Names inner = visible;
    inner.push_back(carried);
    body(inner, depth);
    line("}");
    visible.push_back(result);
  }

  void whileLoop(Names &visible, unsigned depth) {
    std::string result = fresh(), before = fresh(), after = fresh();
    line(result + " = scf.while (" + before + " = " + any(visible) +
         ") : (memref<1xf32>) -> memref<1xf32> {");
    Names inner = visible;
    inner.push_back(before);
    statement(inner, depth + 1);
    std::string bit = flip();
    line("scf.condition(" + bit + ") " + any(inner) + " : memref<1xf32>");
    line("} do {");
    line("^bb0(" + after + ": memref<1xf32>):");
    inner = visible;
    inner.push_back(after);
    body(inner, depth);
    line("}");
    visible.push_back(result);
  }

  /// Two blocks of which the first may run several times.
  void blocks(Names &visible, unsigned depth) {
    std::string result = fresh(), carried = fresh(), last = fresh();
    std::string id = std::to_string(count++);
    line(result + " = scf.execute_region -> memref<1xf32> {");
    line("cf.br ^a" + id + "(" + any(visible) + " : memref<1xf32>)");
    line("^a" + id + "(" + carried + ": memref<1xf32>):");
    Names inner = visible;
    inner.push_back(carried);
    unsigned number = 1 + pick(3);
    for (unsigned i = 0; i < number; ++i)
      statement(inner, depth + 1);
    std::string bit = flip();
    std::string target = pick(2) ? "^a" + id : "^b" + id;
    line("cf.cond_br " + bit + ", " + target + "(" + any(inner) +
         " : memref<1xf32>), ^b" + id + "(" + any(inner) + " : memref<1xf32>)");
    line("^b" + id + "(" + last + ": memref<1xf32>):");
    inner.push_back(last);
    body(inner, depth);
    line("}");
    visible.push_back(result);
  }

  Dice dice;
  bool isStraight;
  unsigned count = 0;
  std::string text;
};

} // namespace memplan::test

#endif // MEMPLAN_TEST_UNIT_MEMREF_RANDOMPROGRAM_H
