//===- Device.cpp - An open GPU -------------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "UpdateQueue.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace memplan::runtime::cuda {

static constexpr const char *deviceFile = "MEMPLAN_CUDA_DEVICE";

bool isSet(const char *name) {
  const char *variable = std::getenv(name);
  return variable && *variable && std::string_view(variable) != "0";
}

memplan_status_t Device::fail(memplan_status_t status, const char *format,
                              ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(error, sizeof(error), format, arguments);
  va_end(arguments);
  return status;
}

/// Errors that no call takes back: the context is gone until the process ends.
static bool losesContext(cudaError_t code) {
  switch (code) {
  case cudaErrorECCUncorrectable:
  case cudaErrorNvlinkUncorrectable:
  case cudaErrorIllegalAddress:
  case cudaErrorLaunchTimeout:
  case cudaErrorContextIsDestroyed:
  case cudaErrorAssert:
  case cudaErrorHardwareStackError:
  case cudaErrorIllegalInstruction:
  case cudaErrorMisalignedAddress:
  case cudaErrorInvalidAddressSpace:
  case cudaErrorInvalidPc:
  case cudaErrorLaunchFailure:
    return true;
  default:
    return false;
  }
}

memplan_status_t Device::lose(cudaError_t code, const char *what) {
  lost = true;
  std::snprintf(lostBy, sizeof(lostBy), "%s: %s (error %d)", what,
                cudaGetErrorString(code), int(code));
  return fail(MEMPLAN_FAILED,
              "CUDA device %d is lost, found by %s. Nothing runs on it until "
              "the process starts again%s",
              number, lostBy,
              waits ? ""
                    : ". Launches do not wait, so an earlier instruction may "
                      "have done it: MEMPLAN_CUDA_WAIT=1 names it");
}

memplan_status_t Device::check(cudaError_t code, const char *what) {
  if (code == cudaSuccess)
    return MEMPLAN_OK;
  if (losesContext(code))
    return lose(code, what);
  // An error that is not taken back would be reported by a later, sound call.
  cudaGetLastError();
  return fail(code == cudaErrorMemoryAllocation ? MEMPLAN_OUT_OF_MEMORY
                                                : MEMPLAN_FAILED,
              "%s on CUDA device %d: %s", what, number,
              cudaGetErrorString(code));
}

void Device::forgetLibraryError() {
  if (!losesContext(cudaPeekAtLastError()))
    cudaGetLastError();
}

memplan_status_t Device::noLibrary(const char *library, const char *variable,
                                   const std::string &reason) {
  return fail(MEMPLAN_UNAVAILABLE,
              "%s cannot be used: %s. %lld bytes of CUDA device %d are free. "
              "MEMPLAN_CUDA_LIBRARIES lists folders to look in; "
              "MEMPLAN_CUDA_WITHOUT=%s runs slow kernels instead",
              library, reason.c_str(), static_cast<long long>(freeBytes()),
              number, variable);
}

int64_t Device::freeBytes() {
  size_t available = 0, total = 0;
  if (cudaMemGetInfo(&available, &total) != cudaSuccess) {
    forgetLibraryError();
    return 0;
  }
  return int64_t(available);
}

memplan_status_t Device::copyAsync(void *target, const void *source,
                                   int64_t bytes) {
  return loads ? MEMPLAN_OK
               : check(cudaMemcpyAsync(target, source, size_t(bytes),
                                       cudaMemcpyDeviceToDevice, stream),
                       "cudaMemcpyAsync");
}

memplan_status_t Device::clearAsync(void *target, int64_t bytes) {
  return loads ? MEMPLAN_OK
               : check(cudaMemsetAsync(target, 0, size_t(bytes), stream),
                       "cudaMemsetAsync");
}

void Device::addVersion(const char *library, int major, int minor, int patch) {
  versions += (versions.empty() ? "" : ", ") + std::string(library) + " " +
              std::to_string(major) + "." + std::to_string(minor) +
              (patch < 0 ? "" : "." + std::to_string(patch));
}

Device::Device(int32_t number, bool planOnly)
    : number(number), planOnly(planOnly),
      updates(std::make_unique<UpdateQueue>()) {}

void Device::startUpdates() {
  if (updates->rows == 0)
    return;
  const cudaStream_t current = std::exchange(stream, streams[0]);
  updates->start(*this);
  stream = current;
}

memplan_status_t Device::enter(bool addsUpdates) {
  if (planOnly)
    return fail(MEMPLAN_UNAVAILABLE,
                "this device only plans, because %s is set",
                isSet(deviceFile) ? deviceFile : "MEMPLAN_CUDA_PLAN_ONLY");
  if (lost)
    return fail(MEMPLAN_FAILED,
                "CUDA device %d was lost by %s: start the process again",
                number, lostBy);
  const memplan_status_t status = check(cudaSetDevice(number), "cudaSetDevice");
  if (status == MEMPLAN_OK && !addsUpdates)
    startUpdates();
  return status;
}

