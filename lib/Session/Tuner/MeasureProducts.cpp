//===- MeasureProducts.cpp - the fastest cuts of products, measured --------===//
#include "Diagnostics.h"
#include "ProductTuner.h"
#include "jit/Codegen/Cpu.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Runtime/Executor.h"
#include "jit/Runtime/ThreadPool.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <limits>

using namespace mlir;

namespace jit {
using namespace codegen;
using namespace runtime;

static constexpr llvm::StringLiteral entryName = "product";
/// Rounds in which every cut has its turn, and the seconds of a turn.
static constexpr int rounds = 5;
static constexpr double turn = 0.004;
/// A cut that is not faster by this factor is noise.
static constexpr double leastGain = 0.98;

/// A module whose one entry computes the product alone, from zero.
static OwningOpRef<ModuleOp> moduleOf(linalg::LinalgOp product, std::array<bool, 2> isFixed) {
  Location loc = UnknownLoc::get(product.getContext());
  OpBuilder b(product.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, loc);
  b.setInsertionPointToStart(module->getBody());
  SmallVector<Type> arguments(ValueRange(product.getDpsInputs()).getTypes());
  auto result = cast<RankedTensorType>(product->getResult(0).getType());
  auto func = func::FuncOp::create(b, loc, entryName, b.getFunctionType(arguments, {result}));
  for (auto [i, fixed] : llvm::enumerate(isFixed))
    if (fixed)
      func.setArgAttr(i, weightAttr, b.getStringAttr(std::to_string(i)));
  Block *body = func.addEntryBlock();
  b.setInsertionPointToStart(body);
  mlir::Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(result.getElementType()));
  mlir::Value empty = tensor::EmptyOp::create(b, loc, result.getShape(), result.getElementType());
  mlir::Value cleared = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  SmallVector<mlir::Value> operands(body->getArguments());
  operands.push_back(cleared);
  Operation *copy = mlir::clone(b, product, product->getResultTypes(), operands);
  func::ReturnOp::create(b, loc, copy->getResults());
  return module;
}

