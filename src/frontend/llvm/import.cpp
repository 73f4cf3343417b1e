// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads bitcode or LLVM text and imports the module function by function.
#include "frontend/llvm/import.h"

#include "frontend/llvm/debug_names.h"
#include "frontend/llvm/function_importer.h"
#include "frontend/llvm/index_checks.h"
#include "frontend/llvm/module_importer.h"
#include "frontend/llvm/shift_checks.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace heddle::frontend {

ModuleImporter::ModuleImporter(const llvm::Module& source)
    : source_(source), layout_(source.getDataLayout()) {}

Result<Imported> ModuleImporter::run() {
  const unsigned bits = layout_.getPointerSizeInBits();
  if (layout_.isBigEndian() || (bits != 32 && bits != 64)) {
    return Error{ErrorKind::kUnsupported,
                 "LLVM-002",
                 "only little-endian modules with pointers of 32 or 64 bits are supported"};
  }
  imported_.module.data_model = bits == 32 ? ir::DataModel::kILP32 : ir::DataModel::kLP64;
  declare_functions();
  declare_globals();
  initialise_globals();
  collect_constructors();
  for (const llvm::Function& function : source_) {
    // What the linker would take from elsewhere is not imported from here.
    if (function.isDeclaration() || function.hasAvailableExternallyLinkage()) {
      continue;
    }
    const ir::FunctionId id = functions_.at(&function);
    if (std::string what = other_type_of(function); !what.empty()) {
      imported_.other_types.emplace_back(imported_.module.functions[id].name, std::move(what));
    }
    // The body is built aside: importing it may declare functions of the runtime.
    ir::Function out = imported_.module.functions[id];
    if (signature(function.getFunctionType())) {
      FunctionImporter(*this, function, out).run();
    } else {
      out.blocks.push_back(
          {"entry",
           {{ir::Trap{"a function that passes or returns a large aggregate by value",
                      "pass a pointer"},
             out.loc},
            {ir::Unreachable{}, out.loc}}});
    }
    imported_.module.functions[id] = std::move(out);
  }
  return std::move(imported_);
}

bool can_import_llvm() {
  return true;
}

Result<Imported> import_bitcode(std::string_view content, const std::string& name) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto buffer =
      llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(content.data(), content.size()), name);
  const std::unique_ptr<llvm::Module> module =
      llvm::parseIR(buffer->getMemBufferRef(), problem, context);
  if (module == nullptr) {
    Error error{ErrorKind::kInput, "LLVM-001", problem.getMessage().str(), name};
    error.line = problem.getLineNo() > 0 ? static_cast<std::uint32_t>(problem.getLineNo()) : 0;
    error.column = problem.getColumnNo() >= 0 && error.line > 0
                       ? static_cast<std::uint32_t>(problem.getColumnNo()) + 1
                       : 0;
    return error;
  }
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream)) {
    return Error{ErrorKind::kInput, "LLVM-003", "not a valid LLVM module: " + broken, name};
  }
  mark_signed_shifts(*module);
  join_index_checks(*module);
  auto imported = ModuleImporter(*module).run();
  if (!imported) {
    Error error = imported.error();
    error.file = name;
    return error;
  }
  return imported;
}

} // namespace heddle::frontend
