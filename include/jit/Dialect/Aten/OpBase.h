//===- OpBase.h - what an operator of aten is made of -----------*- C++ -*-===//
//
// The interfaces and traits that the records name. Every family's header includes this, and little
// else should: a change here compiles all operators again.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_OPBASE_H
#define JIT_DIALECT_ATEN_OPBASE_H

#include "jit/Dialect/Aten/Decomposed.h"
#include "jit/Dialect/Aten/Layout.h"
#include "jit/Dialect/Jit/Jit.h"

namespace jit {
struct GradBuilder;
} // namespace jit

#include "jit/Dialect/Aten/AtenInterfaces.h.inc"

#include "jit/Dialect/Aten/AtenDialect.h.inc"

namespace jit {

/// An operator whose result is an operand or a part of one: it computes nothing, so it is replaced
/// as early as the operators that give no tensor.
template <typename ConcreteOp>
class PicksElement : public mlir::OpTrait::TraitBase<ConcreteOp, PicksElement> {};

/// A composition whose result type follows from its body alone. Its result may be an operand: it
/// has to stay whole while memory is written in place.
template <typename ConcreteOp>
class DecomposesEarly : public mlir::OpTrait::TraitBase<ConcreteOp, DecomposesEarly> {};

/// An operator whose result PyTorch need not hold row-major where it holds all operands so.
template <typename ConcreteOp>
class GivesUnusualStrides : public mlir::OpTrait::TraitBase<ConcreteOp, GivesUnusualStrides> {};

/// An operator whose result is new memory, row-major whatever the strides of its operands.
template <typename ConcreteOp>
class GivesRows : public mlir::OpTrait::TraitBase<ConcreteOp, GivesRows> {};

/// New memory that is row-major where the operands' dimensions lie in that order, with gaps or
/// without. Of 4 and 5 dimensions the channels come last if an operand's do.
template <typename ConcreteOp>
class KeepsChannelsLast : public mlir::OpTrait::TraitBase<ConcreteOp, KeepsChannelsLast> {};

/// An operator whose result is new memory, row-major where its first operand has at least the
/// dimensions of the second.
template <typename ConcreteOp>
class GivesRowsOfLarger : public mlir::OpTrait::TraitBase<ConcreteOp, GivesRowsOfLarger> {};

/// An operator all elements of whose result are one number.
template <typename ConcreteOp>
class GivesOneNumber : public mlir::OpTrait::TraitBase<ConcreteOp, GivesOneNumber> {};

/// An operator that says something of gradients alone: where none are to come it is its body.
template <typename ConcreteOp>
class OfGradientsAlone : public mlir::OpTrait::TraitBase<ConcreteOp, OfGradientsAlone> {};

/// An operator that goes over the steps of a sequence, and becomes a loop.
template <typename ConcreteOp>
class OverSequence : public mlir::OpTrait::TraitBase<ConcreteOp, OverSequence> {};

/// An operator that goes over the elements along a dimension. Where there is one number, or none,
/// PyTorch writes that, whatever the element type of what it is written to.
template <typename ConcreteOp>
class ScansElements : public mlir::OpTrait::TraitBase<ConcreteOp, ScansElements> {};

/// An operator whose result may be an operand, or a view of one, though its schema does not say so.
template <typename ConcreteOp>
class MayGiveOperand : public mlir::OpTrait::TraitBase<ConcreteOp, MayGiveOperand> {};

/// An operator that divides each element of a tensor by its second operand; where these are
/// integers its result is, too, and zeros there are an error on CPUs.
template <typename ConcreteOp>
class DividesElements : public mlir::OpTrait::TraitBase<ConcreteOp, DividesElements> {};

/// An operator that PyTorch computes in the element type of an `out=`, to which it casts its
/// operand first, and cannot be told so: it has no `dtype`.
template <typename ConcreteOp>
class ComputesInOut : public mlir::OpTrait::TraitBase<ConcreteOp, ComputesInOut> {};

/// An operator that gives new memory with the strides of its first operand, or with those of the
/// memory format that is its last operand.
template <typename ConcreteOp>
class KeepsStrides : public mlir::OpTrait::TraitBase<ConcreteOp, KeepsStrides> {};

/// An operator that gives a copy of all the memory that its first operand is a part of, under the
/// strides and from the place of that operand.
template <typename ConcreteOp>
class CopiesStorage : public mlir::OpTrait::TraitBase<ConcreteOp, CopiesStorage> {};

/// A view that may be the very tensor that its operand is, not another one of the same memory.
template <typename ConcreteOp>
class MayBeSelf : public mlir::OpTrait::TraitBase<ConcreteOp, MayBeSelf> {};

/// An operator whose result follows from the strides of an operand, or from where its memory
/// begins.
template <typename ConcreteOp>
class AsksStrides : public mlir::OpTrait::TraitBase<ConcreteOp, AsksStrides> {};

/// A view that may show an element of its operand in several places.
template <typename ConcreteOp>
class RepeatsElements : public mlir::OpTrait::TraitBase<ConcreteOp, RepeatsElements> {};

/// An operator whose lowering takes sizes from its operands where types leave them open.
template <typename ConcreteOp>
class TakesOpenSizes : public mlir::OpTrait::TraitBase<ConcreteOp, TakesOpenSizes> {};

/// An operator that takes a number where a tensor may stand, which PyTorch makes a tensor of.
template <typename ConcreteOp>
class TakesNumberAsTensor : public mlir::OpTrait::TraitBase<ConcreteOp, TakesNumberAsTensor> {};

/// An operator that draws random numbers; the pass jit-seed-random says from where.
template <typename ConcreteOp>
class DrawsNumbers : public mlir::OpTrait::TraitBase<ConcreteOp, DrawsNumbers> {};

namespace aten {

/// The text of any operator: its operands, its attributes, its type as a function. One code for all
/// of them, where ODS would write it into each.
mlir::ParseResult parseOperator(mlir::OpAsmParser &parser, mlir::OperationState &result);
void printOperator(mlir::OpAsmPrinter &printer, mlir::Operation *op);

} // namespace aten
} // namespace jit

#endif // JIT_DIALECT_ATEN_OPBASE_H
