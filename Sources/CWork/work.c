#include "CWork.h"

_Thread_local int64_t cwork_rows = 0;
_Thread_local int64_t cwork_points = 0;
