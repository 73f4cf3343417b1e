// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/page/history_chart.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using history::Event;
using history::Operation;
using Kind = Event::Kind;

TEST(HistoryDiagram, ShowsWhatOverlaps) {
  const std::vector<Operation> operations = {
      {0, "push", 1, true, {}}, {1, "pop", {}, true, 1}, {0, "pop", {}, true, -1}};
  const std::vector<Event> events = {{Kind::kInvocation, 0},
                                     {Kind::kInvocation, 1},
                                     {Kind::kResponse, 0},
                                     {Kind::kResponse, 1},
                                     {Kind::kInvocation, 2},
                                     {Kind::kResponse, 2}};
  EXPECT_EQ(diagram(chart(history::from_events(operations, events), events)),
            "  thread 1  [-push(1)-]   [-pop() = -1-]\n"
            "  thread 2   [-pop() = 1-]\n");
}

TEST(HistoryDiagram, PendingOperationsAndOverlapsOfOneThread) {
  const std::vector<Operation> operations = {{0, "release", {}, true, {}},
                                             {0, "get", {}, false, {}}};
  const std::vector<Event> events = {
      {Kind::kInvocation, 0}, {Kind::kInvocation, 1}, {Kind::kResponse, 0}};
  EXPECT_EQ(diagram(chart(history::from_events(operations, events), events)),
            "  thread 1  [-release()-]\n"
            "             [-get() pending>\n");
}

} // namespace
} // namespace heddle::report
