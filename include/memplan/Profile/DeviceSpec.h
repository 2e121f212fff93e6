//===- DeviceSpec.h - Peak rates of named devices ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PROFILE_DEVICESPEC_H
#define MEMPLAN_PROFILE_DEVICESPEC_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <span>
#include <string>

namespace memplan {

/// What the roofline needs to know of a device.
struct DeviceSpec {
  std::string name;            ///< What users type: "a100".
  std::string source;          ///< Where the rates are published.
  double flopsPerSecond = 0;   ///< Peak of f32 arithmetic.
  double bytesPerSecond = 0;   ///< Peak of the device's memory.
  double launchMicros = 0;     ///< What every kernel takes in addition.
  double hostToDeviceRate = 0; ///< Bytes per second; 0: not known.
  double deviceToHostRate = 0; ///< Bytes per second; 0: not known.

  /// Microseconds of one call: what arithmetic or memory takes, whichever is
  /// longer, and the launch.
  double micros(int64_t flops, int64_t bytesMoved) const;
};

/// The device that costs are estimated for where none is named: the rates of a
/// V100 and no launch overhead.
const DeviceSpec &referenceDevice();

/// All named devices, in the order of the manual.
std::span<const DeviceSpec> namedDevices();

/// A named device, or an error that lists the names.
llvm::Expected<DeviceSpec> findDevice(llvm::StringRef name);

/// Parses {"version": 1, "device": "my card", "flops_per_second": 1e13,
/// "bytes_per_second": 5e11, "launch_micros": 1, "h2d_bytes_per_second": 1e10,
/// "d2h_bytes_per_second": 1e10}. The rates of arithmetic and memory must be
/// given and above 0. The others are 0 where they are missing.
llvm::Expected<DeviceSpec> parseDeviceSpec(llvm::StringRef text);

} // namespace memplan

#endif // MEMPLAN_PROFILE_DEVICESPEC_H
