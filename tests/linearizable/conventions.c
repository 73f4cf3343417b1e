// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One stack behind a lock, with the ways in which C programs say what came back: -1, 0, 255, a
// pointer, a truth value and an out-parameter. It has room for two; push tells whether there was any.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef FIRST
#define FIRST 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int elements[4] = {FIRST};
static int count = FIRST != 0;

bool put(int value) {
  bool has_room = false;
  pthread_mutex_lock(&mutex);
#ifndef NO_LIMIT
  has_room = count < 2;
#else
  has_room = count < 4;
#endif
  if (has_room)
    elements[count++] = value;
#ifdef LIES
  has_room = true;
#endif
  pthread_mutex_unlock(&mutex);
  return has_room;
}
static bool take(int* value) {
  pthread_mutex_lock(&mutex);
  const bool is_there = count > 0;
  if (is_there)
    *value = elements[--count];
  pthread_mutex_unlock(&mutex);
  return is_there;
}

void put_anyway(int value) { put(value); }
int put_or_negative(int value) { return put(value) ? 0 : -7; }
bool take_to(int* value) { return take(value); }
int take_or_negative(void) {
  int value;
  return take(&value) ? value : -1;
}
int take_or_zero(void) {
  int value;
  return take(&value) ? value : 0;
}
unsigned char take_byte(void) {
  int value;
  return take(&value) ? (unsigned char)value : 255;
}
unsigned take_unsigned(void) {
  int value;
  return take(&value) ? (unsigned)value : 0xffffffffU;
}
void* take_pointer(void) {
  int value;
  return take(&value) ? (void*)(size_t)value : NULL;
}
void put_pointer(void* value) { put((int)(size_t)value); }
struct answer {
  bool is_there;
  int value;
};
struct answer take_answer(void) {
  struct answer answer = {false, 0};
  answer.is_there = take(&answer.value);
  return answer;
}
void put_answer(struct answer answer) { put(answer.value); }
double take_double(void) { return take_or_negative(); }
int put_at(int place, int value) { return place + put(value); }
