// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Who was waited for signals, and who has waited frees the lock and the condition. The signal comes while the lock is held,
// or (LATE) after it was given back, when both may be gone.
#include <pthread.h>
#include <stdlib.h>

struct meeting {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int is_done;
};

static struct meeting* meeting;

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&meeting->lock);
  meeting->is_done = 1;
#ifndef LATE
  pthread_cond_signal(&meeting->changed);
#endif
  pthread_mutex_unlock(&meeting->lock);
#ifdef LATE
  pthread_cond_signal(&meeting->changed);
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  meeting = malloc(sizeof *meeting);
  pthread_mutex_init(&meeting->lock, NULL);
  pthread_cond_init(&meeting->changed, NULL);
  meeting->is_done = 0;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&meeting->lock);
  if (!meeting->is_done)
    pthread_cond_wait(&meeting->changed, &meeting->lock);
  int is_done = meeting->is_done;
  pthread_mutex_unlock(&meeting->lock);
  if (is_done)
    free(meeting);
  pthread_join(thread, NULL);
  if (!is_done)
    free(meeting);
  return 0;
}
