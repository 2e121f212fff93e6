struct Large : Base {
  explicit Large(int bytes) : bytes(bytes) {}
  int size() const { return bytes; }
  void grow(int by); // A comment (with brackets);
  bool operator==(const Large &other) const = default;
  static Large make();
  struct Inner {
    int value() const;
  };
  int bytes = sizeof(int), more[2] = {1, 2};
  const char *text = "one();";
};
struct Small {
  void run();
};
