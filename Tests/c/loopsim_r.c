/* What R's .C can call of loopsim.h: it passes pointers only, and knows no integers of 64 bits. A
 * handle is a double here, which is exact up to 2^53. Build it as .ci/c does; day.R uses it. */
#include <string.h>

#include "loopsim.h"

void loopsim_r_open(double *session, int *code) {
  loopsim_handle handle = 0;
  *code = loopsim_open(&handle);
  *session = (double)handle;
}

/* Sends a message; its place then holds the answer, of which a long one lacks its end. */
void loopsim_r_exchange(double *session, char **message, int *code) {
  static char answer[4096];
  loopsim_handle text;
  const char *data;
  size_t count;
  *code = loopsim_exchange((loopsim_handle)*session, message[0], strlen(message[0]), &text);
  if (*code != LOOPSIM_OK) return;
  *code = loopsim_bytes(text, &data, &count);
  if (*code == LOOPSIM_OK) {
    if (count > sizeof answer - 1) count = sizeof answer - 1;
    memcpy(answer, data, count);
    answer[count] = 0;
    message[0] = answer;
  }
  loopsim_close(text);
}

/* Copies a column into a vector of the caller, as far as there is room, and says how long it is. */
void loopsim_r_column(double *session, char **run, char **table, char **column, double *into,
                      int *room, int *count, int *code) {
  loopsim_handle numbers;
  const double *data;
  size_t rows;
  *code = loopsim_column((loopsim_handle)*session, run[0], table[0], column[0], &numbers, &data,
                         &rows);
  if (*code != LOOPSIM_OK) return;
  *count = (int)rows;
  if (rows > (size_t)*room) rows = (size_t)*room;
  if (rows) memcpy(into, data, rows * sizeof *data);
  loopsim_close(numbers);
}

void loopsim_r_close(double *handle, int *code) { *code = loopsim_close((loopsim_handle)*handle); }

/* What was wrong with the last call. */
void loopsim_r_error(char **sentence) {
  static char text[512];
  loopsim_error(text, sizeof text, NULL);
  sentence[0] = text;
}
