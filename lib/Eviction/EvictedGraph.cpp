//===- EvictedGraph.cpp - What an eviction makes others cost --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Eviction/EvictedGraph.h"

#include <algorithm>
#include <new>

namespace memplan::eviction {

static void take(std::vector<int32_t> &numbers, int32_t number) {
  auto place = std::find(numbers.rbegin(), numbers.rend(), number);
  if (place != numbers.rend())
    numbers.erase(std::next(place).base());
}

int32_t EvictedGraph::add(double cost, std::span<const int32_t> parents) {
  if (unused.empty()) {
    if (unused.capacity() <=
        nodes.size()) // So that remove() allocates nothing.
      unused.reserve(2 * nodes.size() + 16);
    nodes.emplace_back();
    unused.push_back(int32_t(nodes.size()) - 1);
  }
  const int32_t number = unused.back();
  Node &node = nodes[size_t(number)];
  node.cost = cost;
  try {
    for (int32_t parent : parents)
      if (std::find(node.parents.begin(), node.parents.end(), parent) ==
          node.parents.end()) {
        node.parents.push_back(parent);
        nodes[size_t(parent)].children.push_back(number);
      }
  } catch (...) {
    for (int32_t parent : node.parents)
      take(nodes[size_t(parent)].children, number);
    node.parents.clear();
    throw;
  }
  unused.pop_back();
  return number;
}

void EvictedGraph::remove(int32_t tensor) noexcept {
  if (isEvicted(tensor))
    restore(tensor);
  Node &node = nodes[size_t(tensor)];
  for (int32_t parent : node.parents)
    take(nodes[size_t(parent)].children, tensor);
  for (int32_t child : node.children)
    take(nodes[size_t(child)].parents, tensor);
  node.parents.clear();
  node.children.clear();
  unused.push_back(tensor);
}

void EvictedGraph::clear() {
  unused.clear();
  for (size_t i = nodes.size(); i-- > 0;) {
    Node &node = nodes[i];
    node.parents.clear();
    node.children.clear();
    node.evicted = false;
    node.element = -1;
    unused.push_back(int32_t(i));
  }
  elements.clear();
}

void EvictedGraph::setCost(int32_t tensor, double cost) {
  Node &node = nodes[size_t(tensor)];
  if (node.element >= 0)
    elements[size_t(rootOf(node.element))].cost += cost - node.cost;
  node.cost = cost;
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

int32_t EvictedGraph::rootOf(int32_t element) {
  while (elements[size_t(element)].up >= 0) {
    Element &here = elements[size_t(element)];
    const int32_t above = elements[size_t(here.up)].up;
    if (above >= 0)
      here.up = above;
    element = here.up;
  }
  return element;
}

void EvictedGraph::join(int32_t tensor) {
  Node &node = nodes[size_t(tensor)];
  for (const std::vector<int32_t> *beside : {&node.parents, &node.children})
    for (int32_t other : *beside) {
      if (nodes[size_t(other)].element < 0)
        continue;
      const int32_t mine = rootOf(node.element);
      const int32_t theirs = rootOf(nodes[size_t(other)].element);
      if (mine == theirs)
        continue;
      elements[size_t(theirs)].cost += elements[size_t(mine)].cost;
      elements[size_t(mine)].up = theirs;
    }
}

void EvictedGraph::evict(int32_t tensor) noexcept {
  Node &node = nodes[size_t(tensor)];
  if (node.evicted)
    return;
  node.evicted = true;
  try {
    elements.push_back({-1, node.cost});
  } catch (const std::bad_alloc &) {
    return; // It counts for no component: they are estimates.
  }
  node.element = int32_t(elements.size()) - 1;
  join(tensor);
}

void EvictedGraph::restore(int32_t tensor) noexcept {
  Node &node = nodes[size_t(tensor)];
  if (!node.evicted)
    return;
  if (node.element >= 0)
    elements[size_t(rootOf(node.element))].cost -= node.cost;
  node.evicted = false;
  node.element = -1;
}

void EvictedGraph::rebuildComponents() {
  elements.clear();
  for (Node &node : nodes)
    node.element = -1;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].evicted) {
      nodes[i].element = int32_t(elements.size());
      elements.push_back({-1, nodes[i].cost});
      join(int32_t(i));
    }
}

double EvictedGraph::componentCost(int32_t tensor) {
  if (nodes[size_t(tensor)].element < 0)
    return 0;
  return elements[size_t(rootOf(nodes[size_t(tensor)].element))].cost;
}

double EvictedGraph::componentsBeside(int32_t tensor) {
  const Node &node = nodes[size_t(tensor)];
  pending.clear();
  for (const std::vector<int32_t> *beside : {&node.parents, &node.children})
    for (int32_t other : *beside)
      if (nodes[size_t(other)].element >= 0)
        pending.push_back(rootOf(nodes[size_t(other)].element));
  std::sort(pending.begin(), pending.end());
  pending.erase(std::unique(pending.begin(), pending.end()), pending.end());
  double sum = 0;
  for (int32_t root : pending)
    sum += elements[size_t(root)].cost;
  return sum;
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

double EvictedGraph::walk(int32_t tensor, std::vector<int32_t> Node::*next) {
  ++round;
  double sum = 0;
  pending.assign(1, tensor);
  while (!pending.empty()) {
    const Node &node = nodes[size_t(pending.back())];
    pending.pop_back();
    for (int32_t other : node.*next) {
      Node &reached = nodes[size_t(other)];
      if (!reached.evicted || reached.seen == round)
        continue;
      reached.seen = round;
      sum += reached.cost;
      pending.push_back(other);
    }
  }
  return sum;
}

double EvictedGraph::cost(int32_t tensor, Neighbours neighbours) {
  const double own = ownCost(tensor);
  switch (neighbours) {
  case Neighbours::None:
  case Neighbours::Own:
    return own;
  case Neighbours::Ancestors:
    return own + walk(tensor, &Node::parents);
  case Neighbours::Exact:
    return own + walk(tensor, &Node::parents) + walk(tensor, &Node::children);
  case Neighbours::Components:
    return own + componentsBeside(tensor);
  }
  return own;
}

} // namespace memplan::eviction
