/* loopsim: closed-loop insulin dosing, simulated repeatably. The interface for C99 and C++11.
 *
 * Every function checks what it is given: a null pointer, a handle that was closed or made up, a
 * number that is not finite or a length that is too large is answered by a code, and nothing has
 * changed. Handles may be used from any thread; one that another thread is using answers
 * LOOPSIM_BUSY. The library starts no threads and no programs, and handles no signals.
 *
 * loopsim is not a medical device. */
#ifndef LOOPSIM_H
#define LOOPSIM_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* A session, a text, numbers or a batch: greater than 0, and never used again within a process. */
typedef int64_t loopsim_handle;

enum {
  LOOPSIM_OK = 0,
  LOOPSIM_USAGE = 64,     /* an argument cannot be used */
  LOOPSIM_BAD_INPUT = 65, /* a scenario or a request is wrong; see loopsim_error */
  LOOPSIM_NO_HANDLE = 66, /* the handle was closed, is of another kind, or was never given */
  LOOPSIM_BUSY = 75       /* another thread uses the handle */
};

/* The version of this interface: 2. It changes when a signature or the meaning of a number does. */
uint32_t loopsim_abi(void);

/* Opens a session, in which runs live. */
int32_t loopsim_open(loopsim_handle *session);

/* Sends one message of `loopsim serve` (UTF-8, without its line end) and gives the answer: one line
 * of JSON, or two where a run begins that asks. A wrong message is answered by one of type "error". */
int32_t loopsim_exchange(loopsim_handle session, const char *message, size_t length,
                         loopsim_handle *text);

/* Lends the bytes of a text, which are also ended by a zero, until the text is closed. */
int32_t loopsim_bytes(loopsim_handle text, const char **data, size_t *count);

/* Lends a column of numbers of a run of the session that is over, row by row, until `numbers` is
 * closed. `run` is its name from the answer to the reset, `table` the name of a file of results
 * without its ending, and `column` one of its columns (all three end with a zero). A cell that is empty
 * is not a number; times are seconds since 1970. A column of text is LOOPSIM_BAD_INPUT: the message
 * "records" has it. */
int32_t loopsim_column(loopsim_handle session, const char *run, const char *table,
                       const char *column, loopsim_handle *numbers, const double **data,
                       size_t *count);

/* Makes a batch of runs of one scenario, in which the caller decides. The request is a JSON object
 * with "scenario" (a path) or "text", and perhaps "of" and "overrides", as in a reset. With
 * "environment":"patient" body, pump and sensor live without app, phone and records: the same commands
 * give the same pulses and the same glucose, many times faster; a scenario that needs an app is
 * LOOPSIM_BAD_INPUT. */
int32_t loopsim_batch(loopsim_handle session, const char *request, size_t length, int64_t members,
                      loopsim_handle *batch);

/* Gives members, width of an action, width of an observation, width of truth, and the number of
 * cycles of a run. A run that nobody dies in is over after one step more, as there is a decision at
 * its beginning and at its end; but after fewer where decisions are left out, as while the phone is
 * off, or come too late for the end (clock.loopJitter), and after more where one comes twice. */
int32_t loopsim_batch_shape(loopsim_handle batch, int64_t shape[5]);

/* Begins the runs of the members whose mask is not 0 (null: all) with their seeds, and writes the
 * observations of all members, row by row: glucose of the sensor (mg/dL; 0 before the first), its
 * age (min), its trend (mg/dL/min), net insulin on board (U), the pump's rate (U/h), the scheduled
 * rate (U/h), minutes since midnight, minutes that the temp basal still runs (0 without one), the
 * bolus of the last action as the guards left it and the pump took it (U; what stops a pump can let
 * less of it be given), carbohydrates entered since the cycle before, or the start (g). */
int32_t loopsim_batch_reset(loopsim_handle batch, const uint8_t *mask, const uint64_t *seeds,
                            double *observations);

/* Acts once in every member whose run is not over: a temp basal for 30 minutes (U/h; below 0: none
 * is sent, and what runs goes on; every command discards the fraction of a pulse that is pending)
 * and a bolus (U; 0 or below: none). The guards of the scenario hold (controller.guards), which are
 * the app's unless it says others. `ends` gets 1 for a lethal end and 2 for the end of the scenario;
 * such a member stays as it is until its reset, and so does one that was never begun, of which
 * `ends` stays 0. `truth`, which may be null, gets true glucose and glucose at the sensor (mg/dL),
 * and insulin that reached the body since the question before, or the start (U), injections
 * included. */
int32_t loopsim_batch_step(loopsim_handle batch, const double *actions, double *observations,
                           uint8_t *ends, double *truth);

/* Makes the member `to` of one batch a copy of the member `from` of another of the same scenario and
 * environment, or of the same batch. */
int32_t loopsim_copy(loopsim_handle source, int64_t from, loopsim_handle target, int64_t to);

/* Makes a copy of a whole batch, which goes on by itself. */
int32_t loopsim_snapshot(loopsim_handle batch, loopsim_handle *copy);

/* Writes what was wrong with this thread's last failed call, at most `room` bytes with the zero at
 * the end, and gives the number of bytes that all of it needs. */
int32_t loopsim_error(char *into, size_t room, size_t *needed);

/* Closes a handle; what it lent is gone. */
int32_t loopsim_close(loopsim_handle handle);

/* How many handles are open. */
int64_t loopsim_open_handles(void);

#ifdef __cplusplus
}
#endif
#endif
