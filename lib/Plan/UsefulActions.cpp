//===- UsefulActions.cpp - No run and no copy in vain ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/UsefulActions.h"
#include "memplan/Plan/ActionStorages.h"
#include "memplan/Schedule/UsefulRuns.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <set>

using namespace memplan;

/// What the action discards, without views that may be live already: whether
/// they are depends on what is left out.
static llvm::SmallVector<TensorId> discardedBytes(const GraphIndex &index,
                                                  const PlanAction &action) {
  llvm::SmallVector<TensorId> discards;
  for (TensorId output : action.discard)
    if (llvm::is_contained(action.discard, index.base(output)))
      discards.push_back(output);
  return discards;
}

namespace {
/// From the end of the list to its beginning: what is of use.
class Selection {
public:
  Selection(const GraphIndex &index, llvm::ArrayRef<PlanAction> actions,
            llvm::ArrayRef<TensorId> hosted, bool keepsOrder)
      : index(index), actions(actions),
        uses(index, countRuns(index.graph(), actions), keepsOrder),
        wantedOnHost(index.graph().tensors.size()) {
    for (TensorId tensor : hosted) {
      uses.bring(tensor);
      wantedOnHost[tensor.index] = true;
    }
  }

  /// By action: whether it stays. Frees and the ends of copies on the host are
  /// not decided here.
  std::vector<bool> find();

private:
  static std::vector<int32_t> countRuns(const Graph &graph,
                                        llvm::ArrayRef<PlanAction> actions) {
    std::vector<int32_t> runs(graph.nodes.size(), 0);
    for (const PlanAction &action : actions)
      if (action.action == ActionKind::Compute)
        ++runs[action.node.index];
    return runs;
  }
  bool isUseful(const PlanAction &action, int32_t place);

  const GraphIndex &index;
  llvm::ArrayRef<PlanAction> actions;
  UseTracker uses;
  std::vector<bool> wantedOnHost; ///< By tensor.
};

/// A base tensor from the action that makes or brings it to its last use.
struct Stay {
  TensorId base;
  int32_t lastUse = -1; ///< -1: before the first action.
  /// An evict, an output over it, or the end of the step: no free.
  bool endsOtherwise = false;
};

/// Writes the actions that stay, and when what they leave is freed.
class Rewriter {
public:
  Rewriter(const GraphIndex &index, std::vector<PlanAction> kept,
           llvm::ArrayRef<TensorId> hosted);
  std::vector<PlanAction> write();

private:
  void begin(TensorId base, int32_t at);
  void use(TensorId base, int32_t at);
  void follow(int32_t at);
  void discardViews(PlanAction &action);
  bool mayBeFreed(TensorId base) const {
    const Tensor &tensor = index.graph()[base];
    return !isCallerOwned(tensor.kind) || isHosted[base.index] ||
           (tensor.kind == TensorKind::Input && tensor.donated);
  }

  const GraphIndex &index;
  std::vector<PlanAction> kept;
  std::vector<bool> isHosted; ///< By base: it lives on the host.
  std::vector<Stay> stays;
  std::vector<int32_t> current; ///< By base: its latest stay, or -1.
  std::vector<int32_t> viewed;  ///< By view: the stay that it shows, or -1.
};
} // namespace

bool Selection::isUseful(const PlanAction &action, int32_t place) {
  switch (action.action) {
  case ActionKind::Compute:
    return uses.seeRun(action.node, place, discardedBytes(index, action));
  case ActionKind::Fetch: {
    const TensorId tensor = action.tensors.front();
    if (!uses.isWanted(tensor))
      return false;
    uses.bring(tensor);
    wantedOnHost[tensor.index] = true;
    return true;
  }
  case ActionKind::Evict: {
    const TensorId tensor = action.tensors.front();
    if (!wantedOnHost[tensor.index])
      return false;
    wantedOnHost[tensor.index] = false;
    uses.want(tensor);
    return true;
  }
  case ActionKind::Free:
  case ActionKind::Wait:
  case ActionKind::DropHost:
    return true;
  }
  return true;
}

std::vector<bool> Selection::find() {
  std::vector<bool> stays(actions.size());
  std::set<int64_t> gone; // Events of copies that do not stay.
  for (auto place = static_cast<int32_t>(actions.size()); place-- > 0;) {
    stays[place] = isUseful(actions[place], place);
    if (!stays[place] && actions[place].event)
      gone.insert(*actions[place].event);
  }
  for (size_t place = 0; place < actions.size(); ++place)
    if (actions[place].action == ActionKind::Wait)
      stays[place] = !gone.count(*actions[place].event);
  return stays;
}

