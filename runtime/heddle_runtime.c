// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Library functions in C: those that need more than an instruction or two. It is compiled once per data model and linked
// with the analysed program, which calls `strlen` and gets `__heddle_strlen`. Nothing is included from the system, so
// that every object is used as src/frontend/c/library.def and the importer say and not as some libc does.
#include "heddle_operations.h"

#define NULL ((void*)0)

// ---- errno

static _Thread_local int errno_of_thread;
int* __heddle___errno_location(void) { return &errno_of_thread; }

enum { kEAGAIN = 11, kENOMEM = 12, kEINVAL = 22 };
enum { kMostThreads = 32 };

// ---- Blocks and strings

void* __heddle_memcpy(void* target, const void* source, size_t size) {
  char* to = target;
  const char* from = source;
  for (size_t i = 0; i < size; ++i)
    __heddle_op_copy_byte(to + i, from + i);
  return target;
}

// Both are aligned to words; the rest at the end is bytes.
void* __heddle_memcpy_words(void* target, const void* source, size_t size) {
  word_t* to = target;
  const word_t* from = source;
  size_t words = size / sizeof(word_t);
  for (size_t i = 0; i < words; ++i)
    __heddle_op_copy_word(to + i, from + i);
  for (size_t i = words * sizeof(word_t); i < size; ++i)
    __heddle_op_copy_byte((char*)target + i, (const char*)source + i);
  return target;
}

void* __heddle_mempcpy(void* target, const void* source, size_t size) {
  return (char*)__heddle_memcpy(target, source, size) + size;
}

void* __heddle_memmove(void* target, const void* source, size_t size) {
  char* to = target;
  const char* from = source;
  if ((word_t)to <= (word_t)from) {
    for (size_t i = 0; i < size; ++i)
      __heddle_op_copy_byte(to + i, from + i);
  } else {
    for (size_t i = size; i > 0; --i)
      __heddle_op_copy_byte(to + i - 1, from + i - 1);
  }
  return target;
}

void* __heddle_memset(void* target, int value, size_t size) {
  char* to = target;
  for (size_t i = 0; i < size; ++i)
    to[i] = (char)value;
  return target;
}

void __heddle_bzero(void* target, size_t size) { __heddle_memset(target, 0, size); }

int __heddle_memcmp(const void* a, const void* b, size_t size) {
  const unsigned char* x = a;
  const unsigned char* y = b;
  for (size_t i = 0; i < size; ++i)
    if (x[i] != y[i])
      return x[i] - y[i];
  return 0;
}

void* __heddle_memchr(const void* block, int value, size_t size) {
  const unsigned char* x = block;
  for (size_t i = 0; i < size; ++i)
    if (x[i] == (unsigned char)value)
      return (void*)(x + i);
  return NULL;
}

size_t __heddle_strlen(const char* text) {
  size_t length = 0;
  while (text[length] != 0)
    ++length;
  return length;
}

size_t __heddle_strnlen(const char* text, size_t most) {
  size_t length = 0;
  while (length < most && text[length] != 0)
    ++length;
  return length;
}

char* __heddle_stpcpy(char* target, const char* source) {
  size_t i = 0;
  for (; source[i] != 0; ++i)
    target[i] = source[i];
  target[i] = 0;
  return target + i;
}

char* __heddle_strcpy(char* target, const char* source) {
  __heddle_stpcpy(target, source);
  return target;
}

char* __heddle_strncpy(char* target, const char* source, size_t size) {
  size_t i = 0;
  for (; i < size && source[i] != 0; ++i)
    target[i] = source[i];
  for (; i < size; ++i)
    target[i] = 0;
  return target;
}

char* __heddle_strcat(char* target, const char* source) {
  __heddle_stpcpy(target + __heddle_strlen(target), source);
  return target;
}

char* __heddle_strncat(char* target, const char* source, size_t size) {
  char* end = target + __heddle_strlen(target);
  size_t i = 0;
  for (; i < size && source[i] != 0; ++i)
    end[i] = source[i];
  end[i] = 0;
  return target;
}

int __heddle_strcmp(const char* a, const char* b) {
  size_t i = 0;
  while (a[i] != 0 && a[i] == b[i])
    ++i;
  return (unsigned char)a[i] - (unsigned char)b[i];
}

int __heddle_strncmp(const char* a, const char* b, size_t size) {
  for (size_t i = 0; i < size; ++i)
    if (a[i] == 0 || a[i] != b[i])
      return (unsigned char)a[i] - (unsigned char)b[i];
  return 0;
}

