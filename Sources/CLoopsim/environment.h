#ifndef CLOOPSIM_ENVIRONMENT_H
#define CLOOPSIM_ENVIRONMENT_H
#include <fenv.h>

/// Sets the usual arithmetic, in place of what the host may have set, which is kept.
static inline void cloopsim_enter(fenv_t *host) {
  fegetenv(host);
  fesetenv(FE_DFL_ENV);
}

/// Sets what the host had set.
static inline void cloopsim_leave(const fenv_t *host) { fesetenv(host); }
#endif
