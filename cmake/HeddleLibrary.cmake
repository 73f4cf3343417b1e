# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
#
# One target per room of src/: heddle_library(program/run SOURCES … USES logic ir) makes heddle_program_run, with the
# warnings, link options and sanitizers every library shares. Which may use which is checked by scripts/check_layers.py.

add_library(heddle_flags INTERFACE)
target_include_directories(heddle_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(heddle_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                              $<$<BOOL:${HEDDLE_WERROR}>:-Werror> -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of the optimiser about std::variant, std::string and std::vector moves at -O2 (GCC bugs 80635, 105329, 105651). The sanitizer builds
  # look for the real thing.
  target_compile_options(heddle_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds
                                                -Wno-stringop-overflow -Wno-stringop-overread)
endif()
target_link_options(heddle_flags INTERFACE -Wl,--gc-sections)
find_program(HEDDLE_LLD NAMES ld.lld-19)
if(HEDDLE_LLD)
  # g++ 12 looks for "ld.lld" by name only; -B makes it find Debian's versioned one.
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lld)
  file(CREATE_LINK ${HEDDLE_LLD} ${CMAKE_BINARY_DIR}/lld/ld.lld SYMBOLIC)
  # Written through a mapping, the file's pages stay single in the system's cache; written at once they are large, and a
  # run of a few milliseconds takes 7 % less.
  target_link_options(heddle_flags INTERFACE -fuse-ld=lld -B${CMAKE_BINARY_DIR}/lld -Wl,--no-mmap-output-file)
endif()
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_flags INTERFACE -fsanitize=${HEDDLE_SANITIZE} -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer)
  target_link_options(heddle_flags INTERFACE -fsanitize=${HEDDLE_SANITIZE})
endif()
if(HEDDLE_FUZZERS)
  # Coverage in the libraries is what guides libFuzzer.
  target_compile_options(heddle_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(heddle_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
set_property(GLOBAL PROPERTY JOB_POOLS link_pool=1)
set(CMAKE_JOB_POOL_LINK link_pool)

# The files of a room as few files that include up to HEDDLE_UNITY of them each: reading the same headers for every one is
# half of a build. CMake's own UNITY_BUILD writes absolute paths, and checkouts would share nothing in ccache.
function(heddle_batches result name)
  list(LENGTH ARGN count)
  if(HEDDLE_UNITY LESS 2 OR count LESS 2)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  math(EXPR batches "(${count} + ${HEDDLE_UNITY} - 1) / ${HEDDLE_UNITY}")
  set(written "")
  foreach(batch RANGE 1 ${batches})
    math(EXPR begin "(${batch} - 1) * ${count} / ${batches}")
    math(EXPR length "${batch} * ${count} / ${batches} - ${begin}")
    list(SUBLIST ARGN ${begin} ${length} sources)
    list(TRANSFORM sources REPLACE "(.+)" "#include \"${name}/\\1\"\n")
    string(JOIN "" text ${sources})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/batch_${batch}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    list(APPEND written ${file})
  endforeach()
  set(${result} ${written} PARENT_SCOPE)
endfunction()

# The SOURCES of a library are compiled in batches, those that are ALONE one by one. A room of headers only (no SOURCES)
# becomes an interface library. A used room that has no target yet is left out of the link: what is really missing shows as
# an undefined symbol.
function(heddle_library name)
  cmake_parse_arguments(LIBRARY "" "" "SOURCES;ALONE;USES;EXTERNAL" ${ARGN})
  string(REPLACE "/" "_" target heddle_${name})
  if(LIBRARY_SOURCES)
    heddle_batches(sources ${name} ${LIBRARY_SOURCES})
    add_library(${target} STATIC ${sources} ${LIBRARY_ALONE})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${LIBRARY_EXTERNAL})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
    target_link_libraries(${target} INTERFACE ${LIBRARY_EXTERNAL})
  endif()
  target_link_libraries(${target} ${scope} heddle_flags ${HEDDLE_FMT})
  foreach(use ${LIBRARY_USES})
    string(REPLACE "/" "_" used heddle_${use})
    target_link_libraries(${target} ${scope} $<TARGET_NAME_IF_EXISTS:${used}>)
  endforeach()
endfunction()
