//===- PluginTest.cpp - Backends in shared libraries, and streams ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Execute/Executor.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <iterator>

using namespace memplan::runtime;
using testing::HasSubstr;

static const std::string pluginPath = MEMPLAN_TEST_PLUGIN;

static Instruction call(std::string kernel, int32_t stream,
                        std::vector<int32_t> waits) {
  Instruction result;
  result.kernel = std::move(kernel);
  result.stream = stream;
  result.waits = std::move(waits);
  return result;
}

// A wait that is lost, or recorded too late, lets two streams race.
TEST(Plugin, streams_wait_by_events) {
  Result<Device> device = Device::open(pluginPath);
  ASSERT_TRUE(device.ok()) << device.error().message;
  Program program;
  program.instructions = {call("A", 0, {}), call("B", 1, {}), call("C", 0, {1}),
                          call("D", 1, {0, 2})};
  Result<Executable> executable = Executable::compile(*device, program);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  ASSERT_TRUE(executable->run().ok());
  void *library = dlopen(pluginPath.c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr);
  auto *log =
      reinterpret_cast<const char *(*)()>(dlsym(library, "memplan_test_log"));
  EXPECT_STREQ(log(), "launch 65 0;"
                      "launch 66 1;record 0 1;"
                      "wait 0 0;launch 67 0;record 1 0;"
                      "wait 1 1;launch 68 1;"
                      "synchronize 0 0;");
  dlclose(library);
}

namespace {
/// Asks the test plugin for something while the object lives.
class Asked {
public:
  Asked(std::string what, int64_t value)
      : name("MEMPLAN_TEST_PLUGIN_" + std::move(what)) {
    setenv(name.c_str(), std::to_string(value).c_str(), 1);
  }
  ~Asked() { unsetenv(name.c_str()); }

private:
  std::string name;
};

struct Field {
  const char *name;
  size_t offset;
};
} // namespace

/// From a path of its own: the table of a plugin that is open stays.
static Result<Device> openCopy(const std::string &name) {
  const std::string path = pluginPath + "." + name + ".so";
  std::filesystem::copy_file(pluginPath, path,
                             std::filesystem::copy_options::overwrite_existing);
  Result<Device> device = Device::open(path);
  std::filesystem::remove(path);
  return device;
}

#define FIELD(name) {#name, offsetof(memplan_backend_t, name)}

static std::string refusal() {
  Result<Device> device = Device::open(pluginPath);
  EXPECT_FALSE(device.ok());
  if (device.ok())
    return "";
  EXPECT_EQ(device.error().code, MEMPLAN_UNAVAILABLE);
  EXPECT_THAT(device.error().message, HasSubstr(pluginPath));
  return device.error().message;
}

TEST(Plugin, of_another_version_is_refused) {
  for (int version : {77, 0, -1}) {
    Asked abi("ABI", version);
    EXPECT_THAT(refusal(),
                HasSubstr("has backend ABI " + std::to_string(version)));
  }
}

// Plugins are built apart from memplan: one from before a field was added must
// load and run, and nothing behind its table may be read.
TEST(Plugin, with_an_older_table_runs) {
  constexpr size_t least = offsetof(memplan_backend_t, event_record);
  for (size_t bytes : {least, least + 2 * sizeof(void *)}) {
    Asked size("BYTES", int64_t(bytes));
    Result<Device> device = openCopy(std::to_string(bytes) + ".older");
    ASSERT_TRUE(device.ok()) << device.error().message;
    const memplan_backend_t &table = device->backend();
    EXPECT_EQ(size_t(table.struct_bytes), sizeof(memplan_backend_t));
    EXPECT_EQ(table.event_wait != nullptr, bytes > least);
    EXPECT_EQ(table.alloc_host, nullptr);
    Program program;
    program.instructions = {call("A", 0, {}), call("B", 1, {0})};
    Result<Executable> executable = Executable::compile(*device, program);
    ASSERT_TRUE(executable.ok()) << executable.error().message;
    EXPECT_TRUE(executable->run().ok());
    Result<DeviceBuffer> host = DeviceBuffer::allocateHost(*device, 100, 4096);
    ASSERT_TRUE(host.ok()) << host.error().message;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(host->base()) % 4096, 0u);
    std::memset(host->base(), 1, 100);
  }
}

