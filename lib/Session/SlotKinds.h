//===- SlotKinds.h - the kinds that state takes on, ahead of time -*- C++ -*-===//
#ifndef JIT_LIB_SESSION_SLOTKINDS_H
#define JIT_LIB_SESSION_SLOTKINDS_H

#include "CallPatterns.h"
#include "ModuleState.h"
#include "jit/Codegen/Package.h"

#include <set>

namespace jit {

/// A tensor, or a number that may be any: what takes memory.
bool needsCell(const ValueSpec &leaf);
/// How many cells lie before the element at `path`, or in all of the pattern.
int32_t cellsBefore(const ValueSpec &pattern, std::span<const int64_t> path);
int32_t cellsIn(const ValueSpec &pattern);

/// The mutable slots of a program, and every kind of value that one has had in a variant.
class SlotKinds {
public:
  /// `opened`: slots whose ints and bools are arguments, not part of their kinds.
  SlotKinds(ModuleState &state, std::vector<unsigned> slots, std::set<unsigned> opened);

  /// The kinds that the program was saved with come first.
  Result<void> addInitial();

  const std::vector<unsigned> &slots() const { return numbers; }
  /// The place of a slot of the state in slots().
  int32_t indexOf(unsigned slot) const;
  /// The number of a kind of a slot, new ones added.
  Result<int32_t> kindOf(int32_t index, const ValueSpec &spec);
  std::string textOfKind(int32_t index, int32_t kind) const { return kinds[index][kind].str(); }
  /// The place of the slot that has come to be of most kinds.
  int32_t mostVaried() const;
  const ValueSpec &pattern(int32_t index, int32_t kind) const { return kinds[index][kind]; }

  /// Lays out the cells, for all kinds there are, and writes slots, cells and initial values down.
  Result<void> finish(package::Package &package) const;
  /// The first cell of a slot. After all kinds are known.
  int32_t firstCell(int32_t index) const;

private:
  Result<void> addInitialBlobs(const ValueSpec &pattern, const runtime::Value &value,
                               package::Package &package, int32_t &cell) const;

  ModuleState &state;
  std::vector<unsigned> numbers;
  std::set<unsigned> opened;
  std::vector<std::vector<ValueSpec>> kinds;
};

} // namespace jit

#endif // JIT_LIB_SESSION_SLOTKINDS_H
