//===- DeviceSpec.cpp - Peak rates of named devices -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rates are the peaks that vendors publish: a real step reaches a part of
// them, about the same part for every operation, and plans depend on the ratios
// of costs alone. The launch overhead of 0.9 microseconds is what a kernel in a
// full stream takes beyond its own time in NVIDIA's article "Getting Started
// with CUDA Graphs" (3.8 instead of 2.9 microseconds, on a V100).
//
//===----------------------------------------------------------------------===//

#include "memplan/Profile/DeviceSpec.h"
#include "memplan/Support/JsonReader.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

double DeviceSpec::micros(int64_t flops, int64_t bytesMoved) const {
  return launchMicros + std::max(double(flops) / (flopsPerSecond / 1e6),
                                 double(bytesMoved) / (bytesPerSecond / 1e6));
}

const DeviceSpec &memplan::referenceDevice() {
  static const DeviceSpec device = {
      "reference", "NVIDIA V100 data sheet, SXM2", 15.7e12, 900e9, 0, 0, 0};
  return device;
}

std::span<const DeviceSpec> memplan::namedDevices() {
  static const DeviceSpec devices[] = {
      // Two fused multiply-adds of 8 lanes in each of 3e9 cycles a second, and
      // one channel of DDR4-2666; a copy within one memory reads and writes.
      {"cpu-core",
       "Intel optimization reference manual (Skylake client: 32 f32 operations "
       "a cycle) at 3 GHz; JEDEC JESD79-4 (DDR4-2666: 21.3 GB/s a channel)",
       96e9, 21.3e9, 0, 10.65e9, 10.65e9},
      {"v100",
       "NVIDIA V100 data sheet, SXM2 32 GB: 15.7 TFLOP/s f32, 900 GB/s; PCIe "
       "3.0 x16: 32 GB/s in both directions",
       15.7e12, 900e9, 0.9, 16e9, 16e9},
      {"a100",
       "NVIDIA A100 data sheet, SXM4 80 GB: 19.5 TFLOP/s f32, 2039 GB/s; PCIe "
       "4.0 x16: 64 GB/s in both directions",
       19.5e12, 2039e9, 0.9, 32e9, 32e9},
      {"h100",
       "NVIDIA H100 data sheet, SXM5 80 GB: 67 TFLOP/s f32, 3350 GB/s; PCIe "
       "5.0 x16: 128 GB/s in both directions",
       67e12, 3350e9, 0.9, 64e9, 64e9},
      {"rtx4090",
       "NVIDIA Ada GPU architecture white paper, GeForce RTX 4090: 82.6 "
       "TFLOP/s f32, 1008 GB/s; PCIe 4.0 x16: 64 GB/s in both directions",
       82.6e12, 1008e9, 0.9, 32e9, 32e9},
  };
  return devices;
}

llvm::Expected<DeviceSpec> memplan::findDevice(llvm::StringRef name) {
  std::string known;
  for (const DeviceSpec &device : namedDevices()) {
    if (name.equals_insensitive(device.name))
      return device;
    known += (known.empty() ? "'" : ", '") + device.name + "'";
  }
  return llvm::createStringError("unknown device '" + name.str() +
                                 "'; there are " + known +
                                 ", and a file whose name ends in '.json'");
}

llvm::Expected<DeviceSpec> memplan::parseDeviceSpec(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = parseJson(text);
  if (!value)
    return value.takeError();
  JsonIssues issues;
  DeviceSpec device;
  {
    JsonFields fields(issues, &*value, "device", "the device");
    if (int64_t version = fields.integer("version"); version != 1)
      issues.fail("version " + llvm::Twine(version) +
                  " is not known; this is version 1");
    device.name = fields.string("device");
    device.source = fields.stringOr("source", "");
    device.flopsPerSecond = fields.number("flops_per_second");
    device.bytesPerSecond = fields.number("bytes_per_second");
    device.launchMicros = fields.optionalNumber("launch_micros").value_or(0);
    device.hostToDeviceRate =
        fields.optionalNumber("h2d_bytes_per_second").value_or(0);
    device.deviceToHostRate =
        fields.optionalNumber("d2h_bytes_per_second").value_or(0);
  }
  for (auto [key, rate] :
       {std::pair("flops_per_second", device.flopsPerSecond),
        std::pair("bytes_per_second", device.bytesPerSecond)})
    if (!std::isfinite(rate) || !(rate > 0))
      issues.fail("key '" + llvm::Twine(key) + "' must be above 0");
  for (auto [key, number] :
       {std::pair("launch_micros", device.launchMicros),
        std::pair("h2d_bytes_per_second", device.hostToDeviceRate),
        std::pair("d2h_bytes_per_second", device.deviceToHostRate)})
    if (!std::isfinite(number) || !(number >= 0))
      issues.fail("key '" + llvm::Twine(key) + "' must not be negative");
  if (issues.failed())
    return issues.takeError();
  return device;
}
