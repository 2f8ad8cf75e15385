//===- CallBuffers.h - memory whose size only the call tells -----*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_CALLBUFFERS_H
#define JIT_LIB_RUNTIME_CALLBUFFERS_H

#include "jit/Runtime/Artifact.h"
#include "jit/Runtime/Tensor.h"

#include <optional>

namespace jit::runtime {

/// Scratch memory of one call, kept for the next one.
struct Scratch {
  struct Piece {
    std::shared_ptr<std::byte> memory;
    int64_t bytes = 0;
  };
  std::shared_ptr<std::byte> arena;
  std::vector<Piece> pieces = {};
};

/// What jit_rt_result and jit_rt_scratch give out during one call.
class CallBuffers {
public:
  CallBuffers(const Entry &entry, Scratch &scratch) : entry(entry), scratch(scratch) {
    results.resize(entry.results.size());
  }

  /// Null where there is no memory, or no tensor has such sizes.
  void *result(size_t index, const int64_t *openSizes);
  void *piece(size_t index, int64_t bytes);

  /// Why the last null was given.
  std::optional<Error> refusal;

  /// By their numbers: those that the call has asked for.
  std::vector<Tensor> results;

  void *refuse(Error error);

private:
  const Entry &entry;
  Scratch &scratch;
  /// Pieces that turned out too small: what lies in them may still be read.
  std::vector<std::shared_ptr<std::byte>> outgrown;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_CALLBUFFERS_H