Rewriter::Rewriter(const GraphIndex &index, std::vector<PlanAction> kept,
                   llvm::ArrayRef<TensorId> hosted)
    : index(index), kept(std::move(kept)),
      isHosted(index.graph().tensors.size()),
      current(index.graph().tensors.size(), -1),
      viewed(index.graph().tensors.size(), -1) {
  for (TensorId tensor : hosted)
    isHosted[tensor.index] = true;
  for (size_t t = 0; t < current.size(); ++t) {
    const TensorId base(t);
    if (index.base(base) == base && !index.producer(base) && !isHosted[t])
      begin(base, -1);
  }
}

void Rewriter::begin(TensorId base, int32_t at) {
  current[base.index] = static_cast<int32_t>(stays.size());
  stays.push_back({base, at, !mayBeFreed(base)});
}

void Rewriter::use(TensorId base, int32_t at) {
  stays[current[base.index]].lastUse = at;
}

/// A live view serves.
void Rewriter::discardViews(PlanAction &action) {
  const llvm::SmallVector<TensorId> discards = discardedBytes(index, action);
  action.discard.assign(discards.begin(), discards.end());
  for (TensorId output : index.graph()[action.node].outputs) {
    const TensorId base = index.base(output);
    if (base == output || llvm::is_contained(action.discard, base))
      continue;
    if (viewed[output.index] == current[base.index])
      action.discard.push_back(output);
    viewed[output.index] = current[base.index];
  }
  llvm::sort(action.discard);
}

void Rewriter::follow(int32_t at) {
  PlanAction &action = kept[at];
  switch (action.action) {
  case ActionKind::Compute:
    for (TensorId base : index.usedBases(action.node))
      use(base, at);
    for (const InPlacePair &pair : action.inPlace)
      stays[current[index.base(pair.input).index]].endsOtherwise = true;
    for (TensorId base : index.madeBases(action.node))
      if (!llvm::is_contained(action.discard, base))
        begin(base, at);
    discardViews(action);
    return;
  case ActionKind::Fetch:
    begin(action.tensors.front(), at);
    return;
  case ActionKind::Evict: // The first wait for it gives the bytes back.
    use(action.tensors.front(), at);
    stays[current[action.tensors.front().index]].endsOtherwise = true;
    return;
  case ActionKind::Free:
  case ActionKind::Wait:
  case ActionKind::DropHost:
    return;
  }
}

std::vector<PlanAction> Rewriter::write() {
  for (size_t at = 0; at < kept.size(); ++at)
    follow(static_cast<int32_t>(at));
  for (int32_t stay : current)
    if (stay >= 0 && !isHosted[stays[stay].base.index] &&
        llvm::any_of(index.aliasSet(stays[stay].base), [&](TensorId member) {
          return index.staysToTheEnd(member);
        }))
      stays[stay].endsOtherwise = true;
  std::vector<std::vector<TensorId>> freed(kept.size() + 1);
  for (const Stay &stay : stays)
    if (!stay.endsOtherwise)
      freed[stay.lastUse + 1].push_back(stay.base);
  std::vector<PlanAction> written;
  std::vector<bool> onHost(index.graph().tensors.size());
  for (size_t at = 0; at <= kept.size(); ++at) {
    if (!freed[at].empty()) {
      llvm::sort(freed[at]);
      written.push_back(PlanAction::free(std::move(freed[at])));
    }
    if (at == kept.size())
      break;
    PlanAction &action = kept[at];
    if (action.action == ActionKind::Evict)
      onHost[action.tensors.front().index] = true;
    // The copy may have been one in vain.
    if (action.action == ActionKind::DropHost) {
      if (!onHost[action.tensors.front().index])
        continue;
      onHost[action.tensors.front().index] = false;
    }
    written.push_back(std::move(action));
  }
  return written;
}

std::vector<PlanAction> memplan::leaveOutActionsInVain(
    const GraphIndex &index, std::vector<PlanAction> actions, bool keepsOrder) {
  const std::vector<TensorId> hosted = findHosted(index, actions);
  const std::vector<bool> stays =
      Selection(index, actions, hosted, keepsOrder).find();
  if (!llvm::is_contained(stays, false))
    return actions;
  std::vector<PlanAction> kept;
  for (size_t at = 0; at < actions.size(); ++at)
    if (stays[at] && actions[at].action != ActionKind::Free)
      kept.push_back(std::move(actions[at]));
  return Rewriter(index, std::move(kept), hosted).write();
}
