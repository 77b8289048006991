// Preloaded into a program (LD_PRELOAD): shifts its calendar clock by CLOCK_SHIFT_MS. Monotonic clocks, waits
// and timers are not shifted. It calls the kernel directly, so that signal handlers may call it too.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long shift_ms;

__attribute__((constructor)) static void read_shift(void) {
  const char *text = getenv("CLOCK_SHIFT_MS");
  shift_ms = text == NULL ? 0 : atoll(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (failed || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return failed;
  long long ns = now->tv_nsec + shift_ms % 1000 * 1000000;
  // A remainder is negative where the shift is.
  now->tv_sec += shift_ms / 1000 + (ns >= 1000000000) - (ns < 0);
  now->tv_nsec = (ns + 1000000000) % 1000000000;
  return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec found;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &found);
  now->tv_sec = found.tv_sec;
  now->tv_usec = found.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec found;
  clock_gettime(CLOCK_REALTIME, &found);
  if (result != NULL) *result = found.tv_sec;
  return found.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, now);
  return base;
}
