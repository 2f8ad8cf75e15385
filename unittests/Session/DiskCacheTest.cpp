//===- DiskCacheTest.cpp - records that are whole, own and few ------------===//
#include "jit/Session/DiskCache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

using namespace jit;
namespace files = std::filesystem;

namespace {
/// An empty folder of the test's own, and the cache in it.
class DiskCacheTest : public testing::Test {
protected:
  void SetUp() override {
    folder = testing::TempDir() + "/cache-" + std::to_string(getpid()) + "-" +
             testing::UnitTest::GetInstance()->current_test_info()->name();
    files::remove_all(folder);
  }
  void TearDown() override {
    unsetenv("JIT_CACHE");
    unsetenv("JIT_CACHE_SIZE");
    files::remove_all(folder);
  }

  std::unique_ptr<DiskCache> open() { return DiskCache::open(folder); }
  /// The one file there.
  files::path file() {
    EXPECT_EQ(std::distance(files::directory_iterator(folder), {}), 1);
    return files::directory_iterator(folder)->path();
  }

  std::string folder;
};
} // namespace

static CacheKey keyOf(llvm::StringRef text) { return CacheKeyBuilder().add(text).key(); }

static std::vector<std::string> partsOf(const DiskCache &cache, const CacheKey &key) {
  auto record = cache.find(key);
  std::vector<std::string> parts;
  for (llvm::StringRef part : record ? record->parts : std::vector<llvm::StringRef>())
    parts.push_back(part.str());
  return parts;
}

TEST_F(DiskCacheTest, GivesWhatWasStored) {
  auto cache = open();
  ASSERT_TRUE(cache);
  std::string large(1 << 20, 'x');
  EXPECT_FALSE(cache->find(keyOf("a")));
  cache->store(keyOf("a"), "first", {"one", "", large});
  EXPECT_EQ(partsOf(*open(), keyOf("a")), (std::vector<std::string>{"one", "", large}));
  EXPECT_FALSE(cache->find(keyOf("b")));
  ASSERT_EQ(cache->list().size(), 1u);
  EXPECT_EQ(cache->list()[0].label, "first");
}

TEST_F(DiskCacheTest, TellsListsOfTextsApart) {
  EXPECT_NE(CacheKeyBuilder().add("ab").add("c").key(), CacheKeyBuilder().add("a").add("bc").key());
  EXPECT_NE(CacheKeyBuilder().add("").key(), CacheKeyBuilder().add("").add("").key());
}

TEST_F(DiskCacheTest, IsForItsOwnerAlone) {
  auto cache = open();
  cache->store(keyOf("a"), "", {"x"});
  struct stat status;
  ASSERT_EQ(stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

/// Each byte altered in turn, and each length cut to.
TEST_F(DiskCacheTest, AlteredRecordsAreNone) {
  auto cache = open();
  cache->store(keyOf("a"), "label", {"some", "parts"});
  std::ifstream in(file(), std::ios::binary);
  std::string whole{std::istreambuf_iterator<char>(in), {}};
  auto write = [&](const std::string &bytes) {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
  };
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string altered = whole;
    altered[i] ^= 1;
    write(altered);
    EXPECT_FALSE(cache->find(keyOf("a"))) << "byte " << i;
    write(whole.substr(0, i));
    EXPECT_FALSE(cache->find(keyOf("a"))) << "length " << i;
  }
  write(whole + "x");
  EXPECT_FALSE(cache->find(keyOf("a")));
  write(whole);
  EXPECT_TRUE(cache->find(keyOf("a")));
}

TEST_F(DiskCacheTest, ARecordUnderAnotherNameIsNone) {
  auto cache = open();
  cache->store(keyOf("a"), "", {"x"});
  files::path first = file();
  cache->store(keyOf("b"), "", {"y"});
  for (const files::path &path : files::directory_iterator(folder))
    if (path != first)
      files::copy_file(path, first, files::copy_options::overwrite_existing);
  EXPECT_FALSE(cache->find(keyOf("a")));
  EXPECT_TRUE(cache->find(keyOf("b")));
}

TEST_F(DiskCacheTest, RefusesWhatOthersMayWrite) {
  auto cache = open();
  cache->store(keyOf("a"), "", {"x"});
  ASSERT_EQ(chmod(file().c_str(), 0620), 0);
  EXPECT_FALSE(cache->find(keyOf("a")));
  cache->store(keyOf("a"), "", {"x"}); // takes its place
  EXPECT_TRUE(cache->find(keyOf("a")));
  ASSERT_EQ(chmod(folder.c_str(), 0702), 0);
  EXPECT_FALSE(open());
  ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  EXPECT_TRUE(open());
}

TEST_F(DiskCacheTest, RefusesWhatIsAnothersOrNoFile) {
  auto cache = open();
  cache->store(keyOf("a"), "", {"x"});
  files::path path = file();
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
    EXPECT_FALSE(cache->find(keyOf("a")));
    ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
    ASSERT_EQ(chown(folder.c_str(), 12345, 12345), 0);
    EXPECT_FALSE(open());
    ASSERT_EQ(chown(folder.c_str(), 0, 0), 0);
  }
  files::rename(path, folder + "/elsewhere");
  files::create_symlink(folder + "/elsewhere", path);
  EXPECT_FALSE(cache->find(keyOf("a")));
  std::ofstream(folder + "/text") << "no folder";
  EXPECT_FALSE(DiskCache::open(folder + "/text"));
}

