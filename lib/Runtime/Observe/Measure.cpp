//===- Measure.cpp - Measures the bytes a step really uses ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArenaFill.h"
#include "SavedArguments.h"
#include "memplan/Runtime/Observe/Observers.h"

#include <algorithm>

namespace memplan::runtime {

namespace {
/// Notes what the launches of one step get and which bytes they change.
class UseObserver : public StepObserver {
public:
  explicit UseObserver(const Executable &executable);

  int32_t pattern = 0;
  StepUse use;

  Status beginStep(Executable &executable) override;
  Status before(Executable &executable, size_t instruction) override;
  Status endStep(Executable &executable) override;

private:
  void note(const Executable &executable, const void *data, int64_t bytes);
  Status look(Executable &executable, std::vector<bool> &touched, bool scratch,
              size_t number);

  /// For each byte of each block whether it ever changed.
  std::vector<std::vector<bool>> arenaBytes, scratchBytes;
};
} // namespace

UseObserver::UseObserver(const Executable &executable) {
  for (const ArenaInfo &arena : executable.program().arenas) {
    use.arenas.push_back({arena.bytes, 0, 0});
    arenaBytes.emplace_back(size_t(arena.bytes));
  }
  const SharedScratch &scratch = executable.sharedScratch();
  for (size_t block = 0; block < scratch.blocks; ++block) {
    int64_t bytes = executable.scratchBytes(block);
    use.scratch.push_back({bytes, 0, 0});
    scratchBytes.emplace_back(size_t(bytes));
  }
}

Status UseObserver::beginStep(Executable &executable) {
  for (size_t block = 0; block < use.scratch.size(); ++block)
    if (Status s = executable.fillScratch(block, pattern); !s.ok())
      return s;
  return fillArenas(executable, pattern);
}

void UseObserver::note(const Executable &executable, const void *data,
                       int64_t bytes) {
  auto inside = [&](const std::byte *base, ArenaUse &block) {
    auto begin = int64_t(reinterpret_cast<uintptr_t>(data) -
                         reinterpret_cast<uintptr_t>(base));
    if (begin >= 0 && begin < block.plannedBytes)
      block.handedOutBytes = std::max(block.handedOutBytes, begin + bytes);
  };
  for (size_t a = 0; a < use.arenas.size(); ++a)
    inside(executable.arenaBase(a), use.arenas[a]);
  for (size_t block = 0; block < use.scratch.size(); ++block)
    inside(executable.scratchBase(block), use.scratch[block]);
}

static int64_t bytesOf(const memplan_tensor_t &tensor) {
  int64_t bytes = byteSize(DType(tensor.dtype));
  for (int32_t d = 0; d < tensor.rank; ++d)
    bytes *= tensor.shape[d];
  return bytes;
}

Status UseObserver::before(Executable &executable, size_t number) {
  if (Status s = checkPointers(executable, number); !s.ok())
    return s;
  const memplan_launch_t &launch = executable.launch(number);
  for (int32_t i = 0; i < launch.input_count; ++i)
    note(executable, launch.inputs[i].data, bytesOf(launch.inputs[i]));
  for (int32_t o = 0; o < launch.output_count; ++o)
    note(executable, launch.outputs[o].data, bytesOf(launch.outputs[o]));
  note(executable, launch.workspace, launch.workspace_bytes);
  return Status::success();
}

Status UseObserver::look(Executable &executable, std::vector<bool> &touched,
                         bool scratch, size_t number) {
  constexpr int64_t blockBytes = int64_t(1) << 20;
  std::vector<std::byte> block;
  for (int64_t at = 0, end = int64_t(touched.size()); at < end;
       at += blockBytes) {
    block.resize(size_t(std::min(blockBytes, end - at)));
    Status read = scratch ? executable.readScratch(number, at, block)
                          : executable.readArena(number, at, block);
    if (!read.ok())
      return read;
    for (size_t i = 0; i < block.size(); ++i)
      if (block[i] != std::byte(pattern))
        touched[size_t(at) + i] = true;
  }
  return Status::success();
}

Status UseObserver::endStep(Executable &executable) {
  auto finish = [&](std::vector<std::vector<bool>> &bytes,
                    std::vector<ArenaUse> &uses, bool scratch) {
    for (size_t i = 0; i < uses.size(); ++i) {
      if (Status s = look(executable, bytes[i], scratch, i); !s.ok())
        return s;
      uses[i].touchedBytes = std::count(bytes[i].begin(), bytes[i].end(), true);
    }
    return Status::success();
  };
  if (Status s = finish(arenaBytes, use.arenas, false); !s.ok())
    return s;
  return finish(scratchBytes, use.scratch, true);
}

Result<StepUse> measureStep(Executable &executable) {
  Result<SavedArguments> saved = SavedArguments::of(executable);
  if (!saved)
    return saved.error();
  UseObserver observer(executable);
  StepObserver *observers[] = {&observer};
  for (int32_t pattern : {0xA5, 0x5A}) {
    observer.pattern = pattern;
    Status status = executable.run(observers);
    if (Status s = saved->restore(executable); status.ok())
      status = s;
    if (!status.ok())
      return status;
  }
  return std::move(observer.use);
}

} // namespace memplan::runtime
