/* Copyright (c) 2026 The Heddle authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* */
/* For programs written for Dartagnan: what they include. */
#ifndef DAT3M_H
#define DAT3M_H

#include "heddle.h"
#include <stddef.h>
#include <stdint.h>

#endif
