// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Small numbers in unary: of a word as many of the lowest bits are set as the number says. For a solver an order of such
// numbers is clauses of two literals for each bit, and a circle of "before" is found by following them; of binary
// numbers it has to try values. Numbers are below 64, so that the next one is a word, too. A number is also the set of
// all from 1 up to it, and 1 is the lowest bit.
//
// Without branches: a condition is a word of which all bits are the same.
#pragma once

#include "sma.h"

typedef sma_value sma_unary;

#define UNARY(number) (((sma_unary)1 << (number)) - 1)
#define ONE_MORE(a) ((a) << 1 | 1)
#define LATER(a, b) ((a) | (b))
#define IS_AT_MOST(a, b) (((a) & ~(b)) == 0)
#define IS_LESS(a, b) IS_AT_MOST(ONE_MORE(a), b)
// All below the least in the set; everything if there is none.
#define BELOW_ALL(set) (~(set) & ((set) - 1))
#define WHERE_IN(set, i) (-((set) >> ((i) - 1) & 1))
