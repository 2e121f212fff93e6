//===- MaxBatch.cpp - The largest batch that fits -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/MaxBatch.h"
#include "Tuning.h"
#include "memplan/Planner/Model/ContractedStep.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <set>

using namespace memplan;

llvm::Expected<BatchLimit> BatchLimit::parse(llvm::StringRef text) {
  if (text == "forward")
    return BatchLimit{Kind::Forward, 1};
  if (text == "any")
    return BatchLimit{Kind::Any, 1};
  if (text == "per-sample")
    return BatchLimit{Kind::PerSample, 1};
  double slowdown = 0;
  if (text.getAsDouble(slowdown) || !(slowdown >= 1) || slowdown > 1e9)
    return llvm::createStringError(
        "'" + text +
        "' is neither 'forward' nor 'any' nor 'per-sample' nor a number of at "
        "least 1");
  return BatchLimit{Kind::Slowdown, slowdown};
}

double memplan::forwardCost(const GraphIndex &index) {
  const ContractedStep step(index, /*inPlace=*/true);
  double sum = 0, loss = 0;
  for (const StepOp &op : step.ops())
    if (op.feedsBackward || (op.forward && !op.outputs.empty())) {
      sum += op.cost;
      loss = op.cost; // The last one, with which the backward pass begins.
    }
  return sum - loss;
}

llvm::Error BatchCosts::add(int64_t batch, Graph step) {
  if (!measured.empty() &&
      measured.front().second.nodes.size() != step.nodes.size())
    return llvm::createStringError(
        "the step for batch " + llvm::Twine(batch) + " has " +
        llvm::Twine(step.nodes.size()) + " nodes, that for batch " +
        llvm::Twine(measured.front().first) + " has " +
        llvm::Twine(measured.front().second.nodes.size()));
  auto place = std::lower_bound(
      measured.begin(), measured.end(), batch,
      [](const auto &entry, int64_t than) { return entry.first < than; });
  measured.insert(place, {batch, std::move(step)});
  return llvm::Error::success();
}

llvm::Expected<bool> BatchCosts::apply(int64_t batch, Graph &step) const {
  if (measured.empty() || batch < measured.front().first ||
      batch > measured.back().first)
    return false;
  auto above = std::lower_bound(
      measured.begin(), measured.end(), batch,
      [](const auto &entry, int64_t than) { return entry.first < than; });
  if (above->first == batch)
    return true; // As it was measured.
  auto below = std::prev(above);
  if (step.nodes.size() != below->second.nodes.size())
    return llvm::createStringError("the step for batch " + llvm::Twine(batch) +
                                   " has " + llvm::Twine(step.nodes.size()) +
                                   " nodes, the measured ones have " +
                                   llvm::Twine(below->second.nodes.size()));
  const double weight =
      double(batch - below->first) / double(above->first - below->first);
  for (size_t n = 0; n < step.nodes.size(); ++n) {
    Node &node = step.nodes[n];
    const Node &low = below->second.nodes[n], &high = above->second.nodes[n];
    // Which variants a call has is measured too: the fastest stand in.
    node.cost = low.leastCost() + weight * (high.leastCost() - low.leastCost());
    node.variants.clear();
    node.workspaceBytes = std::max(low.workspaceBytes, high.workspaceBytes);
  }
  return true;
}

namespace {
/// Plans one batch after the other, each once.
class BatchSearch {
public:
  BatchSearch(const StepAtBatch &stepAt, const PlanOptions &options,
              const BatchLimit &limit, const MaxBatchWatch &watch)
      : stepAt(stepAt), options(options), limit(limit), watch(watch) {}

  llvm::Expected<MaxBatch> largest(int64_t first) {
    int64_t works = 0, fails = 0;
    for (int64_t batch = first; works == 0 || fails == 0;) {
      llvm::Expected<bool> allowed = isAllowed(batch);
      if (!allowed)
        return allowed.takeError();
      (*allowed ? works : fails) = batch;
      if (batch == 1 && fails == 1)
        return std::move(result); // Not even one sample.
      if (*allowed && fails == 0 && batch > mostSamples / 2)
        fails = batch + 1;
      batch = *allowed ? batch * 2 : std::max<int64_t>(1, batch / 2);
    }
    while (works > 0) {
      if (llvm::Error error = bisect(works, fails))
        return std::move(error);
      llvm::Expected<bool> confirmed = confirm(works);
      if (!confirmed)
        return confirmed.takeError();
      if (*confirmed)
        return choose(works);
      fails = works;
      works = largestAllowedBelow(fails);
      if (works == 0 && fails > 1) // What is below was not looked at.
        return largest(fails / 2);
    }
    return std::move(result);
  }

  llvm::Expected<MaxBatch> cheapestPerSample(int64_t first) {
    // Up to the largest batch that has a plan at all.
    llvm::Expected<MaxBatch> all = largest(first);
    if (!all || !all->best)
      return all;
    result = std::move(*all);
    const int64_t most = result.tried[*result.best].batch;
    for (int64_t batch = most; batch > 1;
         batch -= std::max<int64_t>(1, batch / tuning::partOfBatch))
      if (llvm::Expected<bool> done = isAllowed(batch); !done)
        return done.takeError();
    while (true) {
      // Halve the ranges beside the best until its neighbours were tried.
      while (std::optional<int64_t> middle = besideBest())
        if (llvm::Expected<bool> done = isAllowed(*middle); !done)
          return done.takeError();
      llvm::Expected<bool> confirmed = confirm(cheapest());
      if (!confirmed)
        return confirmed.takeError();
      if (*confirmed)
        return choose(cheapest());
    }
  }

private:
  static constexpr int64_t mostSamples = int64_t(1) << 20;

