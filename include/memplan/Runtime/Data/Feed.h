//===- Feed.h - What a run's arguments hold ---------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_DATA_FEED_H
#define MEMPLAN_RUNTIME_DATA_FEED_H

#include "memplan/Runtime/Data/TensorData.h"
#include "memplan/Runtime/Execute/Executor.h"

namespace memplan::runtime {

struct FeedOptions {
  /// Seeds initial values and synthetic data.
  uint64_t seed = 0;
  /// A safetensors file with parameters and states by name; "" initializes
  /// them.
  std::string paramsFile;
  /// "synthetic", "FILE.npy" (the first input that fits) or "NAME=FILE.npy".
  /// Inputs that no file names get synthetic data.
  std::vector<std::string> data;
};

/// Parameters, states and data of a run. Two executables fed by one Feed see
/// the same bytes.
class Feed {
public:
  /// Reads the files and holds them against the program's arguments. A
  /// parameter that the file lacks is an error; a state that it lacks is
  /// initialized.
  static Result<Feed> create(const Program &program,
                             const FeedOptions &options);

  /// Number of the next step. It is more than 0 when the file comes from a run
  /// that was stopped, so that its data goes on where it ended.
  int64_t firstStep() const { return startStep; }

  /// Writes parameters and states. Call once.
  Status initialize(Runnable &runnable) const;
  /// Writes the inputs of a step. A file whose first dimension is a multiple of
  /// the argument's gives one part after the other, then starts anew.
  Status feedStep(Runnable &runnable, int64_t step) const;

private:
  FeedOptions options;
  int64_t startStep = 0;
  std::map<std::string, HostTensor> values; ///< parameters and states
  std::map<std::string, HostTensor> data;   ///< inputs that come from files
};

/// Parameters and states as they are now, with the number of the next step.
Result<TensorFile> collectState(const Runnable &runnable, int64_t nextStep);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DATA_FEED_H
