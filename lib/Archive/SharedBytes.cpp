//===- SharedBytes.cpp - mapping files and aligned memory -----------------===//

#include "jit/Archive/SharedBytes.h"
#include "jit/OutOfMemory.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jit {

static constexpr size_t alignment = 64;

static Error ioError(const std::string &path, const char *what) {
  return {ErrorCode::Io, std::string(what) + ": " + std::strerror(errno), path};
}

SharedBytes SharedBytes::allocate(size_t size, std::byte *&fill) {
  // aligned_alloc wants a multiple of the alignment; an empty record still gets an address.
  size_t rounded = size < alignment ? alignment : (size + alignment - 1) & ~(alignment - 1);
  fill =
      rounded < size ? nullptr : static_cast<std::byte *>(std::aligned_alloc(alignment, rounded));
  if (!fill)
    return {};
  auto release = [](const void *memory) { std::free(const_cast<void *>(memory)); };
  try {
    return {std::shared_ptr<const void>(fill, release), {fill, size}};
  } catch (const std::bad_alloc &) { // the owner itself takes some; the memory has been freed
    fill = nullptr;
    return {};
  }
}

SharedBytes SharedBytes::copyOf(std::string_view text) {
  std::byte *fill;
  SharedBytes bytes = allocate(text.size(), fill);
  if (fill && !text.empty())
    std::memcpy(fill, text.data(), text.size());
  return bytes;
}

namespace {
/// A file that is open, until its end.
struct OpenFile {
  explicit OpenFile(const std::string &path) {
    do
      descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
  }
  ~OpenFile() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  OpenFile(const OpenFile &) = delete;
  OpenFile &operator=(const OpenFile &) = delete;

  int descriptor = -1;
};
} // namespace

/// Whether others than the superuser and who runs this may change the file while it is mapped: what
/// has been checked would be something else, and a file that is cut short ends the process.
static bool isStrangers(const struct stat &status) {
  return (status.st_mode & S_IWOTH) || (status.st_uid != 0 && status.st_uid != ::geteuid());
}

static Result<SharedBytes> readAll(const OpenFile &file, size_t size, const std::string &path) {
  std::byte *fill;
  SharedBytes bytes = SharedBytes::allocate(size, fill);
  if (!fill)
    return Error{ErrorCode::LimitExceeded, "out of memory for " + std::to_string(size) + " bytes",
                 path};
  for (size_t done = 0; done < size;) {
    ssize_t got = ::read(file.descriptor, fill + done, size - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return ioError(path, "cannot read");
    if (got == 0)
      return Error{ErrorCode::Io,
                   "expected " + std::to_string(size) + " bytes, got " + std::to_string(done),
                   path};
    done += size_t(got);
  }
  return bytes;
}

static Result<SharedBytes> map(const OpenFile &file, size_t size, const std::string &path) {
  void *mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0);
  if (mapped == MAP_FAILED)
    return ioError(path, "cannot map");
  std::shared_ptr<const void> owner(
      mapped, [size](const void *memory) { ::munmap(const_cast<void *>(memory), size); });
  return SharedBytes(std::move(owner), {static_cast<const std::byte *>(mapped), size});
}

Result<SharedBytes> SharedBytes::mapFile(const std::string &path) {
  return orOutOfMemory([&]() -> Result<SharedBytes> {
    OpenFile file(path);
    if (file.descriptor < 0)
      return ioError(path, "cannot open");
    struct stat status;
    if (::fstat(file.descriptor, &status) != 0)
      return ioError(path, "cannot stat");
    if (!S_ISREG(status.st_mode))
      return Error{ErrorCode::Io,
                   S_ISDIR(status.st_mode) ? "expected a regular file, got a directory"
                                           : "expected a regular file",
                   path};
    if (status.st_size == 0)
      return SharedBytes();
    auto size = static_cast<size_t>(status.st_size);
    return isStrangers(status) ? readAll(file, size, path) : map(file, size, path);
  });
}

} // namespace jit
