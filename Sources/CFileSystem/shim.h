#ifndef CFILESYSTEM_SHIM_H
#define CFILESYSTEM_SHIM_H
#include <errno.h>
#include <fcntl.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// Lets two files or folders change their names in one step; -1 with `errno` where that fails.
/// `renameat2` is behind a macro of the C library that the Swift importer does not set.
static inline int cfilesystem_exchange(const char *path, const char *other) {
#if defined(__linux__) && defined(SYS_renameat2)
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 2 /* RENAME_EXCHANGE */);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Asks the system to begin to write what a file has got, and does not wait. Where it cannot be
/// asked, or does not, the file is written when it is synced.
static inline void cfilesystem_start_writing(int descriptor) {
#if defined(__linux__) && defined(SYS_sync_file_range) && defined(__LP64__)
  syscall(SYS_sync_file_range, descriptor, 0L, 0L, 2 /* SYNC_FILE_RANGE_WRITE */);
#else
  (void)descriptor;
#endif
}
#endif