int __heddle_isdigit(int c) { return c >= '0' && c <= '9'; }
int __heddle_isupper(int c) { return c >= 'A' && c <= 'Z'; }
int __heddle_islower(int c) { return c >= 'a' && c <= 'z'; }
int __heddle_isalpha(int c) { return __heddle_isupper(c) || __heddle_islower(c); }
int __heddle_isalnum(int c) { return __heddle_isalpha(c) || __heddle_isdigit(c); }
int __heddle_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int __heddle_toupper(int c) { return __heddle_islower(c) ? c - 'a' + 'A' : c; }
int __heddle_tolower(int c) { return __heddle_isupper(c) ? c - 'A' + 'a' : c; }

int __heddle_strcasecmp(const char* a, const char* b) {
  size_t i = 0;
  while (a[i] != 0 && __heddle_tolower((unsigned char)a[i]) == __heddle_tolower((unsigned char)b[i]))
    ++i;
  return __heddle_tolower((unsigned char)a[i]) - __heddle_tolower((unsigned char)b[i]);
}

char* __heddle_strchr(const char* text, int value) {
  for (;; ++text) {
    if (*text == (char)value)
      return (char*)text;
    if (*text == 0)
      return NULL;
  }
}

char* __heddle_strrchr(const char* text, int value) {
  const char* found = NULL;
  for (;; ++text) {
    if (*text == (char)value)
      found = text;
    if (*text == 0)
      return (char*)found;
  }
}

char* __heddle_strstr(const char* text, const char* part) {
  size_t length = __heddle_strlen(part);
  for (;; ++text) {
    if (__heddle_strncmp(text, part, length) == 0)
      return (char*)text;
    if (*text == 0)
      return NULL;
  }
}

char* __heddle_strndup(const char* text, size_t most) {
  size_t length = __heddle_strnlen(text, most);
  char* copy = __heddle_op_allocate(length + 1);
  if (copy == NULL)
    return NULL;
  __heddle_memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char* __heddle_strdup(const char* text) { return __heddle_strndup(text, __heddle_strlen(text)); }

// ---- Memory

void* __heddle_realloc(void* old, size_t size) {
  if (old != NULL && size == 0) {
    __heddle_op_free(old);
    return NULL;
  }
  void* block = __heddle_op_allocate(size);
  if (old == NULL || block == NULL)
    return block;
  size_t kept = __heddle_op_block_size(old);
  if (kept > size)
    kept = size;
  // A block from malloc is aligned, so whole words can be kept whole.
  __heddle_memcpy_words(block, old, kept);
  __heddle_op_free(old);
  return block;
}

void* __heddle_reallocarray(void* old, size_t count, size_t size) {
  if (size != 0 && count > (size_t)-1 / size) {
    errno_of_thread = kENOMEM;
    return NULL;
  }
  return __heddle_realloc(old, count * size);
}

int __heddle_posix_memalign(void** where, size_t alignment, size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0)
    return kEINVAL;
  void* block = __heddle_op_allocate(size);
  if (block == NULL)
    return kENOMEM;
  *where = block;
  return 0;
}

// ---- Numbers

int __heddle_abs(int x) { return x < 0 ? -x : x; }
long __heddle_labs(long x) { return x < 0 ? -x : x; }
long long __heddle_llabs(long long x) { return x < 0 ? -x : x; }

static int first_set(unsigned long long x) {
  if (x == 0)
    return 0;
  int at = 1;
  if ((x & 0xffffffffULL) == 0) { at += 32; x >>= 32; }
  if ((x & 0xffff) == 0) { at += 16; x >>= 16; }
  if ((x & 0xff) == 0) { at += 8; x >>= 8; }
  if ((x & 0xf) == 0) { at += 4; x >>= 4; }
  if ((x & 0x3) == 0) { at += 2; x >>= 2; }
  return at + ((x & 1) == 0);
}
int __heddle_ffs(int x) { return first_set((unsigned)x); }
int __heddle_ffsl(long x) { return first_set((unsigned long)x); }
int __heddle_ffsll(long long x) { return first_set((unsigned long long)x); }

// Bytes in the order of networks; we are little-endian.
unsigned short __heddle_htons(unsigned short x) { return (unsigned short)(x >> 8 | x << 8); }
unsigned __heddle_htonl(unsigned x) {
  return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

unsigned long long __heddle_ctpop(unsigned long long x) {
  x = x - ((x >> 1) & 0x5555555555555555ULL);
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return (x * 0x0101010101010101ULL) >> 56;
}

unsigned long long __heddle_cttz(unsigned long long x) {
  return x == 0 ? 64 : __heddle_ctpop((x & (0 - x)) - 1);
}

unsigned long long __heddle_ctlz(unsigned long long x) {
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  x |= x >> 16;
  x |= x >> 32;
  return 64 - __heddle_ctpop(x);
}

// ---- Time: any time at all

long __heddle_time(long* where) {
  long now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now >= 0);
  if (where != NULL)
    *where = now;
  return now;
}

