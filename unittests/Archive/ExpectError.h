//===- ExpectError.h - what a failed Result should hold ---------*- C++ -*-===//
#ifndef JIT_UNITTESTS_ARCHIVE_EXPECTERROR_H
#define JIT_UNITTESTS_ARCHIVE_EXPECTERROR_H

#include "jit/Result.h"

#include <gtest/gtest.h>

namespace jit::test {

/// Expects \p result to have failed with \p code at exactly \p where, the message containing \p
/// message.
template <typename T>
void expectError(const Result<T> &result, ErrorCode code, const std::string &where,
                 const std::string &message) {
  ASSERT_FALSE(result) << "expected an error at " << where;
  EXPECT_EQ(static_cast<int>(result.error().code), static_cast<int>(code)) << result.error().str();
  EXPECT_EQ(result.error().where, where) << result.error().str();
  EXPECT_NE(result.error().message.find(message), std::string::npos) << result.error().str();
}

} // namespace jit::test

#endif // JIT_UNITTESTS_ARCHIVE_EXPECTERROR_H
