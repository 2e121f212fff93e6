# The few ways in which memplan makes a target. Every room's CMakeLists.txt uses these and nothing lower.

# --- Flags shared by all own code -------------------------------------------------------------------------------------
# Libraries take the options for themselves alone, so that none reaches those who link them.
add_library(memplan-flags INTERFACE)
target_include_directories(memplan-flags INTERFACE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
target_compile_options(memplan-flags INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wno-unused-parameter>
  # g++ 12 warns at moves that older compilers need, and derives warnings from optimized uses of its own std::string.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-redundant-move;-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-maybe-uninitialized>
  # No fused multiply-add: decisions must not depend on the machine.
  $<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off;-ffunction-sections;-fdata-sections>
  # A precompiled header without time stamps is the same file in every build, so that ccache can serve it.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>)
target_link_options(memplan-flags INTERFACE -Wl,--as-needed -Wl,--gc-sections)
if(MEMPLAN_WARNINGS_AS_ERRORS)
  target_compile_options(memplan-flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()
if(LLVM_ENABLE_LLD)
  target_link_options(memplan-flags INTERFACE -fuse-ld=lld)
endif()
if(MEMPLAN_SANITIZE)
  target_compile_options(memplan-flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${MEMPLAN_SANITIZE};-fno-omit-frame-pointer>)
  target_link_options(memplan-flags INTERFACE -fsanitize=${MEMPLAN_SANITIZE})
  if(MEMPLAN_BUILD_FUZZERS) # What libFuzzer follows; the address sanitizer has the calls that this makes.
    target_compile_options(memplan-flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=fuzzer-no-link>)
  endif()
endif()

# --- LLVM and MLIR ----------------------------------------------------------------------------------------------------
include(MemplanLLVM)
include(MemplanInstall)

if(MEMPLAN_HAS_MLIR)
  # One precompiled header for all MLIR rooms: it takes three quarters of a pass file's compile time away with clang and
  # nothing with g++, which therefore goes without.
  file(WRITE "${PROJECT_BINARY_DIR}/cmake/MlirHeaders.cpp.in" "// The headers come from the command line.\n")
  configure_file("${PROJECT_BINARY_DIR}/cmake/MlirHeaders.cpp.in" "${PROJECT_BINARY_DIR}/cmake/MlirHeaders.cpp" COPYONLY)
  add_library(MemplanMlirHeaders OBJECT "${PROJECT_BINARY_DIR}/cmake/MlirHeaders.cpp")
  target_link_libraries(MemplanMlirHeaders PRIVATE memplan-flags MemplanLLVM::Support)
  target_compile_options(MemplanMlirHeaders PRIVATE -fno-exceptions)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_precompile_headers(MemplanMlirHeaders PRIVATE
      <mlir/Dialect/Func/IR/FuncOps.h> <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h>
      <mlir/IR/Diagnostics.h> <mlir/IR/DialectImplementation.h> <mlir/IR/Matchers.h> <mlir/IR/OpImplementation.h>
      <mlir/IR/PatternMatch.h> <mlir/Interfaces/InferTypeOpInterface.h> <mlir/Interfaces/SideEffectInterfaces.h>
      <mlir/Pass/Pass.h> <mlir/Pass/PassManager.h> <mlir/Support/LLVM.h> <llvm/ADT/StringExtras.h> <llvm/ADT/TypeSwitch.h>
      <llvm/Support/Error.h> <map> <optional> <string> <vector>)
  endif()
endif()

# Headers of the core, of the runtime and of their tests: half of the compile time is reading these. A missing include shows
# in builds with g++, which go without. Headers are precompiled for one level of optimization, so that sources that are
# compiled for size have theirs; and programs are compiled otherwise than libraries, so that tests have theirs.
if(MEMPLAN_PRECOMPILED_HEADERS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_GENERATOR STREQUAL "Ninja")
  set(standard <algorithm> <chrono> <cmath> <cstring> <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <set>
    <span> <string> <string_view> <thread> <tuple> <unordered_map> <utility> <vector>)
  set(core ${standard} <llvm/ADT/BitVector.h> <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h>
    <llvm/ADT/StringExtras.h> <llvm/Support/Error.h> <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h>)

  # _memplan_precompile(Name KIND HEADER... LIBS target...): MemplanNameHeaders, an object library or a program.
  function(_memplan_precompile name kind)
    cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/cmake/${name}Headers.cpp" CONTENT "int main() { return 0; }\n")
    if(kind STREQUAL "PROGRAM")
      add_executable(Memplan${name}Headers EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/cmake/${name}Headers.cpp")
    else()
      add_library(Memplan${name}Headers OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/cmake/${name}Headers.cpp")
    endif()
    target_compile_options(Memplan${name}Headers PRIVATE "$<TARGET_PROPERTY:memplan-flags,INTERFACE_COMPILE_OPTIONS>")
    target_compile_features(Memplan${name}Headers PRIVATE cxx_std_20)
    target_link_libraries(Memplan${name}Headers PRIVATE ${ARG_LIBS})
    target_precompile_headers(Memplan${name}Headers PRIVATE ${ARG_UNPARSED_ARGUMENTS})
  endfunction()

  _memplan_precompile(Core LIBRARY ${core} LIBS MemplanLLVM::Support)
  _memplan_precompile(CoreSmall LIBRARY ${core} LIBS MemplanLLVM::Support)
  target_compile_options(MemplanCoreSmallHeaders PRIVATE $<$<CONFIG:Release>:-Os>)
  _memplan_precompile(Runtime LIBRARY ${standard})
  if(MEMPLAN_BUILD_TESTS)
    _memplan_precompile(Test PROGRAM ${core} <gmock/gmock.h> <gtest/gtest.h> LIBS GTest::gmock GTest::gtest MemplanLLVM::Support)
  endif()
endif()

# --- Targets ----------------------------------------------------------------------------------------------------------

# memplan_add_rooms(DIR...): adds every room that exists.
function(memplan_add_rooms)
  foreach(room IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${room}/CMakeLists.txt")
      add_subdirectory(${room})
    endif()
  endforeach()
endfunction()

# memplan_compile_small(target [SOURCE...]): these sources of this folder, or all that the target has of it, are compiled
# for size. What arranges the work of others, reads or writes should be small in a program that links the planners alone.
function(memplan_compile_small target)
  set(sources ${ARGN})
  if(NOT sources)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/")
  endif()
  set(options "$<$<CONFIG:Release>:-Os>")
  if(TARGET MemplanCoreSmallHeaders)
    set(header "${PROJECT_BINARY_DIR}/CMakeFiles/MemplanCoreSmallHeaders.dir/cmake_pch.hxx")
    list(APPEND options -Xclang -include-pch -Xclang "${header}.pch" -Xclang -include -Xclang "${header}")
    set_source_files_properties(${sources} TARGET_DIRECTORY ${target}
                                PROPERTIES SKIP_PRECOMPILE_HEADERS ON OBJECT_DEPENDS "${header}.pch")
  endif()
  set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${options}")
endfunction()

# Own flags for a library, and headers for those who link it.
function(_memplan_own_library name)
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>")
  target_compile_options(${name} PRIVATE "$<TARGET_PROPERTY:memplan-flags,INTERFACE_COMPILE_OPTIONS>")
  target_compile_features(${name} PUBLIC cxx_std_20)
endfunction()

# memplan_core_library(Name SOURCE... [LIBS target...] [COMPONENT c] [NOT_INSTALLED]): LLVM ADT and Support, no MLIR.
function(memplan_core_library name)
  cmake_parse_arguments(ARG "NOT_INSTALLED" "COMPONENT" "LIBS" ${ARGN})
  if(NOT ARG_COMPONENT)
    set(ARG_COMPONENT Core)
  endif()
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  _memplan_own_library(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LIBS} MemplanLLVM::Support)
  if(TARGET MemplanCoreHeaders)
    target_precompile_headers(${name} REUSE_FROM MemplanCoreHeaders)
  endif()
  if(NOT ARG_NOT_INSTALLED)
    memplan_install_libraries(${ARG_COMPONENT} ${name})
  endif()
endfunction()

# memplan_runtime_library(Name SOURCE... [LIBS target...] [COMPONENT c] [NOT_INSTALLED]): the C++20 standard library only.
function(memplan_runtime_library name)
  cmake_parse_arguments(ARG "NOT_INSTALLED" "COMPONENT" "LIBS" ${ARGN})
  if(NOT ARG_COMPONENT)
    set(ARG_COMPONENT Runtime)
  endif()
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  _memplan_own_library(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LIBS})
  if(TARGET MemplanRuntimeHeaders)
    target_precompile_headers(${name} REUSE_FROM MemplanRuntimeHeaders)
  endif()
  if(NOT ARG_NOT_INSTALLED)
    memplan_install_libraries(${ARG_COMPONENT} ${name})
  endif()
endfunction()

# memplan_mlir_library(Name SOURCE... [DEPENDS tablegenTarget...] [LIBS memplanTarget...] [MLIR mlirTarget...]
#                      [NOT_INSTALLED])
function(memplan_mlir_library name)
  cmake_parse_arguments(ARG "NOT_INSTALLED" "" "DEPENDS;LIBS;MLIR" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  _memplan_own_library(${name})
  list(TRANSFORM ARG_MLIR PREPEND MemplanLLVM::)
  target_link_libraries(${name} PUBLIC ${ARG_LIBS} ${ARG_MLIR} MemplanLLVM::Support)
  target_compile_options(${name} PRIVATE -fno-exceptions)
  add_dependencies(${name} MemplanTablegen)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_precompile_headers(${name} REUSE_FROM MemplanMlirHeaders)
  endif()
  if(NOT ARG_NOT_INSTALLED)
    memplan_install_libraries(MLIR ${name})
  endif()
endfunction()

# memplan_tool(name SOURCE... [LIBS target...]): a program in build/bin.
function(memplan_tool name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} memplan-flags)
  # Also of packages that stand outside the system's folders.
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" INSTALL_RPATH_USE_LINK_PATH ON)
  set_property(GLOBAL APPEND PROPERTY MEMPLAN_TOOLS ${name})
endfunction()

# memplan_serve_plugins(tool): a tool that loads MLIR plugins shows them its symbols, and holds those parts of MLIR's
# foundation that it does not use itself. A plugin that brought libMLIR.so would bring a second MLIR.
function(memplan_serve_plugins name)
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  set(archives "")
  foreach(library IR Support Pass Rewrite RewritePDL PDLDialect PDLInterpDialect PDLToPDLInterp TransformUtils Transforms
          Dialect Parser AsmParser DialectUtils BytecodeReader BytecodeWriter Analysis)
    get_target_property(kind MemplanLLVM::MLIR${library} TYPE)
    if(kind STREQUAL "STATIC_LIBRARY")
      list(APPEND archives "$<TARGET_FILE:MemplanLLVM::MLIR${library}>")
    endif()
  endforeach()
  if(archives)
    target_link_options(${name} PRIVATE LINKER:--export-dynamic)
    target_link_libraries(${name} PRIVATE -Wl,--whole-archive ${archives} -Wl,--no-whole-archive)
  endif()
endfunction()

# memplan_unit_test(Name SOURCE... [LIBS target...] [ENVIRONMENT VAR=value...] [SHARDS n]): one GoogleTest program and one
# ctest entry per room, or n entries that share its cases, for a room whose tests would otherwise be the last to end.
# Test cases may include "ErrorMatchers.h" and read files below MEMPLAN_TEST_DIR.
function(memplan_unit_test name)
  cmake_parse_arguments(ARG "" "SHARDS" "LIBS;ENVIRONMENT" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} memplan-flags GTest::gmock GTest::gtest GTest::gtest_main)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/test/Unit")
  # EXPECT_EQ(...) below an if without braces; GoogleTest's macros are made for it, g++ 12 does not see that.
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-dangling-else>)
  target_compile_definitions(${name} PRIVATE "MEMPLAN_TEST_DIR=\"${PROJECT_SOURCE_DIR}/test\"")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test/Unit")
  if(TARGET MemplanTablegen)
    add_dependencies(${name} MemplanTablegen)
  endif()
  if(TARGET MemplanTestHeaders)
    target_precompile_headers(${name} REUSE_FROM MemplanTestHeaders)
    list(FILTER ARG_UNPARSED_ARGUMENTS INCLUDE REGEX "[.]c$")
    set_source_files_properties(${ARG_UNPARSED_ARGUMENTS} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  foreach(shard RANGE 1 ${ARG_SHARDS})
    set(entry ${name})
    set(environment "ASAN_OPTIONS=allow_user_poisoning=0" ${ARG_ENVIRONMENT})
    if(ARG_SHARDS GREATER 1)
      set(entry ${name}-${shard})
      math(EXPR index "${shard} - 1")
      list(APPEND environment "GTEST_TOTAL_SHARDS=${ARG_SHARDS}" "GTEST_SHARD_INDEX=${index}")
    endif()
    add_test(NAME ${entry} COMMAND ${name})
    # Static MLIR is not instrumented, so that its allocator would be reported falsely by the address sanitizer.
    set_tests_properties(${entry} PROPERTIES ENVIRONMENT
      "GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/test-results/gtest/${entry}.xml;${environment}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY MEMPLAN_UNIT_TESTS ${name})
endfunction()
