//===- ByteSink.h - where a writer's bytes go -------------------*- C++ -*-===//
#ifndef JIT_ARCHIVE_BYTESINK_H
#define JIT_ARCHIVE_BYTESINK_H

#include <functional>
#include <string_view>

namespace jit {

/// Takes bytes in their order, and is asked for none again: what it cannot keep is its owner's
/// error.
using ByteSink = std::function<void(std::string_view)>;

} // namespace jit

#endif // JIT_ARCHIVE_BYTESINK_H
