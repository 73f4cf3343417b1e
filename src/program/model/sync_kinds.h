// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known of the operations of ir::SyncOp, for rooms that see programs and not the language
// they come from: a program's operations are those of ir (action.h), and so are the facts.
#pragma once

#include "ir/sync_facts.h"
