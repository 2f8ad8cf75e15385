//===- ZipFileTest.cpp - members, and archives that lie -------------------===//

#include "ArchiveWriter.h"
#include "ExpectError.h"

namespace jit::test {
namespace {

TEST(ZipFile, ReadsStoredMembersInPlaceAndInflatesOthers) {
  std::string bytes = writeZip({{"net/a", "stored"}, {"net/b/c", std::string(1000, 'x'), true}});
  SharedBytes shared = SharedBytes::copyOf(bytes);
  Result<ZipFile> zip = ZipFile::openBytes(shared, "net.pt");
  ASSERT_TRUE(zip) << zip.error().str();
  EXPECT_EQ(zip->root(), "net");
  EXPECT_EQ(zip->members(), (std::vector<std::string>{"a", "b/c"}));
  Result<SharedBytes> stored = zip->read("a");
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->text(), "stored");
  EXPECT_GE(stored->data(), shared.data());
  EXPECT_LT(stored->data(), shared.data() + shared.size());
  Result<SharedBytes> inflated = zip->read("b/c");
  ASSERT_TRUE(inflated);
  EXPECT_EQ(inflated->text(), std::string(1000, 'x'));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(inflated->data()) % 64, 0u);
}

TEST(ZipFile, BytesOutliveTheReader) {
  SharedBytes kept;
  {
    Result<ZipFile> zip = openZip(writeZip({{"net/a", "stored"}}));
    ASSERT_TRUE(zip);
    kept = *zip->read("a");
  }
  EXPECT_EQ(kept.text(), "stored");
}

TEST(ZipFile, AlignsRecords) {
  Result<ZipFile> zip = openZip(writeZip({{"net/a", "1"}, {"net/b", "22"}, {"net/c", "333"}}));
  ASSERT_TRUE(zip);
  for (const char *name : {"a", "b", "c"}) {
    Result<SharedBytes> record = zip->readAligned(name);
    ASSERT_TRUE(record);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(record->data()) % 64, 0u);
  }
}

TEST(ZipFile, MissingFileAndMember) {
  expectError(ZipFile::open("no-such-file.pt"), ErrorCode::Io, "no-such-file.pt", "cannot open");
  Result<ZipFile> zip = openZip(writeZip({{"net/a", "1"}}));
  ASSERT_TRUE(zip);
  expectError(zip->read("b"), ErrorCode::NotFound, "b", "no such member");
}

TEST(ZipFile, NoArchiveAtAll) {
  expectError(openZip(""), ErrorCode::Malformed, "test.zip", "no end-of-directory record");
  expectError(openZip(std::string(5000, 'z')), ErrorCode::Malformed, "test.zip",
              "no end-of-directory record");
}

TEST(ZipFile, EveryTruncationIsRefused) {
  std::string bytes = writeZip({{"net/a", "stored"}, {"net/b", std::string(100, 'x'), true}});
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(openZip(bytes.substr(0, size))) << size;
}

TEST(ZipFile, OneRootFolder) {
  expectError(openZip(writeZip({{"net/a", "1"}, {"other/b", "2"}})), ErrorCode::Malformed,
              "test.zip", "expected one root folder, got 'net' and 'other'");
  expectError(openZip(writeZip({{"a", "1"}})), ErrorCode::Malformed, "test.zip",
              "in one root folder");
}

TEST(ZipFile, StoredMemberLargerThanTheArchive) {
  std::string bytes = writeZip({{"net/a", "stored"}});
  size_t header = findCentralHeader(bytes, "net/a");
  patch(bytes, header + 20, 1u << 30, 4);
  patch(bytes, header + 24, 1u << 30, 4);
  expectError(openZip(bytes), ErrorCode::Malformed, "test.zip: offset 0",
              "more than the archive holds");
}

TEST(ZipFile, StoredMemberWithTwoSizes) {
  std::string bytes = writeZip({{"net/a", "stored"}});
  patch(bytes, findCentralHeader(bytes, "net/a") + 24, 5, 4);
  expectError(openZip(bytes), ErrorCode::Malformed, "test.zip: offset 0",
              "claims 5 bytes and holds 6");
}

TEST(ZipFile, LocalHeaderElsewhere) {
  std::string bytes = writeZip({{"net/a", "stored"}});
  patch(bytes, findCentralHeader(bytes, "net/a") + 42, 3, 4);
  expectError(openZip(bytes), ErrorCode::Malformed, "test.zip: offset 3", "no local header");
  patch(bytes, findCentralHeader(bytes, "net/a") + 42, 0xfffffff0, 4);
  expectError(openZip(bytes), ErrorCode::Malformed, "test.zip: offset 4294967280",
              "no local header");
}

