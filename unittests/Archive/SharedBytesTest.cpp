//===- SharedBytesTest.cpp - files, and who may change them ---------------===//
#include "jit/Archive/SharedBytes.h"
#include "ExpectError.h"

#include <cstdio>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace jit::test {

/// What a file of these permissions holds after it was opened, and then cut short.
static std::string afterCut(mode_t mode) {
  std::string path = testing::TempDir() + "/bytes-" + std::to_string(getpid());
  std::ofstream(path) << std::string(100000, 'b');
  EXPECT_EQ(chmod(path.c_str(), mode), 0);
  Result<SharedBytes> bytes = SharedBytes::mapFile(path);
  EXPECT_TRUE(bytes) << bytes.error().str();
  EXPECT_EQ(truncate(path.c_str(), 0), 0);
  std::string text(bytes ? bytes->text() : "");
  std::remove(path.c_str());
  return text;
}

TEST(SharedBytes, AFileThatAnybodyMayWriteIsRead) {
  EXPECT_EQ(afterCut(0666), std::string(100000, 'b'));
}

} // namespace jit::test
