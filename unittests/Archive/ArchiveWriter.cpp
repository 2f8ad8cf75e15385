//===- ArchiveWriter.cpp - small archives for tests -----------------------===//

#include "ArchiveWriter.h"

#include <gtest/gtest.h>
#include <zip.h>

namespace jit::test {

std::string writeZip(const std::vector<Member> &members) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t *zip = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  for (const Member &member : members) {
    zip_source_t *source = zip_source_buffer(zip, member.bytes.data(), member.bytes.size(), 0);
    zip_int64_t index = zip_file_add(zip, member.name.c_str(), source, 0);
    EXPECT_GE(index, 0) << zip_strerror(zip);
    zip_set_file_compression(zip, index, member.deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  EXPECT_EQ(zip_close(zip), 0) << zip_strerror(zip);
  zip_source_open(target);
  zip_source_seek(target, 0, SEEK_END);
  std::string bytes(zip_source_tell(target), '\0');
  zip_source_seek(target, 0, SEEK_SET);
  zip_source_read(target, bytes.data(), bytes.size());
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

void patch(std::string &bytes, size_t at, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * i));
}

size_t findLocalHeader(const std::string &bytes, const std::string &name) {
  return bytes.find(name) - 30;
}

size_t findCentralHeader(const std::string &bytes, const std::string &name) {
  return bytes.rfind(name) - 46;
}

static std::string number(uint64_t value, unsigned size) {
  std::string out(size, '\0');
  patch(out, 0, value, size);
  return out;
}

std::string pickleText(const std::string &text) { return "X" + number(text.size(), 4) + text; }

std::string pickleInt(int64_t value) {
  if (value >= INT32_MIN && value <= INT32_MAX)
    return "J" + number(static_cast<uint64_t>(value), 4);
  return "\x8a\x08" + number(static_cast<uint64_t>(value), 8);
}

std::string pickleGlobal(const std::string &module, const std::string &name) {
  return "c" + module + "\n" + name + "\n";
}

static std::string joined(const std::vector<std::string> &items) {
  std::string out;
  for (const std::string &item : items)
    out += item;
  return out;
}

std::string pickleTuple(const std::vector<std::string> &items) { return "(" + joined(items) + "t"; }
std::string pickleList(const std::vector<std::string> &items) { return "](" + joined(items) + "e"; }

std::string pickleCall(const std::string &module, const std::string &name,
                       const std::string &args) {
  return pickleGlobal(module, name) + args + "R";
}

std::string pickleObject(const std::string &module, const std::string &name,
                         const std::vector<std::pair<std::string, std::string>> &attributes) {
  std::string out = pickleGlobal(module, name) + ")\x81}(";
  for (const auto &[key, value] : attributes)
    out += pickleText(key) + value;
  return out + "ub";
}

std::string pickleStorage(const std::string &storageClass, const std::string &key, int64_t count) {
  return pickleTuple({pickleText("storage"), pickleGlobal("torch", storageClass), pickleText(key),
                      pickleText("cpu"), pickleInt(count)}) +
         "Q";
}

static std::string extents(const std::vector<int64_t> &values) {
  std::vector<std::string> items;
  for (int64_t value : values)
    items.push_back(pickleInt(value));
  return pickleTuple(items);
}

std::string pickleTensor(const std::string &storage, int64_t offset,
                         const std::vector<int64_t> &sizes, const std::vector<int64_t> &strides) {
  return pickleCall("torch._utils", "_rebuild_tensor_v2",
                    pickleTuple({storage, pickleInt(offset), extents(sizes), extents(strides),
                                 "\x89", pickleCall("collections", "OrderedDict", ")")}));
}

std::string pickle(const std::string &value) { return "\x80\x02" + value + "."; }

std::vector<Member> ModuleFiles::members() const {
  std::vector<Member> all = {{"m/data.pkl", data},
                             {"m/code/__torch__.py", code, true},
                             {"m/constants.pkl", constants},
                             {"m/version", version}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Result<TorchScriptArchive> openArchive(const ModuleFiles &files, const ArchiveLimits &limits) {
  return TorchScriptArchive::openBytes(SharedBytes::copyOf(writeZip(files.members())), "test.pt",
                                       limits);
}

Result<ZipFile> openZip(const std::string &bytes, const ArchiveLimits &limits) {
  return ZipFile::openBytes(SharedBytes::copyOf(bytes), "test.zip", limits);
}

} // namespace jit::test
