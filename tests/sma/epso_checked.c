// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// epso with the invariants of its lists checked after every operation.
#include "../../runtime/sma/epso.c"
#include "timed_lists_checked.h"
