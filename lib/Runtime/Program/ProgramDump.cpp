//===- ProgramDump.cpp - Programs as text ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Program/ProgramIO.h"

namespace memplan::runtime {

static std::string operandText(const Operand &operand) {
  static constexpr const char *names[] = {"arena", "arg", "const"};
  return std::string(names[int(operand.space)]) +
         std::to_string(operand.index) + "+" +
         std::to_string(operand.byteOffset) + ":" +
         typeText(operand.dtype, operand.shape) +
         (operand.strides.empty() ? "" : attributeText(operand.strides));
}

static std::string operandsText(const std::vector<Operand> &operands) {
  std::string text = "(";
  for (size_t i = 0; i < operands.size(); ++i)
    text += (i ? ", " : "") + operandText(operands[i]);
  return text + ")";
}

/// " reads(3, 5+128)": the values, with where in them the operand begins.
static std::string valuesText(const char *what,
                              const std::vector<Operand> &operands) {
  std::string text;
  for (const Operand &operand : operands) {
    if (operand.value < 0)
      continue;
    text += (text.empty() ? "" : ", ") + std::to_string(operand.value);
    if (operand.valueOffset)
      text += "+" + std::to_string(operand.valueOffset);
  }
  return text.empty() ? text : what + ("(" + text + ")");
}

static std::string argumentLine(const Argument &argument, size_t number) {
  std::string text = "arg " + std::to_string(number) + " '" + argument.name +
                     "' " + std::string(toString(argument.kind)) + " " +
                     typeText(argument.dtype, argument.shape);
  if (!argument.init.empty())
    text += " init=" + argument.init;
  if (argument.high)
    text += " high=" + std::to_string(argument.high);
  if (argument.batchDim >= 0)
    text += " batch=" + std::to_string(argument.batchDim);
  if (argument.donated)
    text += " donated";
  if (argument.arena >= 0)
    text += " in arena" + std::to_string(argument.arena) + "+" +
            std::to_string(argument.arenaOffset);
  return text + "\n";
}

static std::string instructionLine(const Instruction &instruction,
                                   size_t number) {
  std::string text = std::to_string(number) + ": " + instruction.kernel +
                     " node=" + std::to_string(instruction.node);
  if (instruction.run)
    text += " run=" + std::to_string(instruction.run);
  if (instruction.isCopy())
    text += " queue=" + std::string(toString(instruction.queue));
  if (instruction.stream)
    text += " stream=" + std::to_string(instruction.stream);
  for (int32_t wait : instruction.waits)
    text += " wait=" + std::to_string(wait);
  text += " in" + operandsText(instruction.inputs) + " out" +
          operandsText(instruction.outputs);
  if (instruction.workspace)
    text += " workspace(" + operandText(*instruction.workspace) + ")";
  if (!instruction.variant.empty())
    text += " variant=" + instruction.variant;
  for (const Attribute &attribute : instruction.attributes)
    text += " " + attribute.name + "=" + attributeText(attribute.value);
  return text + valuesText(" reads", instruction.inputs) +
         valuesText(" makes", instruction.outputs) + "\n";
}

std::string dumpProgram(const Program &program) {
  std::string text = "program '" + program.name + "' version " +
                     std::to_string(Program::formatVersion);
  if (!program.device.empty())
    text += " for '" + program.device + "'";
  if (program.budgetBytes >= 0)
    text += " budget=" + std::to_string(program.budgetBytes);
  if (program.fixedBytes)
    text += " fixed=" + std::to_string(program.fixedBytes);
  text += "\n";
  for (size_t i = 0; i < program.arenas.size(); ++i)
    text += "arena " + std::to_string(i) +
            " bytes=" + std::to_string(program.arenas[i].bytes) +
            " alignment=" + std::to_string(program.arenas[i].alignment) +
            " space=" + program.arenas[i].space + "\n";
  for (size_t i = 0; i < program.arguments.size(); ++i)
    text += argumentLine(program.arguments[i], i);
  text += "constants bytes=" + std::to_string(program.constants.size()) + "\n";
  for (size_t i = 0; i < program.instructions.size(); ++i)
    text += instructionLine(program.instructions[i], i);
  for (size_t i = 0; i < program.outputs.size(); ++i)
    text += "output " + std::to_string(i) + " '" + program.outputs[i].name +
            "' " + std::string(toString(program.outputs[i].kind)) + " " +
            operandText(program.outputs[i].operand) + "\n";
  for (const Update &update : program.updates)
    text += "update arg " + std::to_string(update.argument) + " = " +
            operandText(update.value) + "\n";
  return text;
}

} // namespace memplan::runtime
