//===- MarkAliasing.cpp - which accesses never overlap --------------------===//
#include "Loops/EntryPointers.h"
#include "jit/Codegen/Loops/Passes.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

#include <optional>

namespace jit::codegen {
#define GEN_PASS_DEF_MARKALIASING
#include "jit/Codegen/Loops/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Above this many objects in one group the pairs are too many; smaller groups inside are tried.
static constexpr size_t groupLimit = 24;

namespace {
/// Bytes [begin, end) behind one base pointer.
struct Object {
  const void *root;
  int64_t begin = 0, end = std::numeric_limits<int64_t>::max();

  bool operator==(const Object &other) const {
    return root == other.root && begin == other.begin && end == other.end;
  }
  bool overlaps(const Object &other) const {
    return root == other.root && begin < other.end && other.begin < end;
  }
};

struct Access {
  Operation *op;
  size_t object;
};

/// The accesses in one part of a function.
struct Group {
  SmallVector<Object> objects;
  SmallVector<Access> accesses;
};
} // namespace

/// The memory behind `memref`; nullopt where it is not known.
static std::optional<Object> objectOf(Value memref) {
  while (Operation *def = memref.getDefiningOp()) {
    if (jit::codegen::isRoot(def))
      return Object{memref.getAsOpaquePointer()};
    if (auto global = dyn_cast<memref::GetGlobalOp>(def))
      return Object{global.getNameAttr().getAttr().getAsOpaquePointer()};
    if (isa<memref::AllocaOp>(def))
      return Object{memref.getAsOpaquePointer()};
    if (auto view = dyn_cast<memref::ViewOp>(def)) {
      std::optional<int64_t> shift = getConstantIntValue(view.getByteShift());
      std::optional<Object> base = objectOf(view.getSource());
      MemRefType type = view.getType();
      if (!shift || !base || base->begin != 0 || !type.hasStaticShape())
        return std::nullopt;
      Type element = type.getElementType();
      int64_t bits = element.isIndex() ? 64 : std::max<int64_t>(8, element.getIntOrFloatBitWidth());
      return Object{base->root, *shift, *shift + type.getNumElements() * bits / 8};
    }
    auto viewLike = dyn_cast<ViewLikeOpInterface>(def);
    if (!viewLike)
      return std::nullopt;
    memref = viewLike.getViewSource();
  }
  return std::nullopt;
}

static Group collect(Operation *part) {
  Group group;
  part->walk([&](Operation *op) {
    Value memref;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      memref = load.getMemref();
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      memref = store.getMemref();
    else
      return;
    std::optional<Object> object = objectOf(memref);
    if (!object)
      return;
    auto *known = llvm::find(group.objects, *object);
    size_t number = known - group.objects.begin();
    if (known == group.objects.end())
      group.objects.push_back(*object);
    group.accesses.push_back({op, number});
  });
  return group;
}

static void markGroup(const Group &group, LLVM::AliasScopeDomainAttr domain) {
  MLIRContext *context = domain.getContext();
  SmallVector<Attribute> scopes;
  for (size_t i = 0; i < group.objects.size(); ++i)
    scopes.push_back(LLVM::AliasScopeAttr::get(domain));
  for (const Access &access : group.accesses) {
    SmallVector<Attribute> others;
    for (size_t i = 0; i < group.objects.size(); ++i)
      if (!group.objects[i].overlaps(group.objects[access.object]))
        others.push_back(scopes[i]);
    access.op->setAttr("jit.scope", ArrayAttr::get(context, scopes[access.object]));
    if (!others.empty())
      access.op->setAttr("jit.noalias", ArrayAttr::get(context, others));
  }
}

/// Marks the largest parts of `part` that are small enough.
static void mark(Operation *part, LLVM::AliasScopeDomainAttr domain) {
  Group group = collect(part);
  if (group.accesses.size() < 2)
    return;
  if (group.objects.size() <= groupLimit)
    return markGroup(group, domain);
  for (Region &region : part->getRegions())
    for (Block &block : region)
      for (Operation &nested : block)
        mark(&nested, domain);
}

namespace {
struct MarkAliasing : jit::codegen::impl::MarkAliasingBase<MarkAliasing> {
  void runOnOperation() override {
    auto domain = LLVM::AliasScopeDomainAttr::get(&getContext());
    // Op by op at the top: a group never mixes two loops beside each other.
    for (Block &block : getOperation().getBody())
      for (Operation &op : block)
        mark(&op, domain);
  }
};
} // namespace
