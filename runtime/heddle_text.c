// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Library functions that read numbers from text, print into memory, take text apart, sort and search. Apart from
// heddle_runtime.c, with which they are linked, because few programs need them.
#include "heddle_operations.h"

#define NULL ((void*)0)

int* __heddle___errno_location(void);
int __heddle_isdigit(int c);
int __heddle_isalpha(int c);
int __heddle_isspace(int c);
int __heddle_tolower(int c);
size_t __heddle_strlen(const char* text);
char* __heddle_strchr(const char* text, int value);

// ---- Characters

int __heddle_isxdigit(int c) {
  return __heddle_isdigit(c) || (__heddle_tolower(c) >= 'a' && __heddle_tolower(c) <= 'f');
}
int __heddle_isprint(int c) { return c >= ' ' && c <= '~'; }
int __heddle_isgraph(int c) { return c > ' ' && c <= '~'; }
int __heddle_iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int __heddle_isblank(int c) { return c == ' ' || c == '\t'; }
int __heddle_ispunct(int c) {
  return __heddle_isgraph(c) && !__heddle_isalpha(c) && !__heddle_isdigit(c);
}

// What the macros of glibc's <ctype.h> look into: a table for the characters -128 to 255, with a bit for each class.
enum {
  kBlank = 1 << 0,
  kControl = 1 << 1,
  kPunctuation = 1 << 2 | 1 << 14 | 1 << 15,
  kLetterOrDigit = 1 << 3 | 1 << 14 | 1 << 15,
  kUpper = kLetterOrDigit | 1 << 8 | 1 << 10,
  kLower = kLetterOrDigit | 1 << 9 | 1 << 10,
  kDigit = kLetterOrDigit | 1 << 11 | 1 << 12,
  kHex = 1 << 12,
  kSpace = 1 << 13,
  kPrinted = 1 << 14
};
#define AT(c) 128 + (c)
static const unsigned short classes[384] = {
    [AT(0)... AT(8)] = kControl,
    [AT('\t')] = kControl | kSpace | kBlank,
    [AT('\n')... AT('\r')] = kControl | kSpace,
    [AT(14)... AT(31)] = kControl,
    [AT(' ')] = kSpace | kBlank | kPrinted,
    [AT('!')... AT('/')] = kPunctuation,
    [AT('0')... AT('9')] = kDigit,
    [AT(':')... AT('@')] = kPunctuation,
    [AT('A')... AT('F')] = kUpper | kHex,
    [AT('G')... AT('Z')] = kUpper,
    [AT('[')... AT('`')] = kPunctuation,
    [AT('a')... AT('f')] = kLower | kHex,
    [AT('g')... AT('z')] = kLower,
    [AT('{')... AT('~')] = kPunctuation,
    [AT(127)] = kControl,
};
static const unsigned short* class_of_zero = classes + 128;

const unsigned short** __heddle___ctype_b_loc(void) { return &class_of_zero; }

// ---- Taking text apart

size_t __heddle_strspn(const char* text, const char* accepted) {
  size_t i = 0;
  while (text[i] != 0 && __heddle_strchr(accepted, text[i]) != NULL)
    ++i;
  return i;
}

size_t __heddle_strcspn(const char* text, const char* rejected) {
  size_t i = 0;
  while (text[i] != 0 && __heddle_strchr(rejected, text[i]) == NULL)
    ++i;
  return i;
}

char* __heddle_strpbrk(const char* text, const char* accepted) {
  text += __heddle_strcspn(text, accepted);
  return *text == 0 ? NULL : (char*)text;
}

char* __heddle_strtok_r(char* text, const char* separators, char** rest) {
  if (text == NULL)
    text = *rest;
  text += __heddle_strspn(text, separators);
  char* end = text + __heddle_strcspn(text, separators);
  int is_last = *end == 0;
  *rest = is_last ? end : end + 1;
  if (end == text)
    return NULL;
  if (!is_last)
    *end = 0;
  return text;
}

// Shared by all threads, as the library's is.
static char* rest_of_text;
char* __heddle_strtok(char* text, const char* separators) {
  return __heddle_strtok_r(text, separators, &rest_of_text);
}

char* __heddle_strsep(char** text, const char* separators) {
  char* start = *text;
  if (start == NULL)
    return NULL;
  char* end = start + __heddle_strcspn(start, separators);
  *text = *end == 0 ? NULL : end + 1;
  *end = 0;
  return start;
}

