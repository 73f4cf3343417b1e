// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Calls every operation, so that none is left out of the text that scripts/make_sma_ir.py makes. Nobody calls this.
#include "../sma.h"

// What there is room for, for who sets the sizes.
const unsigned sma_most[] = {SMA_MOST_THREADS, SMA_MOST_CELLS, SMA_MOST_WRITES, SMA_MOST_QUEUE, SMA_MOST_CLOCK};

void sma_every_operation(void);
void sma_every_operation(void) {
  sma_init();
  sma_create(0, SMA_NONE);
  sma_write(sma_address(0, 0), sma_read(0, 0), 0);
  sma_ind_write(sma_malloc(0, 1, 0), sma_ind_read(0, 0), 0);
  sma_lock(0, 0);
  sma_unlock(0, 0);
  sma_fence(0);
  sma_store_fence(0);
  sma_compare_exchange(0, 0, 0, 0);
  sma_update_end(0, sma_update_begin(0, 0), 0);
  sma_atomic_begin(0);
  sma_atomic_end(0);
  sma_join(0, 0);
  sma_terminate(0);
  sma_exceeded(sma_now(0) + sma_is_asynchronous + sma_most[0]);
#ifdef SMA_ASYNCHRONOUS
  if (!sma_stops(0))
    sma_finish();
#endif
}
