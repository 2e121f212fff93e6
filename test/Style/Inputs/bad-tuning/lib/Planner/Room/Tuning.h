namespace tuning {

/// Moves, for each op: chosen on chain16.
constexpr int movesOfOp = 600;
constexpr double besideIt = 0.3; // belongs to the comment above

constexpr int without = 40;

// A heading is no reason.

constexpr int alsoWithout = 41;

} // namespace tuning
