// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/output/reporting.h"

#include "report/text.h"

#include <ostream>

namespace heddle::driver {

Status print_output(std::string_view text, const Console& console) {
  console.out << text << std::flush;
  if (!console.out)
    return Error{
        ErrorKind::kInput, "OUT-002", "cannot write to the standard output: is the disk full?"};
  return Done{};
}

std::string report_text(const verdict::Verdict& verdict,
                        const report::Subject& subject,
                        const Options& options,
                        const Console& console) {
  report::TextOptions text;
  if (options.width != 0)
    text.width = static_cast<unsigned>(options.width);
  else if (console.out_is_terminal && console.terminal_width != 0)
    text.width = console.terminal_width;
  text.colour = console.out_is_terminal;
  report::SourceLines sources;
  return report::text(verdict, subject, text, sources);
}

} // namespace heddle::driver
