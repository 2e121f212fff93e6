//===- ReplaceFile.cpp - Files that change all at once --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/ReplaceFile.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace memplan;
namespace fs = std::filesystem;

static std::string failed(const std::string &path, const std::string &why) {
  return "cannot write '" + path + "': " + why;
}

static std::string reason(int error) { return std::strerror(error); }

/// Writes everything; 0, or the error number.
static int writeAll(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return 0;
}

/// The file that `path` names once its links are followed, which may be one
/// that does not exist yet. Empty for links in a circle.
static fs::path followLinks(fs::path path) {
  constexpr int most = 40; // As many as the system follows.
  for (int i = 0; i < most; ++i) {
    std::error_code error;
    fs::path next = fs::read_symlink(path, error);
    if (error)
      return path;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return {};
}

namespace {

/// An empty file in the folder of the one that it will become. It has no name
/// where the system can do without, so that nothing is left if the process is
/// ended.
class NewFile {
public:
  NewFile(fs::path folder, mode_t mode)
      : folder(folder.empty() ? fs::path(".") : std::move(folder)) {
#ifdef O_TMPFILE
    descriptor =
        ::open(this->folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (descriptor >= 0)
      return;
#endif
    chooseName([&] {
      descriptor =
          ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
      return descriptor >= 0;
    });
  }
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;
  ~NewFile() {
    if (descriptor >= 0)
      ::close(descriptor);
    if (!name.empty())
      ::unlink(name.c_str());
  }

  int descriptor = -1;
  /// Why there is none.
  int error = 0;

  /// Gives the file the name `target`; 0, or the error number.
  int become(const fs::path &target) {
    if (name.empty()) {
      std::string unnamed = "/proc/self/fd/" + std::to_string(descriptor);
      chooseName([&] {
        return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(),
                        AT_SYMLINK_FOLLOW) == 0;
      });
      if (name.empty())
        return error;
    }
    if (::rename(name.c_str(), target.c_str()) != 0)
      return errno;
    name.clear();
    return 0;
  }

private:
  /// Tries names that no other process has until `make` makes one.
  template <typename Make> void chooseName(Make make) {
    static std::atomic<unsigned> count = 0;
    do {
      name = folder / (".memplan-" + std::to_string(::getpid()) + "-" +
                       std::to_string(count++) + ".tmp");
      if (make())
        return;
      error = errno;
    } while (error == EEXIST);
    name.clear();
  }

  fs::path folder, name;
};

} // namespace

/// Devices and pipes take bytes as they come.
static std::string writeDirectly(const std::string &path,
                                 std::span<const std::byte> bytes) {
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failed(path, reason(errno));
  int error = writeAll(descriptor, bytes);
  if (::close(descriptor) != 0 && error == 0)
    error = errno;
  return error ? failed(path, reason(error)) : "";
}

std::string memplan::replaceFile(const std::string &path,
                                 std::span<const std::byte> bytes,
                                 FileUse use) {
  // A shell that redirects holds the file itself, not its name.
  if (path == "-" || path == "/dev/stdout") {
    std::fflush(stdout);
    int error = writeAll(STDOUT_FILENO, bytes);
    return error ? failed("<stdout>", reason(error)) : "";
  }
  struct stat old;
  bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode))
    return S_ISDIR(old.st_mode) ? failed(path, "it is a directory")
                                : writeDirectly(path, bytes);
  // A name can be taken from a file that may not be written, so ask.
  if (exists && ::access(path.c_str(), W_OK) != 0)
    return failed(path, reason(errno));
  fs::path target = followLinks(path);
  if (target.empty())
    return failed(path, reason(ELOOP));
  NewFile file(target.parent_path(), use == FileUse::Execute ? 0777 : 0666);
  if (file.descriptor < 0)
    return failed(path, "no new file can be made in its folder: " +
                            reason(file.error));
  int error = writeAll(file.descriptor, bytes);
  if (exists && error == 0) {
    // Only the system's administrator may give files away; all others keep
    // what they may.
    if (::fchown(file.descriptor, old.st_uid, old.st_gid) != 0)
      errno = 0;
    if (::fchmod(file.descriptor, old.st_mode & 07777) != 0)
      error = errno;
  }
  if (error == 0)
    error = file.become(target);
  return error ? failed(path, reason(error)) : "";
}

std::string memplan::checkReplaceable(const std::string &path) {
  if (path.empty() || path == "-" || path == "/dev/stdout")
    return "";
  struct stat old;
  bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode))
    return failed(path, "it is a directory");
  if (exists && ::access(path.c_str(), W_OK) != 0)
    return failed(path, reason(errno));
  if (exists && !S_ISREG(old.st_mode))
    return "";
  fs::path target = followLinks(path);
  if (target.empty())
    return failed(path, reason(ELOOP));
  // Permissions tell only half: a file system may be read-only or virtual.
  NewFile probe(target.parent_path(), 0600);
  if (probe.descriptor < 0)
    return failed(path, "no new file can be made in its folder: " +
                            reason(probe.error));
  return "";
}
