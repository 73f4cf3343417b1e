/* Copyright (c) 2026 The Heddle authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* */
/* For programs written for GenMC: what they include. Functions that Heddle does not know are declared, and a call of one */
/* is named as unsupported where it stands. */
#ifndef GENMC_H
#define GENMC_H

#include "heddle.h"
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* Threads. That some are alike is found without being told. */
typedef pthread_t __VERIFIER_thread_t;
#define __VERIFIER_spawn(function, argument)                                                       \
  ({                                                                                               \
    __VERIFIER_thread_t heddle_thread;                                                             \
    pthread_create(&heddle_thread, NULL, (function), (argument));                                  \
    heddle_thread;                                                                                 \
  })
#define __VERIFIER_spawn_symmetric(function, argument, other)                                      \
  ((void)(other), __VERIFIER_spawn((function), (argument)))
#define __VERIFIER_join(thread)                                                                    \
  ({                                                                                               \
    void *heddle_result;                                                                           \
    pthread_join((thread), &heddle_result);                                                        \
    heddle_result;                                                                                 \
  })
#define __VERIFIER_join_symmetric(thread) ((void)pthread_join((thread), NULL))

/* What these say of an access is a hint, and not needed. */
#define __VERIFIER_helped_CAS(exchange)                                                            \
  do {                                                                                             \
    exchange;                                                                                      \
  } while (0)
#define __VERIFIER_helping_CAS(exchange)                                                           \
  do {                                                                                             \
    exchange;                                                                                      \
  } while (0)
#define __VERIFIER_local_write(store)                                                              \
  do {                                                                                             \
    store;                                                                                         \
  } while (0)
#define __VERIFIER_final_write(store)                                                              \
  do {                                                                                             \
    store;                                                                                         \
  } while (0)
#define __VERIFIER_speculative_read(load) ({ load; })
#define __VERIFIER_confirming_read(load) ({ load; })
#define __VERIFIER_confirming_CAS(exchange) ({ exchange; })
#define __VERIFIER_final_CAS(exchange) ({ exchange; })

typedef struct __VERIFIER_hazptr __VERIFIER_hp_t;
extern __VERIFIER_hp_t *__VERIFIER_hp_alloc(void);
extern void *__VERIFIER_hp_protect(__VERIFIER_hp_t *hp, void *pointer);
extern void __VERIFIER_hp_clear(__VERIFIER_hp_t *hp);
extern void __VERIFIER_hp_free(__VERIFIER_hp_t *hp);
extern void __VERIFIER_hp_retire(void *pointer);

#endif
