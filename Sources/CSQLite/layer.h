#ifndef CSQLITE_LAYER_H
#define CSQLITE_LAYER_H
#include <errno.h>
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

/// What is about to be done with a file.
enum { CSQLITE_OPEN, CSQLITE_READ, CSQLITE_WRITE, CSQLITE_SYNC, CSQLITE_REMOVE, CSQLITE_TRUNCATE };

/// Says with which error of the system a call must fail; 0 lets it be made.
typedef int (*csqlite_fault)(int call, const char *path);

/// How many bytes at the end of a page hold its checksum.
enum { CSQLITE_CHECKSUM_BYTES = 8 };

/// A file system in front of SQLite's own, which asks before every call and writes checksums.
struct csqlite_layer {
  sqlite3_vfs vfs;
  sqlite3_vfs *real;
  csqlite_fault ask;
  int last;
};

struct csqlite_file {
  sqlite3_file base;
  struct csqlite_layer *layer;
  const char *path;
  sqlite3_file *real;
  /// Whether this is a database, and no journal or log.
  int is_database;
  /// Whether its pages have room for a checksum.
  int has_checksums;
};

static inline uint32_t csqlite_word(const uint8_t *from) {
  return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16
    | (uint32_t)from[3] << 24;
}

static inline void csqlite_put_word(uint8_t *to, uint32_t word) {
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(word >> (8 * i));
}

/// Computes the checksum of a page without its last eight bytes.
///
/// It is that of SQLite's extension `cksumvfs` (https://www.sqlite.org/cksumvfs.html): two sums of
/// 32 bits. Each step can be undone, so that no change within one word leaves both sums alike.
static inline void csqlite_checksum(const uint8_t *page, int count, uint8_t *to) {
  uint32_t s1 = 0, s2 = 0;
  for (int i = 0; i + 8 <= count - CSQLITE_CHECKSUM_BYTES; i += 8) {
    s1 += csqlite_word(page + i) + s2;
    s2 += csqlite_word(page + i + 4) + s1;
  }
  csqlite_put_word(to, s1);
  csqlite_put_word(to + 4, s2);
}

/// Notes from the header of a database whether its pages have room for a checksum.
static inline void csqlite_note_header(struct csqlite_file *file, const uint8_t *from, int count) {
  if (count >= 100 && memcmp(from, "SQLite format 3", 16) == 0) {
    file->has_checksums = from[20] == CSQLITE_CHECKSUM_BYTES;
  }
}

static inline struct csqlite_file *csqlite_of(sqlite3_file *file) {
  return (struct csqlite_file *)file;
}

static inline int csqlite_asked(struct csqlite_file *file, int call, int code) {
  if (file->layer->ask == 0) return SQLITE_OK;
  int number = file->layer->ask(call, file->path ? file->path : "");
  if (number == 0) return SQLITE_OK;
  file->layer->last = number;
  return number == ENOSPC && call == CSQLITE_WRITE ? SQLITE_FULL : code;
}