int __heddle_strncasecmp(const char* a, const char* b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    int x = __heddle_tolower((unsigned char)a[i]);
    int y = __heddle_tolower((unsigned char)b[i]);
    if (x == 0 || x != y)
      return x - y;
  }
  return 0;
}

// ---- Numbers

enum { kEINVAL = 22, kERANGE = 34 };

// The number at `text`, at most `most`, or `most_below` with a minus; *end is behind it, or `text` if there is none.
static unsigned long long read_number(const char* text,
                                      char** end,
                                      int base,
                                      unsigned long long most,
                                      unsigned long long most_below,
                                      int* is_negative) {
  const char* at = text;
  *is_negative = 0;
  if (end != NULL)
    *end = (char*)text;
  if (base < 0 || base == 1 || base > 36) {
    *__heddle___errno_location() = kEINVAL;
    return 0;
  }
  while (__heddle_isspace((unsigned char)*at))
    ++at;
  if (*at == '-' || *at == '+')
    *is_negative = *at++ == '-';
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') &&
      __heddle_isxdigit((unsigned char)at[2])) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  unsigned long long limit = *is_negative ? most_below : most;
  unsigned long long value = 0;
  int is_too_large = 0;
  for (;; ++at) {
    int c = (unsigned char)*at;
    int digit = __heddle_isdigit(c) ? c - '0' : __heddle_isalpha(c) ? __heddle_tolower(c) - 'a' + 10 : 36;
    if (digit >= base)
      break;
    if (end != NULL)
      *end = (char*)at + 1;
    if (is_too_large || value > limit / (unsigned)base || value * (unsigned)base > limit - (unsigned)digit)
      is_too_large = 1;
    else
      value = value * (unsigned)base + (unsigned)digit;
  }
  if (is_too_large) {
    *__heddle___errno_location() = kERANGE;
    return limit;
  }
  return value;
}

#define LARGEST(type) (((unsigned long long)1 << (8 * sizeof(type) - 1)) - 1)

long __heddle_strtol(const char* text, char** end, int base) {
  int is_negative;
  unsigned long long value =
      read_number(text, end, base, LARGEST(long), LARGEST(long) + 1, &is_negative);
  return (long)(is_negative ? 0 - value : value);
}

long long __heddle_strtoll(const char* text, char** end, int base) {
  int is_negative;
  unsigned long long value =
      read_number(text, end, base, LARGEST(long long), LARGEST(long long) + 1, &is_negative);
  return (long long)(is_negative ? 0 - value : value);
}

unsigned long __heddle_strtoul(const char* text, char** end, int base) {
  int is_negative;
  unsigned long long all = 2 * LARGEST(long) + 1;
  unsigned long long value = read_number(text, end, base, all, all, &is_negative);
  return (unsigned long)(is_negative && value != all ? 0 - value : value);
}

unsigned long long __heddle_strtoull(const char* text, char** end, int base) {
  int is_negative;
  unsigned long long all = 2 * LARGEST(long long) + 1;
  unsigned long long value = read_number(text, end, base, all, all, &is_negative);
  return is_negative && value != all ? 0 - value : value;
}

int __heddle_atoi(const char* text) { return (int)__heddle_strtol(text, NULL, 10); }
long __heddle_atol(const char* text) { return __heddle_strtol(text, NULL, 10); }
long long __heddle_atoll(const char* text) { return __heddle_strtoll(text, NULL, 10); }

// ---- Sorting and searching

typedef int (*compare_t)(const void*, const void*);

static void swap(char* a, char* b, size_t size) {
  // In the largest pieces that elements of this size consist of, as an assignment would.
  size_t done = 0;
  if (size % sizeof(word_t) == 0) {
    for (; done < size; done += sizeof(word_t)) {
      word_t kept = *(word_t*)(a + done);
      *(word_t*)(a + done) = *(word_t*)(b + done);
      *(word_t*)(b + done) = kept;
    }
  } else if (size % sizeof(unsigned) == 0) {
    for (; done < size; done += sizeof(unsigned)) {
      unsigned kept = *(unsigned*)(a + done);
      *(unsigned*)(a + done) = *(unsigned*)(b + done);
      *(unsigned*)(b + done) = kept;
    }
  }
  for (; done < size; ++done) {
    char kept = a[done];
    a[done] = b[done];
    b[done] = kept;
  }
}

