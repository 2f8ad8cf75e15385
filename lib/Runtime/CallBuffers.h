//===- CallBuffers.h - a session's memory of open sizes ----------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_CALLBUFFERS_H
#define JIT_LIB_RUNTIME_CALLBUFFERS_H

#include "Buffers.h"
#include "jit/Runtime/Artifact.h"
#include "jit/Runtime/Tensor.h"

#include <optional>

namespace jit::runtime {

/// Scratch memory of one call, kept for the next one.
struct Scratch {
  struct FreePieces {
    void operator()(jit_pieces *pieces) const {
      jit_free_pieces(pieces);
      delete pieces;
    }
  };
  std::shared_ptr<std::byte> arena;
  std::unique_ptr<jit_pieces, FreePieces> pieces{new jit_pieces{}};
};

/// What one call of a session gives its entry: results are tensors, whose memory is pooled.
class CallBuffers : public jit_buffers {
public:
  CallBuffers(const Entry &entry, Scratch &scratch);
  CallBuffers(const CallBuffers &) = delete;
  CallBuffers &operator=(const CallBuffers &) = delete;

  /// Why the last null was given; nothing where there was none.
  std::optional<Error> takeRefusal();

  /// By their numbers: those that the call has asked for.
  std::vector<Tensor> results;

private:
  Result<void *> allocate(size_t index, const int64_t *openSizes);

  const Entry &entry;
  std::optional<Error> failure; ///< of a result
  jit_error text;               ///< of scratch; written where it fails alone, for it is large
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_CALLBUFFERS_H
