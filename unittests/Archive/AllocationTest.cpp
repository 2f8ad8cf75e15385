//===- AllocationTest.cpp - archives where memory is exhausted ------------===//
#include "ArchiveWriter.h"
#include "FailingAllocation.h"
#include "jit/Archive/GraphText.h"
#include "jit/Archive/StorageRecords.h"
#include "jit/Archive/SymbolicExpression.h"

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace jit::test {
namespace {

/// A program with what archives have: tensors, containers, deflated members, classes.
std::string everything() {
  ModuleFiles files;
  std::string tensor = pickleTensor(pickleStorage("FloatStorage", "0", 6), 0, {2, 3}, {3, 1});
  std::string ints = pickleCall("torch.jit._pickle", "build_intlist",
                                pickleTuple({pickleList({pickleInt(3), pickleInt(-4)})}));
  files.data = pickle(
      pickleObject("__torch__", "M",
                   {{"weight", tensor},
                    {"ints", ints},
                    {"pair", pickleTuple({pickleInt(1), pickleText("a text that needs memory")})},
                    {"sub", pickleObject("__torch__.b", "S", {{"flag", "\x88"}})}}));
  files.code = "class M(Module):\n"
               "  weight : Tensor\n"
               "  def forward(self: __torch__.M, x: Tensor) -> Tuple[Tensor, int]:\n"
               "    y = torch.add(x, self.weight, alpha=1.5)\n"
               "    for i in range(3):\n"
               "      if torch.gt(i, 1):\n"
               "        y = torch.mul(y, y)\n"
               "      else:\n"
               "        pass\n"
               "    return (y, 1)\n";
  files.more = {{"m/data/0", std::string(24, '\1')},
                {"m/constants/deflated", std::string(5000, 'x'), /*deflate=*/true}};
  return writeZip(files.members());
}

/// Runs `open`, which gives a Result, with each of its allocations failing in turn.
template <typename Open> void expectOutOfMemory(const Open &open) {
  ErrorCode code = ErrorCode::Internal;
  auto attempt = [&] {
    auto result = open();
    code = result ? ErrorCode::Internal : result.error().code;
    return bool(result);
  };
  failEachAllocation(
      attempt, [&] { return code == ErrorCode::LimitExceeded; }, [&] { return attempt(); });
}
} // namespace

TEST(ArchiveAllocation, TorchScript) {
  std::string bytes = everything();
  SharedBytes shared = SharedBytes::copyOf(bytes);
  const std::string name = "program.pt";
  expectOutOfMemory([&]() -> Result<void> {
    Result<TorchScriptArchive> archive = TorchScriptArchive::openBytes(shared, name);
    if (!archive)
      return archive.takeError();
    Result<const torchscript::ClassDef *> found = archive->findClass("__torch__.M");
    return found ? Result<void>() : Result<void>(found.takeError());
  });
}

TEST(ArchiveAllocation, AnArchiveServesOnAfterAFailure) {
  Result<TorchScriptArchive> archive =
      TorchScriptArchive::openBytes(SharedBytes::copyOf(everything()), "program.pt");
  ASSERT_TRUE(archive) << archive.error().str();
  expectOutOfMemory([&] { return archive->findClass("__torch__.M"); });
}

TEST(ArchiveAllocation, Members) {
  Result<ZipFile> zip = openZip(everything());
  ASSERT_TRUE(zip) << zip.error().str();
  for (const char *member : {"constants/deflated", "data/0"})
    expectOutOfMemory([&] { return zip->readAligned(member); });
}

TEST(ArchiveAllocation, Files) {
  std::string path = testing::TempDir() + "/allocation-" + std::to_string(getpid()) + ".pt";
  std::ofstream(path) << everything();
  expectOutOfMemory([&] { return TorchScriptArchive::open(path); });
  expectOutOfMemory([&]() -> Result<SharedBytes> {
    Result<StorageRecords> records = StorageRecords::open(path);
    return records ? records->read("data/0") : Result<SharedBytes>(records.takeError());
  });
  std::remove(path.c_str());
}

TEST(ArchiveAllocation, Graphs) {
  SharedBytes text = SharedBytes::copyOf("graph(%x : Float(2, 3),\n      %n : int):\n"
                                         "  %2 : int = prim::Constant[value=1]()\n"
                                         "  %3 : Tensor = aten::add(%x, %x, %2)\n"
                                         "  return (%3)\n");
  expectOutOfMemory([&] { return graphtext::GraphText::parse("graph.txt", text); });
}
} // namespace jit::test
