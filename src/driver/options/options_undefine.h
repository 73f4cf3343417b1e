// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Forgets the macros an inclusion of options.def was read with. No include guard: used after each
// inclusion.
#undef HEDDLE_FLAG
#undef HEDDLE_TEXT
#undef HEDDLE_CHOICE
#undef HEDDLE_NUMBER
#undef HEDDLE_DECIMAL
#undef HEDDLE_BOUND
#undef HEDDLE_LIST
