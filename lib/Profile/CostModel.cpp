//===- CostModel.cpp - Costs that options ask for -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Profile/CostModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace memplan;

/// The text of the file, parsed; errors name the file and call it `what`.
template <typename T>
static llvm::Expected<T>
parseFile(llvm::StringRef what, llvm::StringRef path,
          llvm::Expected<T> (*parse)(llvm::StringRef)) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError("cannot read the " + what.str() + " '" +
                                   path.str() +
                                   "': " + file.getError().message());
  llvm::Expected<T> parsed = parse((*file)->getBuffer());
  if (!parsed)
    return llvm::createStringError(what.str() + " '" + path.str() +
                                   "': " + llvm::toString(parsed.takeError()));
  return parsed;
}

llvm::Expected<CostModel> CostModel::parse(llvm::StringRef text) {
  CostModel model;
  if (text.empty())
    return model;
  llvm::StringRef argument = text;
  if (text == "flops") {
    model.sort = Kind::Flops;
  } else if (text == "roofline") {
    model.sort = Kind::Roofline;
  } else if (argument.consume_front("roofline:")) {
    llvm::Expected<DeviceSpec> device =
        argument.ends_with(".json")
            ? parseFile("device", argument, parseDeviceSpec)
            : findDevice(argument);
    if (!device)
      return device.takeError();
    model.sort = Kind::Roofline;
    model.device = std::move(*device);
  } else if (argument.consume_front("profile:")) {
    llvm::Expected<DeviceProfile> profile =
        parseFile("profile", argument, parseDeviceProfile);
    if (!profile)
      return profile.takeError();
    model.sort = Kind::Profile;
    model.profile = std::move(*profile);
  } else {
    return llvm::createStringError(
        "unknown cost model '" + text.str() +
        "'; there are 'flops', 'roofline', 'roofline:DEVICE', "
        "'roofline:FILE.json', 'profile:FILE'");
  }
  return model;
}

double CostModel::estimate(int64_t flops, int64_t bytesMoved) const {
  return device.micros(flops, sort == Kind::Flops ? 0 : bytesMoved);
}

double CostModel::launchBesideCosts() const {
  if (sort == Kind::Profile || device.launchMicros > 0)
    return 0;
  return llvm::cantFail(findDevice("v100")).launchMicros;
}

const ProfileEntry *CostModel::find(llvm::StringRef key) const {
  return sort == Kind::Profile ? profile.find(key) : nullptr;
}

/// A node whose outputs are all views moves nothing.
static bool makesOnlyViews(const Graph &graph, const Node &node) {
  return !node.outputs.empty() && node.writes.empty() &&
         llvm::all_of(node.outputs, [&](TensorId output) {
           return graph[output].viewOf.has_value();
         });
}

llvm::Error CostModel::apply(Graph &graph) const {
  if (sort == Kind::AsItStands)
    return llvm::Error::success();
  if (sort == Kind::Profile)
    return llvm::createStringError(
        "cost model 'profile' needs the calls of kernels, which a graph does "
        "not hold; give it to memplan-opt, which writes the measured costs "
        "into the graph");
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node &node = graph.nodes[n];
    if (node.flops == 0 && node.bytesMoved == 0 && node.cost != 0 &&
        !makesOnlyViews(graph, node))
      return llvm::createStringError(
          describe(graph, NodeId(n)) +
          " has neither 'flops' nor 'bytes_moved', so that no cost can be "
          "computed for it");
  }
  for (Node &node : graph.nodes) {
    node.cost =
        makesOnlyViews(graph, node) ? 0 : estimate(node.flops, node.bytesMoved);
    for (NodeVariant &variant : node.variants)
      variant.cost = node.cost;
  }
  if (!graph.bandwidth && device.hostToDeviceRate > 0 &&
      device.deviceToHostRate > 0) {
    Bandwidth bandwidth;
    bandwidth.hostToDevice = device.hostToDeviceRate / 1e6;
    bandwidth.deviceToHost = device.deviceToHostRate / 1e6;
    graph.bandwidth = bandwidth;
  }
  return llvm::Error::success();
}
