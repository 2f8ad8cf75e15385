//===- Result.h - a value or a typed error ----------------------*- C++ -*-===//
//
// For the parts that link neither MLIR nor LLVM (archive reader, runtime). They never throw and
// never abort on input: whatever can fail on a user's bytes returns a Result.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_RESULT_H
#define JIT_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace jit {

/// What kind of thing went wrong; callers branch on this, people read the message.
enum class ErrorCode {
  Io,              ///< a file cannot be opened, read or written
  Malformed,       ///< the bytes are not what their format says
  Unsupported,     ///< valid input that this version does not handle
  LimitExceeded,   ///< a cap on nesting, counts or memory was hit
  NotFound,        ///< a member, method or attribute that does not exist
  InvalidArgument, ///< the caller passed something that does not fit the signature
  Raised,          ///< the compiled program raised its own Python exception
  Internal,        ///< our bug
};

/// An error that reached the user: lower-case message, "expected X, got Y", and where it was found.
struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string message;
  /// "data.pkl: offset 17", "code/__torch__/m.py:12" or "model.py:34"; empty where nothing is
  /// known.
  std::string where = {};
  /// The Python class of a Raised error, e.g. "builtins.ValueError".
  std::string pythonClass = {};

  /// "where: message", or the message alone.
  std::string str() const { return where.empty() ? message : where + ": " + message; }
};

/// Either a T or an Error. Check before dereferencing.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : storage(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return storage.index() == 0; }
  T &operator*() { return assert(*this), std::get<0>(storage); }
  const T &operator*() const { return assert(*this), std::get<0>(storage); }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }
  const Error &error() const { return assert(!*this), std::get<1>(storage); }
  Error takeError() { return assert(!*this), std::move(std::get<1>(storage)); }

private:
  std::variant<T, Error> storage;
};

/// The Result of something done for its effect.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : failure(std::move(error)), failed(true) {}

  explicit operator bool() const { return !failed; }
  const Error &error() const { return assert(failed), failure; }
  Error takeError() { return assert(failed), std::move(failure); }

private:
  Error failure;
  bool failed = false;
};

} // namespace jit

#endif // JIT_RESULT_H
