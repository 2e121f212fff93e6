//===- DeviceProfile.cpp - Measured times of kernel calls -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Profile/DeviceProfile.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cmath>
#include <tuple>

using namespace memplan;

static llvm::Error wrong(const std::string &where, llvm::StringRef what) {
  return llvm::createStringError(where + " " + what.str());
}

/// From the fastest on, each variant that takes less scratch than all before.
static ProfileEntry withoutWorse(ProfileEntry measured) {
  std::sort(measured.begin(), measured.end(),
            [](const ProfileVariant &a, const ProfileVariant &b) {
              return std::tie(a.micros, a.workspaceBytes) <
                     std::tie(b.micros, b.workspaceBytes);
            });
  ProfileEntry kept;
  for (const ProfileVariant &variant : measured)
    if (kept.empty() || variant.workspaceBytes < kept.back().workspaceBytes)
      kept.push_back(variant);
  return kept;
}

static llvm::Expected<ProfileEntry> parseEntry(const llvm::json::Object &object,
                                               const std::string &where) {
  const llvm::json::Array *variants = object.getArray("variants");
  if (!variants || variants->empty())
    return wrong(where, "needs a non-empty array 'variants'");
  ProfileEntry measured;
  for (size_t i = 0; i < variants->size(); ++i) {
    const llvm::json::Object *variant = (*variants)[i].getAsObject();
    std::string place = where + " variants[" + std::to_string(i) + "]";
    std::optional<double> micros =
        variant ? variant->getNumber("micros") : std::nullopt;
    if (!micros || !std::isfinite(*micros) || *micros < 0)
      return wrong(place, "needs a non-negative number 'micros'");
    std::optional<int64_t> workspace = variant->getInteger("workspace_bytes");
    if (variant->get("workspace_bytes") && (!workspace || *workspace < 0))
      return wrong(
          place, "has a 'workspace_bytes' that is not a non-negative integer");
    std::optional<llvm::StringRef> name = variant->getString("name");
    if (variant->get("name") && !name)
      return wrong(place, "has a 'name' that is not a string");
    measured.push_back(
        {*micros, workspace.value_or(0), name.value_or("").str()});
  }
  return withoutWorse(std::move(measured));
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
  if (auto planned = root->getString("planned_for"))
    profile.plannedFor = planned->str();
  if (auto versions = root->getString("backend_version"))
    profile.versions = versions->str();
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
