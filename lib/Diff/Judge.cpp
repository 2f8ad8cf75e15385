//===- Judge.cpp - how far a result may be from what is expected ----------===//

#include "Judge.h"
#include "Numbers.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace jit {
using namespace runtime;

// A result may be off by so many of its last places, and by so many times what rounded operands do
// to it. A fused loop may hold an operand that was not rounded yet, and a sum adds in another
// order: either is a few times the least. What is wrong is off by far more.
static constexpr double lastPlaces = 64, lastPlacesOfHalves = 4, timesMoved = 16;
/// Where the roundings of a whole program have come together.
static constexpr double lastPlacesOfPrograms = 1024, lastPlacesOfHalfPrograms = 16;
/// What a convolution may lose of the largest element where numerics are fast (jit/Numerics.h).
static constexpr double fastLoss = 1e-5;

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static std::optional<Mismatch> compareKinds(const Numbers &expected, const Numbers &got) {
  if (expected.isFloat() == got.isFloat() && expected.sizes() == got.sizes() &&
      (expected.isFloat() || expected.type() == got.type()))
    return std::nullopt;
  return Mismatch{.type = got.typeString(),
                  .note = "expected " + expected.typeString() + ", got " + got.typeString()};
}

static std::vector<int64_t> positionOf(const Numbers &numbers, int64_t i) {
  std::vector<int64_t> position(numbers.sizes().size());
  int64_t whole = 1;
  for (int64_t size : numbers.sizes())
    whole *= size;
  i = whole ? i * whole / numbers.size() : 0; // a complex element is two numbers
  for (size_t dim = position.size(); dim-- > 0;) {
    position[dim] = i % numbers.sizes()[dim];
    i /= numbers.sizes()[dim];
  }
  return position;
}

