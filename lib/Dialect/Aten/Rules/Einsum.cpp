//===- Einsum.cpp - sums over products, by a letter for each dimension ----===//
//
// Operands are multiplied one after the other, each pair as one batched product of matrices; what
// no later operand and not the result names is summed over as early as possible.
//
//===----------------------------------------------------------------------===//

#include "Rules/Algebra.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/View.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit {
namespace {

/// A letter, or a number from `ellipsis` on for what "..." stands for, counted from the back.
using Label = int64_t;
using Labels = SmallVector<Label>;
constexpr Label ellipsis = 1000;

struct Term {
  Tensor tensor;
  Labels labels;

  int64_t dimOf(Label label) const { return llvm::find(labels, label) - labels.begin(); }
};

/// The size of a label, as that of a dimension of some operand.
struct Extent {
  Tensor tensor;
  int64_t dim;

  int64_t known() const { return tensor.info().size(dim); }
  Int size() const { return sizeOf(tensor, dim); }
};
using Extents = llvm::MapVector<Label, Extent>;

/// What an equation says; `isValid` is false for one that says nothing.
struct Equation {
  SmallVector<Labels> operands;
  Labels result;
  bool isValid = false;

  Equation(StringRef text, ArrayRef<int64_t> ranks);

private:
  static std::optional<Labels> parse(StringRef letters, int64_t hidden);
  void inferResult();
};

} // namespace

/// The labels of one operand, of which "..." stands for `hidden` dimensions.
std::optional<Labels> Equation::parse(StringRef letters, int64_t hidden) {
  Labels labels;
  while (!letters.empty()) {
    if (letters.consume_front("...")) {
      for (int64_t i = hidden; i > 0; --i)
        labels.push_back(ellipsis + i);
    } else if (llvm::isAlpha(letters.front())) {
      labels.push_back(letters.front());
      letters = letters.drop_front();
    } else {
      return std::nullopt;
    }
  }
  return labels;
}

/// Without "->": what is hidden, then every letter that appears once, in order.
void Equation::inferResult() {
  std::map<Label, int> counts;
  int64_t hidden = 0;
  for (const Labels &labels : operands)
    for (Label label : labels) {
      ++counts[label];
      hidden = std::max(hidden, label - ellipsis);
    }
  for (int64_t i = hidden; i > 0; --i)
    result.push_back(ellipsis + i);
  for (auto [label, count] : counts)
    if (count == 1 && label < ellipsis)
      result.push_back(label);
}

Equation::Equation(StringRef text, ArrayRef<int64_t> ranks) {
  std::string packed;
  llvm::copy_if(text, std::back_inserter(packed), [](char c) { return c != ' '; });
  auto [left, right] = StringRef(packed).split("->");
  SmallVector<StringRef> parts;
  left.split(parts, ',');
  if (parts.size() != ranks.size())
    return;
  int64_t mostHidden = 0;
  for (auto [part, rank] : llvm::zip(parts, ranks)) {
    bool hides = part.contains("...");
    int64_t hidden = rank - int64_t(part.size()) + (hides ? 3 : 0);
    auto labels = parse(part, hidden);
    if (!labels || hidden < 0 || (hidden > 0 && !hides))
      return;
    mostHidden = std::max(mostHidden, hidden);
    operands.push_back(*labels);
  }
  if (!StringRef(packed).contains("->")) {
    inferResult();
    isValid = true;
  } else if (auto labels = parse(right, mostHidden)) {
    result = *labels;
    isValid = true;
  }
}

/// One dimension for each label: diagonals of those that are named twice.
static Term withoutRepeats(Term term) {
  for (size_t i = 0; i < term.labels.size(); ++i)
    for (size_t j = i + 1; j < term.labels.size(); ++j) {
      if (term.labels[i] != term.labels[j])
        continue;
      Label label = term.labels[i];
      term.tensor = term.tensor.b->op<aten::DiagonalOp>(term.tensor, 0, int64_t(i), int64_t(j));
      term.labels.erase(term.labels.begin() + j);
      term.labels.erase(term.labels.begin() + i);
      term.labels.push_back(label);
      return withoutRepeats(term);
    }
  return term;
}

/// Summed over the labels that are not in `kept`; those of size 1 are dropped where it is one of
/// several operands. A sum of integers has 64 bits.
static Term reducedTo(Term term, const llvm::SetVector<Label> &kept, bool isAlone) {
  for (int64_t dim = int64_t(term.labels.size()) - 1; dim >= 0 && !isAlone; --dim) {
    if (kept.contains(term.labels[dim]) || term.tensor.info().size(dim) != 1)
      continue;
    term.tensor = squeeze(term.tensor, dim);
    term.labels.erase(term.labels.begin() + dim);
  }
  SmallVector<int64_t> dims;
  Labels labels;
  for (auto [dim, label] : llvm::enumerate(term.labels)) {
    if (kept.contains(label))
      labels.push_back(label);
    else
      dims.push_back(dim);
  }
  return dims.empty() ? term : Term{sum(term.tensor, dims, false), labels};
}

