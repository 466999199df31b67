#ifndef CWORK_H
#define CWORK_H
#include <stdint.h>

// Swift has no variables of a thread: these are what WorkCounting counts in.

extern _Thread_local int64_t cwork_rows;
extern _Thread_local int64_t cwork_points;

/// Counts rows that were looked at by this thread.
static inline void cwork_visit(int64_t rows) { cwork_rows += rows; }

/// Counts points that were computed by this thread.
static inline void cwork_compute(int64_t points) { cwork_points += points; }

/// The rows that this thread has looked at.
static inline int64_t cwork_rows_visited(void) { return cwork_rows; }

/// The points that this thread has computed.
static inline int64_t cwork_points_computed(void) { return cwork_points; }

#endif
