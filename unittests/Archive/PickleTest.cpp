//===- PickleTest.cpp - inert trees, and pickles that attack --------------===//

#include "jit/Archive/Pickle.h"
#include "ArchiveWriter.h"
#include "ExpectError.h"

namespace jit::test {
namespace {

Result<PickleTree> read(const std::string &bytes, const ArchiveLimits &limits = {}) {
  return PickleTree::read("data.pkl", SharedBytes::copyOf(bytes), limits);
}

const PickleNode &rootOf(const Result<PickleTree> &tree) { return (*tree)[tree->root()]; }

TEST(Pickle, Scalars) {
  using namespace std::string_literals;
  auto integer = [](const std::string &opcodes) {
    Result<PickleTree> tree = read(pickle(opcodes));
    EXPECT_TRUE(tree) << tree.error().str();
    EXPECT_EQ(rootOf(tree).kind, PickleKind::Int);
    return rootOf(tree).integer;
  };
  EXPECT_EQ(integer("K\xff"), 255);
  EXPECT_EQ(integer("M\x34\x12"), 0x1234);
  EXPECT_EQ(integer("J\xfe\xff\xff\xff"), -2);
  EXPECT_EQ(integer("\x8a\x00"s), 0);
  EXPECT_EQ(integer("\x8a\x01\x80"s), -128);
  EXPECT_EQ(integer("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80"s), INT64_MIN);
  EXPECT_EQ(integer("\x8b\x02\x00\x00\x00\xff\x00"s), 255);
  EXPECT_EQ(rootOf(read(pickle("G\xbf\xf8\x00\x00\x00\x00\x00\x00"s))).number, -1.5);
  EXPECT_TRUE(rootOf(read(pickle("\x88"))).boolean);
  EXPECT_EQ(rootOf(read(pickle("N"))).kind, PickleKind::None);
  EXPECT_EQ(rootOf(read(pickle("\x8c\x02hi"))).text, "hi");
  EXPECT_EQ(rootOf(read(pickle("C\x02hi"))).kind, PickleKind::Bytes);
}

TEST(Pickle, SharedValuesKeepTheirIdentity) {
  // [a, a] by the memo.
  Result<PickleTree> tree = read(pickle("](]q\x01h\x01"
                                        "e"));
  ASSERT_TRUE(tree) << tree.error().str();
  ASSERT_EQ(rootOf(tree).items.size(), 2u);
  EXPECT_EQ(rootOf(tree).items[0], rootOf(tree).items[1]);
}

TEST(Pickle, NothingIsCalled) {
  Result<PickleTree> tree =
      read(pickle(pickleCall("os", "system", pickleTuple({pickleText("ls")}))));
  ASSERT_TRUE(tree) << tree.error().str();
  const PickleNode &call = rootOf(tree);
  EXPECT_EQ(call.kind, PickleKind::Reduce);
  EXPECT_EQ((*tree)[call.items[0]].text, "os.system");
}

TEST(Pickle, NewerProtocols) {
  using namespace std::string_literals;
  // Protocol 4: a frame, memoize, and a global from the stack.
  Result<PickleTree> tree =
      read("\x80\x04\x95\x0f\x00\x00\x00\x00\x00\x00\x00\x8c\x01m\x94\x8c\x01n\x94\x93."s);
  ASSERT_TRUE(tree) << tree.error().str();
  EXPECT_EQ(rootOf(tree).text, "m.n");
  expectError(read("\x80\x06N."), ErrorCode::Unsupported, "data.pkl: offset 0",
              "protocol 2 to 5, got 6");
}

TEST(Pickle, UnknownOpcode) {
  expectError(read(pickle("(\x82")), ErrorCode::Malformed, "data.pkl: offset 3",
              "unknown pickle opcode 130");
  expectError(read("?"), ErrorCode::Malformed, "data.pkl: offset 0", "unknown pickle opcode 63");
}

TEST(Pickle, EveryTruncationIsRefused) {
  std::string whole =
      pickle(pickleTensor(pickleStorage("FloatStorage", "0", 4), 0, {2, 2}, {2, 1}));
  ASSERT_TRUE(read(whole));
  for (size_t size = 0; size < whole.size(); ++size) {
    Result<PickleTree> tree = read(whole.substr(0, size));
    ASSERT_FALSE(tree) << size;
    EXPECT_EQ(tree.error().code, ErrorCode::Malformed);
  }
}

TEST(Pickle, LyingLengths) {
  using namespace std::string_literals;
  expectError(read("\x80\x02X\xff\xff\xff\xff"
                   "ab"s),
              ErrorCode::Malformed, "data.pkl: offset 2", "expected 4294967295 bytes, got 2");
  expectError(read("\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff"
                   "ab"s),
              ErrorCode::Malformed, "data.pkl: offset 2", "cut short");
  expectError(read(pickle("\x8b\x10\x00\x00\x00"s + std::string(16, '\1'))), ErrorCode::Unsupported,
              "data.pkl: offset 2", "at most 8 bytes, got 16");
}

TEST(Pickle, StackUnderflow) {
  expectError(read(pickle("")), ErrorCode::Malformed, "data.pkl: offset 2", "a value on the stack");
  expectError(read(pickle("t")), ErrorCode::Malformed, "data.pkl: offset 2", "a mark on the stack");
  expectError(read(pickle("N\x87")), ErrorCode::Malformed, "data.pkl: offset 3",
              "expected 3 values");
  expectError(read(pickle("N(a")), ErrorCode::Malformed, "data.pkl: offset 4",
              "a container on the stack");
  expectError(read(pickle("a")), ErrorCode::Malformed, "data.pkl: offset 2",
              "a container on the stack");
  expectError(read(pickle("NNs")), ErrorCode::Malformed, "data.pkl: offset 4",
              "a container on the stack");
  expectError(read(pickle("NNa")), ErrorCode::Malformed, "data.pkl: offset 4", "expected a list");
  expectError(read(pickle("}(Nu")), ErrorCode::Malformed, "data.pkl: offset 5", "in pairs");
  expectError(read(pickle("h\x05")), ErrorCode::Malformed, "data.pkl: offset 2",
              "memo has no entry 5");
  expectError(read(pickle("Nb")), ErrorCode::Malformed, "data.pkl: offset 3",
              "a value on the stack");
  expectError(read(pickle("NNb")), ErrorCode::Malformed, "data.pkl: offset 4", "without state");
  expectError(read(pickle("N)R")), ErrorCode::Malformed, "data.pkl: offset 4", "expected a global");
}

TEST(Pickle, NestedTenThousandDeep) {
  std::string lists = std::string(10000, ']') + std::string(9999, 'a');
  expectError(read(pickle(lists)), ErrorCode::LimitExceeded, "data.pkl: offset 258",
              "nested deeper than 256");
  std::string tuples = ")";
  for (int i = 0; i < 10000; ++i)
    tuples += '\x85';
  Result<PickleTree> tree = read(pickle(tuples));
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ErrorCode::LimitExceeded);
}

TEST(Pickle, DeepThroughSharing) {
  // Each list is seen near the root first, so only the longest way down is long.
  std::string chain = "(";
  for (int i = 0; i < 300; ++i)
    chain += i ? "]r" + std::string(1, char(i)) + std::string(1, char(i >> 8)) +
                     std::string(2, '\0') + "j" + std::string(1, char(i - 1)) +
                     std::string(1, char((i - 1) >> 8)) + std::string(2, '\0') + "a"
               : "]r" + std::string(4, '\0');
  Result<PickleTree> tree = read(pickle(chain + "t"));
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ErrorCode::LimitExceeded);
}

TEST(Pickle, SharingThatDoublesAtEveryLevel) {
  std::string doubled = ")";
  for (int i = 0; i < 60; ++i)
    doubled += "2\x86";
  Result<PickleTree> tree = read(pickle(doubled));
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ErrorCode::LimitExceeded);
  EXPECT_NE(tree.error().message.find("stand for more than"), std::string::npos);
}

TEST(Pickle, Cycles) {
  expectError(read(pickle("]q\x01h\x01"
                          "a")),
              ErrorCode::Unsupported, "data.pkl: offset 2", "contains itself");
}

TEST(Pickle, HugeCounts) {
  ArchiveLimits limits;
  limits.maxPickleNodes = 1000;
  expectError(read(pickle("(" + std::string(2000, 'N') + "t"), limits), ErrorCode::LimitExceeded,
              "data.pkl: offset 1003", "more than 1000 values");
  limits.maxPickleBytes = 100;
  expectError(read(pickle(std::string(2000, 'N')), limits), ErrorCode::LimitExceeded, "data.pkl",
              "at most 100 bytes");
}

} // namespace
} // namespace jit::test
