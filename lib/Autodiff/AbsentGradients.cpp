//===- AbsentGradients.cpp - gradients that some calls have not -----------===//

#include "Reverse.h"
#include "jit/Dialect/Aten/Lists.h"

using namespace mlir;

namespace jit {

Value isValue(OpBuilder &b, Location loc, Value condition, bool value) {
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(!value));
  return arith::XOrIOp::create(b, loc, condition, no);
}

std::optional<Reverse::Presence> Reverse::presenceOf(Operation *op, OpBuilder &b,
                                                     const GradientMap &gradients) const {
  std::optional<Presence> all;
  for (Value result : op->getResults()) {
    if (!gradients.contains(result))
      continue;
    auto one = presences.find(result);
    if (one == presences.end())
      return std::nullopt;
    if (!all)
      all = one->second;
    else if (all->holds != one->second.holds)
      all = {arith::OrIOp::create(b, op->getLoc(), all->holds, one->second.holds), false};
    all->isZeroElse &= one->second.isZeroElse;
  }
  return all;
}

void Reverse::settle(Value value, OpBuilder &b, GradientMap &gradients) {
  auto found = presences.find(value);
  if (found == presences.end())
    return;
  Presence presence = found->second;
  presences.erase(found);
  Value &gradient = gradients[value];
  if (presence.isZeroElse || isZeros(gradient))
    return;
  Location loc = gradient.getLoc();
  auto present = [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, gradient); };
  auto absent = [&](OpBuilder &inside, Location) {
    scf::YieldOp::create(inside, loc, zerosFor(inside, loc, gradient));
  };
  gradient = scf::IfOp::create(b, loc, presence.holds, present, absent).getResult(0);
}

/// The results of `op`, and the values to which its rules give gradients without a look at
/// presences.
void Reverse::settleUsed(Operation *op, OpBuilder &b, GradientMap &gradients) {
  if (presences.empty())
    return;
  for (Value result : op->getResults())
    settle(result, b, gradients);
  if (isa<scf::IfOp, arith::SelectOp>(op))
    return;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      settle(operand, b, gradients);
      if (isa<ListType>(operand.getType()))
        for (const ListPiece &piece : listPieces(operand).value_or(SmallVector<ListPiece>()))
          settle(piece.tensor, b, gradients);
    }
  });
}

void Reverse::settleAll(OpBuilder &b, GradientMap &gradients) {
  for (auto &[value, gradient] : gradients)
    settle(value, b, gradients);
}

void Reverse::add(OpBuilder &b, Location loc, GradientMap &gradients, Value value, Value gradient,
                  std::optional<Presence> presence) {
  auto known = presences.find(value);
  bool isFirst = !gradients.contains(value);
  if (!isFirst && known != presences.end() && presence && known->second.holds == presence->holds) {
    known->second.isZeroElse &= presence->isZeroElse;
    return accumulate(b, loc, gradients, value, gradient);
  }
  std::optional<Presence> both;
  if (presence && !isFirst && known != presences.end())
    both = {arith::OrIOp::create(b, loc, known->second.holds, presence->holds), true};
  settle(value, b, gradients);
  if (isFirst && presence) {
    gradients[value] = gradient;
    presences[value] = *presence;
    return;
  }
  if (presence) {
    GradientMap alone;
    alone[value] = gradient;
    presences[value] = *presence;
    settle(value, b, alone);
    gradient = alone.lookup(value);
  }
  accumulate(b, loc, gradients, value, gradient);
  if (both)
    presences[value] = *both;
}

} // namespace jit
