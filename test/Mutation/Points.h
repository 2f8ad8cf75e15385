//===- Points.h - conditions of a mutated build ------------------*- C++ -*-===//
//
// points.py puts each condition of the sources through at(). Which one is to be what, and what each
// one was, stands in a file that all processes of a test have mapped: a build serves all mutants,
// and a test that crashed has still said what it reached.
//
//===----------------------------------------------------------------------===//

#ifndef JIT_TEST_MUTATION_POINTS_H
#define JIT_TEST_MUTATION_POINTS_H

#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace jit_mutation {

struct Shared {
  int32_t point;                           // that is changed; none if it is negative
  int32_t value;                           // that it has then
  unsigned char seen[JIT_MUTATION_POINTS]; // 1: was true, 2: was false
};

inline Shared *open() {
  static Shared alone{-1, 0, {}};
  const char *path = std::getenv("JIT_MUTATION");
  int file = path ? ::open(path, O_RDWR) : -1;
  if (file < 0)
    return &alone;
  void *memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? &alone : static_cast<Shared *>(memory);
}

inline Shared *const shared = open();

/// What the condition is taken to be; it is evaluated all the same.
inline bool at(int32_t point, bool condition) {
  shared->seen[point] |= condition ? 1 : 2;
  return shared->point == point ? shared->value != 0 : condition;
}

} // namespace jit_mutation

#endif // JIT_TEST_MUTATION_POINTS_H
