//===- Device.h - Open devices and their memory -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_EXECUTE_DEVICE_H
#define MEMPLAN_RUNTIME_EXECUTE_DEVICE_H

#include "memplan-c/Backend.h"
#include "memplan/Runtime/Execute/Backends.h"
#include "memplan/Runtime/Program/Program.h"
#include "memplan/Runtime/Support/Status.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::runtime {

/// An open device; closed with the object. One thread at a time.
class Device {
public:
  /// `backend` is a name or a path for findBackend(). `threads` 0 means one.
  /// MEMPLAN_UNAVAILABLE when there is no such device.
  static Result<Device> open(std::string_view backend, int32_t number = 0,
                             int32_t threads = 1);
  Device(Device &&other) noexcept;
  Device &operator=(Device &&other) noexcept;
  ~Device();

  const memplan_backend_t &backend() const { return *table; }
  memplan_device_t *handle() const { return device; }
  int32_t threads() const { return threadCount; }
  std::string name() const;
  /// What the device has loaded, with versions; that of the backend if it does
  /// not say.
  std::string versions() const;
  /// "NVIDIA H200 with CUDA 13.0, cuDNN 9.19.0", which plans for this device
  /// say; "" where a plan is for any device of the backend.
  std::string plannedFor() const;
  /// How this device differs from the one that a plan is for: in the model, or
  /// in the version of a library that both name. "" where it does not, or where
  /// the plan is for any. A clause: "is for NVIDIA H200, and this is ...".
  std::string differenceFrom(std::string_view planned) const;

  /// Turns a code of the backend into a status that says `what` failed.
  Status status(memplan_status_t code, const std::string &what) const;

private:
  Device(const memplan_backend_t *table, memplan_device_t *device,
         int32_t threads)
      : table(table), device(device), threadCount(threads) {}

  const memplan_backend_t *table = nullptr;
  memplan_device_t *device = nullptr;
  int32_t threadCount = 1;
};

/// Memory of a device; freed with the object, which must go before its device.
class DeviceBuffer {
public:
  static Result<DeviceBuffer> allocate(const Device &device, int64_t bytes,
                                       int64_t alignment);
  /// Host memory for an arena of the space "host": what the backend offers for
  /// fast copies (page-locked memory on a GPU), otherwise plain memory.
  static Result<DeviceBuffer> allocateHost(const Device &device, int64_t bytes,
                                           int64_t alignment);
  /// Memory that stays the caller's.
  static DeviceBuffer borrow(std::byte *base, int64_t bytes);
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer &&other) noexcept;
  DeviceBuffer &operator=(DeviceBuffer &&other) noexcept;
  ~DeviceBuffer();

  std::byte *base() const { return start; }
  int64_t bytes() const { return size; }
  bool isBorrowed() const { return start && !release; }

private:
  using Release = void (*)(const memplan_backend_t *, memplan_device_t *,
                           void *base);
  DeviceBuffer(const Device &device, void *base, int64_t bytes, Release release)
      : table(&device.backend()), device(device.handle()),
        start(static_cast<std::byte *>(base)), size(bytes), release(release) {}

  const memplan_backend_t *table = nullptr;
  memplan_device_t *device = nullptr;
  std::byte *start = nullptr;
  int64_t size = 0;
  Release release = nullptr;
};

/// One implementation of an instruction.
struct WorkspaceVariant {
  int64_t workspaceBytes = 0; ///< scratch that its kernel takes
  std::string name = {};      ///< for Instruction::variant; "": the only one
  double slowdown = 1;        ///< its time over that of the first: a guess

  bool operator==(const WorkspaceVariant &) const = default;
};

/// The implementations of an instruction with these types and attributes on
/// `device`, from the one that it ranks first; places are ignored. At least
/// one. A launch runs the one that its variant names.
Result<std::vector<WorkspaceVariant>>
queryWorkspaceVariants(const Device &device, const Instruction &instruction);

/// Scratch bytes that the instruction takes when it may take any: what
/// `workspace_bytes` of an op is set to before planning.
Result<int64_t> queryWorkspaceBytes(const Device &device,
                                    const Instruction &instruction);

/// What the place of each operand must be a multiple of, in bytes; 0: of its
/// element.
Result<int64_t> queryOperandAlignment(const Device &device,
                                      const Instruction &instruction);

/// A text by which the backend plans for this device where there is none.
Result<std::string> describeDevice(const Device &device);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_EXECUTE_DEVICE_H
