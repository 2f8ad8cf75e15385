//===- FailingAllocation.h - memory that is exhausted on cue ----*- C++ -*-===//
#ifndef JIT_UNITTESTS_ALLOCATION_FAILINGALLOCATION_H
#define JIT_UNITTESTS_ALLOCATION_FAILINGALLOCATION_H

#include <gtest/gtest.h>

#include <cstddef>

namespace jit::test {

/// While it lives the allocation of this thread of that number fails, and no other: by `new`, and
/// of C by malloc and its like, as far as the program itself calls them.
class FailingAllocation {
public:
  explicit FailingAllocation(size_t number);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation &) = delete;
  FailingAllocation &operator=(const FailingAllocation &) = delete;

  /// Whether it came to that.
  static bool hasFailed();
};

/// Does `attempt` with its first allocation failing, with its second and so on, until it needs no
/// more of them. It says whether it went well; `explain` whether a failure was called what it is;
/// after each `check` says whether all still works.
template <typename Attempt, typename Explain, typename Check>
void failEachAllocation(const Attempt &attempt, const Explain &explain, const Check &check) {
  size_t failures = 0;
  for (size_t number = 1; number < 100000; ++number) {
    bool hasFailed = false, isDone = false;
    {
      FailingAllocation failing(number);
      isDone = attempt();
      hasFailed = FailingAllocation::hasFailed();
    }
    if (!isDone)
      EXPECT_TRUE(explain()) << "allocation " << number;
    failures += hasFailed;
    EXPECT_TRUE(isDone || hasFailed) << "allocation " << number;
    ASSERT_TRUE(check()) << "after allocation " << number;
    if (!hasFailed)
      break;
  }
  EXPECT_GT(failures, 0u);
}

} // namespace jit::test

#endif // JIT_UNITTESTS_ALLOCATION_FAILINGALLOCATION_H
