//===- CallKey.h - what tells calls apart -----------------------*- C++ -*-===//
//
// A key is all that specialisation may settle about a call: a flat run of words, made on every
// call and looked up in a VariantCache. Each value adds one record. The low four bits of a record's
// first word tell its kind and the rest its length, so no record begins another, and two keys are
// the same words exactly if their calls are of the same kind:
//
//     None, a float                    one word
//     a bool, an int, a string         its value, but for an int that is open: a string's bytes and
//                                      an int of more than 60 bits follow in words of their own
//     a tensor                         defined or not, element type, requires_grad, rank; then its
//                                      sizes, by policy (those of dimensions that are open as
//                                      classes: 0, 1 and others); then, if asked for, how it lies
//                                      in the caller's memory: strides, and of one that shares
//                                      memory the number, offset and extent of that
//     a list, a tuple                  its length, then its elements' records
//     module state                     one word for the kinds of all its values together
//
// Every Tensor is in the memory of the CPU. A variant is compiled from what its key says, read back
// as a spec (jit/CallSpec/CallSpec.h): nothing else is known of its calls.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_RUNTIME_CALLKEY_H
#define JIT_RUNTIME_CALLKEY_H

#include "jit/CallSpec/CallSpec.h"
#include "jit/Runtime/Value.h"

#include <cstdint>

namespace jit::runtime {

/// What a signature says of an argument. The records follow the values and not the types, which are
/// only what the instructions are laid out for: a value of another type gets its own record, and
/// whoever compiles the variant refuses it.
struct ArgumentType {
  enum class Kind {
    Tensor,
    Scalar,   ///< an int, float, bool or string
    Optional, ///< None or its one element
    Tuple,    ///< its elements in order
    List,     ///< any number of its one element
    Any,      ///< not known
  };
  Kind kind = Kind::Any;
  std::vector<ArgumentType> elements = {};
};

/// What of a tensor's sizes tells variants apart.
enum class SizePolicy {
  Static,    ///< each size
  Automatic, ///< as Static, but as Symbolic in dimensions that have had several sizes; so are ints
  Symbolic,  ///< which sizes are 0, which are 1 and may be broadcast, and which are others
};

/// Sizes and ints of calls that have had several values. Tensors and ints are numbered, each for
/// themselves, in the order of their records. Of a tensor the first 64 dimensions are noted.
class OpenParts {
public:
  void insertSize(size_t tensor, size_t dim);
  void insertInt(size_t number);
  bool hasSize(size_t tensor, size_t dim) const {
    return tensor < dims.size() && dim < 64 && (dims[tensor] >> dim & 1);
  }
  bool hasInt(size_t number) const { return number < ints.size() && ints[number]; }
  bool hasInts() const { return !ints.empty(); }
  bool empty() const { return dims.empty() && ints.empty(); }
  /// These without ints.
  OpenParts sizes() const;

private:
  std::vector<uint64_t> dims; // bits, for each tensor; only as long as there are any
  std::vector<bool> ints;
};

/// What the records of tensors say.
struct KeyPolicy {
  SizePolicy sizes = SizePolicy::Static;
  /// Whether the layouts of the caller's tensors tell variants apart: what a program that writes in
  /// place, or asks for strides, does depends on them. A tensor with a layout has its exact sizes.
  bool strides = false;
};

struct Signature {
  std::string name; ///< of the function, for messages
  std::vector<ArgumentType> arguments;
  KeyPolicy policy = {};
};

/// A key as a table sees it: the words stay the owner's.
struct CallKeyRef {
  std::span<const uint64_t> words;
  uint64_t hash = 0;

  friend bool operator==(const CallKeyRef &a, const CallKeyRef &b);
};

/// Room for a key. Short ones need no other memory; an object that is used again keeps what it
/// got.
class CallKey {
public:
  CallKey() = default;
  CallKey(const CallKey &) = delete;
  CallKey &operator=(const CallKey &) = delete;

  std::span<const uint64_t> words() const { return {begin, count}; }
  /// The words and their hash.
  CallKeyRef ref() const;

  void clear() { count = 0; }
  void append(uint64_t word) { *extend(1) = word; }
  /// Makes the key `added` words longer and gives their place; their contents are undefined.
  uint64_t *extend(size_t added) {
    if (capacity - count < added)
      grow(added);
    uint64_t *place = begin + count;
    count += added;
    return place;
  }

private:
  void grow(size_t added);

  static constexpr size_t inlineCapacity = 60;
  uint64_t *begin = inlineWords;
  size_t count = 0;
  size_t capacity = inlineCapacity;
  std::unique_ptr<uint64_t[]> heapWords;
  uint64_t inlineWords[inlineCapacity];
};

/// What tells calls apart beside their arguments.
struct CallContext {
  /// The function, and what is compiled of it, where keys of several share a cache.
  uint32_t entry = 0;
  /// A number of less than 60 bits for the kinds of the module state's values.
  uint64_t state = 0;
};

/// Makes the keys of one function's calls: a list of instructions, derived once from its signature
/// and run over the arguments of each call. Immutable, so any number of threads may use it.
class CallKeyEncoder {
public:
  /// LimitExceeded where a type nests deeper than maxArgumentDepth, InvalidArgument for an Optional
  /// or list without its one element.
  static Result<CallKeyEncoder> create(Signature signature);

  /// Puts the key of a call into `key`. Arguments left out at the end take their defaults.
  /// InvalidArgument for too many arguments, LimitExceeded for a value that nests too deep.
  /// `open`, for symbolic sizes: the sizes that are so, the others being themselves, and ints that
  /// are left out; null: all sizes are, and no ints.
  Result<void> encode(std::span<const Value> args, CallContext context, CallKey &key,
                      const OpenParts *open = nullptr) const;

private:
  /// A list runs its element's instructions again until its End finds no element left.
  enum class Op : uint8_t { Tensor, Any, Optional, Tuple, List, End };
  struct Instruction {
    Op op;
    uint32_t count = 0;  ///< a tuple's elements
    uint32_t target = 0; ///< End: the first of what may run again; others: behind the type's last
  };

  explicit CallKeyEncoder(Signature signature) : signature(std::move(signature)) {}
  Result<void> addType(const ArgumentType &type, unsigned depth);
  Result<void> addElements(const ArgumentType &type, Op op, unsigned depth);

  Signature signature;
  std::vector<Instruction> program;
  /// Where the instructions of each argument end.
  std::vector<uint32_t> ends;
};

/// Adds the record of a value whose type is not known. LimitExceeded as for encode().
Result<void> appendRecord(const Value &value, KeyPolicy policy, CallKey &key);

/// What the records of a key say of its values, in order: of a call's arguments, those left out not
/// counted, or of what appendRecord() has added. Sizes that they leave open are named s0, s1 and so
/// on.
std::vector<ValueSpec> readRecords(std::span<const uint64_t> words);

} // namespace jit::runtime

#endif // JIT_RUNTIME_CALLKEY_H