void ProductTuner::found(Operation *product, const std::string &text, std::array<bool, 2> isFixed,
                         llvm::ArrayRef<ProductCut> cuts) {
  auto known = llvm::find_if(products, [&](const Product &other) { return other.text == text; });
  if (known != products.end())
    ++known->count;
  else
    products.push_back({text, 1, moduleOf(cast<linalg::LinalgOp>(product), isFixed),
                        llvm::SmallVector<ProductCut>(cuts)});
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// Numbers around zero, none of them denormal.
static Result<Tensor> numbers(const ValueType &type) {
  auto tensor = Tensor::allocate(type.scalar, type.sizes);
  if (!tensor)
    return tensor.takeError();
  for (int64_t i = 0; i < tensor->numElements(); ++i) {
    double number = double(i * 7919 % 1009) / 1009 - 0.5;
    if (type.scalar == ScalarType::Double)
      tensor->mutableAs<double>()[i] = number;
    else
      tensor->mutableAs<float>()[i] = float(number);
  }
  return tensor;
}

namespace {

/// Told where a product is none of the table's.
struct Misses : ProductListener {
  bool any = false;
  void found(Operation * /*product*/, const std::string & /*text*/, std::array<bool, 2> /*isFixed*/,
             llvm::ArrayRef<ProductCut> /*cuts*/) override {
    any = true;
  }
};

/// One cut of a product, or the model's where it has none, ready to run.
struct Candidate {
  std::optional<ProductCut> cut;
  /// Alone the product may be brought to another form than in its program: then the cut is not its.
  bool applies = true;
  std::unique_ptr<Executor> executor = nullptr;
  std::vector<Value> inputs = {};
  double seconds = std::numeric_limits<double>::infinity();

  Result<void> compile(ModuleOp product, ThreadPool &pool, llvm::StringRef text);
  Result<void> run();
};

} // namespace

Result<void> Candidate::compile(ModuleOp product, ThreadPool &pool, llvm::StringRef text) {
  DiagnosticCollector diagnostics(product.getContext());
  OwningOpRef<ModuleOp> module = product.clone();
  TileTable chosen(hostMachine().cpu);
  if (cut)
    chosen.set(text, *cut);
  Misses misses;
  CodegenOptions options;
  options.tuning = {&chosen, cut ? &misses : nullptr};
  options.numerics = Numerics::Strict; // as a product: it was none for Winograd's algorithm
  auto artifact = compileToArtifact(*module, options);
  if (failed(artifact))
    return diagnostics.toError(ErrorCode::Internal, "expected a product that can be compiled");
  applies = !misses.any;
  const Entry *entry = (*artifact)->find(entryName);
  auto weight = [&](const std::string &name) -> Result<Tensor> {
    for (const ArgumentInfo &argument : entry->arguments)
      if (argument.name == name)
        return numbers(argument.type);
    return Error{ErrorCode::Internal, "expected a weight, got '" + name + "'"};
  };
  auto made = Executor::create(*artifact, entryName, weight, &pool);
  if (!made)
    return made.takeError();
  executor = std::move(*made);
  for (const ArgumentInfo &argument : executor->entry().arguments) {
    if (argument.kind != ArgumentKind::Input)
      continue;
    auto tensor = numbers(argument.type);
    if (!tensor)
      return tensor.takeError();
    inputs.push_back(Value(std::move(*tensor)));
  }
  return {};
}

/// One turn.
Result<void> Candidate::run() {
  using Clock = std::chrono::steady_clock;
  auto secondsSince = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  auto begin = Clock::now();
  do {
    auto start = Clock::now();
    if (auto result = executor->run(inputs); !result)
      return result.takeError();
    seconds = std::min(seconds, secondsSince(start));
  } while (secondsSince(begin) < turn);
  return {};
}

static std::string describe(const ProductCut &cut) {
  std::string text = llvm::formatv("{0} vectors x {1}", cut.tile.vectors, cut.tile.points[0]);
  if (cut.tile.points[1] != 1)
    text += " x " + std::to_string(cut.tile.points[1]);
  return text + (cut.packed < 0 ? ", unpacked" : ", packed " + std::to_string(cut.packed));
}

Result<std::string> ProductTuner::measure(Product &product, ThreadPool &pool, double &before,
                                          double &after) {
  std::vector<Candidate> candidates(1);
  for (const ProductCut &cut : product.cuts)
    candidates.push_back({cut});
  for (Candidate &candidate : candidates)
    if (auto done = candidate.compile(*product.module, pool, product.text); !done)
      return done.takeError();
  llvm::erase_if(candidates, [](const Candidate &candidate) { return !candidate.applies; });
  for (int round = 0; round < rounds; ++round)
    for (Candidate &candidate : candidates)
      if (auto done = candidate.run(); !done)
        return done.takeError();
  auto fastest = llvm::min_element(
      candidates, [](const auto &a, const auto &b) { return a.seconds < b.seconds; });
  const Candidate &model = candidates.front();
  bool gains = fastest->seconds < leastGain * model.seconds;
  if (gains)
    table->set(product.text, *fastest->cut);
  before += product.count * model.seconds;
  after += product.count * (gains ? fastest->seconds : model.seconds);
  return llvm::formatv("{0,9:F4} ms -> {1,9:F4} ms  {2} x {3}  {4}\n", 1e3 * model.seconds,
                       1e3 * (gains ? fastest->seconds : model.seconds), product.count,
                       product.text, gains ? describe(*fastest->cut) : "as the model has it")
      .str();
}

Result<std::string>
ProductTuner::measure(ThreadPool &pool, const std::function<void(const std::string &)> &progress) {
  std::string report;
  double before = 0, after = 0;
  for (auto [i, product] : llvm::enumerate(products)) {
    if (progress)
      progress(llvm::formatv("tune: product {0} of {1}", i + 1, products.size()));
    auto line = measure(product, pool, before, after);
    if (!line)
      return line;
    report += *line;
  }
  if (progress)
    progress("");
  report += llvm::formatv("{0,9:F4} ms -> {1,9:F4} ms  all {2} kinds of products\n", 1e3 * before,
                          1e3 * after, products.size());
  products.clear();
  return report;
}

} // namespace jit
