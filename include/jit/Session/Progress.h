//===- Progress.h - what is compiled, on a terminal --------------*- C++ -*-===//
#ifndef JIT_SESSION_PROGRESS_H
#define JIT_SESSION_PROGRESS_H

#include <functional>
#include <string>

namespace jit {

/// For SessionOptions::progress: one line on stderr for what is compiled at the moment, once a
/// compilation has taken a second, erased at its end. Empty where stderr is no terminal.
std::function<void(const std::string &)> progressOnTerminal();

} // namespace jit

#endif // JIT_SESSION_PROGRESS_H
