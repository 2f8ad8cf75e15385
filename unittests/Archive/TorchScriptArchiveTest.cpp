//===- TorchScriptArchiveTest.cpp - objects, constants, code --------------===//

#include "ArchiveWriter.h"
#include "ExpectError.h"

namespace jit::test {
namespace {

ModuleFiles withAttribute(const std::string &value) {
  ModuleFiles files;
  files.data = pickle(pickleObject("__torch__", "M", {{"x", value}}));
  return files;
}

TEST(TorchScriptArchive, Attributes) {
  std::string ints = pickleCall("torch.jit._pickle", "build_intlist",
                                pickleTuple({pickleList({pickleInt(3), pickleInt(-4)})}));
  std::string dict = pickleCall(
      "torch.jit._pickle", "restore_type_tag",
      pickleTuple({"}(" + pickleText("k") + pickleInt(1) + "u", pickleText("Dict[str, int]")}));
  ModuleFiles files;
  files.version = "7\n";
  files.data = pickle(pickleObject(
      "__torch__.a", "M",
      {{"none", "N"},
       {"flag", "\x88"},
       {"text", pickleText("hi")},
       {"ints", ints},
       {"dict", dict},
       {"pair", pickleTuple({pickleInt(1), "N"})},
       {"color", pickleCall("__torch__", "Color", pickleInt(2))},
       {"device", pickleCall("torch", "device", pickleTuple({pickleText("cuda"), pickleInt(1)}))},
       {"sub", pickleObject("__torch__.b", "S", {}) + "q\x01"},
       {"again", "h\x01"}}));
  Result<TorchScriptArchive> archive = openArchive(files);
  ASSERT_TRUE(archive) << archive.error().str();
  EXPECT_EQ(archive->version(), 7);
  const ArchiveObject &root = archive->root();
  EXPECT_EQ(root.className, "__torch__.a.M");
  EXPECT_EQ(root.attributes.size(), 10u);
  EXPECT_TRUE(root.find("none")->isNone());
  EXPECT_TRUE(*root.find("flag")->asBool());
  EXPECT_EQ(*root.find("text")->asString(), "hi");
  const ArchiveList *list = root.find("ints")->asList();
  EXPECT_EQ(list->type, "List[int]");
  EXPECT_EQ(*list->items.at(1).asInt(), -4);
  EXPECT_EQ(root.find("dict")->asDict()->type, "Dict[str, int]");
  EXPECT_EQ(*root.find("dict")->asDict()->items.at(0).first.asString(), "k");
  EXPECT_EQ(root.find("pair")->asTuple()->items.size(), 2u);
  EXPECT_EQ(root.find("color")->asEnum()->className, "__torch__.Color");
  EXPECT_EQ(*root.find("color")->asEnum()->value.asInt(), 2);
  EXPECT_EQ(root.find("device")->asDevice()->name, "cuda:1");
  EXPECT_EQ(root.find("sub")->asObject(), root.find("again")->asObject());
  EXPECT_EQ(root.find("missing"), nullptr);
}

TEST(TorchScriptArchive, StateOfAClassOfItsOwn) {
  ModuleFiles files =
      withAttribute(pickleGlobal("__torch__", "S") + ")\x81" + pickleTuple({pickleInt(5)}) + "b");
  Result<TorchScriptArchive> archive = openArchive(files);
  ASSERT_TRUE(archive) << archive.error().str();
  const ArchiveObject *object = archive->root().find("x")->asObject();
  ASSERT_TRUE(object && object->state.asTuple());
  EXPECT_EQ(*object->state.asTuple()->items.at(0).asInt(), 5);
}

TEST(TorchScriptArchive, Constants) {
  ModuleFiles files;
  files.constants = pickle(pickleTuple(
      {pickleTensor(pickleStorage("LongStorage", "0", 1), 0, {1}, {1}), pickleText("text")}));
  files.more = {{"m/constants/0", std::string(8, '\1')}};
  Result<TorchScriptArchive> archive = openArchive(files);
  ASSERT_TRUE(archive) << archive.error().str();
  ASSERT_EQ(archive->constants().size(), 2u);
  EXPECT_EQ(archive->constants()[0].asTensor()->storageKey, "constants/0");
  EXPECT_EQ(*archive->constants()[1].asString(), "text");
}

TEST(TorchScriptArchive, FindsCodeByQualifiedName) {
  ModuleFiles files;
  files.code += "def f(x: int) -> int:\n  return x\n";
  files.more = {{"m/code/__torch__/a/___torch_mangle_3.py", "class C:\n  x : int\n", true},
                {"m/code/__torch__/bad.py", "class C:\n  x ? int\n", true}};
  Result<TorchScriptArchive> archive = openArchive(files);
  ASSERT_TRUE(archive) << archive.error().str();
  auto found = archive->findClass("__torch__.M");
  ASSERT_TRUE(found) << found.error().str();
  EXPECT_TRUE((*found)->findMethod("forward"));
  EXPECT_EQ(*found, *archive->findClass("__torch__.M"));
  EXPECT_TRUE(archive->findFunction("__torch__.f"));
  EXPECT_TRUE(archive->findClass("__torch__.a.___torch_mangle_3.C"));
  expectError(archive->findFunction("__torch__.M"), ErrorCode::NotFound, "code/__torch__.py",
              "no function 'M'");
  expectError(archive->findClass("__torch__.b.C"), ErrorCode::NotFound, "code/__torch__/b.py",
              "no such member");
  expectError(archive->findClass("__torch__.bad.C"), ErrorCode::Malformed,
              "code/__torch__/bad.py:2:5", "unexpected character");
  expectError(archive->findClass(""), ErrorCode::NotFound, "code/.py", "no such member");
}

TEST(TorchScriptArchive, MissingMembers) {
  auto without = [](const auto &...names) {
    std::vector<Member> members = ModuleFiles().members();
    std::erase_if(members, [&](const Member &member) { return ((member.name == names) || ...); });
    return TorchScriptArchive::openBytes(SharedBytes::copyOf(writeZip(members)), "test.pt");
  };
  expectError(without("m/version"), ErrorCode::NotFound, "version", "no such member");
  expectError(without("m/data.pkl"), ErrorCode::NotFound, "data.pkl", "no such member");
  expectError(without("m/constants.pkl"), ErrorCode::NotFound, "constants.pkl", "no such member");
  expectError(without("m/constants.pkl", "m/code/__torch__.py"), ErrorCode::Unsupported, "test.pt",
              "torch.save");
  Result<TorchScriptArchive> archive = without("m/code/__torch__.py");
  ASSERT_TRUE(archive) << archive.error().str();
  expectError(archive->findClass("__torch__.M"), ErrorCode::NotFound, "code/__torch__.py",
              "no such member");
}

TEST(TorchScriptArchive, VersionInTheDataFolder) {
  std::vector<Member> members = ModuleFiles().members();
  for (Member &member : members)
    if (member.name == "m/version")
      member.name = "m/.data/version";
  Result<TorchScriptArchive> archive =
      TorchScriptArchive::openBytes(SharedBytes::copyOf(writeZip(members)), "test.pt");
  ASSERT_TRUE(archive) << archive.error().str();
  EXPECT_EQ(archive->version(), 3);
}

TEST(TorchScriptArchive, VersionAndByteOrder) {
  ModuleFiles files;
  files.version = "11\n";
  expectError(openArchive(files), ErrorCode::Unsupported, "version", "from 1 to 10, got 11");
  files.version = "three";
  expectError(openArchive(files), ErrorCode::Malformed, "version", "got 'three'");
  files.version = "99999999999999999999";
  expectError(openArchive(files), ErrorCode::Malformed, "version", "expected a positive number");
  files.version = "3";
  files.more = {{"m/byteorder", "little"}};
  EXPECT_TRUE(openArchive(files));
  files.more = {{"m/byteorder", "big"}};
  expectError(openArchive(files), ErrorCode::Unsupported, "byteorder", "got 'big'");
  files.more = {{"m/byteorder", "round"}};
  expectError(openArchive(files), ErrorCode::Malformed, "byteorder", "got 'round'");
}

TEST(TorchScriptArchive, OtherRoots) {
  ModuleFiles files;
  files.data = pickle("N");
  expectError(openArchive(files), ErrorCode::Malformed, "data.pkl",
              "expected a module, got a none");
  files = ModuleFiles();
  files.constants = pickle("]");
  expectError(openArchive(files), ErrorCode::Malformed, "constants.pkl",
              "expected a tuple, got a list");
}

TEST(TorchScriptArchive, NamesThatMeanNothingHere) {
  auto expectUnsupported = [](const std::string &value, const std::string &message) {
    Result<TorchScriptArchive> archive = openArchive(withAttribute(value));
    ASSERT_FALSE(archive);
    EXPECT_EQ(static_cast<int>(archive.error().code), static_cast<int>(ErrorCode::Unsupported));
    EXPECT_NE(archive.error().message.find(message), std::string::npos) << archive.error().str();
  };
  expectUnsupported(pickleCall("os", "system", pickleTuple({pickleText("ls")})),
                    "a call of os.system");
  expectUnsupported(pickleObject("subprocess", "Popen", {}), "class subprocess.Popen");
  expectUnsupported(pickleGlobal("os", "system"), "a global as a value");
  expectUnsupported("C\x01x", "a bytes as a value");
  expectUnsupported(pickleText("x") + "Q", "a persistent id as a value");
  expectUnsupported(
      pickleObject("__torch__.torch.classes.quantized", "Conv2dPackedParamsBase", {}) + "0" +
          pickleCall("torch._utils", "_rebuild_sparse_tensor", ")"),
      "_rebuild_sparse_tensor");
}

TEST(TorchScriptArchive, BadArguments) {
  auto expectMalformed = [](const std::string &value, const std::string &message) {
    Result<TorchScriptArchive> archive = openArchive(withAttribute(value));
    ASSERT_FALSE(archive);
    EXPECT_EQ(static_cast<int>(archive.error().code), static_cast<int>(ErrorCode::Malformed));
    EXPECT_NE(archive.error().message.find(message), std::string::npos) << archive.error().str();
  };
  expectMalformed(pickleCall("torch.jit._pickle", "build_intlist", ")"), "expected a list");
  expectMalformed(pickleCall("torch.jit._pickle", "restore_type_tag", "N"), "a value and its type");
  expectMalformed(pickleCall("__torch__", "Color", "]"), "expected an enum's value");
  expectMalformed(pickleCall("torch", "device", ")"), "a device's type");
  expectMalformed(pickleCall("builtins", "complex", "(NNt"), "a complex number's two parts");
  expectMalformed(pickleGlobal("__torch__", "S") + "(Nt\x81", "without arguments");
}

} // namespace
} // namespace jit::test
