//===- EntryAttributes.h - what stages hand on beside operations -*- C++ -*-===//
//
// Attributes of modules, functions, their arguments and results. Which may stand where, and what
// they hold, is checked by the dialect (lib/Dialect/Jit/Attributes.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_JIT_ENTRYATTRIBUTES_H
#define JIT_DIALECT_JIT_ENTRYATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace jit {

/// On an argument: where it comes from, the number of the call's argument and of the elements in it
/// (an i64 array), or the path of a slot.
inline constexpr llvm::StringLiteral argPathAttr = "jit.arg";
inline constexpr llvm::StringLiteral slotAttr = "jit.slot";
/// On an argument: its name in the program, and the value where a call gives none.
inline constexpr llvm::StringLiteral nameAttr = "jit.name";
inline constexpr llvm::StringLiteral defaultAttr = "jit.default";
/// On an argument or result that Python has a class for: which, as an array that docs/call-spec.md
/// describes.
inline constexpr llvm::StringLiteral layoutAttr = "jit.layout";
/// On the first argument of a method: it is the module.
inline constexpr llvm::StringLiteral selfAttr = "jit.self";
/// On an argument: the path of the frozen slot whose tensor it is.
inline constexpr llvm::StringLiteral weightAttr = "jit.weight";
/// On a result: the path of the argument that it is the new value of.
inline constexpr llvm::StringLiteral mutatesAttr = "jit.mutates";
/// On a result: the number of the argument in whose memory it is computed. Who calls gives no other
/// memory for it.
inline constexpr llvm::StringLiteral inPlaceAttr = "jit.in_place";
/// On a slot for a tuple that stands for an object, or None: the names of the object's attributes.
inline constexpr llvm::StringLiteral attributesAttr = "jit.attributes";
/// On a slot: a method writes it.
inline constexpr llvm::StringLiteral mutableAttr = "jit.mutable";
/// On a slot: a method puts another tensor there, which need not lie in memory as the saved one
/// does.
inline constexpr llvm::StringLiteral assignedAttr = "jit.assigned";
/// On such a slot: what is there, saved or assigned, is the first of its memory.
inline constexpr llvm::StringLiteral beginsAttr = "jit.begins";
/// On a slot: how many elements there are in the record of the archive that it was saved in, if it
/// is not all of that.
inline constexpr llvm::StringLiteral recordAttr = "jit.record";
/// On a slot: the name of the slot that has all of the memory that it was saved in, where calls may
/// see that; its own on that one.
inline constexpr llvm::StringLiteral partOfAttr = "jit.part_of";
/// On a slot: calls may leave it in one memory with others, and a method may see that: the name of
/// the first of them.
inline constexpr llvm::StringLiteral sharesAttr = "jit.shares";
/// On a slot: calls may leave it in one memory with others, and no method would see that.
inline constexpr llvm::StringLiteral unobservedAttr = "jit.unobserved";
/// On a slot: a method writes it in place.
inline constexpr llvm::StringLiteral writtenAttr = "jit.written_in_place";
/// On an argument or result of builtin type: the number of the ScalarType that it had, where the
/// type does not say it (unsigned and complex elements).
inline constexpr llvm::StringLiteral dtypeAttr = "jit.dtype";
/// On the module: second paths of slots and submodules, each with the first one as a string.
inline constexpr llvm::StringLiteral aliasesAttr = "jit.aliases";
/// On the module: the path of the archive that its weights lie in.
inline constexpr llvm::StringLiteral archiveAttr = "jit.archive";
/// On a tensor argument: gradients with respect to it are wanted.
inline constexpr llvm::StringLiteral requiresGradAttr = "jit.requires_grad";
/// On a tensor argument: the names of its sizes, one string each, empty for one that the type
/// knows. A size with a name is at least 2 and equal to all others of that name.
inline constexpr llvm::StringLiteral sizeNamesAttr = "jit.size_names";
/// On a tensor argument: the strides that it has in the caller's memory, in elements, where it is
/// not row-major there. Compiled code gets its elements row by row all the same.
inline constexpr llvm::StringLiteral stridesAttr = "jit.strides";
/// On the module: some function of the program asks for strides, or writes in place, so that
/// strides of module state matter.
inline constexpr llvm::StringLiteral asksStridesAttr = "jit.asks_strides";
/// On a function: were its arguments not row-major, something else might be a view or a copy of
/// what is written.
inline constexpr llvm::StringLiteral dependsOnStridesAttr = "jit.depends_on_strides";
/// On an argument: it is not the tensor at its path but all of the memory, of this number in the
/// call, that this tensor and others are parts of.
inline constexpr llvm::StringLiteral memoryAttr = "jit.memory";
/// On the function: the device that all its tensors are on, where it is not "cpu".
inline constexpr llvm::StringLiteral deviceAttr = "jit.device";
/// On the function: every size that its arguments' types leave open has a name. Sizes that the
/// types inside leave open are then equal wherever operands have to have one size; Lower guards
/// that, and a call for which it does not hold is not for this function.
inline constexpr llvm::StringLiteral symbolicAttr = "jit.symbolic";
/// The class of the exception of such a guard.
inline constexpr llvm::StringLiteral sizeGuardClass = "jit.UnequalSizes";
/// The class of a guard of what is not supported, where only the call can tell (Marshalling.cpp,
/// Run.c).
inline constexpr llvm::StringLiteral unsupportedClass = "jit.Unsupported";
/// On an argument: it is the gradient of the result of this number.
inline constexpr llvm::StringLiteral gradOfAttr = "jit.grad_of";
/// On an argument of a backward function: it is the value of this number that the forward kept.
inline constexpr llvm::StringLiteral residualAttr = "jit.residual";
/// On the function: one dictionary for each value that it gives, `value` made of flat results, and
/// what it is where it is not the call's result: `slot`, `mutates` (the path of an argument; with
/// `memory` all of the memory that this is a part of; with `strides` and `offset` not its elements
/// but the tensor that it is from then on, that many elements behind its first one) or `grad`. A
/// slot's tensor has `strides`
/// where it is not row-major, `?` being ShapedType::kDynamic, if the module has `jit.asks_strides`;
/// where it is a part of the memory of a slot, that is its `whole`, and `place` an offset and the
/// elements of all of that memory.
inline constexpr llvm::StringLiteral outputsAttr = "jit.outputs";
/// On jit.overwrite: it is what an `out=` argument takes. Eager PyTorch would resize that to the
/// value's sizes where an operator in place would broadcast the value.
inline constexpr llvm::StringLiteral outAttr = "jit.out";
/// On jit.become: the tensor becomes another one (`set_`), not a view of what it was.
inline constexpr llvm::StringLiteral otherAttr = "jit.other";
/// On jit.overwrite: what eager PyTorch would cast the value from. `category`: an operator's
/// result, of an element type that is of the same category as that of what is written or of a lower
/// one; `same`: of that element type alone, in which the operator would compute. Without it any.
inline constexpr llvm::StringLiteral castAttr = "jit.cast";

} // namespace jit

#endif // JIT_DIALECT_JIT_ENTRYATTRIBUTES_H