  std::vector<TriedBatch>::iterator placeOf(int64_t batch) {
    return std::lower_bound(
        result.tried.begin(), result.tried.end(), batch,
        [](const TriedBatch &a, int64_t than) { return a.batch < than; });
  }

  llvm::Expected<bool> isAllowed(int64_t batch) {
    auto place = placeOf(batch);
    if (place != result.tried.end() && place->batch == batch)
      return place->isAllowed();
    llvm::Expected<TriedBatch> tried = tryBatch(batch);
    if (!tried)
      return tried.takeError();
    place = result.tried.insert(place, std::move(*tried));
    if (watch.tried)
      watch.tried(*place);
    return place->isAllowed();
  }

  llvm::Error bisect(int64_t &works, int64_t &fails) {
    while (fails - works > 1) {
      const int64_t middle = works + (fails - works) / 2;
      llvm::Expected<bool> allowed = isAllowed(middle);
      if (!allowed)
        return allowed.takeError();
      (*allowed ? works : fails) = middle;
    }
    return llvm::Error::success();
  }

  int64_t largestAllowedBelow(int64_t batch) const {
    int64_t most = 0;
    for (const TriedBatch &tried : result.tried)
      if (tried.batch < batch && tried.isAllowed())
        most = tried.batch;
    return most;
  }

  /// A batch is planned as it will be run, once.
  llvm::Expected<bool> confirm(int64_t batch) {
    if (!watch.confirm || !confirmed.insert(batch).second)
      return true;
    TriedBatch &tried = *placeOf(batch);
    if (llvm::Error error = watch.confirm(tried))
      return std::move(error);
    setSampleCost(tried);
    if (tried.isAllowed())
      return true;
    tried.isRefused = true;
    if (watch.tried)
      watch.tried(tried);
    return false;
  }

  void setSampleCost(TriedBatch &tried) const {
    int64_t runs = 0;
    for (const PlanAction &action : tried.plan.steps)
      runs += action.action == ActionKind::Compute;
    tried.sampleCost =
        (tried.plan.makespan() + limit.launchCost * double(runs)) /
        double(tried.batch);
  }

  llvm::Expected<TriedBatch> tryBatch(int64_t batch) const {
    llvm::Expected<Graph> graph = stepAt(batch);
    if (!graph)
      return graph.takeError();
    TriedBatch tried;
    tried.batch = batch;
    llvm::Expected<Plan> plan = planStep(*graph, options);
    if (!plan)
      return plan.takeError();
    tried.plan = std::move(*plan);
    setSampleCost(tried);
    for (const Node &node : graph->nodes)
      tried.unplannedCost += node.leastCost();
    tried.allowedCost = tried.unplannedCost;
    if (limit.kind == BatchLimit::Kind::Forward)
      tried.allowedCost += forwardCost(GraphIndex(*graph));
    else if (limit.kind == BatchLimit::Kind::Slowdown)
      tried.allowedCost *= limit.slowdown;
    else
      tried.allowedCost = std::numeric_limits<double>::infinity();
    return tried;
  }

  /// Half way from the best to the next batch that was tried, above first.
  std::optional<int64_t> besideBest() const {
    const int64_t best = cheapest();
    std::optional<int64_t> below, above;
    for (const TriedBatch &tried : result.tried) {
      if (tried.batch < best)
        below = tried.batch;
      if (tried.batch > best && !above)
        above = tried.batch;
    }
    if (above && *above - best > 1)
      return best + (*above - best) / 2;
    if (below && best - *below > 1)
      return *below + (best - *below) / 2;
    return std::nullopt;
  }

  int64_t cheapest() const {
    const TriedBatch *best = nullptr;
    for (const TriedBatch &tried : result.tried)
      if (tried.isAllowed() && (!best || tried.sampleCost <= best->sampleCost))
        best = &tried;
    return best->batch;
  }

  MaxBatch choose(int64_t batch) {
    for (size_t i = 0; i < result.tried.size(); ++i)
      if (result.tried[i].batch == batch)
        result.best = i;
    return std::move(result);
  }

  const StepAtBatch &stepAt;
  const PlanOptions &options;
  const BatchLimit &limit;
  const MaxBatchWatch &watch;
  MaxBatch result;
  std::set<int64_t> confirmed;
};
} // namespace

llvm::Expected<MaxBatch> memplan::maxBatch(const StepAtBatch &stepAt,
                                           int64_t first,
                                           const PlanOptions &options,
                                           const BatchLimit &limit,
                                           const MaxBatchWatch &watch) {
  if (!options.budgetBytes)
    return llvm::createStringError(
        "the largest batch needs a budget in bytes: without one every batch "
        "fits, and a share of the peak grows with the batch");
  if (first < 1)
    return llvm::createStringError("a batch of " + llvm::Twine(first) +
                                   " samples to begin with is below 1");
  BatchSearch search(stepAt, options, limit, watch);
  return limit.kind == BatchLimit::Kind::PerSample
             ? search.cheapestPerSample(first)
             : search.largest(first);
}
