//===- SharedArguments.h - arguments in one memory --------------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_SHAREDARGUMENTS_H
#define JIT_LIB_SESSION_SHAREDARGUMENTS_H

#include "jit/Session/Session.h"

namespace jit {

/// Calls `visit` with each tensor in `value` and its path, which begins with `path`.
void forEachTensor(runtime::Value &value, ArgumentPath &path,
                   llvm::function_ref<void(runtime::Tensor &, const ArgumentPath &)> visit);

/// Tells the tensors of a call that lie in one memory: each of those is marked with the whole of it
/// and its place there (CallerLayout::whole), so that a write to one can be seen by the others.
/// Tensors of several element types, or that are differentiated by, stay unmarked. With `readsGaps`
/// so is a tensor alone that leaves out some of its memory, for a program that asks for places
/// there.
void markSharedMemory(std::span<runtime::Value> args, bool readsGaps = false);

/// Fails where a tensor at one of the paths `written` shares memory with another one that is not
/// marked as a part of the same whole.
Result<void> checkWrittenArguments(std::span<runtime::Value> args,
                                   std::span<const ArgumentPath> written);

/// A part of a memory that a call has written: where the argument is, and what it is now.
struct ReplacedPart {
  runtime::Tensor *place;
  WrittenArgument written;
};

/// Memories of arguments that a call has written.
struct ReplacedMemories {
  std::vector<ReplacedPart> parts;
  /// Of which the call has changed what no argument shows.
  std::vector<WrittenMemory> memories;
};

/// Adds every argument that is a part of the same whole as the tensor at `path`, with its elements
/// of `memory`, the whole after a call.
Result<void> gatherParts(std::span<runtime::Value> args, const ArgumentPath &path,
                         const runtime::Tensor &memory, ReplacedMemories &into);

} // namespace jit

#endif // JIT_LIB_SESSION_SHAREDARGUMENTS_H
