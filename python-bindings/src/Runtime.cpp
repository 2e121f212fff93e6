//===- Runtime.cpp - The Python module memplan._runtime -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Runtime.h"
#include "Errors.h"
#include <map>
#include <memory>
#include <mutex>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>
#include <variant>

using namespace memplan::python;

[[noreturn]] static void refuse(const std::string &text) {
  check(MEMPLAN_INVALID_ARGUMENT, text);
  throw nb::python_error(); // Not reached: check() has raised.
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {
/// How an argument or an output looks.
struct Value {
  std::string name, kind;
  int32_t dtype = 0;
  std::vector<int64_t> shape;
  int64_t bytes = 0;
};

struct Program {
  std::shared_ptr<memplan_program_t> handle;
  std::vector<Value> arguments, outputs;

  explicit Program(memplan_program_t *made);
};
} // namespace

static nb::dlpack::dtype dtypeOf(const Value &value) {
  switch (memplan_dtype_t(value.dtype)) {
  case MEMPLAN_I64:
    return nb::dtype<int64_t>();
  case MEMPLAN_I8:
    return nb::dtype<int8_t>();
  case MEMPLAN_BF16:
    return {uint8_t(nb::dlpack::dtype_code::Bfloat), 16, 1};
  case MEMPLAN_F16:
    return {uint8_t(nb::dlpack::dtype_code::Float), 16, 1};
  case MEMPLAN_F32:
    break;
  }
  return nb::dtype<float>();
}

/// That of a new array: NumPy has no bfloat16, so that its bits are integers.
static nb::dlpack::dtype arrayTypeOf(const Value &value) {
  return value.dtype == MEMPLAN_BF16 ? nb::dtype<int16_t>() : dtypeOf(value);
}

static const char *dtypeName(const Value &value) {
  static const char *const names[] = {"float32", "int64", "int8", "bfloat16",
                                      "float16"};
  return names[value.dtype];
}

static Value toValue(const memplan_value_info_t &info) {
  return {info.name, info.kind, info.dtype,
          std::vector<int64_t>(info.shape, info.shape + info.rank), info.bytes};
}

Program::Program(memplan_program_t *made)
    : handle(made, memplan_program_destroy) {
  memplan_value_info_t info;
  for (int32_t i = 0; i < memplan_program_argument_count(made); ++i) {
    check(memplan_program_argument(made, i, &info));
    arguments.push_back(toValue(info));
  }
  for (int32_t i = 0; i < memplan_program_output_count(made); ++i) {
    check(memplan_program_output(made, i, &info));
    outputs.push_back(toValue(info));
  }
}

static Program readProgram(nb::bytes bytes) {
  memplan_program_t *made = nullptr;
  check(memplan_program_load(bytes.data(), int64_t(bytes.size()), &made));
  return Program(made);
}

static Program loadLibrary(const std::string &path) {
  memplan_program_t *made = nullptr;
  check(memplan_program_load_library(path.c_str(), &made));
  return Program(made);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

namespace {
using Place = std::variant<int32_t, std::string>;
using HostArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using HostMemory = nb::ndarray<nb::c_contig, nb::device::cpu>;
using Result = nb::ndarray<nb::numpy>;

/// A program on a device; one thread at a time is inside.
class Executable {
public:
  Executable(const Program &program, const std::string &backend, int32_t device,
             int32_t threads);

  void write(const Place &place, const HostArray &array);
  void bind(const Place &place, HostMemory memory);
  Result read(const Place &place);
  Result readOutput(const Place &place);
  void runEagerly() {
    call([&] {
      memplan_executable_run_eagerly(executable.get());
      return MEMPLAN_OK;
    });
  }
  void run(int64_t steps);

private:
  template <typename Array>
  const Value &matching(int32_t number, const Array &array) const;
  /// Without the interpreter's lock, which others need meanwhile.
  template <typename Call> void call(Call body);

  Program program;
  /// Memory of the caller by argument; stays until another takes its place.
  std::map<int32_t, HostMemory> bound;
  std::unique_ptr<memplan_session_t, decltype(&memplan_session_destroy)>
      session;
  std::unique_ptr<memplan_executable_t, decltype(&memplan_executable_destroy)>
      executable;
  std::mutex mutex;
};
} // namespace

template <typename Call> void Executable::call(Call body) {
  memplan_status_t status = MEMPLAN_OK;
  std::string error; // memplan_last_error() is of the thread, not of the lock.
  {
    const nb::gil_scoped_release unlocked;
    const std::lock_guard lock(mutex);
    status = body();
    if (status != MEMPLAN_OK)
      error = memplan_last_error();
  }
  check(status, error);
}

Executable::Executable(const Program &given, const std::string &backend,
                       int32_t device, int32_t threads)
    : program(given), session(nullptr, memplan_session_destroy),
      executable(nullptr, memplan_executable_destroy) {
  memplan_session_t *opened = nullptr;
  call([&] {
    return memplan_session_create(backend.c_str(), device, threads, &opened);
  });
  session.reset(opened);
  memplan_executable_t *made = nullptr;
  call([&] { return memplan_compile(opened, program.handle.get(), &made); });
  executable.reset(made);
}

/// The number of the value that a name or a number says.
static int32_t find(const std::vector<Value> &values, const Place &place,
                    const char *what) {
  if (const auto *number = std::get_if<int32_t>(&place)) {
    if (*number >= 0 && size_t(*number) < values.size())
      return *number;
    refuse(std::string("no ") + what + " " + std::to_string(*number) + " of " +
           std::to_string(values.size()));
  }
  const auto &name = std::get<std::string>(place);
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].name == name)
      return int32_t(i);
  refuse(std::string("no ") + what + " is called '" + name + "'");
}

