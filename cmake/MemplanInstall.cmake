# What `cmake --install` puts where, and under which names others see it: Memplan::Graph is the room Graph, here and in the
# installed package. docs/Embedding.md says what each component needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The version of the C interface, which is that of its shared libraries: major * 1000 + minor in memplan-c/Status.h.
file(STRINGS "${PROJECT_SOURCE_DIR}/include/memplan-c/Status.h" MEMPLAN_C_VERSION REGEX "#define MEMPLAN_API_VERSION ")
string(REGEX REPLACE ".* ([0-9]+)$" "\\1" MEMPLAN_C_VERSION "${MEMPLAN_C_VERSION}")
math(EXPR MEMPLAN_C_MAJOR "${MEMPLAN_C_VERSION} / 1000")
math(EXPR MEMPLAN_C_MINOR "${MEMPLAN_C_VERSION} % 1000")

# memplan_install_libraries(Component target...): MemplanX becomes Memplan::X. Components are Base, which every other needs,
# Core, Runtime, MLIR and C.
function(memplan_install_libraries component)
  foreach(name IN LISTS ARGN)
    string(REGEX REPLACE "^[Mm]emplan-?" "" short "${name}")
    add_library(Memplan::${short} ALIAS ${name})
    set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
    if(MEMPLAN_INSTALL)
      install(TARGETS ${name} EXPORT Memplan${component}Targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
      set_property(GLOBAL APPEND PROPERTY MEMPLAN_INSTALLED_${component} ${name})
    endif()
  endforeach()
endfunction()

# memplan_c_library(name ROOT target ROOMS target... LIBS target... PRIVATE_LIBS text): lib${name}.so, which shows memplan_*
# and nothing else, lib${name}.a with all rooms in it, and ${name}.pc.
function(memplan_c_library name)
  cmake_parse_arguments(ARG "" "DESCRIPTION;PRIVATE_LIBS" "ROOMS;LIBS" ${ARGN})
  if(NOT MEMPLAN_INSTALL)
    return()
  endif()
  list(TRANSFORM ARG_ROOMS REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(${name} SHARED ${objects})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS})
  target_include_directories(${name} INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
  target_link_options(${name} PRIVATE
    "$<TARGET_PROPERTY:memplan-flags,INTERFACE_LINK_OPTIONS>" -Wl,--exclude-libs,ALL
    "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/c-symbols.map")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON SOVERSION ${MEMPLAN_C_MAJOR}
    VERSION ${MEMPLAN_C_MAJOR}.${MEMPLAN_C_MINOR}.0 LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/c-symbols.map")
  memplan_install_libraries(C ${name})

  add_library(${name}-archive STATIC ${objects})
  set_target_properties(${name}-archive PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE CXX)
  install(TARGETS ${name}-archive ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

  set(MEMPLAN_PC_NAME ${name})
  set(MEMPLAN_PC_DESCRIPTION "${ARG_DESCRIPTION}")
  set(MEMPLAN_PC_PRIVATE "${ARG_PRIVATE_LIBS} -lstdc++ -lm -lpthread")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/memplan.pc.in" "${PROJECT_BINARY_DIR}/cmake/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/cmake/${name}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# Headers, tools, and what find_package(Memplan) reads. To be called after every library is there.
function(memplan_install_package)
  if(NOT MEMPLAN_INSTALL)
    return()
  endif()
  set(hidden PATTERN "Tools" EXCLUDE)
  if(NOT MEMPLAN_HAS_MLIR)
    foreach(room Bridge Compiler Conversion Dialect Pipelines Transforms InitAll.h Compiler.h)
      list(APPEND hidden PATTERN "${room}" EXCLUDE)
    endforeach()
  endif()
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" "${PROJECT_BINARY_DIR}/include/"
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc" ${hidden} PATTERN "CMakeFiles" EXCLUDE)
  get_property(tools GLOBAL PROPERTY MEMPLAN_TOOLS)
  if(tools AND MEMPLAN_BUILD_TOOLS)
    list(FILTER tools INCLUDE REGEX "^memplan-(opt|run|solve|lsp-server)$")
    install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()

  set(folder "${CMAKE_INSTALL_LIBDIR}/cmake/Memplan")
  set(MEMPLAN_PACKAGED_SETS "")
  foreach(component Base Core Runtime MLIR C)
    get_property(libraries GLOBAL PROPERTY MEMPLAN_INSTALLED_${component})
    if(libraries)
      list(APPEND MEMPLAN_PACKAGED_SETS ${component})
      install(EXPORT Memplan${component}Targets NAMESPACE Memplan:: DESTINATION "${folder}")
      export(EXPORT Memplan${component}Targets NAMESPACE Memplan::
        FILE "${PROJECT_BINARY_DIR}/cmake/Memplan${component}Targets.cmake")
    endif()
  endforeach()
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/MemplanConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/cmake/MemplanConfig.cmake" INSTALL_DESTINATION "${folder}")
  # The build folder is a package too: -DMemplan_DIR=BUILD/cmake.
  configure_file("${PROJECT_SOURCE_DIR}/cmake/MemplanLLVM.cmake" "${PROJECT_BINARY_DIR}/cmake/MemplanLLVM.cmake" COPYONLY)
  # 0.x: a minor version may change C++ interfaces.
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/MemplanConfigVersion.cmake"
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/cmake/MemplanConfig.cmake" "${PROJECT_BINARY_DIR}/cmake/MemplanConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/MemplanLLVM.cmake" DESTINATION "${folder}")
endfunction()
