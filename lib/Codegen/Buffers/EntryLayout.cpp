//===- EntryLayout.cpp - where an entry finds its arguments ---------------===//
#include "Buffers/EntryLayout.h"

using namespace mlir;

static int64_t byteSize(Type type) {
  auto buffer = cast<MemRefType>(type);
  int64_t bits = std::max<int64_t>(8, buffer.getElementTypeBitWidth());
  return buffer.getNumElements() * bits / 8;
}

jit::codegen::EntryLayout jit::codegen::layoutOf(func::FuncOp func) {
  EntryLayout layout;
  // Arguments proper are of kind 0.
  static constexpr const char *kinds[] = {"jit.result", "jit.packed", "jit.arena"};
  SmallVector<unsigned> kindOf;
  int64_t counts[4] = {0, 0, 0, 0};
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    unsigned kind = 0;
    for (auto [k, name] : llvm::enumerate(kinds))
      if (func.getArgAttr(i, name))
        kind = k + 1;
    kindOf.push_back(kind);
    ++counts[kind];
    if (kind == 2)
      layout.packedBytes.push_back(byteSize(func.getArgument(i).getType()));
    if (kind == 3)
      layout.arenaBytes = byteSize(func.getArgument(i).getType());
  }
  int64_t next[4] = {0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]};
  layout.sizesPlace = func.getNumArguments();
  for (unsigned kind : kindOf)
    layout.places.push_back(next[kind]++);
  return layout;
}