static inline int csqlite_close(sqlite3_file *file) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}
static inline int csqlite_read(sqlite3_file *file, void *to, int count, sqlite3_int64 at) {
  int code = csqlite_asked(csqlite_of(file), CSQLITE_READ, SQLITE_IOERR_READ);
  sqlite3_file *real = csqlite_of(file)->real;
  if (code == SQLITE_OK) code = real->pMethods->xRead(real, to, count, at);
  if (code == SQLITE_OK && at == 0 && csqlite_of(file)->is_database) {
    csqlite_note_header(csqlite_of(file), (const uint8_t *)to, count);
  }
  return code;
}
/// Writes; a page of a database gets its checksum.
///
/// SQLite leaves the bytes of the checksum to the file system and never reads them, so that it does
/// no harm to write them into its own copy of the page. A log and a journal have checksums of their
/// own, which SQLite looks at.
static inline int csqlite_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 at) {
  struct csqlite_file *mine = csqlite_of(file);
  if (mine->is_database && at == 0) csqlite_note_header(mine, (const uint8_t *)from, count);
  if (mine->has_checksums && count >= 512 && (count & (count - 1)) == 0) {
    uint8_t *page = (uint8_t *)from;
    csqlite_checksum(page, count, page + count - CSQLITE_CHECKSUM_BYTES);
  }
  int code = csqlite_asked(csqlite_of(file), CSQLITE_WRITE, SQLITE_IOERR_WRITE);
  sqlite3_file *real = csqlite_of(file)->real;
  return code ? code : real->pMethods->xWrite(real, from, count, at);
}
static inline int csqlite_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = csqlite_asked(csqlite_of(file), CSQLITE_TRUNCATE, SQLITE_IOERR_TRUNCATE);
  sqlite3_file *real = csqlite_of(file)->real;
  return code ? code : real->pMethods->xTruncate(real, size);
}
static inline int csqlite_sync(sqlite3_file *file, int flags) {
  int code = csqlite_asked(csqlite_of(file), CSQLITE_SYNC, SQLITE_IOERR_FSYNC);
  sqlite3_file *real = csqlite_of(file)->real;
  return code ? code : real->pMethods->xSync(real, flags);
}
static inline int csqlite_size(sqlite3_file *file, sqlite3_int64 *size) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xFileSize(real, size);
}
static inline int csqlite_lock(sqlite3_file *file, int level) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xLock(real, level);
}
static inline int csqlite_unlock(sqlite3_file *file, int level) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xUnlock(real, level);
}
static inline int csqlite_check_lock(sqlite3_file *file, int *result) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xCheckReservedLock(real, result);
}
static inline int csqlite_control(sqlite3_file *file, int operation, void *argument) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xFileControl(real, operation, argument);
}
static inline int csqlite_sector(sqlite3_file *file) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xSectorSize(real);
}
static inline int csqlite_traits(sqlite3_file *file) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xDeviceCharacteristics(real);
}
static inline int csqlite_map(sqlite3_file *file, int region, int size, int extend, void volatile **to) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xShmMap(real, region, size, extend, to);
}
static inline int csqlite_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xShmLock(real, offset, count, flags);
}
static inline void csqlite_barrier(sqlite3_file *file) {
  sqlite3_file *real = csqlite_of(file)->real;
  real->pMethods->xShmBarrier(real);
}
static inline int csqlite_unmap(sqlite3_file *file, int deletes) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods->xShmUnmap(real, deletes);
}

static inline int csqlite_open(
  sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
  // Version 2 of the methods: pages are read and written, and never mapped.
  static const sqlite3_io_methods methods = {
    2, csqlite_close, csqlite_read, csqlite_write, csqlite_truncate, csqlite_sync, csqlite_size,
    csqlite_lock, csqlite_unlock, csqlite_check_lock, csqlite_control, csqlite_sector,
    csqlite_traits, csqlite_map, csqlite_shm_lock, csqlite_barrier, csqlite_unmap, 0, 0};
  struct csqlite_layer *layer = (struct csqlite_layer *)vfs;
  struct csqlite_file *mine = csqlite_of(file);
  memset(mine, 0, sizeof(struct csqlite_file));
  mine->layer = layer;
  mine->path = path;
  mine->real = (sqlite3_file *)(mine + 1);
  mine->is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  int code = csqlite_asked(mine, CSQLITE_OPEN, SQLITE_CANTOPEN);
  if (code == SQLITE_OK) code = layer->real->xOpen(layer->real, path, mine->real, flags, out);
  if (code == SQLITE_OK) mine->base.pMethods = &methods;
  return code;
}
static inline int csqlite_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  struct csqlite_layer *layer = (struct csqlite_layer *)vfs;
  int number = layer->ask ? layer->ask(CSQLITE_REMOVE, path) : 0;
  if (number) {
    layer->last = number;
    return SQLITE_IOERR_DELETE;
  }
  return layer->real->xDelete(layer->real, path, syncs);
}
static inline int csqlite_last_error(sqlite3_vfs *vfs, int count, char *text) {
  struct csqlite_layer *layer = (struct csqlite_layer *)vfs;
  int last = layer->last;
  layer->last = 0;
  return last ? last : layer->real->xGetLastError(layer->real, count, text);
}

/// Puts the layer in front of SQLite's own file system, for all connections opened from now on;
/// `ask` may be null.
static inline int csqlite_install_layer(csqlite_fault ask) {
  static struct csqlite_layer layer;
  sqlite3_vfs *real = sqlite3_vfs_find(0);
  if (real == 0) return SQLITE_ERROR;
  layer.vfs = *real;
  layer.real = real;
  layer.ask = ask;
  layer.vfs.szOsFile = (int)sizeof(struct csqlite_file) + real->szOsFile;
  layer.vfs.zName = "loopsim";
  layer.vfs.pNext = 0;
  layer.vfs.xOpen = csqlite_open;
  layer.vfs.xDelete = csqlite_delete;
  layer.vfs.xGetLastError = csqlite_last_error;
  return sqlite3_vfs_register(&layer.vfs, 1);
}
#endif
