//===- PickleReader.h - the machine behind PickleTree::read -----*- C++ -*-===//
//
// A pickle is a program for a stack machine. This one only ever builds nodes.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_ARCHIVE_PICKLEREADER_H
#define JIT_LIB_ARCHIVE_PICKLEREADER_H

#include "jit/Archive/Pickle.h"

#include <optional>
#include <unordered_map>

namespace jit {

class PickleReader {
public:
  PickleReader(PickleTree &tree, const ArchiveLimits &limits)
      : tree(tree), data(tree.bytes.span()), limits(limits) {}

  /// Runs to STOP. Every step returns false after setting `failure`.
  Result<void> run();

private:
  bool step(uint8_t opcode);
  bool stepControl(uint8_t opcode);
  bool stepScalar(uint8_t opcode);
  bool stepText(uint8_t opcode);
  bool stepContainer(uint8_t opcode);
  bool stepCall(uint8_t opcode);
  bool stepMemo(uint8_t opcode);

  bool fail(ErrorCode code, std::string message);
  /// The little-endian number of \p size bytes ahead.
  bool number(unsigned size, uint64_t &value);
  bool bytes(uint64_t size, std::string_view &text);
  bool line(std::string_view &text);
  bool longInteger(unsigned sizeBytes);
  bool protocol();

  PickleNode *push(PickleKind kind);
  bool pushText(PickleKind kind, unsigned sizeBytes);
  bool pushGlobal(std::string_view module, std::string_view name);
  bool pop(PickleRef &ref);
  bool top(PickleRef &ref);
  bool popMark(size_t &begin);
  bool tuple(size_t count);
  bool collect(PickleKind kind);
  /// Moves everything from \p begin up into the container below it.
  bool extend(size_t begin, PickleKind kind);
  bool stackGlobal();
  bool call(PickleKind kind, bool keywords);
  bool build();

  PickleTree &tree;
  std::span<const std::byte> data;
  const ArchiveLimits &limits;
  size_t at = 0;
  /// Of the opcode being read.
  size_t start = 0;
  bool stopped = false;
  std::vector<PickleRef> stack;
  std::vector<size_t> marks;
  std::unordered_map<uint64_t, PickleRef> memo;
  std::optional<Error> failure;
};

} // namespace jit

#endif // JIT_LIB_ARCHIVE_PICKLEREADER_H
