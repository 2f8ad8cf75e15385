/*===- RandomNumbers.c - of two functions that old C libraries lack ---------===*\
|*
|* LLVM's libraries and C++'s call them, glibc has them from 2.36 on, and nothing else that libjit
|* calls is newer than 2.34. What is linked statically finds these instead.
|*
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf(void *bytes, size_t size);
uint32_t arc4random(void);

void arc4random_buf(void *bytes, size_t size) {
  char *next = bytes, *end = next + size;
  while (next < end) {
    ssize_t got = getrandom(next, (size_t)(end - next), 0);
    if (got < 0 && errno != EINTR)
      abort(); /* glibc's does so too */
    if (got > 0)
      next += got;
  }
}

uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}
