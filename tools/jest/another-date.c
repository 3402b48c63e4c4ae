// A library to preload: the time of day is OFFSET seconds away from the real one, and monotonic clocks stay as they are. For `npm run test:repeat -- --date`.
// libfaketime cannot serve: in a signal handler that interrupts its epoll_wait() it tells the real time, so PostgreSQL's timeouts end at once or never.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

typedef int (*real_clock)(clockid_t, struct timespec *);
static real_clock real;

__attribute__((constructor)) static void find_real_clock(void) {
  if (!real) real = (real_clock)dlsym(RTLD_NEXT, "clock_gettime");
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  find_real_clock();
  int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += OFFSET;
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec precise;
  int result = clock_gettime(CLOCK_REALTIME, &precise);
  if (result == 0) *now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
  return result;
}

time_t time(time_t *copy) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  if (copy) *copy = now.tv_sec;
  return now.tv_sec;
}
