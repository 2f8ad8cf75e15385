//===- Recorded.cpp - values that PyTorch has recorded --------------------===//

#include "jit/Diff/Recorded.h"
#include "jit/Archive/ZipFile.h"
#include "jit/Runtime/Npy.h"
#include "llvm/ADT/StringRef.h"

namespace jit {
using namespace runtime;

/// An array of its own: the archive's memory goes with the archive.
static Result<Tensor> readMember(const ZipFile &file, const std::string &member) {
  auto bytes = file.read(member);
  if (!bytes)
    return bytes.takeError();
  auto array = parseNpy({bytes->data(), bytes->size()});
  return array ? array->clone() : array.takeError();
}

Result<RecordedValues> RecordedValues::open(const std::string &path) {
  RecordedValues made;
  if (llvm::StringRef(path).ends_with(".npy")) {
    auto array = readNpy(path);
    if (!array)
      return array.takeError();
    made.values.emplace("result#0", std::move(*array));
    return made;
  }
  auto bytes = SharedBytes::mapFile(path);
  if (!bytes)
    return bytes.takeError();
  auto file = ZipFile::openBytes(*bytes, path, {}, ZipLayout::Flat);
  if (!file)
    return file.takeError();
  for (const std::string &member : file->members()) {
    llvm::StringRef name = member;
    if (!name.consume_back(".npy"))
      continue;
    auto array = readMember(*file, member);
    if (!array) {
      Error error = array.takeError();
      error.where = path + ": " + member;
      return error;
    }
    made.values.emplace(name.str(), std::move(*array));
  }
  return made;
}

const Tensor *RecordedValues::find(const std::string &name) const {
  auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

size_t RecordedValues::count(const std::string &name) const {
  size_t count = 0;
  while (values.count(name + "#" + std::to_string(count)))
    ++count;
  return count;
}

} // namespace jit