// By insertion. C leaves open how elements are compared and where equal ones end up.
void __heddle_qsort(void* array, size_t count, size_t size, compare_t compare) {
  char* first = array;
  for (size_t i = 1; i < count; ++i)
    for (char* at = first + i * size; at != first && compare(at - size, at) > 0; at -= size)
      swap(at - size, at, size);
}

void* __heddle_bsearch(const void* key, const void* array, size_t count, size_t size, compare_t compare) {
  const char* first = array;
  while (count > 0) {
    const char* middle = first + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void*)middle;
    if (order > 0) {
      first = middle + size;
      count -= count / 2 + 1;
    } else {
      count /= 2;
    }
  }
  return NULL;
}

// ---- Files: there may be any, with any contents

int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);

// Bytes that nobody has written yet: each is chosen when it is read.
static void fill(char* to, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    char any;
    __heddle_op_copy_byte(to + i, &any);
  }
}

// A descriptor, or -1.
int __heddle_open(void) {
  int descriptor = __VERIFIER_nondet_int();
  __VERIFIER_assume(descriptor >= -1);
  return descriptor;
}

// 0, or -1 if it fails.
int __heddle_close(void) { return __VERIFIER_nondet_int() ? -1 : 0; }

long __heddle_read(int descriptor, char* to, size_t size) {
  (void)descriptor;
  long count = __VERIFIER_nondet_long();
  __VERIFIER_assume(count >= -1 && (count < 0 || (size_t)count <= size));
  if (count > 0)
    fill(to, (size_t)count);
  return count;
}

// Streams cannot be told apart.
static char stream;
void* __heddle_fopen(void) { return __VERIFIER_nondet_int() ? &stream : NULL; }

char* __heddle_fgets(char* to, int size, void* from) {
  (void)from;
  int length = __VERIFIER_nondet_int();
  __VERIFIER_assume(length >= 0 && length < size);
  if (length == 0)
    return NULL;
  for (int i = 0; i < length; ++i) {
    fill(to + i, 1);
    // A line ends at its end only.
    __VERIFIER_assume(to[i] != 0 && (to[i] != '\n' || i == length - 1));
  }
  to[length] = 0;
  return to;
}

void __heddle_perror(const char* text) {
  if (text != NULL)
    __heddle_strlen(text);
}

// ---- Reading from memory

typedef __builtin_va_list arguments_t;

// A trap: see library.def.
void sscanf_with_this_conversion(void);

static const char* skip_spaces(const char* text) {
  while (__heddle_isspace((unsigned char)*text))
    ++text;
  return text;
}

// `size` is that of the integer in bytes.
static void store_number(void* to, unsigned long long value, size_t size) {
  if (size == 1)
    *(unsigned char*)to = (unsigned char)value;
  else if (size == 2)
    *(unsigned short*)to = (unsigned short)value;
  else if (size == 4)
    *(unsigned*)to = (unsigned)value;
  else
    *(unsigned long long*)to = value;
}

int __heddle_sscanf(const char* text, const char* format, ...) {
  arguments_t arguments;
  __builtin_va_start(arguments, format);
  int count = 0;
  for (; *format != 0; ++format) {
    if (__heddle_isspace((unsigned char)*format)) {
      text = skip_spaces(text);
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      format += *format == '%';
      if (*format == '%')
        text = skip_spaces(text);
      if (*text != *format)
        return *text == 0 && count == 0 ? -1 : count;
      ++text;
      continue;
    }
    ++format;
    int is_dropped = *format == '*';
    format += is_dropped;
    size_t width = 0;
    for (; __heddle_isdigit(*format); ++format)
      width = width * 10 + (size_t)(*format - '0');
    size_t size = sizeof(int);
    for (; *format == 'h' || *format == 'l' || *format == 'z' || *format == 't' || *format == 'j'; ++format)
      size = *format == 'h'   ? size / 2
             : *format == 'j' ? sizeof(long long)
             : *format == 'l' && format[-1] == 'l' ? sizeof(long long)
                                                   : sizeof(long);
    if (*format != 'c' && *format != 'n')
      text = skip_spaces(text);
    if (*text == 0 && *format != 'n')
      return count == 0 ? -1 : count;
    void* to = is_dropped ? NULL : __builtin_va_arg(arguments, void*);
    int is_number = *format == 'd' || *format == 'i' || *format == 'u' || *format == 'x' || *format == 'X' ||
                    *format == 'o';
    if (is_number && width == 0) {
      int base = *format == 'i' ? 0 : *format == 'o' ? 8 : *format == 'x' || *format == 'X' ? 16 : 10;
      int is_negative;
      char* end;
      unsigned long long value = read_number(text, &end, base, (unsigned long long)-1, (unsigned long long)-1, &is_negative);
      if (end == text)
        return count;
      text = end;
      if (to != NULL)
        store_number(to, is_negative ? 0 - value : value, size);
    } else if (*format == 'c' && width == 0) {
      if (to != NULL)
        *(char*)to = *text;
      ++text;
    } else if (*format == 's' && size == sizeof(int)) {
      size_t length = 0;
      for (; (width == 0 || length < width) && *text != 0 && !__heddle_isspace((unsigned char)*text); ++text) {
        if (to != NULL)
          ((char*)to)[length] = *text;
        ++length;
      }
      if (to != NULL)
        ((char*)to)[length] = 0;
    } else {
      sscanf_with_this_conversion();
      return -1;
    }
    count += to != NULL;
  }
  __builtin_va_end(arguments);
  return count;
}

