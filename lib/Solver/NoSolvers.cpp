//===- NoSolvers.cpp - Programs without integer programs ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Solver/MilpModel.h"

std::unique_ptr<memplan::MilpBackend> memplan::createHighsBackend() {
  return nullptr;
}

std::unique_ptr<memplan::MilpBackend> memplan::createCbcBackend() {
  return nullptr;
}