template <typename Array>
const Value &Executable::matching(int32_t number, const Array &array) const {
  const Value &value = program.arguments[size_t(number)];
  bool fits =
      array.dtype() == dtypeOf(value) && array.ndim() == value.shape.size();
  for (size_t i = 0; fits && i < value.shape.size(); ++i)
    fits = int64_t(array.shape(i)) == value.shape[i];
  if (fits)
    return value;
  std::string wanted;
  for (int64_t size : value.shape)
    wanted += (wanted.empty() ? "" : ", ") + std::to_string(size);
  refuse("argument '" + value.name + "' is " + dtypeName(value) +
         " of shape (" + wanted + "), the array is not");
}

void Executable::write(const Place &place, const HostArray &array) {
  const int32_t number = find(program.arguments, place, "argument");
  const Value &value = matching(number, array);
  call([&] {
    return memplan_write_argument(executable.get(), number, array.data(),
                                  value.bytes);
  });
}

void Executable::bind(const Place &place, HostMemory memory) {
  const int32_t number = find(program.arguments, place, "argument");
  const Value &value = matching(number, memory);
  call([&] {
    return memplan_bind_argument(executable.get(), number, memory.data(),
                                 value.bytes);
  });
  bound.insert_or_assign(number, std::move(memory));
}

/// A new array that `fill` writes.
template <typename Fill> static Result newArray(const Value &value, Fill fill) {
  auto *bytes = new char[size_t(value.bytes) + 1];
  const nb::capsule owner(
      bytes, [](void *data) noexcept { delete[] static_cast<char *>(data); });
  fill(bytes);
  const std::vector<size_t> shape(value.shape.begin(), value.shape.end());
  return Result(bytes, shape.size(), shape.data(), owner, nullptr,
                arrayTypeOf(value));
}

Result Executable::read(const Place &place) {
  const int32_t number = find(program.arguments, place, "argument");
  const Value &value = program.arguments[size_t(number)];
  return newArray(value, [&](char *bytes) {
    call([&] {
      return memplan_read_argument(executable.get(), number, bytes,
                                   value.bytes);
    });
  });
}

