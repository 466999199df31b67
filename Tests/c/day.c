/* A day of two members, and one in which the app decides, in C99 and C++11: build it as .ci/c does. */
#include <stdio.h>
#include <string.h>

#include "loopsim.h"

/* Sends a message and forgets the answer. */
static int tell(loopsim_handle session, const char *message) {
  loopsim_handle text;
  int32_t code = loopsim_exchange(session, message, strlen(message), &text);
  return code == LOOPSIM_OK ? loopsim_close(text) : code;
}

/* Lives through a day that nobody answers for, and prints its mean glucose. */
static int live(loopsim_handle session, const char *path) {
  loopsim_handle numbers;
  const double *glucose;
  size_t rows, row;
  double sum = 0;
  char request[1024];
  snprintf(request, sizeof request, "{\"type\":\"reset\",\"scenario\":\"%s\",\"answers\":[]}", path);
  if (tell(session, request)) return 70;
  if (tell(session, "{\"type\":\"advance\",\"run\":\"r1\",\"through\":\"2100-01-01T00:00:00Z\"}"))
    return 70;
  if (loopsim_column(session, "r1", "timeline", "glucose_true_mgdL", &numbers, &glucose, &rows))
    return 70;
  for (row = 0; row < rows; row++) sum += glucose[row];
  printf("%d rows, mean true glucose %.1f mg/dL\n", (int)rows, sum / (double)rows);
  return loopsim_close(numbers);
}

int main(int count, char **words) {
  loopsim_handle session, batch;
  int64_t shape[5];
  double seen[20], truth[6];
  uint64_t seeds[2] = {7, 8};
  uint8_t ends[2] = {0, 0};
  char sentence[512];
  char request[1024];
  int steps = 0;
  if (count != 2 || strlen(words[1]) > 900) return 64;
  snprintf(request, sizeof request, "{\"scenario\":\"%s\"}", words[1]);
  if (loopsim_abi() != 2 || loopsim_open(&session) != LOOPSIM_OK) return 70;
  if (loopsim_batch(session, request, strlen(request), 2, &batch) != LOOPSIM_OK) {
    loopsim_error(sentence, sizeof sentence, NULL);
    fprintf(stderr, "%s\n", sentence);
    return 65;
  }
  if (loopsim_batch_shape(batch, shape) != LOOPSIM_OK) return 70;
  if (loopsim_batch_reset(batch, NULL, seeds, seen) != LOOPSIM_OK) return 70;
  while (!ends[0] || !ends[1]) {
    double actions[4];
    int member;
    for (member = 0; member < 2; member++) {
      double glucose = seen[member * 10], schedule = seen[member * 10 + 5];
      double rate = schedule + 0.01 * (glucose - 110);
      actions[member * 2] = rate < 0 ? 0 : rate;
      actions[member * 2 + 1] = 0;
    }
    if (loopsim_batch_step(batch, actions, seen, ends, truth) != LOOPSIM_OK) return 70;
    steps++;
  }
  printf("%d steps of %d members, true glucose %.1f and %.1f mg/dL\n", steps, (int)shape[0],
         truth[0], truth[3]);
  if (live(session, words[1])) return 70;
  if (loopsim_close(batch) || loopsim_close(session) || loopsim_open_handles() != 0) return 70;
  return 0;
}
