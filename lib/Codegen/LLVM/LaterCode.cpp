//===- LaterCode.cpp - code that takes the place of a baseline's ----------===//
#include "LLVM/LaterCode.h"

#include "llvm/ExecutionEngine/Orc/IndirectionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace llvm;
using namespace jit::codegen;

namespace {
/// What an artifact's calls run. The baseline's stays: calls may be within it.
struct ReplaceableCode {
  std::shared_ptr<void> baseline;
  std::shared_ptr<LinkedCode> optimised = {};
  std::unique_ptr<orc::IndirectStubsManager> stubs;
};

class LaterCode : public OptimiseLater {
public:
  LaterCode(std::shared_ptr<ReplaceableCode> code, std::vector<std::string> entries,
            CodeImage image, ArrayRef<NamedFunction> operators)
      : code(std::move(code)), entries(std::move(entries)), image(std::move(image)),
        operators(operators) {}

  Expected<bool> step(llvm::function_ref<bool()> isStopped) override;
  CodeImage takeImage() override { return std::move(image); }

private:
  llvm::Error replace();

  std::shared_ptr<ReplaceableCode> code;
  std::vector<std::string> entries;
  CodeImage image;
  Machine machine = hostMachine();
  SmallVector<NamedFunction> operators;
};
} // namespace

Expected<bool> LaterCode::step(function_ref<bool()> isStopped) {
  if (image.baseline.empty()) {
    if (llvm::Error error = replace())
      return error;
    return false;
  }
  BaselinePart part = std::move(image.baseline.back());
  image.baseline.pop_back();
  auto object = optimisePart(part, machine, isStopped);
  if (!object)
    return object.takeError();
  image.objects[part.object] = std::move(*object);
  return true;
}

/// Each pointer is set at once: a call runs the one or the other as a whole, of the same values.
llvm::Error LaterCode::replace() {
  auto linked = linkMachineCode(image.objects, operators);
  if (!linked)
    return linked.takeError();
  SmallVector<orc::ExecutorAddr> addresses;
  for (const std::string &entry : entries) {
    auto address = (*linked)->lookup(entry);
    if (!address)
      return address.takeError();
    addresses.push_back(*address);
  }
  code->optimised = std::move(*linked);
  for (auto [entry, address] : zip_equal(entries, addresses))
    if (llvm::Error error = code->stubs->updatePointer(entry, address))
      return error;
  return llvm::Error::success();
}

std::unique_ptr<OptimiseLater> jit::codegen::optimiseLater(runtime::Artifact &artifact,
                                                           CodeImage image,
                                                           ArrayRef<NamedFunction> operators) {
  auto stubs = orc::createLocalIndirectStubsManagerBuilder(Triple(hostMachine().triple))();
  orc::IndirectStubsManager::StubInitsMap inits;
  std::vector<std::string> entries;
  for (const runtime::Entry &entry : artifact.entries) {
    inits[entry.name] = {orc::ExecutorAddr::fromPtr(entry.run), JITSymbolFlags::Exported};
    entries.push_back(entry.name);
  }
  // Where there is no memory for pointers calls stay with what they have.
  if (llvm::Error error = stubs->createStubs(inits)) {
    consumeError(std::move(error));
    return nullptr;
  }
  for (runtime::Entry &entry : artifact.entries)
    entry.run =
        stubs->findStub(entry.name, /*ExportedStubsOnly=*/true).getAddress().toPtr<jit_entry_fn>();
  auto code = std::make_shared<ReplaceableCode>(artifact.code, nullptr, std::move(stubs));
  artifact.code = code;
  return std::make_unique<LaterCode>(std::move(code), std::move(entries), std::move(image),
                                     operators);
}
