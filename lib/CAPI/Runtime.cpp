//===- Runtime.cpp - The C interface of the runtime -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Runtime.h"
#include "LastError.h"
#include "RuntimeHandles.h"

#include "memplan/Kernels/Cpu/KernelTable.h"
#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Execute/Executor.h"
#include "memplan/Runtime/Program/ProgramIO.h"

using namespace memplan::runtime;
using memplan::capi::clear;
using memplan::capi::guard;

struct memplan_executable {
  explicit memplan_executable(Executable made) : executable(std::move(made)) {}

  /// Stays loaded for as long as the executable, which calls it.
  std::shared_ptr<StepLibrary> code;
  Executable executable;
};

static memplan_status_t report(const Status &status) {
  return status.ok()
             ? MEMPLAN_OK
             : memplan_set_last_error(status.code, status.message.c_str());
}

/// Calls `make`, and gives what it makes to the caller.
template <typename Handle, typename Make>
static memplan_status_t give(Handle **handle, Make make) {
  auto result = make();
  if (!result)
    return report(result.error());
  *handle = new Handle{std::move(*result)};
  return MEMPLAN_OK;
}

/// The status of `body` on an executable that is there.
template <typename Body>
static memplan_status_t on(memplan_executable_t *executable,
                           const char *function, Body body) {
  return guard([&] {
    if (!executable)
      return report(invalid(std::string(function) + " got a null pointer"));
    return report(body(executable->executable));
  });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

memplan_status_t memplan_program_load(const void *bytes, int64_t byte_count,
                                      memplan_program_t **program) {
  clear(program);
  return guard([&] {
    if (!bytes || byte_count < 0 || !program)
      return report(invalid("memplan_program_load got a null pointer or a "
                            "negative size"));
    return give(program, [&] {
      return parseProgram({static_cast<const std::byte *>(bytes),
                           static_cast<size_t>(byte_count)});
    });
  });
}

memplan_status_t memplan_program_load_file(const char *path,
                                           memplan_program_t **program) {
  clear(program);
  return guard([&] {
    if (!path || !program)
      return report(invalid("memplan_program_load_file got a null pointer"));
    return give(program, [&] { return readProgramFile(path); });
  });
}

memplan_status_t memplan_program_load_library(const char *path,
                                              memplan_program_t **program) {
  clear(program);
  return guard([&] {
    if (!path || !program)
      return report(invalid("memplan_program_load_library got a null pointer"));
    Result<StepLibrary> library = StepLibrary::open(path);
    if (!library)
      return report(library.error());
    auto code = std::make_shared<StepLibrary>(std::move(*library));
    *program = new memplan_program{code->program(), code};
    return report(Status());
  });
}

void memplan_program_destroy(memplan_program_t *program) { delete program; }

int32_t memplan_program_argument_count(const memplan_program_t *program) {
  return program ? int32_t(program->program.arguments.size()) : 0;
}

memplan_status_t memplan_program_argument(const memplan_program_t *program,
                                          int32_t number,
                                          memplan_value_info_t *info) {
  return guard([&] {
    if (!program || !info)
      return report(invalid("memplan_program_argument got a null pointer"));
    const std::vector<Argument> &arguments = program->program.arguments;
    if (number < 0 || size_t(number) >= arguments.size())
      return report(invalid("no argument " + std::to_string(number) + " of " +
                            std::to_string(arguments.size())));
    const Argument &argument = arguments[size_t(number)];
    *info = {
        argument.name.c_str(),   toString(argument.kind).data(),
        int32_t(argument.dtype), int32_t(argument.shape.size()),
        argument.shape.data(),   *tensorBytes(argument.dtype, argument.shape)};
    return MEMPLAN_OK;
  });
}

int32_t memplan_program_output_count(const memplan_program_t *program) {
  return program ? int32_t(program->program.outputs.size()) : 0;
}

memplan_status_t memplan_program_output(const memplan_program_t *program,
                                        int32_t number,
                                        memplan_value_info_t *info) {
  return guard([&] {
    if (!program || !info)
      return report(invalid("memplan_program_output got a null pointer"));
    const std::vector<Output> &outputs = program->program.outputs;
    if (number < 0 || size_t(number) >= outputs.size())
      return report(invalid("no output " + std::to_string(number) + " of " +
                            std::to_string(outputs.size())));
    const Output &output = outputs[size_t(number)];
    *info = {
        output.name.c_str(),           toString(output.kind).data(),
        int32_t(output.operand.dtype), int32_t(output.operand.shape.size()),
        output.operand.shape.data(),   output.operand.bytes()};
    return MEMPLAN_OK;
  });
}

static int64_t arenaBytes(const memplan_program_t *program, bool onHost) {
  int64_t bytes = 0;
  if (program)
    for (const ArenaInfo &arena : program->program.arenas)
      bytes += arena.isHost() == onHost ? arena.bytes : 0;
  return bytes;
}

int64_t memplan_program_arena_bytes(const memplan_program_t *program) {
  return arenaBytes(program, /*onHost=*/false);
}

int64_t memplan_program_host_bytes(const memplan_program_t *program) {
  return arenaBytes(program, /*onHost=*/true);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

memplan_status_t memplan_session_create(const char *backend, int32_t device,
                                        int32_t threads,
                                        memplan_session_t **session) {
  clear(session);
  return guard([&] {
    if (!backend || !session)
      return report(invalid("memplan_session_create got a null pointer"));
    registerBuiltInBackends();
    return give(session,
                [&] { return Device::open(backend, device, threads); });
  });
}

void memplan_session_destroy(memplan_session_t *session) { delete session; }

memplan_status_t memplan_register_kernel(const memplan_kernel_t *kernel) {
  return guard([&] {
    if (!kernel)
      return report(invalid("memplan_register_kernel got a null pointer"));
    return report(registerKernel(*kernel));
  });
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

memplan_status_t memplan_compile(memplan_session_t *session,
                                 const memplan_program_t *program,
                                 memplan_executable_t **executable) {
  return memplan_compile_in(session, program, nullptr, 0, executable);
}

memplan_status_t memplan_compile_in(memplan_session_t *session,
                                    const memplan_program_t *program,
                                    const memplan_arena_memory_t *arenas,
                                    int32_t arena_count,
                                    memplan_executable_t **executable) {
  clear(executable);
  return guard([&] {
    if (!session || !program || !executable || arena_count < 0 ||
        (!arenas && arena_count > 0))
      return report(invalid("memplan_compile got a null pointer"));
    ExecuteOptions options;
    options.useGraph = true;
    for (int32_t a = 0; a < arena_count; ++a)
      options.arenaMemory.emplace_back(static_cast<std::byte *>(arenas[a].base),
                                       size_t(arenas[a].byte_count));
    const memplan_status_t status = give(executable, [&] {
      return Executable::compile(session->device, program->program, options);
    });
    if (status == MEMPLAN_OK && program->code) {
      (*executable)->executable.followStep(program->code->step());
      (*executable)->code = program->code;
    }
    return status;
  });
}

void memplan_executable_run_eagerly(memplan_executable_t *executable) {
  if (executable)
    executable->executable.runEagerly();
}

void memplan_executable_destroy(memplan_executable_t *executable) {
  delete executable;
}

memplan_status_t memplan_bind_argument(memplan_executable_t *executable,
                                       int32_t argument, void *data,
                                       int64_t byte_count) {
  return on(executable, "memplan_bind_argument", [&](Executable &on) {
    return on.bindArgument(argument, data, byte_count);
  });
}

memplan_status_t memplan_write_argument(memplan_executable_t *executable,
                                        int32_t argument, const void *host,
                                        int64_t byte_count) {
  return on(executable, "memplan_write_argument", [&](Executable &on) {
    return on.writeArgument(argument, host, byte_count);
  });
}

memplan_status_t memplan_read_argument(memplan_executable_t *executable,
                                       int32_t argument, void *host,
                                       int64_t byte_count) {
  return on(executable, "memplan_read_argument", [&](Executable &on) {
    return on.readArgument(argument, host, byte_count);
  });
}

memplan_status_t memplan_run(memplan_executable_t *executable) {
  return on(executable, "memplan_run",
            [&](Executable &on) { return on.run(); });
}

memplan_status_t memplan_read_output(memplan_executable_t *executable,
                                     int32_t output, void *host,
                                     int64_t byte_count) {
  return on(executable, "memplan_read_output", [&](Executable &on) {
    return on.readOutput(output, host, byte_count);
  });
}

void *memplan_arena_base(memplan_executable_t *executable, int32_t arena) {
  if (!executable)
    return nullptr;
  const Executable &run = executable->executable;
  return arena >= 0 && size_t(arena) < run.program().arenas.size()
             ? run.arenaBase(size_t(arena))
             : nullptr;
}

void *memplan_argument_base(memplan_executable_t *executable,
                            int32_t argument) {
  if (!executable)
    return nullptr;
  const Executable &run = executable->executable;
  return argument >= 0 && size_t(argument) < run.program().arguments.size()
             ? run.argumentBase(size_t(argument))
             : nullptr;
}

void *memplan_constant_base(memplan_executable_t *executable) {
  return executable ? executable->executable.constantBase() : nullptr;
}

memplan_status_t memplan_launch_instruction(memplan_executable_t *executable,
                                            int32_t instruction,
                                            void *const *operands) {
  return on(executable, "memplan_launch_instruction", [&](Executable &on) {
    return on.launchInstruction(size_t(instruction), operands);
  });
}

memplan_status_t memplan_synchronize(memplan_executable_t *executable) {
  return on(executable, "memplan_synchronize", [](Executable &on) {
    const Device &device = on.device();
    return device.status(device.backend().synchronize(device.handle()),
                         "cannot synchronize");
  });
}
