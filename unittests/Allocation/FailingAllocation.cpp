//===- FailingAllocation.cpp - memory that is exhausted on cue ------------===//
#include "FailingAllocation.h"

#include <cstdlib>
#include <new>

namespace {
/// How many allocations are left until the one that fails; 0: none does.
thread_local size_t countdown = 0;
thread_local bool failed = false;

bool fails() {
  if (countdown == 0 || --countdown > 0)
    return false;
  return failed = true;
}
} // namespace

jit::test::FailingAllocation::FailingAllocation(size_t number) {
  failed = false;
  countdown = number;
}
jit::test::FailingAllocation::~FailingAllocation() { countdown = 0; }
bool jit::test::FailingAllocation::hasFailed() { return failed; }

//===----------------------------------------------------------------------===//
// Of C, by the linker's --wrap
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): names of the linker
extern "C" {
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);

void *__wrap_malloc(size_t bytes) { return fails() ? nullptr : __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t bytes) {
  return fails() ? nullptr : __real_calloc(count, bytes);
}
void *__wrap_realloc(void *memory, size_t bytes) {
  return fails() ? nullptr : __real_realloc(memory, bytes);
}
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return fails() ? nullptr : __real_aligned_alloc(alignment, bytes);
}
}

//===----------------------------------------------------------------------===//
// Of C++
//===----------------------------------------------------------------------===//

#ifdef JIT_WRAP_NEW
// A sanitizer has these functions itself: then what this program calls fails, and not what the
// standard library's own code calls.
extern "C" {
void *__real__Znwm(size_t bytes);
void *__real__Znam(size_t bytes);
void *__real__ZnwmSt11align_val_t(size_t bytes, std::align_val_t alignment);
void *__real__ZnwmRKSt9nothrow_t(size_t bytes, const std::nothrow_t &tag) noexcept;

static void failOrGoOn() {
  if (fails())
    throw std::bad_alloc();
}

void *__wrap__Znwm(size_t bytes) { return failOrGoOn(), __real__Znwm(bytes); }
void *__wrap__Znam(size_t bytes) { return failOrGoOn(), __real__Znam(bytes); }
void *__wrap__ZnwmSt11align_val_t(size_t bytes, std::align_val_t alignment) {
  return failOrGoOn(), __real__ZnwmSt11align_val_t(bytes, alignment);
}
void *__wrap__ZnwmRKSt9nothrow_t(size_t bytes, const std::nothrow_t &tag) noexcept {
  return fails() ? nullptr : __real__ZnwmRKSt9nothrow_t(bytes, tag);
}
}
#else
static void *allocate(size_t bytes, size_t alignment) noexcept {
  if (fails())
    return nullptr;
  if (alignment <= alignof(std::max_align_t))
    return __real_malloc(bytes ? bytes : 1);
  return __real_aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
}

static void *allocateOrThrow(size_t bytes, size_t alignment = 1) {
  void *memory = allocate(bytes, alignment);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

void *operator new(size_t bytes) { return allocateOrThrow(bytes); }
void *operator new[](size_t bytes) { return allocateOrThrow(bytes); }
void *operator new(size_t bytes, std::align_val_t alignment) {
  return allocateOrThrow(bytes, size_t(alignment));
}
void *operator new[](size_t bytes, std::align_val_t alignment) {
  return allocateOrThrow(bytes, size_t(alignment));
}
void *operator new(size_t bytes, const std::nothrow_t &) noexcept { return allocate(bytes, 1); }
void *operator new[](size_t bytes, const std::nothrow_t &) noexcept { return allocate(bytes, 1); }
void *operator new(size_t bytes, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return allocate(bytes, size_t(alignment));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void *memory, size_t, std::align_val_t) noexcept { std::free(memory); }
#endif
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
