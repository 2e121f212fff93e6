//===- Device.h - An open GPU -----------------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_DEVICE_H
#define MEMPLAN_LIB_KERNELS_CUDA_DEVICE_H

#include "memplan-c/Backend.h"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace memplan::runtime::cuda {

/// What a kernel may find wrong in the values it reads. It cannot stop the
/// stream, so it leaves the largest of these in Device::fault, skips the bad
/// element, and synchronize reports it.
enum Fault : int32_t {
  NoFault = 0,
  LabelOutOfRange = 1,
  IdOutOfRange = 2,
  PoolIndexOutOfRange = 3,
  StepBelowOne = 4
};

struct BlasHandle;
struct LtHandle;
struct DnnHandle;
struct NcclHandle;
struct UpdateQueue;

/// One GPU with its streams. Besides the blocks that programs ask for it holds
/// 256 bytes of device memory for `fault` and what waiting updates share.
struct Device {
  Device(int32_t number, bool planOnly);
  ~Device();
  Device(const Device &) = delete;

  /// Opens the first stream, the fault word and the libraries; text in `error`
  /// on failure.
  memplan_status_t open();
  /// Makes this the GPU of the calling thread; fails once it is lost. Launches
  /// the updates that wait, unless the caller adds to them.
  memplan_status_t enter(bool addsUpdates = false);
  /// Launches the updates that wait, on the first stream.
  void startUpdates();
  /// Bytes beside the fault word, for what updates that wait share.
  void *ratesPlace() const { return fault + faultBytes / 8; }

  [[gnu::format(printf, 3, 4)]] memplan_status_t fail(memplan_status_t status,
                                                      const char *format, ...);
  /// MEMPLAN_OK, or a failure that names the call. Some errors end the context
  /// of the process: the device is lost then.
  memplan_status_t check(cudaError_t code, const char *what);
  /// Drops an error that a library left behind although its call succeeded.
  void forgetLibraryError();
  /// The failure of a library that is asked for and cannot be used.
  memplan_status_t noLibrary(const char *library, const char *variable,
                             const std::string &reason);
  /// Free bytes of the device; 0 if it does not say.
  int64_t freeBytes();
  void addVersion(const char *library, int major, int minor, int patch = -1);
  /// Names the device after the description that plans are made for.
  void nameDescribed(const std::string &text);

  /// A block of cudaMalloc or cudaHostAlloc and the part of it that a program
  /// sees.
  struct Block {
    void *allocation;
    int64_t bytes;
    bool onHost;
  };

  int32_t number;
  bool planOnly; ///< prepares kernels and has no GPU: see planningOnly()
  /// Stream of the launch under way, otherwise the first one.
  cudaStream_t stream = nullptr;
  std::vector<cudaStream_t> streams;
  cudaStream_t engines[2] = {}; ///< to the host, to the device
  std::vector<cudaEvent_t> events;
  cudaEvent_t clock[2] = {}; ///< with times, once a launch was timed
  bool inQueues = false;     ///< queues may have work that `streams[0]` has not
  bool waits = false;        ///< after each launch: MEMPLAN_CUDA_WAIT
  bool loads = false;        ///< launches only load their code: see prepare
  memplan_status_t loadStatus = MEMPLAN_OK;
  bool lost = false; ///< until the process ends
  static constexpr int faultBytes = 256;
  int32_t *fault = nullptr;       ///< on the device
  int32_t *faultOnHost = nullptr; ///< page-locked
  std::map<void *, Block> blocks;
  /// Page-locked bytes through which values come from the host; null where
  /// there were none. Those before `staged` may still be read.
  std::byte *staging = nullptr;
  static constexpr int64_t stagingBytes = int64_t(16) << 20;
  int64_t staged = 0;
  std::unique_ptr<UpdateQueue> updates; ///< launched, and not yet started
  std::shared_ptr<BlasHandle> blas;     ///< null: MEMPLAN_CUDA_WITHOUT names it
  std::shared_ptr<LtHandle> blasLt;     ///< likewise
  std::shared_ptr<DnnHandle> dnn;       ///< likewise, or built without cuDNN
  std::shared_ptr<NcclHandle> nccl;     ///< null: the process is no rank
  std::string versions;                 ///< of what is loaded
  std::string description; ///< of the device, when it was asked for
  std::vector<memplan_variant_t> variants; ///< that were listed last
  memplan_overhead_t overhead = {};
  char name[320] = "";
  std::string model; ///< that plans for the device name
  char error[1024] = "";
  char lostBy[256] = ""; ///< the call that found it

  /// On the stream of the launch; nothing while code is loaded.
  memplan_status_t copyAsync(void *target, const void *source, int64_t bytes);
  memplan_status_t clearAsync(void *target, int64_t bytes);

private:
  memplan_status_t lose(cudaError_t code, const char *what);
  memplan_status_t openFault();
  void openStaging();
  memplan_status_t openLibraries();
};

/// Free bytes of a device by the driver's own count, before there is a context
/// and after; -1 where it does not say.
int64_t driverFreeBytes(int32_t number);

/// Whether a variable of the environment says something other than 0.
bool isSet(const char *name);

/// Open the library and its handle, before any arena takes the memory that it
/// needs. Without it where MEMPLAN_CUDA_WITHOUT names it.
memplan_status_t openBlas(Device &device);
memplan_status_t openBlasLt(Device &device);
memplan_status_t openDnn(Device &device);
/// Joins the ranks that the environment names, if any.
memplan_status_t openNccl(Device &device);
/// Lets cuDNN plan for the device that `file` describes, without a GPU.
memplan_status_t openDescribed(Device &device, const std::string &file);
/// The description of the device by which cuDNN plans for it elsewhere.
memplan_status_t describeByDnn(Device &device, std::string &text);

/// Whether MEMPLAN_CUDA_PLAN_ONLY or MEMPLAN_CUDA_DEVICE asks for a device that
/// answers prepare where there is no GPU.
bool planningOnly();

/// False where MEMPLAN_CUDA_WITHOUT, a comma-separated list, names `library`.
bool mayUseLibrary(const char *library);

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_DEVICE_H