struct moment {
  long seconds;
  long fraction;
};

int __heddle_gettimeofday(struct moment* where, void* zone) {
  (void)zone;
  if (where != NULL) {
    where->seconds = __heddle_time(NULL);
    long fraction = __VERIFIER_nondet_long();
    __VERIFIER_assume(fraction >= 0 && fraction < 1000000);
    where->fraction = fraction;
  }
  return 0;
}

int __heddle_clock_gettime(int clock, struct moment* where) {
  (void)clock;
  where->seconds = __heddle_time(NULL);
  long fraction = __VERIFIER_nondet_long();
  __VERIFIER_assume(fraction >= 0 && fraction < 1000000000);
  where->fraction = fraction;
  return 0;
}

// Nobody interrupts it, so the rest is not stored.
int __heddle_nanosleep(const struct moment* time, struct moment* rest) {
  (void)rest;
  struct moment read = *time;
  (void)read;
  return 0;
}

int __heddle_clock_nanosleep(int clock, int flags, const struct moment* time, struct moment* rest) {
  (void)clock;
  (void)flags;
  return __heddle_nanosleep(time, rest);
}

// Any generator: afterwards its state is any number, which is chosen when somebody looks at it.
int __heddle_rand_r(unsigned* state) {
  char* bytes = (char*)state;
  for (size_t i = 0; i < sizeof *state; ++i) {
    char old;
    char any;
    __heddle_op_copy_byte(&old, bytes + i);
    __heddle_op_copy_byte(bytes + i, &any);
  }
  return (int)(__VERIFIER_nondet_long() & 0x7fffffff);
}

// ---- Mutexes: an attribute object holds the kind in its first int

enum { kNormal = 0, kRecursive = 1, kErrorCheck = 2 };

int __heddle_pthread_mutexattr_init(int* attributes) {
  *attributes = kNormal;
  return 0;
}

int __heddle_pthread_mutexattr_settype(int* attributes, int kind) {
  if (kind < 0 || kind > 3)
    return kEINVAL;
  *attributes = kind;
  return 0;
}

int __heddle_pthread_mutexattr_gettype(const int* attributes, int* kind) {
  *kind = *attributes;
  return 0;
}

int __heddle_pthread_mutex_init(void* mutex, const int* attributes) {
  int kind = attributes == NULL ? kNormal : *attributes;
  // The adaptive kind (3) differs from the normal one in speed only.
  __heddle_op_mutex_init(mutex, kind == kRecursive || kind == kErrorCheck ? kind : kNormal);
  return 0;
}

int __heddle_mtx_init(void* mutex, int type) {
  __heddle_op_mutex_init(mutex, (type & 1) != 0 ? kRecursive : kNormal);
  return 0;
}

enum { kThrdSuccess = 0, kThrdBusy = 1, kThrdError = 2, kThrdTimedOut = 4 };

int __heddle_mtx_trylock(void* mutex) {
  return __heddle_op_mutex_trylock(mutex) == 0 ? kThrdSuccess : kThrdBusy;
}

int __heddle_mtx_timedlock(void* mutex, const void* until) {
  (void)until;
  return __heddle_op_mutex_timedlock(mutex) == 0 ? kThrdSuccess : kThrdTimedOut;
}

int __heddle_cnd_timedwait(void* condition, void* mutex, const void* until) {
  (void)until;
  return __heddle_op_condition_timedwait(condition, mutex) == 0 ? kThrdSuccess : kThrdTimedOut;
}

int __heddle_thrd_join(word_t thread, int* result) {
  word_t value = (word_t)__heddle_op_join(thread);
  if (result != NULL)
    *result = (int)value;
  return kThrdSuccess;
}

// ---- Attributes of threads: the first int is the detach state, which pthread_create looks at

int __heddle_pthread_attr_init(int* attributes) {
  *attributes = 0;
  return 0;
}

int __heddle_pthread_attr_setdetachstate(int* attributes, int state) {
  if (state != 0 && state != 1)
    return kEINVAL;
  *attributes = state;
  return 0;
}

