#include "Tuning.h"

// 37 in a comment, and "38 in a text", are none.
enum Kind { One = 4, Two = 8 };

void f(llvm::StringRef text) {
  llvm::SmallVector<int, 8> list;
  std::array<double, 3> shares;
  const char *name = "39 nodes";
  const uint64_t bit = uint64_t(1) << 17 >> 3 | word & 63;
  if (text.getAsInteger(10, number) || random.chance(0.5) || !find(2))
    return;
  const int64_t bytes = all / 100 * percent;
  for (int round = 0; round < 12; ++round)
    if (cost > best * 1.03 || excess > 20'000 || hash == 0x9e3779b97f4a7c15)
      return;
  for (int eighths : {9, 16})
    run(budget / 500);
  run(movesOfOp, besideIt, without);
}
