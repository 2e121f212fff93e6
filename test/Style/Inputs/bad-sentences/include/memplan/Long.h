// A file, of which each comment is one or two lines long.

/// Short. Both are. `storageBytes` begins one. storageBytes begins another.
/// Bytes of the tensor; 0 for a view, since it has none of its own and lies in those of its base, which
/// counts them once for all views that look into it.
int64_t bytes = 0;

int one; ///< short
int two; ///< behind code, a comment that goes on and on, one, two, three, four,
         ///< five, six, seven, eight, nine, ten, eleven, twelve and thirteen times or so
/// A comment that was cut
/// in the middle of its line.
/// A list:
/// item, and r = 1,
///   which goes on.
int three;
