//===- DeviceProfile.h - Measured times of kernel calls ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PROFILE_DEVICEPROFILE_H
#define MEMPLAN_PROFILE_DEVICEPROFILE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace memplan {

/// One measured implementation of a kernel call.
struct ProfileVariant {
  double micros = 0;          ///< Median of one run.
  int64_t workspaceBytes = 0; ///< Scratch that this implementation needs.
  std::string name = {};      ///< By which its backend knows it, or "".
};

/// One measured kernel call: its variants from the fastest to the one that
/// takes the least scratch. Each is slower than the one before and takes less
/// scratch; what is no better than another in anything is left out.
using ProfileEntry = std::vector<ProfileVariant>;

/// What was measured on a device (`*.profile.json`).
struct DeviceProfile {
  std::string device;
  std::string plannedFor; ///< As plans name it; "": they name none.
  std::string versions;   ///< Driver and libraries; "": not said.
  llvm::StringMap<ProfileEntry>
      entries; ///< By the text of kernel, attributes and types, as the runtime
               ///< writes it.

  /// Null where the call was not measured.
  const ProfileEntry *find(llvm::StringRef key) const {
    auto found = entries.find(key);
    return found == entries.end() ? nullptr : &found->second;
  }
};

/// Parses
///   {"version": 1, "device": "...", "entries": [{"key": "memplan.relu{}
///   (4x8xf32) -> (4x8xf32)",
///    "variants": [{"micros": 1.5, "workspace_bytes": 0}]}]}
/// A variant may have a "name".
/// A missing or ill-typed key is an error that names it; other keys are left
/// alone.
llvm::Expected<DeviceProfile> parseDeviceProfile(llvm::StringRef text);

} // namespace memplan

#endif // MEMPLAN_PROFILE_DEVICEPROFILE_H
