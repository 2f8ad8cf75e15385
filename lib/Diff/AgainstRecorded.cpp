//===- AgainstRecorded.cpp - operators against what PyTorch made ----------===//

#include "AgainstRecorded.h"
#include "Judge.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mlir;

namespace jit {

/// "model.py:12 aten.mul": overloads are PyTorch's choice, and its writes in place are values here.
static std::string nameOf(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("aten."))
    return {};
  std::string place = describeLocation(op->getLoc());
  return llvm::sys::path::filename(place).str() + " aten." + name.split('.').first.trim('_').str();
}

AgainstRecorded::AgainstRecorded(func::FuncOp entry, const RecordedValues &recorded)
    : recorded(recorded) {
  std::map<std::string, SmallVector<Operation *>> byName;
  std::set<std::string> isInside;
  entry.walk([&](Operation *op) {
    std::string name = nameOf(op);
    if (name.empty())
      return;
    if (op->getParentOp() == entry)
      byName[name].push_back(op);
    else
      isInside.insert(name);
  });
  for (const auto &[name, operations] : byName) {
    if (isInside.count(name) || recorded.count(name) != operations.size())
      continue;
    for (auto [number, op] : llvm::enumerate(operations))
      expected[op] = recorded.find(name + "#" + std::to_string(number));
  }
}

std::optional<Mismatch> AgainstRecorded::judge(Operation *op, const runtime::Value &got) const {
  auto found = expected.find(op);
  return found == expected.end() ? std::nullopt : compareWithRecorded(*found->second, got);
}

std::optional<Mismatch> AgainstRecorded::judgeResult(size_t number, size_t count,
                                                     const runtime::Value &got) const {
  const runtime::Tensor *value = recorded.find("result#" + std::to_string(number));
  // A file of one array says what the first result is, whatever else there is.
  bool isOne = recorded.size() == 1 && number == 0;
  return value && (isOne || recorded.count("result") == count) ? compareWithRecorded(*value, got)
                                                               : std::nullopt;
}

} // namespace jit
