//===- CostModelTest.cpp - Tests of cost models ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Profile/CostModel.h"
#include "ErrorMatchers.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace memplan;

/// A file of that content, gone after the test.
struct TemporaryFile {
  TemporaryFile(llvm::StringRef suffix, llvm::StringRef content) {
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("memplan", suffix,
                                                    descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << content;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  std::string named(llvm::StringRef model) const {
    return (model + ":" + path).str();
  }
  llvm::SmallString<64> path;
};

/// input -> node (1000 flops, 4000 bytes moved) -> output
static Graph oneNode() {
  Graph graph;
  graph.tensors.resize(2);
  graph.tensors[0].kind = TensorKind::Input;
  graph.tensors[1].externalId = 1;
  Node &node = graph.nodes.emplace_back();
  node.inputs = {TensorId(0)};
  node.outputs = {TensorId(1)};
  node.cost = 7;
  node.flops = 1000;
  node.bytesMoved = 4000;
  return graph;
}

static CostModel parsed(const std::string &text) {
  llvm::Expected<CostModel> model = CostModel::parse(text);
  EXPECT_TRUE(static_cast<bool>(model))
      << (model ? "" : takeMessage(model.takeError()));
  return model ? *model : CostModel();
}

// All plans would change if the default's numbers did.
TEST(CostModel, RooflineIsTheReferenceDevice) {
  for (const char *text : {"", "roofline"})
    for (auto [flops, bytes] : {std::pair<int64_t, int64_t>(31400000, 90),
                                std::pair<int64_t, int64_t>(31, 900001)})
      EXPECT_EQ(parsed(text).estimate(flops, bytes),
                std::max(double(flops) / 15.7e6, double(bytes) / 0.9e6));
  EXPECT_EQ(parsed("flops").estimate(31400000, 1 << 30), 2.0);
}

// A device whose rates were forgotten would make every operation free.
TEST(CostModel, EveryNamedDeviceIsComplete) {
  std::vector<std::string> names;
  for (const DeviceSpec &device : namedDevices()) {
    EXPECT_GT(device.flopsPerSecond, 1e9) << device.name;
    EXPECT_GT(device.bytesPerSecond, 1e9) << device.name;
    EXPECT_GT(device.hostToDeviceRate, 1e9) << device.name;
    EXPECT_GT(device.deviceToHostRate, 1e9) << device.name;
    EXPECT_GE(device.launchMicros, 0) << device.name;
    EXPECT_FALSE(device.source.empty()) << device.name;
    names.push_back(device.name);
    CostModel model = parsed("roofline:" + device.name);
    EXPECT_NEAR(model.estimate(int64_t(device.flopsPerSecond), 0),
                1e6 + device.launchMicros, 1e-3);
    EXPECT_NEAR(model.estimate(0, int64_t(device.bytesPerSecond)),
                1e6 + device.launchMicros, 1e-3);
  }
  for (const char *wanted : {"cpu-core", "v100", "a100", "h100", "rtx4090"})
    EXPECT_EQ(std::count(names.begin(), names.end(), wanted), 1) << wanted;
  EXPECT_EQ(parsed("roofline:A100").estimate(0, 2039), 0.9 + 2039 / 2039e3);
}

// The manual would promise a device that is not there, or hide one.
TEST(CostModel, TheManualListsTheDevices) {
  std::ifstream file(std::string(MEMPLAN_TEST_DIR) + "/../docs/CostModels.md");
  std::vector<std::string> listed, names;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `") && line.find("FLOP/s") != line.npos)
      listed.push_back(line.substr(3, line.find('`', 3) - 3));
  for (const DeviceSpec &device : namedDevices())
    names.push_back(device.name);
  EXPECT_EQ(listed, names);
}

// Whoever mistypes a device must see what there is.
TEST(CostModel, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(CostModel::parse("roofline:a1000"), FailsWith("'a100'"));
  EXPECT_THAT(CostModel::parse("roofline:none.json"),
              FailsWith("cannot read the device 'none.json'"));
  EXPECT_THAT(CostModel::parse("speed"), FailsWith("'roofline:DEVICE'"));
}

// A card that nobody listed must be usable, and a damaged file must say where.
TEST(CostModel, ReadsDevicesFromFiles) {
  TemporaryFile good("json", R"json({"version": 1, "device": "mine",
    "flops_per_second": 2e12, "bytes_per_second": 1e12, "launch_micros": 3})json");
  CostModel model = parsed(good.named("roofline"));
  EXPECT_DOUBLE_EQ(model.estimate(4000000, 0), 5);
  EXPECT_DOUBLE_EQ(model.estimate(0, 4000000), 7);
  TemporaryFile zero("json", R"json({"version": 1, "device": "mine",
    "flops_per_second": 0, "bytes_per_second": 1e12})json");
  EXPECT_THAT(CostModel::parse(zero.named("roofline")),
              FailsWith("'flops_per_second' must be above 0"));
  TemporaryFile text("json", R"json({"version": 1, "device": "mine",
    "flops_per_second": "fast", "bytes_per_second": 1e12})json");
  EXPECT_THAT(CostModel::parse(text.named("roofline")),
              FailsWith("flops_per_second"));
  TemporaryFile negative("json", R"json({"version": 1, "device": "mine",
    "flops_per_second": 1, "bytes_per_second": 1, "launch_micros": -1})json");
  EXPECT_THAT(CostModel::parse(negative.named("roofline")),
              FailsWith("'launch_micros' must not be negative"));
}

// memplan-solve would plan by other costs than memplan-opt for the same graph.
TEST(CostModel, ComputesTheCostsOfAGraph) {
  Graph graph = oneNode();
  EXPECT_THAT(parsed("").apply(graph), Succeeds());
  EXPECT_EQ(graph.nodes[0].cost, 7);
  graph.nodes[0].variants = {{9, 64}};
  EXPECT_THAT(parsed("roofline").apply(graph), Succeeds());
  EXPECT_EQ(graph.nodes[0].cost, 4000 / 0.9e6);
  EXPECT_EQ(graph.nodes[0].variants[0].cost, 4000 / 0.9e6);
  EXPECT_FALSE(graph.bandwidth.has_value());
  EXPECT_THAT(parsed("flops").apply(graph), Succeeds());
  EXPECT_EQ(graph.nodes[0].cost, 1000 / 15.7e6);
  EXPECT_THAT(parsed("roofline:h100").apply(graph), Succeeds());
  ASSERT_TRUE(graph.bandwidth.has_value());
  EXPECT_EQ(graph.bandwidth->hostToDevice, 64e3);
}

// A node without numbers would look free, and plans would recompute it at will.
TEST(CostModel, RefusesGraphsWithoutNumbers) {
  Graph graph = oneNode();
  graph.nodes[0].flops = graph.nodes[0].bytesMoved = 0;
  EXPECT_THAT(parsed("roofline").apply(graph),
              FailsWith("node 0 has neither 'flops' nor 'bytes_moved'"));
  EXPECT_EQ(graph.nodes[0].cost, 7);
  TemporaryFile profile(
      "json", R"json({"version": 1, "device": "cpu", "entries": []})json");
  EXPECT_THAT(parsed(profile.named("profile")).apply(graph),
              FailsWith("memplan-opt"));
}
