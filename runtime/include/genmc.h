/* Copyright (c) 2026 The Heddle authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* */
/* For programs written for GenMC: what they include. Functions that Heddle does not know are declared, and a call of one */
/* is named as unsupported where it stands. */
#ifndef GENMC_H
#define GENMC_H

#include "heddle.h"
#include <stddef.h>
#include <stdint.h>

typedef struct __VERIFIER_hazptr __VERIFIER_hp_t;
extern __VERIFIER_hp_t *__VERIFIER_hp_alloc(void);
extern void *__VERIFIER_hp_protect(__VERIFIER_hp_t *hp, void *pointer);
extern void __VERIFIER_hp_clear(__VERIFIER_hp_t *hp);
extern void __VERIFIER_hp_free(__VERIFIER_hp_t *hp);
extern void __VERIFIER_hp_retire(void *pointer);

#endif