int __heddle_pthread_attr_getdetachstate(const int* attributes, int* state) {
  *state = *attributes;
  return 0;
}

// ---- Other locks

// What the first word of a lock holds once it was destroyed (program/model/sync_layout.h); a barrier has the threshold 0.
#define DESTROYED 0xdead10c5U

// The writer, the readers, and half a byte for each thread that reads more than once.
int __heddle_pthread_rwlock_init(int* lock, const void* attributes) {
  (void)attributes;
  lock[0] = 0;
  lock[1] = 0;
  lock[2] = 0;
  lock[3] = 0;
  lock[4] = 0;
  lock[5] = 0;
  return 0;
}

int __heddle_pthread_rwlock_destroy(unsigned* lock) {
  lock[0] = DESTROYED;
  lock[1] = DESTROYED;
  return 0;
}

int __heddle_pthread_spin_init(int* lock, int shared) {
  (void)shared;
  *lock = 0;
  return 0;
}

int __heddle_pthread_spin_destroy(unsigned* lock) {
  *lock = DESTROYED;
  return 0;
}

int __heddle_pthread_cond_init(unsigned* condition, const void* attributes) {
  (void)attributes;
  *condition = 0;
  return 0;
}

int __heddle_pthread_cond_destroy(unsigned* condition) {
  *condition = DESTROYED;
  return 0;
}

int __heddle_cnd_init(unsigned* condition) {
  return __heddle_pthread_cond_init(condition, 0);
}

void __heddle_cnd_destroy(unsigned* condition) {
  __heddle_pthread_cond_destroy(condition);
}

int __heddle_sem_destroy(unsigned* semaphore) {
  *semaphore = DESTROYED;
  return 0;
}

int __heddle_pthread_barrier_destroy(void* barrier) {
  __heddle_op_barrier_init(barrier, DESTROYED); // threads may still be about to leave it
  return 0;
}

int __heddle_sem_trywait(void* semaphore) {
  int error = __heddle_op_semaphore_trywait(semaphore);
  if (error == 0)
    return 0;
  errno_of_thread = error;
  return -1;
}

int __heddle_sem_timedwait(void* semaphore, const void* until) {
  (void)until;
  int error = __heddle_op_semaphore_timedwait(semaphore);
  if (error == 0)
    return 0;
  errno_of_thread = error;
  return -1;
}

int __heddle_sem_getvalue(void* semaphore, int* value) {
  *value = __heddle_op_semaphore_value(semaphore);
  return 0;
}

int __heddle_pthread_once(void* once, void (*function)(void)) {
  if (__heddle_op_once_enter(once)) {
    function();
    __heddle_op_once_leave(once);
  }
  return 0;
}

void __heddle_call_once(void* once, void (*function)(void)) {
  __heddle_pthread_once(once, function);
}

// ---- System calls

// Whoever waits at a word waits for a condition at its address, as the kernel lets threads wait in a queue: under a lock
// that looks at the word and goes to sleep in one step. A wait with a time limit may end at any moment.
static unsigned char queues[64] __attribute__((aligned(8)));

static long futex_wait(const int* word, int expected, int has_limit) {
  __heddle_op_mutex_lock(queues);
  int error = 0;
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != expected)
    error = kEAGAIN;
  else if (has_limit)
    error = __heddle_op_condition_timedwait((void*)word, queues);
  else
    __heddle_op_condition_wait((void*)word, queues);
  __heddle_op_mutex_unlock(queues);
  if (error == 0)
    return 0;
  errno_of_thread = error;
  return -1;
}

// Whether somebody was woken is not known.
static long futex_wake(int* word, int count) {
  long woken = 0;
  __heddle_op_mutex_lock(queues);
  for (int i = 0; i < count && i < kMostThreads; ++i) {
    __heddle_op_condition_signal(word);
    woken += __VERIFIER_nondet_bool();
  }
  __heddle_op_mutex_unlock(queues);
  return woken;
}

// A trap: see library.def.
void syscall_of_another_kind(void);

long __heddle_syscall(long number, ...) {
  enum { kFutex = sizeof(long) == 8 ? 202 : 240, kGetTid = sizeof(long) == 8 ? 186 : 224 };
  enum { kWait = 0, kWake = 1, kPrivate = 128 };
  if (number == kGetTid)
    return (long)__heddle_op_self();
  if (number == kFutex) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, number);
    int* word = __builtin_va_arg(arguments, int*);
    int operation = __builtin_va_arg(arguments, int) & ~kPrivate;
    int value = __builtin_va_arg(arguments, int);
    if (operation == kWake)
      return futex_wake(word, value);
    if (operation == kWait)
      return futex_wait(word, value, __builtin_va_arg(arguments, void*) != NULL);
  }
  syscall_of_another_kind();
  return -1;
}

