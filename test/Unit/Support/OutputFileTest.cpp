//===- OutputFileTest.cpp - Files change all at once or not at all --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/OutputFile.h"
#include "memplan/Support/ReplaceFile.h"

#include "llvm/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace memplan;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class OutputFile : public ::testing::Test {
protected:
  OutputFile() {
    char name[] = "/tmp/memplan-output-XXXXXX";
    folder = ::mkdtemp(name);
  }
  ~OutputFile() override { fs::remove_all(folder); }

  static std::string textOf(const fs::path &path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::string write(const fs::path &path, const std::string &text) {
    return llvm::toString(writeFile(path.string(), llvm::StringRef(text)));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto &entry : fs::directory_iterator(folder))
      found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path folder;
};

} // namespace

// Nothing but the file itself may be left in its folder.
TEST_F(OutputFile, writes_new_files_and_replaces_old_ones) {
  EXPECT_EQ(write(folder / "a", "first"), "");
  EXPECT_EQ(textOf(folder / "a"), "first");
  EXPECT_EQ(write(folder / "a", "x"), "");
  EXPECT_EQ(textOf(folder / "a"), "x");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

// New files follow the umask, old ones keep what their owner chose.
TEST_F(OutputFile, keeps_permissions) {
  mode_t mask = ::umask(022);
  EXPECT_EQ(write(folder / "new", "x"), "");
  EXPECT_EQ(replaceFile(folder / "library", {}, FileUse::Execute), "");
  ::umask(mask);
  write(folder / "old", "x");
  ASSERT_EQ(::chmod((folder / "old").c_str(), 0640), 0);
  EXPECT_EQ(write(folder / "old", "y"), "");
  auto modeOf = [&](const char *name) {
    struct stat status;
    EXPECT_EQ(::stat((folder / name).c_str(), &status), 0);
    return status.st_mode & 0777;
  };
  EXPECT_EQ(modeOf("new"), 0644u);
  EXPECT_EQ(modeOf("library"), 0755u);
  EXPECT_EQ(modeOf("old"), 0640u);
}

// A link stays a link; the file that it names changes, or comes to be.
TEST_F(OutputFile, follows_symbolic_links) {
  fs::create_directory(folder / "sub");
  fs::create_symlink("sub/target", folder / "link");
  EXPECT_EQ(write(folder / "link", "dangling"), "");
  EXPECT_EQ(textOf(folder / "sub" / "target"), "dangling");
  EXPECT_EQ(write(folder / "link", "there"), "");
  EXPECT_EQ(textOf(folder / "sub" / "target"), "there");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  fs::create_symlink("circle", folder / "circle");
  EXPECT_THAT(write(folder / "circle", "x"), HasSubstr("cannot write"));
}

// Devices and pipes are not replaced by files.
TEST_F(OutputFile, writes_into_pipes_and_devices) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = textOf(folder / "pipe"); });
  EXPECT_EQ(write(folder / "pipe", "through"), "");
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_EQ(write("/dev/null", "x"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(write("/dev/full", "x"),
              HasSubstr("cannot write '/dev/full': No space left"));
}

// What cannot be written is known before the work, and nothing is left of
// finding out.
TEST_F(OutputFile, refuses_early) {
  write(folder / "file", "old");
  for (fs::path path : {folder, folder / "none" / "x", folder / "file" / "x",
                        fs::path("/proc/x")}) {
    EXPECT_THAT(checkReplaceable(path), HasSubstr("cannot write '")) << path;
    EXPECT_THAT(write(path, "new"), HasSubstr("cannot write '")) << path;
  }
  EXPECT_EQ(checkReplaceable(folder / "file"), "");
  EXPECT_EQ(checkReplaceable(folder / "new"), "");
  EXPECT_EQ(checkReplaceable("/dev/null"), "");
  EXPECT_EQ(checkReplaceable("-"), "");
  EXPECT_EQ(textOf(folder / "file"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"file"});
}
