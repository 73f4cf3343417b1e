// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What snapshot.c is compared with.
static int cell[2];
void update0(int v) { cell[0] = v; }
void update1(int v) { cell[1] = v; }
int scan(void) { return cell[0] * 100 + cell[1]; }
