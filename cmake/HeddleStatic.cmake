# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
#
# HEDDLE_STATIC: heddle is linked without shared libraries. A litmus test takes less time than the loader takes to bind
# libstdc++. Where an archive is missing the link is the usual one, and says so. Sets HEDDLE_FMT to the target to link for fmt.
set(HEDDLE_FMT fmt::fmt)
if(HEDDLE_STATIC)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static)
  check_cxx_source_compiles("#include <thread>
int main() { std::thread([] {}).join(); }" HEDDLE_CAN_LINK_STATIC)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  find_library(HEDDLE_YAML_ARCHIVE libyaml-cpp.a)
  mark_as_advanced(HEDDLE_YAML_ARCHIVE)
  if(NOT HEDDLE_CAN_LINK_STATIC OR NOT HEDDLE_YAML_ARCHIVE OR HEDDLE_SANITIZE)
    message(STATUS "heddle is linked with shared libraries")
    set(HEDDLE_STATIC OFF)
  else()
    get_target_property(configurations yaml-cpp IMPORTED_CONFIGURATIONS)
    foreach(configuration ${configurations})
      set_target_properties(yaml-cpp PROPERTIES IMPORTED_LOCATION_${configuration} ${HEDDLE_YAML_ARCHIVE})
    endforeach()
    get_target_property(fmt_kind fmt::fmt TYPE)
    if(NOT fmt_kind STREQUAL STATIC_LIBRARY)
      add_library(heddle_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/fmt_library.cpp)
      target_compile_definitions(heddle_fmt INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
      target_include_directories(heddle_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
      set(HEDDLE_FMT heddle_fmt)
    endif()
  endif()
endif()
