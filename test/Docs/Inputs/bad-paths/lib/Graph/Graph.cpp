// See docs/Page.md and Graph.cpp; https://example.org/gone.md is elsewhere.
#include "Gone.h"
int gone; // As Lost.h and lib/Graph/Lost.cpp say, a.b does not.
struct Graph {
  int measure();
};
