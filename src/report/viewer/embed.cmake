# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
#
# Writes the files of the viewer into a C++ file as string constants: cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake
set(script "")
foreach(file layout.js graph.js history.js page.js)
  file(READ ${FOLDER}/${file} text)
  string(APPEND script "${text}")
endforeach()
file(READ ${FOLDER}/viewer.html template)
file(READ ${FOLDER}/viewer.css style)
set(content "// Made from src/report/viewer by embed.cmake.\n#include \"report/viewer/viewer.h\"\n\nnamespace heddle::report {\n\n")
foreach(part template style script)
  string(APPEND content "const std::string_view kViewer_${part} = R\"VIEWER(${${part}})VIEWER\";\n")
endforeach()
string(APPEND content "\n} // namespace heddle::report\n")
file(WRITE ${OUTPUT} "${content}")
