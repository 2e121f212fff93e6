namespace memplan {
struct One : Other {
};
} // namespace memplan
namespace memplan::other {
class One {
};
} // namespace memplan::other
