#ifndef CSQLITE_FAULTS_H
#define CSQLITE_FAULTS_H
#include <errno.h>
#include <sqlite3.h>
#include <string.h>

/// What is about to be done with a file.
enum { CSQLITE_OPEN, CSQLITE_READ, CSQLITE_WRITE, CSQLITE_SYNC, CSQLITE_REMOVE, CSQLITE_TRUNCATE };

/// Says with which error of the system a call must fail; 0 lets it be made.
typedef int (*csqlite_fault)(int call, const char *path);

/// A file system that asks before every call, in front of SQLite's own.
struct csqlite_faults {
  sqlite3_vfs vfs;
  sqlite3_vfs *real;
  csqlite_fault ask;
  int last;
};

struct csqlite_file {
  sqlite3_file base;
  struct csqlite_faults *faults;
  const char *path;
  sqlite3_file *real;
};

static inline struct csqlite_file *csqlite_of(sqlite3_file *file) {
  return (struct csqlite_file *)file;
}

static inline int csqlite_asked(struct csqlite_file *file, int call, int code) {
  int number = file->faults->ask(call, file->path ? file->path : "");
  if (number == 0) return SQLITE_OK;
  file->faults->last = number;
  return number == ENOSPC && call == CSQLITE_WRITE ? SQLITE_FULL : code;
}

static inline int csqlite_close(sqlite3_file *file) {
  sqlite3_file *real = csqlite_of(file)->real;
  return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}
static inline int csqlite_read(sqlite3_file *file, void *to, int count, sqlite3_int64 at) {
  int code = csqlite_asked(csqlite_of(file), CSQLITE_READ, SQLITE_IOERR_READ);
  sqlite3_file *real = csqlite_of(file)->real;
  return code ? code : real->pMethods->xRead(real, to, count, at);
}
static inline int csqlite_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 at) {
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
  struct csqlite_faults *faults = (struct csqlite_faults *)vfs;
  struct csqlite_file *mine = csqlite_of(file);
  memset(mine, 0, sizeof(struct csqlite_file));
  mine->faults = faults;
  mine->path = path;
  mine->real = (sqlite3_file *)(mine + 1);
  int code = csqlite_asked(mine, CSQLITE_OPEN, SQLITE_CANTOPEN);
  if (code == SQLITE_OK) code = faults->real->xOpen(faults->real, path, mine->real, flags, out);
  if (code == SQLITE_OK) mine->base.pMethods = &methods;
  return code;
}
static inline int csqlite_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  struct csqlite_faults *faults = (struct csqlite_faults *)vfs;
  int number = faults->ask(CSQLITE_REMOVE, path);
  if (number) {
    faults->last = number;
    return SQLITE_IOERR_DELETE;
  }
  return faults->real->xDelete(faults->real, path, syncs);
}
static inline int csqlite_last_error(sqlite3_vfs *vfs, int count, char *text) {
  struct csqlite_faults *faults = (struct csqlite_faults *)vfs;
  int last = faults->last;
  faults->last = 0;
  return last ? last : faults->real->xGetLastError(faults->real, count, text);
}

/// Puts a file system that asks in front of SQLite's own, for all connections opened from now on.
static inline int csqlite_install_faults(csqlite_fault ask) {
  static struct csqlite_faults faults;
  sqlite3_vfs *real = sqlite3_vfs_find(0);
  if (real == 0 || ask == 0) return SQLITE_ERROR;
  faults.vfs = *real;
  faults.real = real;
  faults.ask = ask;
  faults.vfs.szOsFile = (int)sizeof(struct csqlite_file) + real->szOsFile;
  faults.vfs.zName = "faults";
  faults.vfs.pNext = 0;
  faults.vfs.xOpen = csqlite_open;
  faults.vfs.xDelete = csqlite_delete;
  faults.vfs.xGetLastError = csqlite_last_error;
  return sqlite3_vfs_register(&faults.vfs, 1);
}
#endif
