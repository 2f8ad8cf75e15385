//===- Polynomials.cpp - builders for the rules of Polynomials.td ---------===//

#include "Rules/Polynomials.h"

using namespace mlir;

namespace jit {

/// From the polynomials of order k + 1 and k to that of order k + 2.
using Recurrence = llvm::function_ref<Element(Element k, Element here, Element before)>;

static Element polynomialOf(Element order, Element first, Recurrence next) {
  Element whole = trunc(order), one = constant(*order.b, 1);
  Element last = iterated(whole - 1.0, {first, one}, [&](Element k, ArrayRef<Element> now) {
                   return SmallVector<Element>{next(k, now[0], now[1]), now[0]};
                 }).front();
  Element low = select(whole == 0.0, one, constant(*order.b, 0));
  return select(whole >= 1.0, last, low);
}

Element chebyshev(Element x, Element order, Element first) {
  return polynomialOf(
      order, first, [&](Element, Element here, Element before) { return (x + x) * here - before; });
}

Element hermite(Element x, Element order, double scale) {
  return polynomialOf(order, x * scale, [&](Element k, Element here, Element before) {
    return x * scale * here - (k + 1.0) * scale * before;
  });
}

Element laguerre(Element x, Element order) {
  return polynomialOf(order, 1.0 - x, [&](Element k, Element here, Element before) {
    return ((k * 2.0 + 3.0 - x) * here - (k + 1.0) * before) / (k + 2.0);
  });
}

Element legendre(Element x, Element order) {
  return polynomialOf(order, x, [&](Element k, Element here, Element before) {
    return ((k * 2.0 + 3.0) * x * here - (k + 1.0) * before) / (k + 2.0);
  });
}

} // namespace jit
