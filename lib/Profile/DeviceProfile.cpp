//===- DeviceProfile.cpp - Measured times of kernel calls -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Profile/DeviceProfile.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace memplan;

static llvm::Error wrong(const std::string &where, llvm::StringRef what) {
  return llvm::createStringError(where + " " + what.str());
}

static llvm::Expected<ProfileEntry> parseEntry(const llvm::json::Object &object,
                                               const std::string &where) {
  const llvm::json::Array *variants = object.getArray("variants");
  if (!variants || variants->empty())
    return wrong(where, "needs a non-empty array 'variants'");
  ProfileEntry best;
  for (size_t i = 0; i < variants->size(); ++i) {
    const llvm::json::Object *variant = (*variants)[i].getAsObject();
    std::string place = where + " variants[" + std::to_string(i) + "]";
    std::optional<double> micros =
        variant ? variant->getNumber("micros") : std::nullopt;
    if (!micros || !std::isfinite(*micros) || *micros < 0)
      return wrong(place, "needs a non-negative number 'micros'");
    std::optional<int64_t> workspace = variant->getInteger("workspace_bytes");
    if (variant->get("workspace_bytes") && (!workspace || *workspace < 0))
      return wrong(place,
                   "has a 'workspace_bytes' that is no non-negative integer");
    if (i == 0 || *micros < best.micros)
      best = {*micros, workspace.value_or(0)};
  }
  return best;
}

llvm::Expected<DeviceProfile>
memplan::parseDeviceProfile(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *root = value->getAsObject();
  if (!root || root->getInteger("version") != 1)
    return wrong("profile", "needs 'version' 1");
  DeviceProfile profile;
  if (std::optional<llvm::StringRef> device = root->getString("device"))
    profile.device = device->str();
  else
    return wrong("profile", "needs a string 'device'");
  const llvm::json::Array *entries = root->getArray("entries");
  if (!entries)
    return wrong("profile", "needs an array 'entries'");
  for (size_t i = 0; i < entries->size(); ++i) {
    const llvm::json::Object *object = (*entries)[i].getAsObject();
    std::string where = "entries[" + std::to_string(i) + "]";
    std::optional<llvm::StringRef> key =
        object ? object->getString("key") : std::nullopt;
    if (!key)
      return wrong(where, "needs a string 'key'");
    llvm::Expected<ProfileEntry> entry = parseEntry(*object, where);
    if (!entry)
      return entry.takeError();
    if (!profile.entries.try_emplace(*key, *entry).second)
      return wrong(where, "repeats the key '" + key->str() + "'");
  }
  return profile;
}