memplan_status_t Device::open() {
  if (planOnly) {
    std::snprintf(name, sizeof(name), "cuda, planning only");
    model = "a GPU that was not described";
    return isSet(deviceFile) ? openDescribed(*this, std::getenv(deviceFile))
                             : MEMPLAN_OK;
  }
  waits = isSet("MEMPLAN_CUDA_WAIT");
  cudaDeviceProp properties;
  const int64_t before = driverFreeBytes(number);
  memplan_status_t status = enter();
  // Makes the context, where the call before left that for later.
  if (status == MEMPLAN_OK)
    status = check(cudaFree(nullptr), "cudaFree");
  const int64_t after = driverFreeBytes(number);
  overhead.context_bytes = before < 0 || after < 0 ? -1 : before - after;
  if (status == MEMPLAN_OK)
    status = check(cudaGetDeviceProperties(&properties, number),
                   "cudaGetDeviceProperties");
  if (status != MEMPLAN_OK)
    return status;
  std::snprintf(name, sizeof(name), "cuda:%d, %s", number, properties.name);
  model = properties.name;
  status = openFault();
  if (status == MEMPLAN_OK)
    openStaging();
  return status == MEMPLAN_OK ? openLibraries() : status;
}

/// Without it values still come from the host, slower.
void Device::openStaging() {
  void *bytes = nullptr;
  if (cudaHostAlloc(&bytes, size_t(stagingBytes), cudaHostAllocDefault) ==
      cudaSuccess)
    staging = static_cast<std::byte *>(bytes);
  else
    forgetLibraryError();
}

/// The first stream and the fault word.
memplan_status_t Device::openFault() {
  memplan_status_t status =
      check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
            "cudaStreamCreateWithFlags");
  if (status != MEMPLAN_OK)
    return status;
  streams.push_back(stream);
  void *word = nullptr, *hostWord = nullptr;
  if (status = check(cudaMalloc(&word, faultBytes), "cudaMalloc");
      status != MEMPLAN_OK)
    return status;
  fault = static_cast<int32_t *>(word);
  if (status =
          check(cudaMallocHost(&hostWord, sizeof(int32_t)), "cudaMallocHost");
      status != MEMPLAN_OK)
    return status;
  faultOnHost = static_cast<int32_t *>(hostWord);
  return check(cudaMemsetAsync(fault, 0, faultBytes, stream),
               "cudaMemsetAsync");
}

memplan_status_t Device::openLibraries() {
  int driver = 0, runtime = 0;
  memplan_status_t status =
      check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  if (status == MEMPLAN_OK)
    status = check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  addVersion("driver for CUDA", driver / 1000, driver % 1000 / 10);
  addVersion("CUDA", runtime / 1000, runtime % 1000 / 10);
  const int64_t before = freeBytes();
  if (status == MEMPLAN_OK)
    status = openBlas(*this);
  if (status == MEMPLAN_OK)
    status = openBlasLt(*this);
  if (status == MEMPLAN_OK)
    status = openDnn(*this);
  if (status == MEMPLAN_OK)
    status = openNccl(*this);
  overhead.handle_bytes = before - freeBytes();
  return status;
}

/// Errors at the end have no caller to tell.
Device::~Device() {
  if (planOnly)
    return;
  cudaSetDevice(number);
  for (cudaStream_t open : streams)
    if (open)
      cudaStreamSynchronize(open);
  for (cudaStream_t engine : engines)
    if (engine)
      cudaStreamSynchronize(engine);
  blas.reset();
  blasLt.reset();
  dnn.reset();
  nccl.reset();
  for (auto &[base, block] : blocks)
    block.onHost ? cudaFreeHost(block.allocation) : cudaFree(block.allocation);
  if (fault)
    cudaFree(fault);
  if (faultOnHost)
    cudaFreeHost(faultOnHost);
  if (staging)
    cudaFreeHost(staging);
  for (cudaEvent_t event : events)
    if (event)
      cudaEventDestroy(event);
  for (cudaEvent_t event : clock)
    if (event)
      cudaEventDestroy(event);
  for (cudaStream_t engine : engines)
    streams.push_back(engine);
  for (cudaStream_t open : streams)
    if (open)
      cudaStreamDestroy(open);
}

/// The string that a JSON text has under `key`; "" without one. It is for
/// people: cuDNN reads the text.
static std::string valueOf(const std::string &text, const std::string &key) {
  size_t at = text.find('"' + key + '"');
  at = at == text.npos ? at : text.find(':', at);
  at = at == text.npos ? at : text.find('"', at);
  return at == text.npos ? ""
                         : text.substr(at + 1, text.find('"', at + 1) - at - 1);
}

void Device::nameDescribed(const std::string &text) {
  const std::string device = valueOf(text, "deviceName");
  const std::string note = valueOf(text, "note");
  model = device.empty() ? "an unnamed GPU" : device;
  std::snprintf(name, sizeof(name), "cuda, planning for %s%s",
                device.empty() ? "an unnamed device" : device.c_str(),
                note.empty() ? "" : (" (" + note + ")").c_str());
}

bool planningOnly() {
  return isSet("MEMPLAN_CUDA_PLAN_ONLY") || isSet(deviceFile);
}

bool mayUseLibrary(const char *library) {
  const char *variable = std::getenv("MEMPLAN_CUDA_WITHOUT");
  std::string_view rest = variable ? variable : "";
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    if (rest.substr(0, comma) == library)
      return false;
    rest = comma == rest.npos ? "" : rest.substr(comma + 1);
  }
  return true;
}

} // namespace memplan::runtime::cuda
