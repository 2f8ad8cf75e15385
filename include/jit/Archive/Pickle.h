//===- Pickle.h - a pickle as an inert tree ---------------------*- C++ -*-===//
//
// Reads what Python's pickle protocols 2 to 5 write, without ever resolving or calling anything: a
// global stays a name, a call stays a pair of callable and arguments. What consumers make of these
// names is their own closed list.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_PICKLE_H
#define JIT_ARCHIVE_PICKLE_H

#include "jit/Archive/Limits.h"
#include "jit/Archive/SharedBytes.h"
#include "jit/Result.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace jit {

enum class PickleKind : uint8_t {
  None,
  Bool,
  Int,
  Double,
  String,
  Bytes,
  Tuple,
  List,
  Dict, ///< items: key, value, key, value, ...
  Set,
  Global,       ///< text: "module.name"
  Object,       ///< items: class, arguments, and the state if there is one
  Reduce,       ///< items: callable, arguments, and the state if there is one
  PersistentId, ///< items: the id
};

/// Names a node of a PickleTree; shared nodes have one id.
using PickleRef = uint32_t;

struct PickleNode {
  PickleKind kind = PickleKind::None;
  /// Of the opcode that made the node, for errors.
  uint32_t offset = 0;
  union {
    bool boolean;
    int64_t integer = 0;
    double number;
  };
  /// Of strings, bytes and globals; belongs to the tree.
  std::string_view text;
  std::vector<PickleRef> items;
};

class PickleTree {
public:
  /// Reads one pickle. The tree has no cycles, and is bounded in size and depth by \p limits.
  /// Errors name \p member and the offset in it.
  static Result<PickleTree> read(std::string member, SharedBytes bytes,
                                 const ArchiveLimits &limits = {});

  PickleRef root() const { return rootRef; }
  const PickleNode &operator[](PickleRef ref) const { return nodes[ref]; }
  size_t size() const { return nodes.size(); }
  const std::string &member() const { return memberName; }

  /// Where \p ref stands, for errors.
  std::string place(PickleRef ref) const;
  /// An error about \p ref.
  Error error(ErrorCode code, PickleRef ref, std::string message) const;

private:
  friend class PickleReader;
  std::string memberName;
  SharedBytes bytes;
  /// Grows without a second copy: these are most of what reading a pickle takes.
  std::deque<PickleNode> nodes;
  /// Joined names of globals; a deque, because nodes view into them.
  std::deque<std::string> names;
  PickleRef rootRef = 0;
};

/// "tuple", "persistent id", ... for messages.
std::string_view pickleKindName(PickleKind kind);

} // namespace jit

#endif // JIT_ARCHIVE_PICKLE_H
