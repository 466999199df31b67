#ifndef CPROCESS_SHIM_H
#define CPROCESS_SHIM_H
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// Extensions that the C library's headers hide behind a macro the Swift importer does not set.
extern int pipe2(int descriptors[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);

/// Makes a pipe that no other child inherits, our end of which does not block; 0 or `errno`.
static inline int cprocess_pipe(int ends[2], int ours) {
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  int flags = fcntl(ends[ours], F_GETFL);
  if (fcntl(ends[ours], F_SETFL, flags | O_NONBLOCK) != 0) return errno;
  return 0;
}

/// Starts a program in a process group of its own, with three descriptors and no others, the usual
/// signals and an empty mask; 0 or the reason as an `errno`.
static inline int cprocess_spawn(char *const words[], char *const environment[],
                                 const char *folder, int input, int output, int error,
                                 pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int fault = posix_spawn_file_actions_init(&actions);
  if (fault != 0) return fault;
  fault = posix_spawnattr_init(&attributes);
  if (fault != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return fault;
  }
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGTERM);
  sigaddset(&usual, SIGUSR1);
  sigaddset(&usual, SIGUSR2);
  sigaddset(&usual, SIGXCPU);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);
  if (folder != NULL && folder[0] != 0)
    fault = posix_spawn_file_actions_addchdir_np(&actions, folder);
  if (fault == 0) fault = posix_spawn_file_actions_adddup2(&actions, input, 0);
  if (fault == 0) fault = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (fault == 0) fault = posix_spawn_file_actions_adddup2(&actions, error, 2);
  if (fault == 0) fault = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (fault == 0)
    fault = posix_spawnp(child, words[0], &actions, &attributes, words, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return fault;
}

/// Whether the process ignores a signal.
static inline int cprocess_ignores(int number) {
  struct sigaction now;
  return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/// Lets blocks of a size in bytes and larger go back to the system as soon as they are freed.
static inline void cprocess_return_blocks(int size) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, size);
#endif
}

/// How much address space the process may have, in bytes; 0 where that is not limited.
static inline uint64_t cprocess_address_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur;
}

/// Whether so few processes or addresses are allowed that a thread may not start.
static inline int cprocess_threads_are_limited(void) {
  struct rlimit limit;
  int are_few = getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < 1024;
  return are_few || cprocess_address_limit() != 0;
}

/// Lets all threads share one arena of malloc; each of their own reserves 64 MiB of addresses.
static inline void cprocess_share_arena(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

/// Whether so many files, at most 32, can be open beside those that are.
static inline int cprocess_can_open(int count) {
  int copies[32];
  int begun = 0;
  while (begun < count && begun < 32) {
    copies[begun] = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (copies[begun] == -1) break;
    begun++;
  }
  for (int place = 0; place < begun; place++) close(copies[place]);
  return begun == count;
}

static inline void *cprocess_pass(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

/// Starts so many threads, at most 128, that live at once, and ends them; how many were started.
static inline int cprocess_try_threads(int count) {
  pthread_t threads[128];
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  int begun = 0;
  pthread_mutex_lock(&gate);
  while (begun < count && begun < 128 &&
         pthread_create(&threads[begun], NULL, cprocess_pass, &gate) == 0)
    begun++;
  pthread_mutex_unlock(&gate);
  for (int place = 0; place < begun; place++) pthread_join(threads[place], NULL);
  return begun;
}

/// Whether a child has ended, which leaves it to be waited for; then its exit status, or the number
/// of the signal that ended it as a negative one.
static inline int cprocess_has_ended(pid_t child, int *status) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return 0;
  if (info.si_pid == 0) return 0;
  *status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
  return 1;
}
#endif
