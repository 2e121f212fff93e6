namespace memplan {
class One {
};
} // namespace memplan
