#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
#include <sqlite3.h>
#include "layer.h"
/// `SQLITE_TRANSIENT` is a cast macro that the Swift importer cannot see.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
/// Stops SQLite from counting its memory under a lock that every allocation takes; `sqlite3_config`
/// is variadic, which the Swift importer cannot call. It must run before the first connection.
static inline int csqlite_stop_counting_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
#endif
