//===- DebugRangesTest.cpp - from printed code to Python ------------------===//

#include "ArchiveWriter.h"
#include "ExpectError.h"

namespace jit::test {
namespace {

std::string source(const std::vector<std::string> &pieces, int64_t file, int64_t line) {
  return pickleTuple(
      {pickleCall("torch.jit._pickle", "build_intlist", pickleTuple({pickleList(pieces)})),
       pickleInt(file), pickleInt(line)});
}

std::string entry(int64_t offset, const std::string &source, int64_t begin, int64_t end) {
  return pickleTuple(
      {pickleInt(offset), pickleTuple({source, pickleInt(begin), pickleInt(end)}), pickleInt(0)});
}

std::string table(const std::vector<std::string> &texts, const std::vector<std::string> &entries) {
  std::vector<std::string> items;
  for (const std::string &text : texts)
    items.push_back(pickleText(text));
  return pickle(pickleTuple(
      {pickleText("FORMAT_WITH_STRING_TABLE"), pickleTuple(items), pickleTuple(entries)}));
}

Result<DebugRanges> read(const std::string &bytes) {
  return DebugRanges::read("m.py.debug_pkl", SharedBytes::copyOf(bytes));
}

std::vector<std::string> texts() {
  return {"", "def f(x):\n", "    y = x + 1\n", "    return y\n", "user.py"};
}

std::string userSource() { return source({pickleInt(1), pickleInt(2), pickleInt(3)}, 4, 40); }

TEST(DebugRanges, FindsFileLineColumnAndText) {
  Result<DebugRanges> ranges =
      read(table(texts(), {entry(0, source({}, 0, 0), 0, 0), entry(10, userSource(), 18, 23),
                           entry(30, userSource(), 24, 36)}));
  ASSERT_TRUE(ranges) << ranges.error().str();
  EXPECT_FALSE(ranges->find(0));
  EXPECT_FALSE(ranges->find(9));
  std::optional<PythonLocation> location = ranges->find(10);
  ASSERT_TRUE(location);
  EXPECT_EQ(location->file, "user.py");
  EXPECT_EQ(location->line, 41);
  EXPECT_EQ(location->column, 8);
  EXPECT_EQ(location->text, "    y = x + 1");
  EXPECT_EQ(ranges->find(29)->line, 41);
  EXPECT_EQ(ranges->find(30)->line, 42);
  EXPECT_EQ(ranges->find(30)->column, 0);
  EXPECT_EQ(ranges->find(1000)->text, "    return y");
}

TEST(DebugRanges, PositionsOutsideTheText) {
  Result<DebugRanges> ranges =
      read(table(texts(), {entry(0, userSource(), 1000, 1001), entry(5, userSource(), -3, 0)}));
  ASSERT_TRUE(ranges) << ranges.error().str();
  EXPECT_FALSE(ranges->find(0));
  EXPECT_FALSE(ranges->find(5));
}

TEST(DebugRanges, OlderFormat) {
  std::string plain =
      pickleTuple({pickleText("a = 1\nb = 2\n"), pickleText("old.py"), pickleInt(7)});
  Result<DebugRanges> ranges = read(pickle(pickleTuple({entry(0, plain, 6, 7)})));
  ASSERT_TRUE(ranges) << ranges.error().str();
  EXPECT_EQ(ranges->find(3)->line, 8);
  EXPECT_EQ(ranges->find(3)->text, "b = 2");
}

TEST(DebugRanges, Malformed) {
  auto expectBad = [](const std::string &bytes, const std::string &message) {
    Result<DebugRanges> ranges = read(bytes);
    ASSERT_FALSE(ranges);
    EXPECT_EQ(static_cast<int>(ranges.error().code), static_cast<int>(ErrorCode::Malformed));
    EXPECT_EQ(ranges.error().where.substr(0, 23), "m.py.debug_pkl: offset ");
    EXPECT_NE(ranges.error().message.find(message), std::string::npos) << ranges.error().str();
  };
  expectBad(pickle("N"), "a tuple of debug ranges");
  expectBad(pickle(pickleTuple({pickleText("FORMAT_WITH_STRING_TABLE")})), "a tag, a tuple");
  expectBad(pickle(pickleTuple({pickleText("FORMAT_WITH_STRING_TABLE"), pickleTuple({"N"}), ")"})),
            "a string");
  expectBad(table(texts(), {"N"}), "an entry");
  expectBad(table(texts(), {entry(0, source({pickleInt(99)}, 4, 1), 0, 0)}), "a source");
  expectBad(table(texts(), {entry(0, source({pickleInt(1)}, 99, 1), 0, 0)}), "a source");
  expectBad(table(texts(), {entry(0, source({pickleInt(-1)}, 4, 1), 0, 0)}), "a source");
  expectBad(table(texts(), {entry(9, userSource(), 0, 0), entry(0, userSource(), 0, 0)}),
            "in the order");
}

TEST(DebugRanges, ThroughTheArchive) {
  ModuleFiles files;
  files.more = {{"m/code/__torch__.py.debug_pkl", table(texts(), {entry(0, userSource(), 18, 23)})},
                {"m/code/__torch__/bad.py", "def f():\n  pass\n"},
                {"m/code/__torch__/bad.py.debug_pkl", "junk"}};
  Result<TorchScriptArchive> archive = openArchive(files);
  ASSERT_TRUE(archive) << archive.error().str();
  const torchscript::ClassDef *found = *archive->findClass("__torch__.M");
  EXPECT_EQ(archive->locate(*found->file, found->methods[0]->begin)->line, 41);
  // Bad ranges cost the locations, not the program.
  const torchscript::FunctionDef *bad = *archive->findFunction("__torch__.bad.f");
  EXPECT_FALSE(archive->locate(*bad->file, bad->begin));
}

} // namespace
} // namespace jit::test