/// The dimensions of `groups` in order, each group as one dimension; a missing label has size 1.
static Tensor arranged(Term term, ArrayRef<Labels> groups, const Extents &extents) {
  GraphBuilder &build = *term.tensor.b;
  SmallVector<int64_t> order;
  SmallVector<Int> expanded, joined;
  bool isRepeated = false;
  for (const Labels &group : groups) {
    joined.push_back(build.i(1));
    for (Label label : group) {
      if (!llvm::is_contained(term.labels, label)) {
        term.tensor = unsqueeze(term.tensor, -1);
        term.labels.push_back(label);
      }
      const Extent &extent = extents.find(label)->second;
      order.push_back(term.dimOf(label));
      isRepeated |= term.tensor.info().size(order.back()) == 1 && extent.known() != 1;
      expanded.push_back(extent.size());
      joined.back() = joined.back() * expanded.back();
    }
  }
  Tensor result = permute(term.tensor, order);
  if (isRepeated)
    result = build.op<aten::ExpandOp>(result, build.list(expanded), false);
  return build.op<aten::ReshapeOp>(result, build.list(joined));
}

/// The size of each label of two terms; nullopt where they do not go together. Sizes that types
/// leave open are compared in the call.
static std::optional<Extents> extentsOf(const Term &a, const Term &c) {
  Extents extents;
  for (const Term *term : {&a, &c})
    for (auto [dim, label] : llvm::enumerate(term->labels)) {
      Extent own{term->tensor, int64_t(dim)};
      auto [at, isNew] = extents.insert({label, own});
      Extent &so = at->second;
      if (isNew || own.known() == 1)
        continue;
      if (so.known() != 1 && !haveEqualSize(so.tensor, so.dim, own.tensor, own.dim))
        return std::nullopt;
      if (so.known() == 1 || so.known() == TensorType::kDynamic)
        so = own;
    }
  return extents;
}

/// The product of two terms, summed over all but `kept`; nullopt where sizes do not go together.
static std::optional<Term> multiplied(Term a, Term c, const llvm::SetVector<Label> &kept) {
  GraphBuilder &build = *a.tensor.b;
  auto extents = extentsOf(a, c);
  if (!extents)
    return std::nullopt;
  Labels batch, left, right, summed, labels;
  SmallVector<Int> split;
  for (auto &[label, extent] : *extents) {
    bool inA = llvm::is_contained(a.labels, label), inC = llvm::is_contained(c.labels, label);
    (!kept.contains(label) ? summed : inA && inC ? batch : inA ? left : right).push_back(label);
  }
  for (const Labels &group : {batch, left, right})
    for (Label label : group)
      labels.push_back(label), split.push_back(extents->find(label)->second.size());
  Tensor rows = arranged(a, {batch, left, summed}, *extents);
  Tensor columns = arranged(c, {batch, summed, right}, *extents);
  // Nothing to sum is no product of matrices to PyTorch either: autocast tells the two apart.
  Tensor product = summed.empty() ? rows * columns : matmul(rows, columns);
  return Term{build.op<aten::ReshapeOp>(product, build.list(split)), labels};
}

/// Adds the labels that a term is not repeated along: under the others, the other is summed alone.
static void addOwnLabels(llvm::SetVector<Label> &labels, const Term &term) {
  for (auto [dim, label] : llvm::enumerate(term.labels))
    if (term.tensor.info().size(int64_t(dim)) != 1)
      labels.insert(label);
}

Decomposition einsum(Str equation, TensorList tensors) {
  GraphBuilder &build = *equation.b;
  auto elements = tensors.elements();
  if (!equation.known() || !elements || elements->empty())
    return build.notYet("the value of the equation and the tensors");
  SmallVector<int64_t> ranks;
  for (Value element : *elements) {
    TensorInfo info(element);
    if (!isa<TensorType>(element.getType()) || !info.hasRank())
      return build.notYet("the rank of each tensor");
    ranks.push_back(info.rank());
  }
  Equation said(*equation.known(), ranks);
  if (!said.isValid)
    return build.notYet("an equation that fits the tensors");
  SmallVector<Term> terms;
  for (auto [element, labels] : llvm::zip(*elements, said.operands))
    terms.push_back(withoutRepeats({Tensor(build, element), labels}));

  // What the result or an operand after the i-th names.
  auto neededAfter = [&](size_t i) {
    llvm::SetVector<Label> labels(said.result.begin(), said.result.end());
    for (size_t later = i + 1; later < terms.size(); ++later)
      addOwnLabels(labels, terms[later]);
    return labels;
  };
  bool isAlone = terms.size() == 1;
  Term result = reducedTo(terms[0], neededAfter(0), isAlone);
  for (size_t i = 1; i < terms.size(); ++i) {
    llvm::SetVector<Label> needed = neededAfter(i), shared = needed;
    addOwnLabels(shared, result);
    Term next = reducedTo(terms[i], shared, isAlone);
    if (result.tensor.info().dtype() != next.tensor.info().dtype())
      return build.notYet("operands of one element type, each summed over what it alone has");
    auto product = multiplied(result, next, needed);
    if (!product)
      return build.notYet("sizes that are equal or 1 under each letter");
    result = *product;
  }
  SmallVector<int64_t> order;
  for (Label label : said.result) {
    const auto *at = llvm::find(result.labels, label);
    if (at == result.labels.end())
      return build.notYet("letters of the result that occur in an operand");
    order.push_back(at - result.labels.begin());
  }
  return permute(result.tensor, order);
}

} // namespace jit