// Nothing is ever cancelled, so the old state is always the default, 0.
int __heddle_pthread_setcancelstate(int state, int* old) {
  (void)state;
  if (old != NULL)
    *old = 0;
  return 0;
}

// ---- Thread-specific data

enum { kKeys = 16, kRounds = 4 };
typedef void (*destructor_t)(void*);

static int key_is_used[kKeys];
static destructor_t key_destructor[kKeys];
static _Thread_local void* key_value[kKeys];

int __heddle_pthread_key_create(unsigned* key, destructor_t destructor) {
  int result = kEAGAIN;
  __VERIFIER_atomic_begin();
  for (unsigned i = 0; i < kKeys; ++i) {
    if (!key_is_used[i]) {
      key_is_used[i] = 1;
      key_destructor[i] = destructor;
      *key = i;
      result = 0;
      break;
    }
  }
  __VERIFIER_atomic_end();
  return result;
}

int __heddle_pthread_key_delete(unsigned key) {
  if (key >= kKeys)
    return kEINVAL;
  __VERIFIER_atomic_begin();
  key_is_used[key] = 0;
  key_destructor[key] = NULL;
  __VERIFIER_atomic_end();
  return 0;
}

int __heddle_pthread_setspecific(unsigned key, const void* value) {
  if (key >= kKeys)
    return kEINVAL;
  key_value[key] = (void*)value;
  return 0;
}

void* __heddle_pthread_getspecific(unsigned key) { return key < kKeys ? key_value[key] : NULL; }

// Called when a thread ends, if the program uses keys at all.
void __heddle_run_key_destructors(void) {
  for (int round = 0; round < kRounds; ++round) {
    int again = 0;
    for (unsigned i = 0; i < kKeys; ++i) {
      void* value = key_value[i];
      if (value == NULL)
        continue;
      __VERIFIER_atomic_begin();
      destructor_t destructor = key_destructor[i];
      __VERIFIER_atomic_end();
      if (destructor == NULL)
        continue;
      key_value[i] = NULL;
      destructor(value);
      again = 1;
    }
    if (!again)
      return;
  }
}

// ---- Clean-up handlers

static _Thread_local int cleanup_handlers;
void __heddle___pthread_register_cancel(void* buffer) {
  (void)buffer;
  ++cleanup_handlers;
}
void __heddle___pthread_unregister_cancel(void* buffer) {
  (void)buffer;
  --cleanup_handlers;
}

// Called before pthread_exit, if the program has handlers at all. They are where only their frame can find them.
void pthread_exit_before_cleanup_pop(void);
void __heddle_expect_no_cleanup_handlers(void) {
  if (cleanup_handlers != 0)
    pthread_exit_before_cleanup_pop();
}

// ---- C11 keys

int __heddle_tss_create(unsigned* key, destructor_t destructor) {
  return __heddle_pthread_key_create(key, destructor) == 0 ? kThrdSuccess : kThrdError;
}
void __heddle_tss_delete(unsigned key) { __heddle_pthread_key_delete(key); }
int __heddle_tss_set(unsigned key, void* value) {
  return __heddle_pthread_setspecific(key, value) == 0 ? kThrdSuccess : kThrdError;
}
void* __heddle_tss_get(unsigned key) { return __heddle_pthread_getspecific(key); }

// ---- Accesses that wait for a condition: 1 above, 2 equal, 4 below the value given, and 8 for a comparison of signed
// numbers

static int has_awaited(int value, int condition, int argument) {
  int is_above = condition & 8 ? value > argument : (unsigned)value > (unsigned)argument;
  int found = value == argument ? 2 : is_above ? 1 : 4;
  return (condition & found) != 0;
}

int __heddle___VERIFIER_load_await_aint(_Atomic int* from, int condition, int argument) {
  for (;;) {
    __VERIFIER_spin_start();
    int value = __c11_atomic_load(from, __ATOMIC_SEQ_CST);
    int is_there = has_awaited(value, condition, argument);
    __VERIFIER_spin_end(is_there);
    if (is_there)
      return value;
  }
}

int __heddle___VERIFIER_xchg_await_aint(_Atomic int* at, int stored, int condition, int argument) {
  for (;;) {
    int value = __heddle___VERIFIER_load_await_aint(at, condition, argument);
    if (__c11_atomic_compare_exchange_strong(at, &value, stored, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return value;
  }
}
