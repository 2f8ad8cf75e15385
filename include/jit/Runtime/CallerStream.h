//===- CallerStream.h - calls in a stream of the caller's --------*- C++ -*-===//
#ifndef JIT_RUNTIME_CALLERSTREAM_H
#define JIT_RUNTIME_CALLERSTREAM_H

#include <optional>

namespace jit::runtime {

/// While it lives, calls of this thread do their work in `stream`, a CUstream of the primary
/// context of the CUDA device that their code is on, and return before that is done; only numbers,
/// and what a program branches on, are waited for. Arguments whose memory is the device's are used
/// where they are. The data of tensors that are results is an address on the device, and valid for
/// work that is put into this stream while somebody has the tensor; so is a module's state, which
/// calls outside of the stream must not meet before its work is done. Code that is not for a CUDA
/// device refuses such calls.
class CallerStream {
public:
  explicit CallerStream(void *stream) : outer(innermost), handle(stream) { innermost = this; }
  ~CallerStream() { innermost = outer; }
  CallerStream(const CallerStream &) = delete;
  CallerStream &operator=(const CallerStream &) = delete;

  /// That of the calling thread; null where calls have streams of their own.
  static const CallerStream *current() { return innermost; }

  void *stream() const { return handle; }

private:
  static thread_local const CallerStream *innermost;

  const CallerStream *outer;
  void *handle;
};

/// The number of the CUDA device in whose memory an address is, if code was loaded on it.
std::optional<int> cudaDeviceOf(const void *address);

} // namespace jit::runtime

#endif // JIT_RUNTIME_CALLERSTREAM_H
