//===- ProductTuner.cpp - the table of products that a session has ----------===//

#include "ProductTuner.h"
#include "llvm/ADT/StringExtras.h"

namespace jit {
using namespace codegen;

Result<void> ProductTuner::open(const std::string &tablePath, bool isListening) {
  listens = isListening;
  if (tablePath.empty()) {
    if (listens)
      table.emplace(hostMachine().cpu);
    return {};
  }
  auto read = TileTable::read(tablePath);
  if (!read)
    return read.takeError();
  table = std::move(*read);
  path = tablePath;
  return {};
}

Result<void> ProductTuner::checkCpus(llvm::ArrayRef<std::string> names) const {
  if (path.empty() || llvm::is_contained(names, table->cpu()))
    return {};
  return Error{ErrorCode::InvalidArgument,
               "expected tiles for the CPU " + llvm::join(names, " or ") + ", got those for '" +
                   table->cpu() + "'",
               path};
}

} // namespace jit
