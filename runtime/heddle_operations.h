// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The functions of the runtime that are instructions: the importer replaces each call
// (src/frontend/c/library.def).
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ word_t;

void* __heddle_op_allocate(size_t size);
void __heddle_op_free(void* block);
size_t __heddle_op_block_size(const void* block);
// Plain copies that leave a byte nobody has written as it is, instead of choosing a value.
void __heddle_op_copy_byte(void* to, const void* from);
void __heddle_op_copy_word(void* to, const void* from);
word_t __heddle_op_self(void);
void* __heddle_op_join(word_t thread);
int __heddle_op_mutex_init(void* mutex, int kind);
int __heddle_op_mutex_lock(void* mutex);
int __heddle_op_mutex_unlock(void* mutex);
int __heddle_op_mutex_trylock(void* mutex);
int __heddle_op_mutex_timedlock(void* mutex);
int __heddle_op_condition_wait(void* condition, void* mutex);
int __heddle_op_condition_signal(void* condition);
int __heddle_op_condition_timedwait(void* condition, void* mutex);
int __heddle_op_semaphore_trywait(void* semaphore);
int __heddle_op_semaphore_timedwait(void* semaphore);
int __heddle_op_semaphore_value(void* semaphore);
int __heddle_op_barrier_init(void* barrier, unsigned count);
int __heddle_op_once_enter(void* once);
int __heddle_op_once_leave(void* once);
long __VERIFIER_nondet_long(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int left);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