/// Each element against its own bound. NaN is equal to NaN alone, and infinity to infinity; what
/// f64 holds and the type does not is infinity there.
static std::optional<Mismatch> compareElements(const Numbers &expected, const Numbers &got,
                                               const std::function<double(int64_t)> &allowed) {
  Mismatch found{.type = got.typeString(), .elements = got.size()};
  double furthest = -1;
  for (int64_t i = 0; i < got.size(); ++i) {
    double is = got[i], should = expected[i], bound = allowed(i), excess = 0;
    if (!got.isFloat())
      excess =
          expected.integer(i) == got.integer(i) ? 0 : std::fmax(1, std::abs(should - is)) - bound;
    else if (std::isnan(should) || std::isnan(is))
      excess = std::isnan(should) && std::isnan(is) ? 0 : INFINITY;
    else if (std::isinf(is) && std::signbit(is) == std::signbit(should) &&
             std::abs(should) + bound >= largest(got.type()))
      excess = 0;
    else
      excess = is == should ? 0 : std::abs(is - should) - bound;
    if (!(excess > 0))
      continue;
    ++found.beyond;
    if (excess <= furthest)
      continue;
    furthest = excess;
    found.position = positionOf(got, i);
    found.expected = should;
    found.got = is;
    found.allowed = bound;
  }
  return found.beyond ? std::optional(found) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// One operator
//===----------------------------------------------------------------------===//

/// The sign by which an element of an operand is moved. The first pair moves operands against each
/// other, so that a difference shows what it loses; the others each element its own way.
static double signOf(unsigned pair, size_t operand, int64_t element) {
  if (pair == 0)
    return operand % 2 ? -1 : 1;
  uint64_t mixed =
      (uint64_t(pair) << 56 ^ uint64_t(operand) << 40 ^ uint64_t(element)) * 0x9E3779B97F4A7C15u;
  return (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u >> 63 ? -1 : 1;
}

static Result<std::vector<Value>> runMoved(Executor &reference, std::span<const Value> operands,
                                           unsigned pair, double direction) {
  std::vector<Value> moved;
  for (size_t operand = 0; operand < operands.size(); ++operand) {
    auto *tensor = operands[operand].getIf<Tensor>();
    double unit = tensor ? unitRoundoff(tensor->type()) * direction : 0;
    auto value = widened(operands[operand], [&](double element, int64_t i) {
      return element * (1 + unit * signOf(pair, operand, i));
    });
    if (!value)
      return value.takeError();
    moved.push_back(std::move(*value));
  }
  return reference.run(moved);
}

Result<Expectation> Expectation::make(Executor &reference, std::span<const Value> operands,
                                      bool isWide, bool isPointwise) {
  Expectation made;
  made.isPointwise = isPointwise;
  int64_t elements = 0;
  for (const Value &operand : operands)
    if (auto *tensor = operand.getIf<Tensor>(); tensor && Numbers(operand).isFloat())
      elements += tensor->numElements();
  auto run = [&](auto result, auto &into) -> Result<void> {
    if (!result)
      return result.takeError();
    into = std::move(*result);
    return {};
  };
  auto first = isWide ? runMoved(reference, operands, 0, 0) : reference.run(operands);
  if (auto done = run(std::move(first), made.expected); !done)
    return done.takeError();
  unsigned pairs = !isWide || !elements ? 0 : elements > 1000000 ? 2 : 4;
  for (unsigned pair = 0; pair < pairs; ++pair) {
    auto &[up, down] = made.pairs.emplace_back();
    // An operand that is moved may raise where the right one does not: then it says nothing.
    if (!run(runMoved(reference, operands, pair, 1), up) ||
        !run(runMoved(reference, operands, pair, -1), down))
      made.pairs.pop_back();
  }
  for (size_t result = 0; result < made.expected.size(); ++result) {
    Numbers numbers(made.expected[result]);
    double most = 0, largestElement = 0;
    for (int64_t i = 0; i < numbers.size(); ++i) {
      most = std::fmax(most, made.moved(result, i));
      if (std::isfinite(numbers[i]))
        largestElement = std::fmax(largestElement, std::abs(numbers[i]));
    }
    made.movedMost.push_back(most);
    made.largestOf.push_back(largestElement);
  }
  return made;
}

/// How far rounded operands move an element: of each pair the lesser, since a step (of `floor` at a
/// whole number) is on one side.
double Expectation::moved(size_t result, int64_t element) const {
  double most = 0, should = Numbers(expected[result])[element];
  for (const auto &[up, down] : pairs) {
    Numbers above(up[result]), below(down[result]);
    if (above.size() <= element || below.size() <= element)
      continue;
    double lesser = std::fmin(std::abs(above[element] - should), std::abs(below[element] - should));
    if (std::isfinite(lesser))
      most = std::fmax(most, lesser);
  }
  return most;
}

/// Whether rounded operands change the outcome of a comparison.
bool Expectation::flips(size_t result, int64_t element) const {
  double should = Numbers(expected[result])[element];
  return llvm::any_of(pairs, [&](const auto &pair) {
    return Numbers(pair.first[result])[element] != should ||
           Numbers(pair.second[result])[element] != should;
  });
}

double Expectation::allowed(size_t result, int64_t element, ScalarType type) const {
  double places = elementSize(type) == 2 ? lastPlacesOfHalves : lastPlaces;
  double should = Numbers(expected[result])[element];
  double far = isPointwise ? moved(result, element) : movedMost[result];
  // Rounding within a sum is to the size of what is added: that of the result, or more.
  double size = isPointwise || !std::isfinite(should) ? std::abs(should) : largestOf[result] / 8;
  double own = std::isfinite(should) ? std::fmax(std::abs(should), size) : 0;
  return places * unitRoundoff(type) * own + timesMoved * far + 4 * smallestNormal(type);
}

std::optional<Mismatch> Expectation::judge(size_t result, const Value &got, bool isFast) const {
  Numbers should(expected[result]), is(got);
  if (auto mismatch = compareKinds(should, is))
    return mismatch;
  if (!is.isFloat())
    return compareElements(should, is, [&](int64_t i) {
      return is.type() == ScalarType::Bool && flips(result, i) ? 1 : 0;
    });
  double loss = isFast && is.type() == ScalarType::Float ? fastLoss * largestOf[result] : 0;
  return compareElements(should, is,
                         [&](int64_t i) { return allowed(result, i, is.type()) + loss; });
}

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

std::optional<Mismatch> compareByPlain(const Value &expected, const Value &got,
                                       const Value &plain) {
  Numbers should(expected), is(got), other(plain);
  if (auto mismatch = compareKinds(should, is))
    return mismatch;
  double off = 0, most = 0;
  for (int64_t i = 0; i < should.size() && other.size() == should.size(); ++i) {
    if (std::isfinite(should[i]) && std::isfinite(other[i]))
      off = std::fmax(off, std::abs(should[i] - other[i]));
    if (std::isfinite(should[i]))
      most = std::fmax(most, std::abs(should[i]));
  }
  double places = elementSize(is.type()) == 2 ? lastPlacesOfHalves : 2 * lastPlaces;
  double bound =
      timesMoved * off + places * unitRoundoff(is.type()) * most + 4 * smallestNormal(is.type());
  return compareElements(should, is, [&](int64_t) { return bound; });
}

std::optional<Mismatch> compareWithRecorded(const Tensor &expected, const Value &got) {
  Value value(expected);
  Numbers should(value), is(got);
  bool isScalar = !got.getIf<Tensor>() && should.size() == 1;
  if (!isScalar && (should.type() != is.type() || should.sizes() != is.sizes()))
    return Mismatch{.type = is.typeString(),
                    .note = "PyTorch made " + should.typeString() + ", this is " + is.typeString()};
  double most = 0;
  for (int64_t i = 0; i < should.size(); ++i)
    if (std::isfinite(should[i]))
      most = std::fmax(most, std::abs(should[i]));
  double places = elementSize(is.type()) == 2 ? lastPlacesOfHalfPrograms : lastPlacesOfPrograms;
  double bound =
      is.isFloat() ? places * unitRoundoff(is.type()) * most + smallestNormal(is.type()) : 0;
  return compareElements(should, is, [&](int64_t) { return bound; });
}

} // namespace jit
