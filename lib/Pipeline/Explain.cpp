//===- Explain.cpp - remarks as lines of text -----------------------------===//

#include "jit/Pipeline/Explain.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace mlir;

namespace jit {

namespace {

class LineStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit LineStreamer(std::function<void(StringRef)> take) : take(std::move(take)) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string where = describeLocation(remark.getLocation());
    std::string line = (where.empty() ? "" : where + ": ") + remark.getCategoryName().str() + ": ";
    for (const auto &part : remark.getArgs())
      line += part.val;
    std::lock_guard<std::mutex> lock(mutex);
    take(line);
  }

private:
  std::function<void(StringRef)> take;
  std::mutex mutex; // functions are compiled beside each other
};

} // namespace

void explainTo(MLIRContext &context, std::function<void(StringRef)> take) {
  std::string all = ".*";
  remark::RemarkCategories every{all, all, all, all, all};
  // Fails only where a filter is no regular expression.
  (void)remark::enableOptimizationRemarks(context, std::make_unique<LineStreamer>(std::move(take)),
                                          std::make_unique<remark::RemarkEmittingPolicyAll>(),
                                          every);
}

namespace {

/// A pass, so that it stands where listening is to begin.
struct ExplainPass : PassWrapper<ExplainPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExplainPass)

  StringRef getArgument() const override { return "jit-explain"; }
  StringRef getDescription() const override {
    return "Says on stderr what the passes after it do to the program, and what not and why";
  }
  void runOnOperation() override {
    explainTo(getContext(), [](StringRef line) { llvm::errs() << line << '\n'; });
  }
};

} // namespace

void registerExplainPass() { PassRegistration<ExplainPass>(); }

} // namespace jit
