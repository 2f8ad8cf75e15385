//===- SharedBytes.cpp - mapping files and aligned memory -----------------===//

#include "jit/Archive/SharedBytes.h"

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
  std::shared_ptr<const void> owner(
      fill, [](const void *memory) { std::free(const_cast<void *>(memory)); });
  return {std::move(owner), {fill, size}};
}

SharedBytes SharedBytes::copyOf(std::string_view text) {
  std::byte *fill;
  SharedBytes bytes = allocate(text.size(), fill);
  if (fill && !text.empty())
    std::memcpy(fill, text.data(), text.size());
  return bytes;
}

Result<SharedBytes> SharedBytes::mapFile(const std::string &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return ioError(path, "cannot open");
  struct stat status;
  if (::fstat(file, &status) != 0) {
    Error error = ioError(path, "cannot stat");
    ::close(file);
    return error;
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(file);
    return Error{ErrorCode::Io, "expected a regular file", path};
  }
  size_t size = static_cast<size_t>(status.st_size);
  if (size == 0) {
    ::close(file);
    return SharedBytes();
  }
  void *mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  Error error = mapped == MAP_FAILED ? ioError(path, "cannot map") : Error();
  ::close(file);
  if (mapped == MAP_FAILED)
    return error;
  std::shared_ptr<const void> owner(
      mapped, [size](const void *memory) { ::munmap(const_cast<void *>(memory), size); });
  return SharedBytes(std::move(owner), {static_cast<const std::byte *>(mapped), size});
}

} // namespace jit