// A plugin of any older version loads and runs; what lies where later versions
// have a field is neither read nor called.
TEST(Plugin, of_every_older_version_runs) {
  constexpr size_t later[] = {
      offsetof(memplan_backend_t, takes_strides),
      offsetof(memplan_backend_t, begin_queues),
      offsetof(memplan_backend_t, versions),
      offsetof(memplan_backend_t, list_variants),
      offsetof(memplan_backend_t, time_launches),
      offsetof(memplan_backend_t, time_launches),
      offsetof(memplan_backend_t, device_model),
  };
  static_assert(std::size(later) + 1 == MEMPLAN_BACKEND_ABI_VERSION);
  for (size_t i = 0; i < std::size(later); ++i) {
    Asked version("ABI", int64_t(i + 1));
    Asked garbage("GARBAGE_AT", int64_t(later[i]));
    Result<Device> device = openCopy("version" + std::to_string(i + 1));
    ASSERT_TRUE(device.ok()) << device.error().message;
    Program program;
    program.instructions = {call("A", 0, {}), call("B", 1, {0})};
    Result<Executable> executable = Executable::compile(*device, program);
    ASSERT_TRUE(executable.ok()) << executable.error().message;
    EXPECT_TRUE(executable->run().ok());
    EXPECT_TRUE(executable->run().ok());
  }
}

// A plugin of version 1 reads launches without strides: it runs what has none,
// and a step with some must not reach it as a dense one.
TEST(Plugin, of_version_1_gets_no_strides) {
  Asked version("ABI", 1);
  Result<Device> device = openCopy("version1");
  ASSERT_TRUE(device.ok()) << device.error().message;
  EXPECT_EQ(device->backend().takes_strides, 0);
  Program program;
  program.instructions = {call("A", 0, {})};
  EXPECT_TRUE(Executable::compile(*device, program).ok());
  program.arenas = {{256, 256, "device"}};
  program.instructions[0].inputs = {
      {Space::Arena, 0, 0, DType::F32, {2, 4}, {8, 1}}};
  Result<Executable> refused = Executable::compile(*device, program);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, MEMPLAN_UNAVAILABLE);
  EXPECT_THAT(refused.error().message, HasSubstr("plan with --parts=dense"));
}

// A plugin from before elements of 16 bits would read such operands as others.
TEST(Plugin, of_version_4_gets_no_elements_of_16_bits) {
  Asked version("ABI", 4);
  Result<Device> device = openCopy("version4");
  ASSERT_TRUE(device.ok()) << device.error().message;
  Program program;
  program.arenas = {{256, 256, "device"}};
  program.instructions = {call("A", 0, {})};
  program.instructions[0].inputs = {{Space::Arena, 0, 0, DType::F32, {4}}};
  EXPECT_TRUE(Executable::compile(*device, program).ok());
  program.instructions[0].inputs[0].dtype = DType::BF16;
  Result<Executable> refused = Executable::compile(*device, program);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, MEMPLAN_UNAVAILABLE);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("no kernels for elements of bf16"),
                    HasSubstr("--precision=f32")));
}

// A size that no table has must not become a range to read.
TEST(Plugin, with_a_size_that_no_table_has_is_refused) {
  constexpr int64_t least = offsetof(memplan_backend_t, event_record);
  for (int64_t bytes : {int64_t(-1), int64_t(INT32_MIN), int64_t(0), int64_t(8),
                        least - 8, least + 4, int64_t(INT32_MAX)}) {
    Asked stated("STATES_BYTES", bytes);
    EXPECT_THAT(refusal(),
                HasSubstr("struct_bytes = " + std::to_string(bytes)));
  }
  Asked none("BYTES", 0);
  EXPECT_THAT(refusal(), HasSubstr("gives no table"));
}

