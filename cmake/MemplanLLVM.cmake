# What memplan links of LLVM and MLIR: targets MemplanLLVM::X that stand beside the imported ones, which are left as they
# are. Read by the build and by the installed package, after find_package(LLVM) and, where it is wanted, find_package(MLIR).
#
# MEMPLAN_LINK_LLVM says in which form, because two copies of LLVM in one program break it:
#   static       archives of MLIR and of LLVM
#   llvm-shared  archives of MLIR over libLLVM.so, as Debian's imported targets have it
#   shared       libMLIR.so over libLLVM.so
#   auto         shared if the host has set MLIR_LINK_MLIR_DYLIB, else what MLIR's imported targets name, else static

function(_memplan_choose_llvm out)
  set(form "${MEMPLAN_LINK_LLVM}")
  if(form MATCHES "^(static|llvm-shared|shared)$")
    set(${out} "${form}" PARENT_SCOPE)
    return()
  elseif(form AND NOT form STREQUAL "auto")
    message(FATAL_ERROR "MEMPLAN_LINK_LLVM is '${form}'; it must be auto, static, llvm-shared or shared")
  endif()
  set(needs "")
  if(TARGET MLIRSupport)
    get_target_property(needs MLIRSupport INTERFACE_LINK_LIBRARIES)
  endif()
  if(MLIR_LINK_MLIR_DYLIB)
    set(${out} shared PARENT_SCOPE)
  elseif("LLVM" IN_LIST needs)
    set(${out} llvm-shared PARENT_SCOPE)
  else()
    set(${out} static PARENT_SCOPE)
  endif()
endfunction()

# MemplanLLVM::${name}, the same file as ${name} with other needs.
function(_memplan_import name kind)
  if(TARGET MemplanLLVM::${name})
    return()
  endif()
  get_target_property(file ${name} LOCATION)
  add_library(MemplanLLVM::${name} ${kind} IMPORTED GLOBAL)
  set_target_properties(MemplanLLVM::${name} PROPERTIES
    IMPORTED_LOCATION "${file}" IMPORTED_LINK_INTERFACE_LANGUAGES CXX INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()

# MemplanLLVM::Support (ADT and Support, all that the core needs) and MemplanLLVM::All.
function(_memplan_import_llvm form)
  if(TARGET MemplanLLVM::Support)
    return()
  endif()
  add_library(MemplanLLVM::Support INTERFACE IMPORTED GLOBAL)
  add_library(MemplanLLVM::All INTERFACE IMPORTED GLOBAL)
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  set_target_properties(MemplanLLVM::Support PROPERTIES
    INTERFACE_COMPILE_OPTIONS "${definitions}" INTERFACE_INCLUDE_DIRECTORIES "${LLVM_INCLUDE_DIRS}")
  if(form STREQUAL "static")
    set(LLVM_LINK_LLVM_DYLIB OFF)
    llvm_map_components_to_libnames(support support)
    llvm_map_components_to_libnames(all
      analysis asmparser binaryformat bitreader bitwriter core demangle executionengine frontendopenacc frontendopenmp ipo
      irreader jitlink linker mc nativecodegen object orcjit orctargetprocess passes perfjitevents remarks support supportlsp
      target transformutils)
  else()
    _memplan_import(LLVM SHARED)
    set(support MemplanLLVM::LLVM)
    set(all MemplanLLVM::LLVM)
  endif()
  set_target_properties(MemplanLLVM::Support PROPERTIES INTERFACE_LINK_LIBRARIES "${support}")
  set_target_properties(MemplanLLVM::All PROPERTIES INTERFACE_LINK_LIBRARIES "MemplanLLVM::Support;${all}")
endfunction()

# In libMLIR.so stands what these do not: the execution engine, which has a library of its own.
function(_memplan_import_shared_mlir)
  _memplan_import(MLIR SHARED MemplanLLVM::All)
  _memplan_import(MLIRExecutionEngineShared SHARED MemplanLLVM::MLIR)
  foreach(name IN LISTS MLIR_EXPORTED_TARGETS)
    if(NOT TARGET ${name} OR TARGET MemplanLLVM::${name})
      continue()
    endif()
    get_target_property(kind ${name} TYPE)
    if(kind STREQUAL "STATIC_LIBRARY")
      add_library(MemplanLLVM::${name} INTERFACE IMPORTED GLOBAL)
      set(instead MemplanLLVM::MLIR)
      if(name MATCHES "^MLIRExecutionEngine")
        set(instead MemplanLLVM::MLIRExecutionEngineShared)
      endif()
      set_target_properties(MemplanLLVM::${name} PROPERTIES INTERFACE_LINK_LIBRARIES "${instead}")
    endif()
  endforeach()
endfunction()

# Debian's archives name libLLVM.so as what they need, and some libMLIR.so, which would be a second copy of what they are.
function(_memplan_import_mlir_archives)
  foreach(name IN LISTS MLIR_EXPORTED_TARGETS)
    if(NOT TARGET ${name} OR TARGET MemplanLLVM::${name})
      continue()
    endif()
    get_target_property(kind ${name} TYPE)
    if(kind STREQUAL "STATIC_LIBRARY")
      get_target_property(needs ${name} INTERFACE_LINK_LIBRARIES)
      if(NOT needs)
        set(needs "")
      endif()
      list(REMOVE_ITEM needs LLVM MLIR)
      list(TRANSFORM needs PREPEND MemplanLLVM:: REGEX "^MLIR")
      _memplan_import(${name} STATIC ${needs} MemplanLLVM::All)
    elseif(kind STREQUAL "INTERFACE_LIBRARY") # has headers only, and archives name it
      add_library(MemplanLLVM::${name} INTERFACE IMPORTED GLOBAL)
    endif()
  endforeach()
endfunction()

_memplan_choose_llvm(_memplan_llvm_form)
_memplan_import_llvm(${_memplan_llvm_form})
if(MLIR_FOUND AND NOT TARGET MemplanLLVM::MLIRIR)
  if(_memplan_llvm_form STREQUAL "shared")
    _memplan_import_shared_mlir()
  else()
    _memplan_import_mlir_archives()
  endif()
endif()
