//===- DecodeSizes.cpp - which expression a row of numbers is -------------===//

#include "SizeExpressions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace jit {

std::string sympyInteger(int64_t value) { return "Integer(" + std::to_string(value) + ")"; }

static std::string product(int64_t factor, const std::string &of) {
  return factor == 1 ? of : "Mul(" + sympyInteger(factor) + ", " + of + ")";
}

template <typename Function>
bool SizeExpressions::holds(const Samples &samples, Function function) const {
  return llvm::all_of(llvm::zip(points, samples),
                      [&](auto pair) { return function(std::get<0>(pair)) == std::get<1>(pair); });
}

/// A number of each symbol, and one more.
std::optional<std::string> SizeExpressions::decodeSum(const Samples &samples) const {
  Point slopes;
  int64_t rest = samples.front();
  std::vector<std::string> terms;
  for (size_t i = 0; i < symbols.size(); ++i) {
    size_t first = firstPoint(i);
    slopes.push_back(samples[first + 1] - samples[first]);
    rest -= slopes.back() * points.front()[i];
    if (slopes.back() != 0)
      terms.push_back(product(slopes.back(), symbols[i].expression));
  }
  auto sum = [&](const Point &point) {
    int64_t value = rest;
    for (auto [slope, symbol] : llvm::zip(slopes, point))
      value += slope * symbol;
    return value;
  };
  if (!holds(samples, sum))
    return std::nullopt;
  if (rest != 0)
    terms.push_back(sympyInteger(rest));
  return terms.size() == 1 ? terms.front() : "Add(" + llvm::join(terms, ", ") + ")";
}

/// A number of times the product of the symbols that it depends on.
std::optional<std::string> SizeExpressions::decodeProduct(const Samples &samples) const {
  std::vector<size_t> factors;
  std::vector<std::string> terms;
  int64_t of = 1;
  for (size_t i = 0; i < symbols.size(); ++i)
    if (samples[firstPoint(i)] != samples[firstPoint(i) + run - 1]) {
      factors.push_back(i);
      terms.push_back(symbols[i].expression);
      of *= points.front()[i];
    }
  int64_t factor = samples.front() / of;
  auto times = [&](const Point &point) {
    int64_t value = factor;
    for (size_t i : factors)
      value *= point[i];
    return value;
  };
  if (!holds(samples, times))
    return std::nullopt;
  if (factor != 1)
    terms.insert(terms.begin(), sympyInteger(factor));
  return "Mul(" + llvm::join(terms, ", ") + ")";
}

/// What strided windows leave: a number of times (symbol + offset) // step.
std::optional<std::string> SizeExpressions::decodeQuotient(const Samples &samples,
                                                           size_t symbol) const {
  std::vector<size_t> jumps;
  size_t first = firstPoint(symbol);
  for (size_t at = first + 1; at < first + run; ++at)
    if (samples[at] != samples[at - 1])
      jumps.push_back(at);
  if (jumps.size() < 2)
    return std::nullopt;
  int64_t step = jumps[1] - jumps[0], factor = samples[jumps[0]] - samples[jumps[0] - 1];
  if (factor == 0 || samples[jumps[0]] % factor != 0)
    return std::nullopt;
  // At a jump the quotient is a whole one.
  int64_t offset = samples[jumps[0]] / factor * step - points[jumps[0]][symbol];
  auto quotient = [&](const Point &point) { return (point[symbol] + offset) / step * factor; };
  if (!holds(samples, quotient))
    return std::nullopt;
  std::string of = symbols[symbol].expression;
  if (offset != 0)
    of = "Add(" + of + ", " + sympyInteger(offset) + ")";
  return product(factor, "FloorDiv(" + of + ", " + sympyInteger(step) + ")");
}

/// The numbers that make up `wanted` of the columns: by elimination, in floats, for who asks checks
/// what he gets. Nothing where more than one choice would do.
static std::optional<std::vector<int64_t>> solve(std::vector<std::vector<long double>> rows,
                                                 size_t columns) {
  for (size_t column = 0; column < columns; ++column) {
    auto largest = std::max_element(rows.begin() + column, rows.end(), [&](auto &a, auto &b) {
      return std::abs(a[column]) < std::abs(b[column]);
    });
    if (largest == rows.end() || std::abs((*largest)[column]) < 1e-6)
      return std::nullopt;
    std::swap(rows[column], *largest);
    for (size_t row = 0; row < rows.size(); ++row) {
      long double factor = row == column ? 0 : rows[row][column] / rows[column][column];
      for (size_t i = column; factor != 0 && i <= columns; ++i)
        rows[row][i] -= factor * rows[column][i];
    }
  }
  std::vector<int64_t> factors;
  for (size_t column = 0; column < columns; ++column)
    factors.push_back(std::llround(rows[column][columns] / rows[column][column]));
  return factors;
}

/// A number of each symbol and of each product of two, and one more.
std::optional<std::string> SizeExpressions::decodeProducts(const Samples &samples) const {
  std::vector<std::pair<size_t, size_t>> terms;
  size_t none = symbols.size();
  for (size_t i = 0; i <= none; ++i)
    for (size_t j = i; j <= none; ++j)
      terms.push_back({i, j});
  auto termAt = [&](const Point &point, std::pair<size_t, size_t> term) {
    int64_t left = term.first == none ? 1 : point[term.first];
    return left * (term.second == none ? 1 : point[term.second]);
  };
  if (terms.size() > checks)
    return std::nullopt;
  std::vector<std::vector<long double>> rows;
  for (size_t at = points.size() - checks; at < points.size(); ++at) {
    std::vector<long double> &row = rows.emplace_back();
    for (auto term : terms)
      row.push_back(termAt(points[at], term));
    row.push_back(samples[at]);
  }
  auto factors = solve(std::move(rows), terms.size());
  auto sum = [&](const Point &point) {
    int64_t value = 0;
    for (auto [factor, term] : llvm::zip(*factors, terms))
      value += factor * termAt(point, term);
    return value;
  };
  if (!factors || !holds(samples, sum))
    return std::nullopt;
  std::vector<std::string> parts;
  for (auto [factor, term] : llvm::zip(*factors, terms)) {
    if (factor == 0)
      continue;
    auto [i, j] = term;
    parts.push_back(i == none   ? sympyInteger(factor)
                    : j == none ? product(factor, symbols[i].expression)
                                : product(factor, "Mul(" + symbols[i].expression + ", " +
                                                      symbols[j].expression + ")"));
  }
  return parts.size() == 1 ? parts.front() : "Add(" + llvm::join(parts, ", ") + ")";
}

std::optional<std::string> SizeExpressions::decode(const Samples &samples) const {
  if (auto sum = decodeSum(samples))
    return sum;
  if (auto times = decodeProduct(samples))
    return times;
  if (auto sum = decodeProducts(samples))
    return sum;
  for (size_t symbol = 0; symbol < symbols.size(); ++symbol)
    if (auto quotient = decodeQuotient(samples, symbol))
      return quotient;
  return std::nullopt;
}

} // namespace jit
