// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operations whose meaning differs between languages: wrapping, signed and unsigned division, shifts, comparisons, small widths.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int signed_value;
unsigned unsigned_value;
unsigned char small;
signed char small_signed;
short middle;
void *first(void *unused) {
  unsigned char choice = __VERIFIER_nondet_uchar();
  unsigned word = 0xfffffff0u + choice; // wraps for some choices
  small = (unsigned char)(choice * 3u);
  small_signed = (signed char)choice;
  middle = (short)(small_signed * 300);
  assert((word < 0xfffffff0u) == (choice >= 16));
  assert(small_signed < 0 ? choice >= 128 : choice < 128);
  assert(middle / 3 == (short)(small_signed * 300) / 3);
  unsigned_value = word / 7u;
  assert(unsigned_value * 7u + word % 7u == word);
  signed_value = (int)word >> 2;
  assert(word % 7u < 7u);
  assert(choice >= 16 || signed_value == -4 + choice / 4);
  assert((word >> 28) == (choice >= 16 ? 0u : 15u));
  int divided = (int)word / -3;
  assert(choice >= 16 || divided == (16 - choice) / 3);
  assert(word / 0x80000001u == (choice >= 16 ? 0u : 1u));
  unsigned shifted = 1u << (choice & 31u);
  assert(shifted != 0);
#ifdef BROKEN
  assert(small != 201); // 67 * 3
#endif
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, first, 0);
  pthread_join(a, 0);
  return 0;
}