// A null function would be called at some time, perhaps hours into a training.
TEST(Plugin, with_a_null_function_is_refused_by_its_name) {
  constexpr Field required[] = {
      FIELD(name),         FIELD(version),      FIELD(device_count),
      FIELD(create),       FIELD(destroy),      FIELD(last_error),
      FIELD(device_name),  FIELD(usable_bytes), FIELD(alloc),
      FIELD(free),         FIELD(copy_in),      FIELD(copy_out),
      FIELD(copy),         FIELD(fill),         FIELD(prepare),
      FIELD(launch),       FIELD(release),      FIELD(synchronize),
      FIELD(kernel_count), FIELD(kernel_name)};
  for (const Field &field : required) {
    Asked null("NULL_AT", int64_t(field.offset));
    EXPECT_THAT(refusal(),
                HasSubstr("a null '" + std::string(field.name) + "'"));
  }
  // Recording without waiting would lose the order of two streams.
  Asked null("NULL_AT", offsetof(memplan_backend_t, event_wait));
  EXPECT_THAT(refusal(), HasSubstr("'event_record' but a null 'event_wait'"));
}

// What a plugin answers is checked where it is used.
TEST(Plugin, that_answers_null_is_an_error) {
  Asked null("GIVES_NULL", 1);
  Result<Device> device = openCopy("null");
  ASSERT_TRUE(device.ok()) << device.error().message;
  EXPECT_EQ(device->name(), "test");
  Result<DeviceBuffer> buffer = DeviceBuffer::allocate(*device, 100, 256);
  ASSERT_FALSE(buffer.ok());
  EXPECT_THAT(buffer.error().message, HasSubstr("cannot allocate 100 bytes"));
}

// Where host and device are one, host arenas are guarded like all others.
TEST(Backends, of_the_cpu_give_guarded_host_memory) {
  registerBuiltInBackends();
  Result<Device> device = Device::open("cpu");
  ASSERT_TRUE(device.ok()) << device.error().message;
  Result<DeviceBuffer> host = DeviceBuffer::allocateHost(*device, 1000, 256);
  ASSERT_TRUE(host.ok()) << host.error().message;
  EXPECT_EQ(host->bytes(), 1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(host->base()) % 256, 0u);
  const memplan_backend_t &backend = device->backend();
  EXPECT_EQ(backend.check_guards(device->handle(), host->base()), MEMPLAN_OK);
  host->base()[1000] = std::byte(1);
  EXPECT_EQ(backend.check_guards(device->handle(), host->base()),
            MEMPLAN_CHECK_FAILED);
  EXPECT_FALSE(DeviceBuffer::allocateHost(*device, 1000, 3).ok());
}

// The runtime knows what a program registers and nothing else.
TEST(Backends, are_registered_once_by_name) {
  registerBuiltInBackends();
  Result<const memplan_backend_t *> plain = findBackend("reference");
  ASSERT_TRUE(plain.ok());
  EXPECT_TRUE(registerBackend("reference", *plain).ok());
  EXPECT_THAT(registerBackend("cpu", *plain).message,
              HasSubstr("another backend 'cpu' is registered already"));
  EXPECT_THAT(registerBackend("a/b", *plain).message, HasSubstr("'a/b'"));
  EXPECT_THAT(registerBackend("none", nullptr).message,
              HasSubstr("the backend 'none' gives no table"));
  memplan_backend_t broken = **plain;
  broken.launch = nullptr;
  EXPECT_THAT(registerBackend("broken", &broken).message,
              HasSubstr("a null 'launch'"));
  // Half of what queues take would lose copies or their order.
  broken = **plain;
  broken.begin_queues = nullptr;
  EXPECT_THAT(registerBackend("broken", &broken).message,
              HasSubstr("'copy_async' but a null 'begin_queues'"));
  broken = **plain;
  broken.event_record = nullptr;
  broken.event_wait = nullptr;
  EXPECT_THAT(registerBackend("broken", &broken).message,
              HasSubstr("'begin_queues' but a null 'event_record'"));
  EXPECT_THAT(findBackend("broken").error().message,
              HasSubstr("known are cpu, reference, cuda"));
}

TEST(Plugin, that_is_none_is_refused) {
  Result<Device> device = Device::open("/etc/passwd");
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code, MEMPLAN_UNAVAILABLE);
}
