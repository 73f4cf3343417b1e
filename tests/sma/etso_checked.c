// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// etso with the invariants of its lists checked after every operation.
#include "../../runtime/sma/etso.c"
#include "timed_lists_checked.h"
