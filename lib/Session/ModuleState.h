//===- ModuleState.h - the values of a program's slots ----------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_MODULESTATE_H
#define JIT_LIB_SESSION_MODULESTATE_H

#include "jit/Archive/StorageRecords.h"
#include "jit/Import/Importers.h"
#include "jit/Runtime/CallKey.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>

namespace jit {

/// What a call does with module state.
enum class StateAccess { None, Read, Write };

/// Keeps others from changing the state that a call reads, and from touching what it writes.
struct StateLock {
  std::shared_lock<std::shared_mutex> reading;
  std::unique_lock<std::shared_mutex> writing;
};

/// Notes which memory a slot's value is a part of, and by which strides. Nothing is read there:
/// each slot has its own elements, and code that is compiled for this kind of state writes them
/// all.
Result<void> markPart(runtime::Tensor &tensor, const std::vector<int64_t> &strides,
                      const ValueSpec::Part &part);

/// Slots by number: their initial values, read from the archive when first asked for, and what the
/// program's methods have made of them.
class ModuleState {
public:
  /// Kinds of values are told apart by each size, and by strides.
  static constexpr runtime::KeyPolicy keyPolicy = {.strides = true};

  /// Lists the slots of `module`, the program in `file`, and opens the archive that it names, if
  /// any.
  static Result<std::unique_ptr<ModuleState>> create(mlir::ModuleOp module,
                                                     const ProgramFile &file);

  /// The number of the slot of this path. Slots never change, so this needs no lock.
  Result<unsigned> find(const std::string &path) const;

  const std::string &path(unsigned slot) const { return slots[slot].path; }
  /// The paths by which a program reaches the slot, too: of a buffer with two names, or in a
  /// submodule with two.
  const std::vector<std::string> &otherPaths(unsigned slot) const { return slots[slot].otherPaths; }
  /// The value that the program was saved with.
  Result<runtime::Value> initial(unsigned slot) {
    return read(slots[slot], slots[slot].initial, slots[slot].type);
  }

  /// The paths of the parameters.
  std::vector<std::string> parameters() const;

  StateLock lock(StateAccess access);

  /// The present value. Under a lock to read, as is version().
  Result<runtime::Value> get(unsigned slot);
  /// Whether it is a tensor whose elements nobody else has, and that may be written. Under a lock
  /// to write.
  bool isSoleOwner(unsigned slot) const;
  /// Moves on whenever a slot gets a value of another kind (jit/Runtime/CallKey.h).
  uint64_t version() const { return kindsVersion; }

  /// Under a lock to write: whether `value` is of another kind than the present one, and that it is
  /// the present one from now on. The second step cannot fail.
  Result<bool> changesKind(unsigned slot, const runtime::Value &value);
  void set(unsigned slot, runtime::Value value, bool changesKind) noexcept;
  void reset();

  /// The initial value of a slot that holds a tensor, contiguous. Shares the archive's memory where
  /// it can. Needs no lock.
  Result<runtime::Tensor> weight(const std::string &path);

private:
  struct Slot {
    std::string path;
    mlir::Type type;
    mlir::Attribute initial;
    bool isParameter = false;
    std::vector<std::string> otherPaths = {};
    /// The memory that the initial value is a part of, if calls see that.
    std::optional<ValueSpec::Part> part = {};
    std::optional<runtime::Value> present = {};
  };

  void findAliases(mlir::ModuleOp module);
  Result<void> findParts(mlir::ModuleOp module);
  Result<runtime::Value> read(const Slot &slot, mlir::Attribute value, mlir::Type type);
  Result<runtime::Tensor> readTensor(const Slot &slot);

  std::vector<Slot> slots;
  std::map<std::string, unsigned> numbers;
  std::set<std::string> parts; // tensors in lists, of which each is in one list alone
  uint64_t kindsVersion = 0;
  bool asksStrides = false; // methods may depend on the strides of the state
  std::shared_mutex mutex;

  std::optional<StorageRecords> archive;
  std::map<std::string, runtime::Tensor> weights;
  std::mutex weightsMutex; // guards the archive and what was read of it
};

} // namespace jit

#endif // JIT_LIB_SESSION_MODULESTATE_H
