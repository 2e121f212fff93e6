//===- RunToolTest.cpp - memplan-run from its command line to its files ---===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyStep.h"

#include "memplan/Kernels/Cpu/KernelTable.h"
#include "memplan/Runtime/Data/TensorData.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "memplan/Tools/RunTool.h"
#include "memplan/Tools/StopSignals.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace memplan;
using namespace memplan::runtime;
using memplan::runtime::test::swappedStep;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;

namespace {
class RunTool : public testing::Test {
protected:
  void SetUp() override {
    directory = testing::TempDir() + "memplan-run-test-" +
                testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(directory);
    ASSERT_TRUE(writeProgramFile(tinyStep(true), at("p.mpp")).ok());
    ASSERT_TRUE(writeProgramFile(tinyStep(false), at("u.mpp")).ok());
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  std::string at(const std::string &file) { return directory + "/" + file; }

  int run(std::vector<std::string> arguments) {
    // The steps are planned by hand, without scratch. The last flag counts.
    arguments.insert(arguments.begin(), {"memplan-run", "--backend=reference"});
    std::vector<char *> pointers;
    for (std::string &argument : arguments)
      pointers.push_back(argument.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int status = runToolMain(int(pointers.size()), pointers.data(), nullptr);
    out = testing::internal::GetCapturedStdout();
    errors = testing::internal::GetCapturedStderr();
    return status;
  }
  /// The lines of the last run that tell losses.
  std::vector<std::string> lossLines() {
    std::vector<std::string> lines;
    std::istringstream stream(out);
    for (std::string line; std::getline(stream, line);)
      if (line.rfind("step ", 0) == 0)
        lines.push_back(line);
    return lines;
  }

  std::string directory, out, errors;
};
} // namespace

TEST_F(RunTool, checks_poisons_measures_and_counts) {
  EXPECT_EQ(run({at("p.mpp"), "--check", "--unplanned=" + at("u.mpp"),
                 "--poison", "--measure", "--steps=3", "--threads=2"}),
            0)
      << errors;
  EXPECT_EQ(lossLines().size(), 3u);
  EXPECT_THAT(out, HasSubstr("after each of 3 steps 5 values"));
  EXPECT_THAT(out, HasSubstr("poison: every read found"));
  EXPECT_THAT(out, HasSubstr("measured: arena 0: planned 1536 bytes, handed "
                             "out 1536, touched "));
  EXPECT_THAT(out, HasSubstr("; handed out as planned"));
}

// Stopping and resuming must give the losses of a run that was not stopped.
TEST_F(RunTool, resumes_where_it_stopped) {
  ASSERT_EQ(run({at("p.mpp"), "--steps=6", "--init-seed=5"}), 0) << errors;
  std::vector<std::string> whole = lossLines();
  ASSERT_EQ(run({at("p.mpp"), "--steps=2", "--init-seed=5",
                 "--save-params=" + at("s.safetensors")}),
            0)
      << errors;
  std::vector<std::string> parts = lossLines();
  ASSERT_EQ(run({at("p.mpp"), "--steps=4", "--init-seed=5",
                 "--params=" + at("s.safetensors")}),
            0)
      << errors;
  for (const std::string &line : lossLines())
    parts.push_back(line);
  EXPECT_EQ(parts, whole);
}

// Parts of the array go to successive steps, then it starts anew.
TEST_F(RunTool, reads_data_files) {
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (128, 2), }\n";
  std::string text("\x93NUMPY\x01\x00", 8);
  text += char(header.size());
  text += '\0';
  text += header;
  for (int i = 0; i < 256; ++i) {
    float value = i < 128 ? 0.0f : 1000.0f;
    text.append(reinterpret_cast<char *>(&value), sizeof(value));
  }
  std::ofstream(at("t.npy"), std::ios::binary) << text;
  ASSERT_EQ(run({at("p.mpp"), "--steps=3", "--data=t=" + at("t.npy")}), 0)
      << errors;
  auto loss = [&](size_t step) {
    std::string line = lossLines()[step];
    return std::stod(line.substr(line.find("= ") + 2));
  };
  EXPECT_LT(loss(0), 10);
  EXPECT_GT(loss(1), 900000);
  EXPECT_EQ(run({at("p.mpp"), "--data=x=" + at("t.npy")}), 2);
  EXPECT_THAT(errors, HasSubstr("does not fit argument 'x' of type 64x3xf32"));
}

// What numpy is asked for is named as numpy names it.
TEST_F(RunTool, names_the_type_of_foreign_data) {
  const std::string header =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n";
  std::string text("\x93NUMPY\x01\x00", 8);
  text += char(header.size());
  text += '\0';
  std::ofstream(at("d.npy"), std::ios::binary)
      << text + header + std::string(8, '\0');
  EXPECT_EQ(run({at("p.mpp"), "--data=x=" + at("d.npy")}), 2);
  EXPECT_THAT(errors, HasSubstr(".npy elements are '<f8'; convert the array"));
}

// One sample of a call that was preempted would stand for all of them, and a
// second batch would take the first one's place.
TEST_F(RunTool, repeats_and_adds_to_a_profile) {
  auto textOf = [&](const std::string &file) {
    std::stringstream text;
    text << std::ifstream(at(file)).rdbuf();
    return text.str();
  };
  ASSERT_EQ(run({at("p.mpp"), "--profile=" + at("d.json"),
                 "--save-params=" + at("once.safetensors")}),
            0)
      << errors;
  const std::string first = textOf("d.json");
  int64_t entries = 0;
  for (size_t begin = first.find("\"repeats\": "); begin != first.npos;
       begin = first.find("\"repeats\": ", begin + 1), ++entries)
    EXPECT_GE(std::stoi(first.substr(begin + 11)), 5);
  EXPECT_GT(entries, 2);
  // The step that was asked for has run once, as far as anybody can see.
  ASSERT_EQ(run({at("p.mpp"), "--save-params=" + at("plain.safetensors")}), 0);
  EXPECT_EQ(textOf("once.safetensors"), textOf("plain.safetensors"));
  // An entry of another batch stays as it is; those of this one come anew.
  const size_t begin = first.rfind('\n', first.find("64x")) + 1;
  std::string other = first.substr(begin, first.find('\n', begin) - begin);
  other.replace(other.find("64x"), 3, "65x");
  other.erase(other.find_last_of('}') + 1);
  std::ofstream(at("d.json")) << first.substr(0, begin) << other << ",\n"
                              << first.substr(begin);
  ASSERT_EQ(run({at("p.mpp"), "--profile=" + at("d.json")}), 0) << errors;
  const std::string both = textOf("d.json");
  EXPECT_THAT(both, HasSubstr(other));
  auto linesOf = [](const std::string &text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(linesOf(both), linesOf(first) + 1);
  // Times of another device do not stand beside these.
  EXPECT_EQ(run({at("p.mpp"), "--threads=2", "--profile=" + at("d.json")}), 2);
  EXPECT_THAT(errors, HasSubstr("the profile is of another device"));
  EXPECT_EQ(textOf("d.json"), both);
}

TEST_F(RunTool, writes_a_profile) {
  ASSERT_EQ(run({at("p.mpp"), "--steps=3", "--profile=" + at("d.json")}), 0)
      << errors;
  std::ifstream stream(at("d.json"));
  std::string text(std::istreambuf_iterator<char>(stream), {});
  EXPECT_THAT(text, HasSubstr("\"key\": \"memplan.relu{} (64x2xf32) -> "
                              "(64x2xf32)\""));
  EXPECT_THAT(text, HasSubstr("\"usable_bytes\": "));
  EXPECT_THAT(text, HasSubstr("\"bandwidth\": {\"h2d\": "));
}

TEST_F(RunTool, a_broken_plan_ends_with_status_1) {
  Program broken = tinyStep(true);
  broken.instructions[2].outputs[0].byteOffset = 1024;
  broken.outputs[0].operand.byteOffset = 1024;
  ASSERT_TRUE(writeProgramFile(broken, at("b.mpp")).ok());
  EXPECT_EQ(run({at("b.mpp"), "--check", "--unplanned=" + at("u.mpp")}), 1);
  EXPECT_THAT(errors, HasSubstr("output 'loss' differs"));
  EXPECT_EQ(run({at("b.mpp"), "--poison"}), 1);
  EXPECT_THAT(errors, HasSubstr("overwrites bytes [1024, 1028)"));
}

TEST_F(RunTool, checks_and_measures_swapped_steps) {
  ASSERT_TRUE(writeProgramFile(swappedStep(), at("s.mpp")).ok());
  EXPECT_EQ(run({at("s.mpp"), "--check", "--unplanned=" + at("u.mpp"),
                 "--check-races", "--measure", "--steps=3",
                 "--bandwidth=1e3,5e2,100"}),
            0)
      << errors;
  EXPECT_THAT(out, HasSubstr("after each of 3 steps 5 values"));
  EXPECT_THAT(out, HasSubstr("races: none; each of 4 queues was as late"));
  EXPECT_THAT(out, HasSubstr("arena 1 (host): planned 768 bytes, handed out "
                             "520"));
}

// A race is refused before anything runs, unless it is what one wants to see.
TEST_F(RunTool, shows_races_where_it_is_asked_to) {
  Program broken = swappedStep();
  broken.instructions[5].waits.clear();
  ASSERT_TRUE(writeProgramFile(broken, at("b.mpp")).ok());
  EXPECT_EQ(run({at("b.mpp")}), 2);
  EXPECT_THAT(errors, HasSubstr("malformed program: a race: instruction 5"));
  EXPECT_EQ(run({at("b.mpp"), "--check-races"}), 1);
  EXPECT_THAT(errors, HasSubstr(" late: instruction 5 (memplan.constant"));
}

TEST_F(RunTool, bad_command_lines_end_with_status_2) {
  auto errorOf = [&](std::vector<std::string> arguments) {
    EXPECT_EQ(run(std::move(arguments)), 2);
    return errors;
  };
  EXPECT_THAT(errorOf({}), HasSubstr("no input file"));
  EXPECT_THAT(errorOf({at("p.mpp"), "--stepz=3"}),
              HasSubstr("unknown flag '--stepz=3'"));
  EXPECT_THAT(errorOf({at("p.mpp"), "--steps=0"}), HasSubstr("at least 1"));
  EXPECT_THAT(errorOf({at("p.mpp"), "--steps=3x"}), HasSubstr("--steps=3x"));
  EXPECT_THAT(errorOf({at("p.mpp"), "--steps"}), HasSubstr("needs a value"));
  EXPECT_THAT(errorOf({at("p.mpp"), "--check=1"}), HasSubstr("takes no value"));
  EXPECT_THAT(errorOf({at("p.mpp"), "--check"}), HasSubstr("--unplanned"));
  for (const char *bandwidth :
       {"1", "1,2,3,4", "0,1", "1,-1", "1,2,-1", "nan,1", "1,2x", ",", "1,2,"})
    EXPECT_THAT(errorOf({at("p.mpp"), std::string("--bandwidth=") + bandwidth}),
                HasSubstr("H2D,D2H[,LATENCY]"));
  EXPECT_THAT(errorOf({at("none.mpp")}), HasSubstr("cannot open"));
  EXPECT_THAT(errorOf({at("p.mlir")}), HasSubstr("no compiler"));
  EXPECT_THAT(errorOf({at("p.mpp"), at("u.mpp")}), HasSubstr("two input"));
  EXPECT_THAT(errorOf({at("p.mpp"), "--params=" + at("p.mpp")}),
              HasSubstr("safetensors"));
}

TEST_F(RunTool, an_absent_plugin_ends_with_status_3) {
  EXPECT_EQ(run({at("p.mpp"), "--backend=gpu"}), 3);
  EXPECT_THAT(errors,
              HasSubstr("no backend 'gpu'; known are cpu, reference, cuda"));
  EXPECT_EQ(run({at("p.mpp"), "--backend=" + at("none.so")}), 3);
  EXPECT_THAT(errors, HasSubstr("cannot open the backend plugin"));
}

namespace {
/// Sends the process a real signal in a launch of the step with that number.
struct Signal {
  static inline int number = 0, step = 0, launches = 0;
  static memplan_status_t prepare(const memplan_launch_t *,
                                  memplan_prepared_t *) {
    return MEMPLAN_OK;
  }
  static memplan_status_t launch(const memplan_launch_t *call) {
    std::memset(call->outputs[0].data, 0, 4);
    if (launches++ == step && std::raise(number) != 0)
      return MEMPLAN_FAILED;
    return MEMPLAN_OK;
  }
  static constexpr memplan_kernel_t kernel = {"test.signal", prepare, launch,
                                              nullptr,       nullptr, 0};

  static Program program() {
    static const Status registered = registerKernel(kernel);
    EXPECT_TRUE(registered.ok()) << registered.message;
    Program program = tinyStep(true);
    // In the bytes of the constant, which the next instruction writes.
    Instruction call;
    call.kernel = "test.signal";
    call.outputs = {{Space::Arena, 0, 768, DType::F32, {}}};
    program.instructions.insert(program.instructions.begin() + 3, call);
    EXPECT_TRUE(nameValues(program).ok());
    return program;
  }
};
} // namespace

// Ctrl-C must not lose hours of training: the step under way ends, and what was
// asked for is written.
TEST_F(RunTool, a_signal_ends_the_run_after_the_step) {
  ASSERT_TRUE(writeProgramFile(Signal::program(), at("s.mpp")).ok());
  for (int number : {SIGINT, SIGTERM}) {
    Signal::number = number;
    Signal::launches = 0;
    Signal::step = 2;
    EXPECT_EQ(run({at("s.mpp"), "--steps=1000000000",
                   "--save-params=" + at("s.safetensors")}),
              128 + number)
        << errors;
    EXPECT_EQ(lossLines().size(), 3u);
    EXPECT_THAT(errors, HasSubstr(std::string("stopped by ") +
                                  (number == SIGINT ? "SIGINT" : "SIGTERM") +
                                  " after 3 of 1000000000 steps"));
    EXPECT_THAT(out, HasSubstr("time: "));
    // The file is that of three steps, and the run goes on from there.
    ASSERT_EQ(run({at("p.mpp"), "--params=" + at("s.safetensors")}), 0)
        << errors;
    EXPECT_EQ(lossLines().at(0).rfind("step 3: ", 0), 0u);
    std::vector<std::string> resumed = lossLines();
    ASSERT_EQ(run({at("p.mpp"), "--steps=4"}), 0) << errors;
    EXPECT_EQ(lossLines().back(), resumed[0]);
  }
  // With --check the two runs end at the same step.
  Signal::launches = 0;
  EXPECT_EQ(run({at("s.mpp"), "--steps=1000", "--check",
                 "--unplanned=" + at("s.mpp")}),
            128 + Signal::number);
  EXPECT_THAT(out, HasSubstr("after each of 2 steps"));
}

// Whoever signals twice does not want to wait.
TEST_F(RunTool, a_second_signal_kills) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ASSERT_TRUE(writeProgramFile(Signal::program(), at("s.mpp")).ok());
  EXPECT_EXIT(
      {
        (void)Signal::program();
        StopSignals signals;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

// The number of the next step would not fit, and data was read out of bounds.
TEST_F(RunTool, refuses_a_step_number_near_the_end_of_all_numbers) {
  TensorFile file;
  file.tensors["w"] = {DType::F32, {3, 2}, std::vector<std::byte>(24)};
  for (const char *step : {"9223372036854775807", "9223372036854775800",
                           "9007199254740993", "-1", "1e3", ""}) {
    file.metadata["memplan_step"] = step;
    ASSERT_TRUE(writeSafetensors(file, at("huge.safetensors")).ok());
    EXPECT_EQ(
        run({at("p.mpp"), "--params=" + at("huge.safetensors"), "--steps=20"}),
        2);
    EXPECT_THAT(errors, HasSubstr("not a step number up to"));
  }
  file.metadata["memplan_step"] = "9007199254740992";
  ASSERT_TRUE(writeSafetensors(file, at("huge.safetensors")).ok());
  EXPECT_EQ(run({at("p.mpp"), "--params=" + at("huge.safetensors")}), 0)
      << errors;
  EXPECT_EQ(run({at("p.mpp"), "--steps=9223372036854775807"}), 2);
}

TEST_F(RunTool, dumps_programs) {
  ASSERT_EQ(run({at("p.mpp"), "--dump"}), 0);
  EXPECT_THAT(out, HasSubstr("1: memplan.relu node=1 in(arena0+0:64x2xf32) "
                             "out(arena0+0:64x2xf32)"));
}