TEST(ZipFile, OtherNameInTheLocalHeader) {
  std::string bytes = writeZip({{"net/a", "stored"}});
  bytes[findLocalHeader(bytes, "net/a") + 34] = 'b';
  expectError(openZip(bytes), ErrorCode::Malformed, "test.zip: offset 0", "another name");
}

TEST(ZipFile, MoreEntriesThanTheDirectoryHolds) {
  std::string bytes = writeZip({{"net/a", "stored"}});
  patch(bytes, bytes.size() - 22 + 8, 60000, 2);
  patch(bytes, bytes.size() - 22 + 10, 60000, 2);
  Result<ZipFile> zip = openZip(bytes);
  ASSERT_FALSE(zip);
  EXPECT_NE(zip.error().message.find("cannot hold 60000 entries"), std::string::npos);
}

TEST(ZipFile, SameNameTwice) {
  std::string bytes = writeZip({{"net/a", "1"}, {"net/b", "2"}});
  for (size_t at = bytes.find("net/b"); at != bytes.npos; at = bytes.find("net/b", at))
    bytes[at + 4] = 'a';
  expectError(openZip(bytes), ErrorCode::Malformed, "a", "stands twice");
}

TEST(ZipFile, DeflatedSizeThatCannotBe) {
  std::string bytes = writeZip({{"net/a", std::string(1000, 'x'), true}});
  patch(bytes, findCentralHeader(bytes, "net/a") + 24, 1u << 30, 4);
  Result<ZipFile> zip = openZip(bytes);
  ASSERT_TRUE(zip);
  expectError(zip->read("a"), ErrorCode::Malformed, "a", "deflated bytes cannot hold");
}

TEST(ZipFile, DeflatedSizeThatIsWrong) {
  for (uint32_t size : {999, 1001}) {
    std::string bytes = writeZip({{"net/a", std::string(1000, 'x'), true}});
    patch(bytes, findCentralHeader(bytes, "net/a") + 24, size, 4);
    Result<ZipFile> zip = openZip(bytes);
    ASSERT_TRUE(zip);
    expectError(zip->read("a"), ErrorCode::Malformed, "a", "cannot inflate");
  }
}

TEST(ZipFile, DamagedData) {
  std::string bytes = writeZip({{"net/a", "some text to deflate, some text to deflate", true}});
  bytes[findLocalHeader(bytes, "net/a") + 40] ^= 0x55;
  Result<ZipFile> zip = openZip(bytes);
  ASSERT_TRUE(zip);
  expectError(zip->read("a"), ErrorCode::Malformed, "a", "cannot inflate");
}

TEST(ZipFile, BombIsRefused) {
  std::string bytes = writeZip({{"net/a", std::string(8 << 20, '\0'), true}});
  ArchiveLimits limits;
  limits.inflateBase = 1 << 20;
  limits.inflateRatio = 10;
  Result<ZipFile> zip = openZip(bytes, limits);
  ASSERT_TRUE(zip);
  expectError(zip->read("a"), ErrorCode::LimitExceeded, "a", "would exceed the limit");
}

TEST(ZipFile, BombInManyParts) {
  std::vector<Member> parts;
  for (int i = 0; i < 8; ++i)
    parts.push_back({"net/" + std::to_string(i), std::string(1 << 20, '\0'), true});
  ArchiveLimits limits;
  limits.inflateBase = 4 << 20;
  limits.inflateRatio = 1;
  Result<ZipFile> zip = openZip(writeZip(parts), limits);
  ASSERT_TRUE(zip);
  int refused = 0;
  for (const std::string &name : zip->members())
    refused += !zip->read(name);
  EXPECT_EQ(refused, 4);
}

TEST(ZipFile, MemberOverItsOwnCap) {
  Result<ZipFile> zip = openZip(writeZip({{"net/a", "12345"}}));
  ASSERT_TRUE(zip);
  EXPECT_TRUE(zip->read("a", 5));
  expectError(zip->read("a", 4), ErrorCode::LimitExceeded, "a", "expected at most 4 bytes, got 5");
}

TEST(ZipFile, OtherMethodsAndEncryption) {
  std::string bytes = writeZip({{"net/a", "some text, some text, some text", true}});
  size_t header = findCentralHeader(bytes, "net/a");
  std::string method = bytes;
  patch(method, header + 10, 97, 2);
  Result<ZipFile> zip = openZip(method);
  ASSERT_TRUE(zip);
  expectError(zip->read("a"), ErrorCode::Unsupported, "a", "zip method 97");
  std::string encrypted = bytes;
  patch(encrypted, header + 8, 1, 2);
  zip = openZip(encrypted);
  ASSERT_TRUE(zip);
  expectError(zip->read("a"), ErrorCode::Unsupported, "a", "encrypted");
}

} // namespace
} // namespace jit::test
