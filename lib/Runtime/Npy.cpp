//===- Npy.cpp - the .npy header, both ways -------------------------------===//
//
// A file is: 6 bytes of magic, version major and minor, the length of the header (2 bytes in
// version 1, 4 later), a Python dict literal with the keys descr, fortran_order and shape, padded
// with blanks to a multiple of 64, then the elements.
//
//===----------------------------------------------------------------------===//
#include "jit/Runtime/Npy.h"

#include "jit/OutOfMemory.h"
#include "jit/TensorLimits.h"

#include <cstdio>
#include <cstring>
#include <set>
#include <string_view>
#include <sys/stat.h>

using namespace jit;
using namespace jit::runtime;

static constexpr std::string_view magic = "\x93NUMPY";
/// Far more than any real header takes.
static constexpr size_t headerLimit = size_t(1) << 20;

static Error malformed(std::string message) {
  return Error{ErrorCode::Malformed, "npy: " + std::move(message)};
}

namespace {
struct NpyType {
  std::string_view descr;
  ScalarType type;
};

struct NpyHeader {
  ScalarType type = ScalarType::Float;
  std::vector<int64_t> sizes;
};

/// Reads the header's dict literal; only the three keys that the format defines.
class HeaderReader {
public:
  explicit HeaderReader(std::string_view text) : text(text) {}
  Result<NpyHeader> read();

private:
  Result<void> readEntry(NpyHeader &header);
  Result<void> readShape(std::vector<int64_t> &sizes);
  Result<void> readType(ScalarType &type);
  Result<void> readOrder();
  Result<std::string_view> readString();
  void skipBlanks();
  bool take(std::string_view token);

  std::string_view text;
  std::set<std::string_view> keys;
};
} // namespace

static constexpr NpyType npyTypes[] = {
    {"|u1", ScalarType::Byte},         {"|i1", ScalarType::Char},
    {"<i2", ScalarType::Short},        {"<i4", ScalarType::Int},
    {"<i8", ScalarType::Long},         {"<f2", ScalarType::Half},
    {"<f4", ScalarType::Float},        {"<f8", ScalarType::Double},
    {"<c8", ScalarType::ComplexFloat}, {"<c16", ScalarType::ComplexDouble},
    {"|b1", ScalarType::Bool},         {"<u2", ScalarType::UInt16},
    {"<u4", ScalarType::UInt32},       {"<u8", ScalarType::UInt64},
};

void HeaderReader::skipBlanks() {
  size_t end = text.find_first_not_of(" \t\n");
  text.remove_prefix(end == std::string_view::npos ? text.size() : end);
}

bool HeaderReader::take(std::string_view token) {
  skipBlanks();
  if (!text.starts_with(token))
    return false;
  text.remove_prefix(token.size());
  return true;
}

Result<std::string_view> HeaderReader::readString() {
  skipBlanks();
  if (text.empty() || (text[0] != '\'' && text[0] != '"'))
    return malformed("expected a quoted string in the header");
  size_t end = text.find(text[0], 1);
  if (end == std::string_view::npos)
    return malformed("expected the end of a string in the header");
  std::string_view body = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return body;
}

Result<void> HeaderReader::readShape(std::vector<int64_t> &sizes) {
  if (!take("("))
    return malformed("expected a tuple as shape");
  while (!take(")")) {
    skipBlanks();
    size_t digits = 0;
    int64_t size = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9')
      if (__builtin_mul_overflow(size, 10, &size) ||
          __builtin_add_overflow(size, text[digits++] - '0', &size))
        return malformed("expected sizes below 2^63");
    if (digits == 0)
      return malformed("expected a number in the shape");
    text.remove_prefix(digits);
    if (sizes.size() == maxTensorRank)
      return Error{ErrorCode::LimitExceeded,
                   "npy: expected at most " + std::to_string(maxTensorRank) + " sizes, got more"};
    sizes.push_back(size);
    if (!take(",") && !text.starts_with(")"))
      return malformed("expected ',' or ')' in the shape");
  }
  return {};
}

Result<void> HeaderReader::readOrder() {
  if (take("False"))
    return {};
  if (take("True"))
    return Error{ErrorCode::Unsupported, "npy: expected row-major elements, got Fortran order"};
  return malformed("expected True or False as fortran_order");
}