// ---- Printing into memory

// A trap: see library.def.
void snprintf_with_this_conversion(void);

struct output {
  char* to;
  size_t room; // with the final 0
  size_t length;
};

static void put(struct output* out, char c) {
  if (out->length + 1 < out->room)
    out->to[out->length] = c;
  ++out->length;
}

static void put_padded(struct output* out, const char* text, size_t length, size_t width, int is_left) {
  for (size_t i = length; !is_left && i < width; ++i)
    put(out, ' ');
  for (size_t i = 0; i < length; ++i)
    put(out, text[i]);
  for (size_t i = length; is_left && i < width; ++i)
    put(out, ' ');
}

int __heddle_vsnprintf(char* to, size_t room, const char* format, arguments_t arguments) {
  struct output out = {to, room, 0};
  for (; *format != 0; ++format) {
    if (*format != '%') {
      put(&out, *format);
      continue;
    }
    ++format;
    int is_left = 0;
    int has_zeros = 0;
    for (; *format == '-' || *format == '0'; ++format) {
      is_left |= *format == '-';
      has_zeros |= *format == '0';
    }
    size_t width = 0;
    for (; __heddle_isdigit(*format); ++format)
      width = width * 10 + (size_t)(*format - '0');
    size_t precision = (size_t)-1;
    if (*format == '.') {
      precision = 0;
      for (++format; __heddle_isdigit(*format); ++format)
        precision = precision * 10 + (size_t)(*format - '0');
    }
    int longs = 0;
    int shorts = 0;
    for (; *format == 'l' || *format == 'h'; ++format) {
      longs += *format == 'l';
      shorts += *format == 'h';
    }
    if (*format == 'z' || *format == 't') {
      longs = 1;
      ++format;
    } else if (*format == 'j') {
      longs = 2;
      ++format;
    }
    char digits[24];
    size_t at = sizeof digits;
    unsigned long long value = 0;
    unsigned base = 10;
    int is_negative = 0;
    switch (*format) {
    case '%':
      put(&out, '%');
      continue;
    case 'c':
      digits[0] = (char)__builtin_va_arg(arguments, int);
      put_padded(&out, digits, 1, width, is_left);
      continue;
    case 's': {
      const char* text = __builtin_va_arg(arguments, const char*);
      size_t length = 0;
      while (length < precision && text[length] != 0)
        ++length;
      put_padded(&out, text, length, width, is_left);
      continue;
    }
    case 'd':
    case 'i': {
      long long number = longs > 1    ? __builtin_va_arg(arguments, long long)
                         : longs == 1 ? __builtin_va_arg(arguments, long)
                                      : __builtin_va_arg(arguments, int);
      number = shorts > 1 ? (signed char)number : shorts == 1 ? (short)number : number;
      is_negative = number < 0;
      value = is_negative ? 0 - (unsigned long long)number : (unsigned long long)number;
      break;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      base = *format == 'u' ? 10 : *format == 'o' ? 8 : 16;
      value = longs > 1    ? __builtin_va_arg(arguments, unsigned long long)
              : longs == 1 ? __builtin_va_arg(arguments, unsigned long)
                           : __builtin_va_arg(arguments, unsigned);
      value = shorts > 1 ? (unsigned char)value : shorts == 1 ? (unsigned short)value : value;
      break;
    default:
      snprintf_with_this_conversion();
      return -1;
    }
    if (precision != (size_t)-1) {
      // The number of digits: rare, and not the same as a width.
      snprintf_with_this_conversion();
      return -1;
    }
    do {
      unsigned digit = (unsigned)(value % base);
      digits[--at] = (char)(digit < 10 ? '0' + digit : (*format == 'X' ? 'A' : 'a') + digit - 10);
      value /= base;
    } while (value != 0);
    size_t length = sizeof digits - at;
    if (has_zeros && !is_left) {
      if (is_negative)
        put(&out, '-');
      for (size_t i = length + (size_t)is_negative; i < width; ++i)
        put(&out, '0');
      put_padded(&out, digits + at, length, 0, 0);
    } else {
      if (is_negative)
        digits[--at] = '-';
      put_padded(&out, digits + at, sizeof digits - at, width, is_left);
    }
  }
  if (room > 0)
    to[out.length < room ? out.length : room - 1] = 0;
  return (int)out.length;
}

int __heddle_snprintf(char* to, size_t room, const char* format, ...) {
  arguments_t arguments;
  __builtin_va_start(arguments, format);
  int length = __heddle_vsnprintf(to, room, format, arguments);
  __builtin_va_end(arguments);
  return length;
}

int __heddle_vsprintf(char* to, const char* format, arguments_t arguments) {
  return __heddle_vsnprintf(to, (size_t)-1, format, arguments);
}

int __heddle_sprintf(char* to, const char* format, ...) {
  arguments_t arguments;
  __builtin_va_start(arguments, format);
  int length = __heddle_vsnprintf(to, (size_t)-1, format, arguments);
  __builtin_va_end(arguments);
  return length;
}

// ---- Sockets, and waiting for them

// An address that comes from outside, and its length.
int __heddle_accept(int descriptor, char* address, unsigned* length) {
  (void)descriptor;
  if (address != NULL) {
    fill(address, *length);
    fill((char*)length, sizeof *length);
  }
  return __VERIFIER_nondet_int();
}

long __heddle_recvfrom(int descriptor, char* to, size_t size, int flags, char* address, unsigned* length) {
  (void)flags;
  long count = __heddle_read(descriptor, to, size);
  if (count >= 0)
    __heddle_accept(descriptor, address, length);
  return count;
}

struct waiting {
  int descriptor;
  short asked;
  short found;
};
int __heddle_poll(struct waiting* all, unsigned long count, int time) {
  (void)time;
  for (unsigned long i = 0; i < count; ++i)
    fill((char*)&all[i].found, sizeof all[i].found);
  int found = __VERIFIER_nondet_int();
  __VERIFIER_assume(found >= -1 && (found < 0 || (unsigned long)found <= count));
  return found;
}

int __heddle_ppoll(struct waiting* all, unsigned long count) { return __heddle_poll(all, count, 0); }

// Of the descriptors asked about some are ready. A set has 1,024 bits.
int __heddle_select(int count, unsigned long* reading, unsigned long* writing, unsigned long* failing) {
  unsigned long* sets[3] = {reading, writing, failing};
  for (int i = 0; i < 3; ++i)
    for (unsigned long word = 0; sets[i] != NULL && word < 128 / sizeof(unsigned long); ++word)
      if (sets[i][word] != 0)
        sets[i][word] &= __VERIFIER_nondet_ulong();
  int found = __VERIFIER_nondet_int();
  __VERIFIER_assume(found >= -1 && found <= 3 * count);
  return found;
}

int __heddle_getsockopt(int descriptor, int level, int option, char* value, unsigned* length) {
  (void)level;
  (void)option;
  return __heddle_accept(descriptor, value, length);
}

void fcntl_with_a_structure(void);
int __heddle_fcntl(int descriptor, int command) {
  (void)descriptor;
  // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
  if ((command < 0 || command > 4) && command != 1030)
    fcntl_with_a_structure();
  return __VERIFIER_nondet_int();
}

int __heddle_pipe(int ends[2]) {
  if (__VERIFIER_nondet_int() == 0)
    return -1;
  for (int i = 0; i < 2; ++i) {
    ends[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume(ends[i] >= 0);
  }
  return 0;
}

void prctl_that_writes(void);
int __heddle_prctl(int option) {
  // PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_NAME, PR_SET_TIMERSLACK, PR_SET_NO_NEW_PRIVS
  if (option != 1 && option != 4 && option != 8 && option != 15 && option != 29 && option != 38)
    prctl_that_writes();
  return __VERIFIER_nondet_int();
}
