//===- ArchiveFuzzer.cpp - zips and pickles from strangers ----------------===//
//
// Input that begins like a zip or a flatbuffer is opened as an archive, and all that it holds is
// looked at.
// Anything else is a pickle: read as debug ranges, and as the data of an archive made around it.
//
//===----------------------------------------------------------------------===//

#include "jit/Archive/Pickle.h"
#include "jit/Archive/TorchScriptArchive.h"

#include <cstdlib>
#include <zip.h>

using namespace jit;

namespace {

ArchiveLimits smallLimits() {
  ArchiveLimits limits;
  limits.inflateBase = 1 << 20;
  limits.inflateRatio = 16;
  limits.maxPickleNodes = 1 << 16;
  limits.maxExpandedNodes = 1 << 16;
  limits.maxAstBytes = 16 << 20;
  return limits;
}

/// Reads the first and the last byte of every tensor, and all of every container.
class ValueWalk {
public:
  void visit(const ArchiveValue &value) {
    if (const ArchiveTensor *tensor = value.asTensor())
      visitTensor(*tensor);
    else if (const ArchiveList *list = value.asList())
      visitAll(list->items);
    else if (const ArchiveTuple *tuple = value.asTuple())
      visitAll(tuple->items);
    else if (const ArchiveEnum *member = value.asEnum())
      visit(member->value);
    else if (const std::string *text = value.asString())
      sum += text->size();
    else if (const ArchiveDict *dict = value.asDict())
      for (const auto &[key, item] : dict->items) {
        visit(key);
        visit(item);
      }
    else if (const ArchiveObject *object = value.asObject()) {
      for (const auto &[name, item] : object->attributes)
        visit(item);
      visit(object->state);
    }
  }

  unsigned sum = 0;

private:
  void visitAll(const std::vector<ArchiveValue> &items) {
    for (const ArchiveValue &item : items)
      visit(item);
  }
  void visitTensor(const ArchiveTensor &tensor) {
    if (tensor.elementCount() == 0)
      return;
    int64_t last = 0;
    for (size_t i = 0; i < tensor.sizes.size(); ++i)
      last += (tensor.sizes[i] - 1) * tensor.strides[i];
    int64_t size = elementSize(tensor.dtype);
    const std::byte *first = tensor.storage.data() + tensor.offset * size;
    sum += static_cast<unsigned>(first[0]);
    sum += static_cast<unsigned>(first[last * size + size - 1]);
    sum += tensor.isContiguous();
  }
};

void visitCode(const TorchScriptArchive &archive) {
  for (const std::string &member : archive.members()) {
    if (!member.starts_with("code/") || !member.ends_with(".py"))
      continue;
    std::string qualified = member.substr(5, member.size() - 8) + ".C";
    for (char &c : qualified)
      c = c == '/' ? '.' : c;
    auto file = archive.findFile(qualified);
    if (!file)
      continue;
    for (const torchscript::FunctionDef *function : (*file)->functions())
      for (const torchscript::Stmt *stmt : function->body)
        (void)archive.locate(**file, stmt->begin);
  }
}

void openArchive(SharedBytes bytes) {
  Result<TorchScriptArchive> archive =
      TorchScriptArchive::openBytes(std::move(bytes), "input", smallLimits());
  if (!archive)
    return;
  ValueWalk walk;
  walk.visit(&archive->root());
  for (const ArchiveValue &constant : archive->constants())
    walk.visit(constant);
  visitCode(*archive);
}

/// A stored zip with \p data as data.pkl and two records beside it.
SharedBytes wrap(std::string_view data) {
  static const std::string record(256, '\1');
  struct Member {
    const char *name;
    std::string_view bytes;
  };
  const Member members[] = {{"m/data.pkl", data},
                            {"m/data/0", record},
                            {"m/data/1", std::string_view(record).substr(0, 7)},
                            {"m/version", "3"},
                            {"m/constants.pkl", "\x80\x02)."}};
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t *zip = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  for (const Member &member : members) {
    zip_source_t *source = zip_source_buffer(zip, member.bytes.data(), member.bytes.size(), 0);
    zip_set_file_compression(zip, zip_file_add(zip, member.name, source, 0), ZIP_CM_STORE, 0);
  }
  if (zip_close(zip) != 0)
    std::abort();
  zip_source_open(target);
  zip_source_seek(target, 0, SEEK_END);
  std::string bytes(zip_source_tell(target), '\0');
  zip_source_seek(target, 0, SEEK_SET);
  zip_source_read(target, bytes.data(), bytes.size());
  zip_source_close(target);
  zip_source_free(target);
  return SharedBytes::copyOf(bytes);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  if (text.starts_with("PK") || TorchScriptArchive::recognizesMobile(SharedBytes::copyOf(text))) {
    openArchive(SharedBytes::copyOf(text));
    return 0;
  }
  if (Result<DebugRanges> ranges =
          DebugRanges::read("input", SharedBytes::copyOf(text), smallLimits()))
    for (uint32_t offset : {0u, 10u, 1000u})
      (void)ranges->find(offset);
  if (PickleTree::read("input", SharedBytes::copyOf(text), smallLimits()))
    openArchive(wrap(text));
  return 0;
}