Result<void> HeaderReader::readType(ScalarType &type) {
  skipBlanks();
  if (text.starts_with("["))
    return Error{ErrorCode::Unsupported, "npy: expected plain elements, got records"};
  Result<std::string_view> descr = readString();
  if (!descr)
    return descr.takeError();
  for (const NpyType &known : npyTypes)
    if (*descr == known.descr) {
      type = known.type;
      return {};
    }
  return Error{ErrorCode::Unsupported,
               "npy: unsupported element type '" + std::string(descr->substr(0, 40)) + "'"};
}

Result<void> HeaderReader::readEntry(NpyHeader &header) {
  Result<std::string_view> key = readString();
  if (!key)
    return key.takeError();
  std::string shown(key->substr(0, 40));
  if (!take(":"))
    return malformed("expected ':' after '" + shown + "'");
  if (!keys.insert(*key).second)
    return malformed("expected each key once, got '" + shown + "' twice");
  if (*key == "shape")
    return readShape(header.sizes);
  if (*key == "fortran_order")
    return readOrder();
  if (*key == "descr")
    return readType(header.type);
  return malformed("expected the keys descr, fortran_order and shape, got '" + shown + "'");
}

Result<NpyHeader> HeaderReader::read() {
  NpyHeader header;
  if (!take("{"))
    return malformed("expected a dict as header");
  while (!take("}")) {
    if (Result<void> entry = readEntry(header); !entry)
      return entry.takeError();
    if (!take(",") && !text.starts_with("}"))
      return malformed("expected ',' or '}' in the header");
  }
  if (keys.size() != 3)
    return malformed("expected 3 keys in the header, got " + std::to_string(keys.size()));
  skipBlanks();
  return text.empty() ? Result<NpyHeader>(header)
                      : malformed("expected the header to end behind its dict");
}

static size_t byteAt(std::string_view text, size_t i) {
  return static_cast<size_t>(static_cast<unsigned char>(text[i]));
}

/// The bytes in front of the header, by the first ten.
static Result<size_t> headerStart(std::string_view text) {
  if (!text.starts_with(magic) || text.size() < 10)
    return malformed("expected a .npy file, got other bytes");
  size_t version = byteAt(text, 6);
  if (version < 1 || version > 3)
    return Error{ErrorCode::Unsupported, "npy: unsupported version " + std::to_string(version)};
  return version == 1 ? 10 : 12;
}

/// The header's length, by the bytes in front of it.
static Result<size_t> headerLength(std::string_view text, size_t start) {
  if (text.size() < start)
    return malformed("truncated header");
  size_t length = byteAt(text, 8) | byteAt(text, 9) << 8;
  if (start > 10)
    length |= byteAt(text, 10) << 16 | byteAt(text, 11) << 24;
  if (length > headerLimit)
    return Error{ErrorCode::LimitExceeded, "npy: expected a header of at most " +
                                               std::to_string(headerLimit) + " bytes, got " +
                                               std::to_string(length)};
  return length;
}

static Result<size_t> byteSize(const NpyHeader &header) {
  Result<int64_t> count = elementCount(header.sizes, header.type);
  if (!count)
    return count.takeError();
  return static_cast<size_t>(*count * elementSize(header.type));
}

static Error otherSize(size_t expected, size_t got) {
  return malformed("expected " + std::to_string(expected) + " bytes of elements, got " +
                   std::to_string(got));
}

Result<Tensor> jit::runtime::parseNpy(std::span<const std::byte> bytes) {
  return orOutOfMemory([&]() -> Result<Tensor> {
    std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    Result<size_t> start = headerStart(text);
    if (!start)
      return start.takeError();
    Result<size_t> length = headerLength(text, *start);
    if (!length)
      return length.takeError();
    if (text.size() - *start < *length)
      return malformed("truncated header");
    Result<NpyHeader> header = HeaderReader(text.substr(*start, *length)).read();
    if (!header)
      return header.takeError();
    Result<size_t> expected = byteSize(*header);
    if (!expected)
      return expected.takeError();
    std::span<const std::byte> elements = bytes.subspan(*start + *length);
    // Checked before memory is asked for: a short file can claim any shape.
    if (elements.size() != *expected)
      return otherSize(*expected, elements.size());
    Result<Tensor> tensor = Tensor::allocate(header->type, std::move(header->sizes));
    if (tensor && *expected > 0)
      std::memcpy(tensor->mutableData(), elements.data(), *expected);
    return tensor;
  });
}

