//===- TflmsParameters.cpp - What TFLMS can be told -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Swap/TflmsParameters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace memplan;
using llvm::createStringError;
using llvm::StringRef;

static llvm::Error readNumber(StringRef text, int64_t least, int64_t &number) {
  int64_t read = 0;
  if (text.getAsInteger(10, read) || read < least)
    return createStringError("'" + text + "' is no integer from " +
                             llvm::Twine(least) + " on");
  number = read;
  return llvm::Error::success();
}

static llvm::Error readTuned(StringRef text, int64_t least,
                             std::optional<int64_t> &number) {
  if (text == "auto") {
    number.reset();
    return llvm::Error::success();
  }
  int64_t read = 0;
  if (llvm::Error error = readNumber(text, least, read))
    return error;
  number = read;
  return llvm::Error::success();
}

/// "a+b+c".
static llvm::Error readNames(StringRef text, std::vector<std::string> &names) {
  names.clear();
  for (StringRef name : llvm::split(text, '+')) {
    if (name.empty())
      return createStringError("'" + text +
                               "' has an empty name; write NAME+NAME");
    names.push_back(name.str());
  }
  return llvm::Error::success();
}

static llvm::Error readSwitch(StringRef text, bool &value) {
  const std::string lower = text.lower(); // Python writes True and False.
  if (lower != "true" && lower != "false")
    return createStringError("'" + text + "' is neither true nor false");
  value = lower == "true";
  return llvm::Error::success();
}

static llvm::Error readStrategy(StringRef text, ControlStrategy &strategy) {
  if (text != "chain_rule" && text != "direct_order")
    return createStringError("'" + text +
                             "' is neither chain_rule nor direct_order");
  strategy = text == "chain_rule" ? ControlStrategy::ChainRule
                                  : ControlStrategy::DirectOrder;
  return llvm::Error::success();
}

static llvm::Error readCodec(StringRef text, std::string &codec) {
  if (text != "none" && text != "bf16")
    return createStringError("'" + text + "' is neither none nor bf16");
  codec = text.str();
  return llvm::Error::success();
}

using P = TflmsParameters;
using Setter = llvm::Error (*)(P &, StringRef);

template <auto member> static llvm::Error setNames(P &p, StringRef text) {
  return readNames(text, p.*member);
}

static const std::pair<StringRef, Setter> keys[] = {
    {"optimizer_scopes", setNames<&P::optimizerScopes>},
    {"starting_scope", setNames<&P::startingScope>},
    {"starting_op_names", setNames<&P::startingOpNames>},
    {"excl_scopes", setNames<&P::exclScopes>},
    {"incl_scopes", setNames<&P::inclScopes>},
    {"excl_types", setNames<&P::exclTypes>},
    {"incl_types", setNames<&P::inclTypes>},
    {"n_tensors",
     [](P &p, StringRef text) { return readTuned(text, -1, p.nTensors); }},
    {"lb", [](P &p, StringRef text) { return readTuned(text, 1, p.lb); }},
    {"ub", [](P &p, StringRef text) { return readNumber(text, 0, p.ub); }},
    {"ctrld_strategy",
     [](P &p, StringRef text) { return readStrategy(text, p.ctrldStrategy); }},
    {"fuse_swapins",
     [](P &p, StringRef text) { return readSwitch(text, p.fuseSwapins); }},
    {"swap_branches",
     [](P &p, StringRef text) { return readSwitch(text, p.swapBranches); }},
    {"branch_threshold",
     [](P &p, StringRef text) {
       return readNumber(text, 0, p.branchThreshold);
     }},
    {"threshold",
     [](P &p, StringRef text) { return readTuned(text, 0, p.threshold); }},
    {"closeness",
     [](P &p, StringRef text) { return readNumber(text, 0, p.closeness); }},
    {"codec", [](P &p, StringRef text) { return readCodec(text, p.codec); }},
};

llvm::Expected<TflmsParameters> TflmsParameters::parse(StringRef text) {
  TflmsParameters parameters;
  if (text.empty())
    return parameters;
  for (StringRef assignment : llvm::split(text, ',')) {
    const auto [key, value] = assignment.split('=');
    const auto *found = llvm::find_if(
        keys, [&](const auto &each) { return each.first == key; });
    if (found == std::end(keys))
      return createStringError("'" + key +
                               "' is no parameter of TFLMS; there are " +
                               llvm::join(llvm::make_first_range(keys), ", "));
    if (llvm::Error error = found->second(parameters, value))
      return createStringError(key + ": " + llvm::toString(std::move(error)));
  }
  return parameters;
}