TEST_F(DiskCacheTest, FollowsTheEnvironment) {
  setenv("JIT_CACHE", "off", 1);
  EXPECT_FALSE(DiskCache::open(""));
  EXPECT_FALSE(DiskCache::open("off"));
  setenv("JIT_CACHE", folder.c_str(), 1);
  auto cache = DiskCache::open("");
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->folder(), folder);
  unsetenv("JIT_CACHE");
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  cache = DiskCache::open("");
  unsetenv("XDG_CACHE_HOME");
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->folder(), folder + "/jit");
  for (const char *text : {"5 GB", "-1", "1T", "99999999999G", "M"}) {
    setenv("JIT_CACHE_SIZE", text, 1);
    EXPECT_FALSE(open()) << text;
  }
}

TEST_F(DiskCacheTest, WhatWasUnusedForLongestGoes) {
  setenv("JIT_CACHE_SIZE", "8K", 1);
  auto cache = open();
  std::string part(2000, 'x');
  // Times differ by more than any file system's clock is coarse.
  auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  for (const char *name : {"a", "b", "c"}) {
    cache->store(keyOf(name), name, {part});
    pause();
  }
  EXPECT_TRUE(cache->find(keyOf("a")));
  pause();
  cache->store(keyOf("d"), "d", {part});
  EXPECT_TRUE(cache->find(keyOf("a")));
  pause();
  cache->store(keyOf("e"), "e", {part});
  EXPECT_FALSE(cache->find(keyOf("b")));
  EXPECT_TRUE(cache->find(keyOf("a")) && cache->find(keyOf("e")));
  cache->store(keyOf("f"), "f", {std::string(9000, 'x')});
  EXPECT_FALSE(cache->find(keyOf("f"))) << "larger than the whole cache";
}

/// The folder is looked through after some records only; it grows past its limit by little all the
/// same.
TEST_F(DiskCacheTest, ManySmallRecordsStayNearTheLimit) {
  setenv("JIT_CACHE_SIZE", "400K", 1);
  auto cache = open();
  std::string part(900, 'x');
  for (int i = 0; i < 1000; ++i)
    cache->store(keyOf(std::to_string(i)), "record", {part});
  uint64_t bytes = 0;
  for (const auto &entry : files::directory_iterator(folder))
    bytes += entry.file_size();
  EXPECT_GT(bytes, 300u << 10);
  EXPECT_LT(bytes, 480u << 10);
}

TEST_F(DiskCacheTest, ClearsItsOwnFilesAlone) {
  auto cache = open();
  cache->store(keyOf("a"), "", {"x"});
  // What a process leaves that is ended while it writes.
  std::ofstream(file().string() + ".abcd") << "half";
  std::ofstream(folder + "/notes.txt") << "not ours";
  EXPECT_EQ(cache->list().size(), 1u);
  auto count = cache->clear();
  ASSERT_TRUE(count);
  EXPECT_EQ(*count, 1u);
  EXPECT_EQ(file().filename(), "notes.txt");
}

TEST_F(DiskCacheTest, ThreadsStoreAndFindTheSame) {
  auto cache = open();
  std::string part(100000, 'x');
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        cache->store(keyOf("a"), "", {part});
        auto record = cache->find(keyOf("a"));
        EXPECT_TRUE(record && record->parts[0] == part);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(cache->list().size(), 1u);
}
