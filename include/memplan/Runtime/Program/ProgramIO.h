//===- ProgramIO.h - Programs as files and text -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The .mpp format: the magic "MPPR", the format version (u32), then the fields
// of Program in their order of declaration, little endian. A string, list or
// blob is its count (u64) and its entries; an optional value a u8 and the
// value.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_PROGRAM_PROGRAMIO_H
#define MEMPLAN_RUNTIME_PROGRAM_PROGRAMIO_H

#include "memplan/Runtime/Program/Program.h"

#include <span>

namespace memplan::runtime {

/// The bytes of an .mpp file. The same program gives the same bytes.
std::vector<std::byte> serializeProgram(const Program &program);

/// Reads an .mpp file image and checks it (Program::check). Any bytes are safe:
/// every count is held against the bytes that are left before it is believed.
/// `allowRaces` leaves out Program::checkRaces().
Result<Program> parseProgram(std::span<const std::byte> bytes,
                             bool allowRaces = false);

Status writeProgramFile(const Program &program, const std::string &path);
Result<Program> readProgramFile(const std::string &path,
                                bool allowRaces = false);

/// The program for people: one line per argument, instruction and output.
std::string dumpProgram(const Program &program);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_PROGRAM_PROGRAMIO_H