Result Executable::readOutput(const Place &place) {
  const int32_t number = find(program.outputs, place, "output");
  const Value &value = program.outputs[size_t(number)];
  return newArray(value, [&](char *bytes) {
    call([&] {
      return memplan_read_output(executable.get(), number, bytes, value.bytes);
    });
  });
}

void Executable::run(int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    call([&] { return memplan_run(executable.get()); });
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
  }
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static void addProgram(nb::module_ &module) {
  using namespace nb::literals;
  nb::class_<Value>(module, "ProgramValue",
                    "How an argument or an output of a program looks.")
      .def_ro("name", &Value::name, "Its name in the program.")
      .def_ro("kind", &Value::kind,
              "\"parameter\", \"state\" or \"input\"; \"loss\" or \"output\".")
      .def_prop_ro("dtype", dtypeName,
                   "\"float32\", \"bfloat16\", \"float16\", \"int64\" or "
                   "\"int8\".")
      .def_ro("shape", &Value::shape, "Elements along each dimension.")
      .def_ro("bytes", &Value::bytes, "Bytes of all elements.")
      .def("__repr__", [](const Value &self) {
        return "<memplan.ProgramValue '" + self.name + "', " + self.kind + ">";
      });
  nb::class_<Program>(module, "Program",
                      "A planned step for the runtime: what memplan-run "
                      "--emit-program writes.")
      .def_static("from_bytes", readProgram, "bytes"_a,
                  "Reads the bytes of an .mpp file.\n\nRaises InputError where "
                  "they are no program.")
      .def_static("load_library", loadLibrary, "path"_a,
                  "Loads a step library (.so), whose code runs in this "
                  "process.")
      .def_ro("arguments", &Program::arguments,
              "What the caller owns, in the order of the program.")
      .def_ro("outputs", &Program::outputs, "What a run gives.")
      .def_prop_ro(
          "arena_bytes",
          [](const Program &self) {
            return memplan_program_arena_bytes(self.handle.get());
          },
          "Bytes of all arenas on the device.")
      .def_prop_ro(
          "host_bytes",
          [](const Program &self) {
            return memplan_program_host_bytes(self.handle.get());
          },
          "Bytes of all arenas on the host.");
}

NB_MODULE(_runtime, module) {
  using namespace nb::literals;
  module.doc() = "memplan-c/Runtime.h for Python; use memplan instead.";
  addProgram(module);
  nb::class_<Executable>(module, "Executable",
                         "A program on a device, with its arenas. Arguments "
                         "and outputs go by name or number.")
      .def(nb::init<const Program &, const std::string &, int32_t, int32_t>(),
           "program"_a, nb::kw_only(), "backend"_a = "cpu", "device"_a = 0,
           "threads"_a = 1,
           "Takes all memory that runs will need.\n\n"
           "backend  \"cpu\", \"reference\", \"cuda\" or a plugin's path\n"
           "threads  of the kernels\n\n"
           "Raises UnavailableError where the backend or device is not there.")
      .def("write", &Executable::write, "argument"_a, "array"_a,
           "Copies an array of the argument's dtype and shape into its "
           "buffer.\n\nRaises InputError for another dtype or shape.")
      .def("bind", &Executable::bind, "argument"_a, "array"_a.noconvert(),
           "Uses the array's memory for the argument from now on, without a "
           "copy: aligned to 64 bytes, of its dtype and shape.")
      .def("read", &Executable::read, "argument"_a,
           "A new NumPy array with the argument as the last run left it; the "
           "bits of bfloat16 are int16, for NumPy has no such type.")
      .def("read_output", &Executable::readOutput, "output"_a,
           "A new NumPy array with an output of the last run; the bits of "
           "bfloat16 are int16.")
      .def("run_eagerly", &Executable::runEagerly,
           "Launches every operation of every later step. Without this call, "
           "and where the device has graphs, the steps after the first are one "
           "graph.")
      .def("run", &Executable::run, "steps"_a = 1,
           "Runs that many steps, without the interpreter's lock. Updated "
           "arguments hold their new version. Ctrl-C stops between steps.");
}
