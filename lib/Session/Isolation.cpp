//===- Isolation.cpp - compilations in processes of their own -------------===//

#include "Isolation.h"
#include "jit/OutOfMemory.h"
#include "jit/Session/ChildProcess.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jit {

namespace {
/// Memory that a child writes and its parent reads.
struct SharedFile {
  SharedFile() : descriptor(memfd_create("result of a child", MFD_CLOEXEC)) {}
  ~SharedFile() {
    if (descriptor >= 0)
      close(descriptor);
  }
  SharedFile(const SharedFile &) = delete;
  SharedFile &operator=(const SharedFile &) = delete;

  void write(llvm::StringRef text) const {
    while (!text.empty()) {
      ssize_t done = ::write(descriptor, text.data(), text.size());
      if (done <= 0)
        return;
      text = text.drop_front(done);
    }
  }

  std::string read() const {
    struct stat status = {};
    if (fstat(descriptor, &status) != 0)
      return {};
    std::string text(status.st_size, 0);
    ssize_t size = pread(descriptor, text.data(), text.size(), 0);
    text.resize(size < 0 ? 0 : size);
    return text;
  }

  int descriptor;
};
} // namespace

/// Done, or an error's code and its three texts; ended by a mark, without which it is not whole.
static constexpr char done = 'd', failed = 'f', end = 'e', separator = '\0';

static std::string textOf(const Result<void> &result) {
  if (result)
    return {done, end};
  const Error &error = result.error();
  std::string text{failed, char('0' + int(error.code))};
  for (llvm::StringRef part : {error.message, error.where, error.pythonClass})
    text.append(part).push_back(separator);
  return text + end;
}

static std::optional<Result<void>> resultFrom(llvm::StringRef text) {
  if (text.size() < 2 || text.back() != end)
    return std::nullopt;
  if (text.front() == done)
    return Result<void>();
  llvm::SmallVector<llvm::StringRef> parts;
  text.drop_front(2).split(parts, separator);
  if (parts.size() != 4)
    return std::nullopt;
  return Error{ErrorCode(text[1] - '0'), parts[0].str(), parts[1].str(), parts[2].str()};
}

/// What LLVM said before it ended the process.
static std::string lastWords(llvm::StringRef said) {
  llvm::SmallVector<llvm::StringRef> lines;
  said.split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (line.contains("LLVM ERROR:") || line.contains("Assertion"))
      return ": " + line.trim().str();
  return "";
}

Result<void> inChildProcess(const std::string &what, llvm::function_ref<Result<void>()> body) {
  SharedFile file;
  if (file.descriptor < 0)
    return Error{ErrorCode::Io, "cannot make memory that a child process shares: " +
                                    std::string(std::strerror(errno))};
  ChildEnd child = runInChild([&] {
    file.write(textOf(orOutOfMemory([&] { return body(); })));
    return 0;
  });
  if (auto result = resultFrom(file.read()))
    return std::move(*result);
  std::string how =
      child.signal ? "signal " + std::to_string(child.signal) + " (" + strsignal(child.signal) + ")"
                   : "exit code " + std::to_string(child.code);
  return Error{ErrorCode::Internal,
               "expected a child process " + what + ", got " + how + lastWords(child.said)};
}

} // namespace jit