Result<std::vector<std::byte>> jit::runtime::formatNpy(const Tensor &tensor) {
  return orOutOfMemory([&]() -> Result<std::vector<std::byte>> {
    std::string_view descr;
    for (const NpyType &known : npyTypes)
      if (known.type == tensor.type())
        descr = known.descr;
    if (descr.empty())
      return Error{ErrorCode::Unsupported,
                   "npy: no name for elements of " + std::string(shortName(tensor.type()))};
    std::string dict = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
    for (int64_t size : tensor.sizes())
      dict += std::to_string(size) + ", ";
    // A tuple of one keeps its comma; longer ones may.
    if (tensor.sizes().size() != 1 && !tensor.sizes().empty())
      dict.resize(dict.size() - 2);
    else if (tensor.sizes().size() == 1)
      dict.pop_back();
    dict += "), }";
    // Everything before the elements takes a multiple of 64 bytes and ends in a new line.
    bool wide = dict.size() > 60000;
    size_t start = wide ? 12 : 10;
    size_t total = (start + dict.size() + 1 + 63) / 64 * 64;
    dict.resize(total - start - 1, ' ');
    dict += '\n';

    std::string head(magic);
    head += wide ? '\2' : '\1';
    head += '\0';
    for (size_t i = 0, n = dict.size(); i < (wide ? 4u : 2u); ++i)
      head += static_cast<char>(n >> (8 * i) & 0xff);
    head += dict;
    std::vector<std::byte> bytes(head.size() + tensor.byteSize());
    std::memcpy(bytes.data(), head.data(), head.size());
    if (tensor.byteSize() > 0)
      std::memcpy(bytes.data() + head.size(), tensor.data(), tensor.byteSize());
    return bytes;
  });
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

/// Appends so many bytes, or as many as there are.
static void readMore(std::FILE *file, size_t count, std::string &text) {
  size_t before = text.size();
  text.resize(before + count);
  text.resize(before + std::fread(text.data() + before, 1, count, file));
}

/// The elements go to where they stay: a large file is in memory once.
static Result<Tensor> readFrom(std::FILE *file) {
  std::string text;
  readMore(file, 10, text);
  Result<size_t> start = headerStart(text);
  if (!start)
    return start.takeError();
  readMore(file, *start - 10, text);
  Result<size_t> length = headerLength(text, *start);
  if (!length)
    return length.takeError();
  readMore(file, *length, text);
  if (text.size() < *start + *length)
    return malformed("truncated header");
  Result<NpyHeader> header = HeaderReader(std::string_view(text).substr(*start)).read();
  if (!header)
    return header.takeError();
  Result<size_t> expected = byteSize(*header);
  if (!expected)
    return expected.takeError();
  struct stat status;
  // Before memory is asked for: a short file can claim any shape.
  if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<size_t>(status.st_size) - text.size() != *expected)
    return otherSize(*expected, static_cast<size_t>(status.st_size) - text.size());
  Result<Tensor> tensor = Tensor::allocate(header->type, std::move(header->sizes));
  if (!tensor)
    return tensor;
  size_t got = *expected ? std::fread(tensor->mutableData(), 1, *expected, file) : 0;
  if (std::ferror(file))
    return Error{ErrorCode::Io, "cannot read"};
  if (got != *expected || std::fgetc(file) != EOF)
    return otherSize(*expected, got == *expected ? got + 1 : got);
  return tensor;
}

Result<Tensor> jit::runtime::readNpy(const std::string &path) {
  return orOutOfMemory([&]() -> Result<Tensor> {
    File file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file)
      return Error{ErrorCode::Io, std::string("cannot open: ") + std::strerror(errno), path};
    Result<Tensor> tensor = readFrom(file.get());
    if (tensor)
      return tensor;
    Error error = tensor.takeError();
    error.where = path;
    return error;
  });
}

Result<void> jit::runtime::writeNpy(const std::string &path, const Tensor &tensor) {
  return orOutOfMemory([&]() -> Result<void> {
    Result<std::vector<std::byte>> bytes = formatNpy(tensor);
    if (!bytes)
      return bytes.takeError();
    File file(std::fopen(path.c_str(), "wb"), std::fclose);
    if (!file)
      return Error{ErrorCode::Io, std::string("cannot create: ") + std::strerror(errno), path};
    bool written = std::fwrite(bytes->data(), 1, bytes->size(), file.get()) == bytes->size();
    if (std::fclose(file.release()) != 0 || !written)
      return Error{ErrorCode::Io, "cannot write all bytes", path};
    return {};
  });
}
