// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What every harness has: threads that make the calls of a scenario one after the other, and an
// entry that starts them. How moments of the calls are recorded is left to those who derive from
// it.
#pragma once

#include "object/scenarios/harness.h"
#include "object/scenarios/harness_code.h"
#include "support/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::object {

/// The tag of a note that a store follows.
inline constexpr const char* kStoreNote = "stored";

class HarnessBuilder {
public:
  HarnessBuilder(const HarnessBuilder&) = delete;
  HarnessBuilder& operator=(const HarnessBuilder&) = delete;

protected:
  HarnessBuilder(const ir::Module& module, const Scenario& scenario)
      : module_(module), scenario_(scenario) {}
  virtual ~HarnessBuilder() = default;

  /// What the thread knows of a call when it ends.
  struct CallRegisters {
    ir::RegisterId begin; // kNever as long as it was not made
    ir::RegisterId end;
    ir::RegisterId result;
    ir::RegisterId effect; // where it took effect, for those who ask
    ir::RegisterId stored; // whether it has made stores, for those who ask
  };
  /// Around a call.
  virtual void invoke(Code& code, std::size_t call, const CallRegisters& registers) = 0;
  virtual void respond(Code& code, std::size_t call, const CallRegisters& registers) = 0;
  /// When the thread has made its calls, of which the first has that number.
  virtual void
  leave(Code& code, std::size_t first, const std::vector<CallRegisters>& registers) = 0;

  /// What the program itself asserts is a question of its own: here such a run just ends.
  void assume_assertions();
  ir::GlobalId global(std::string name);
  /// Notes before every store, in a word of the thread (`stored_`), that there is one. Those of
  /// stores that nobody else can see are to be dropped (drop_notes_of_private_stores).
  void note_stores();
  void forget_stores(Code& code) const;
  ir::RegisterId has_stored(Code& code) const; // a word
  Result<ir::FunctionId> find(const std::string& name, bool has_argument) const;
  /// Of all threads; each is one more function of the module.
  Result<std::vector<ir::FunctionId>> make_threads();
  /// Calls init.
  Status begin_entry(Code& code) const;
  static std::vector<ir::RegisterId> create(Code& code, const std::vector<ir::FunctionId>& threads);

  ir::Module module_;
  const Scenario& scenario_;
  ir::GlobalId stored_;

private:
  Result<ir::Function> make_thread(std::size_t thread, std::size_t first);
  Result<ir::Operand> argument_of(const ir::Function& function, std::int64_t value) const;
};

} // namespace heddle::object
