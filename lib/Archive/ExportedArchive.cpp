//===- ExportedArchive.cpp - what torch.export saved, opened --------------===//

#include "jit/Archive/ExportedArchive.h"

#include "ExportedLayout.h"
#include "ExportedReader.h"
#include "ValueBuilder.h"
#include "jit/Archive/StorageRecords.h"
#include "jit/OutOfMemory.h"

#include <map>

namespace jit {

class ExportedArchive::Impl {
public:
  explicit Impl(ZipFile zip) : zip(zip), records(zip) {}

  Result<void> open(const std::string &name);

  exported::Program program;
  std::map<std::string, ArchiveTensor, std::less<>> tensors;

private:
  Result<void> openNew();
  Result<void> openOld();
  Result<void> checkByteOrder();
  Result<std::string> modelName();
  Result<void> readProgram(const std::string &member);
  Result<void> readConfig(const std::string &folder, const std::string &member);
  Result<void> readPayload(const JsonPlace &place, const std::string &folder,
                           exported::Reader &reader);
  Result<void> readPickled(const std::string &member);

  ZipFile zip;
  StorageRecords records;
};

Result<ZipFile> openAnyLayout(SharedBytes bytes, const std::string &name,
                              const ArchiveLimits &limits) {
  Result<ZipFile> flat = ZipFile::openBytes(bytes, name, limits, ZipLayout::Flat);
  if (!flat || flat->contains(layout::oldProgram))
    return flat;
  return ZipFile::openBytes(std::move(bytes), name, limits);
}

Result<void> ExportedArchive::Impl::readProgram(const std::string &member) {
  Result<SharedBytes> text = zip.read(member, zip.limits().maxJsonBytes);
  if (!text)
    return text.takeError();
  Result<exported::Program> read = exported::readProgram(member, *text, zip.limits());
  if (!read)
    return read.takeError();
  program = std::move(*read);
  return {};
}

//===----------------------------------------------------------------------===//
// The layout with folders
//===----------------------------------------------------------------------===//

Result<void> ExportedArchive::Impl::checkByteOrder() {
  if (!zip.contains("byteorder"))
    return {};
  Result<SharedBytes> order = zip.read("byteorder");
  if (!order)
    return order.takeError();
  if (order->text() == "little")
    return {};
  return Error{ErrorCode::Unsupported,
               "expected byte order 'little', got '" + std::string(order->text().substr(0, 40)) +
                   "'",
               "byteorder"};
}

/// "model", or the name of the only one.
Result<std::string> ExportedArchive::Impl::modelName() {
  std::vector<std::string> names;
  for (const std::string &member : zip.members())
    if (member.starts_with(layout::models) && member.ends_with(".json"))
      names.push_back(
          member.substr(layout::models.size(), member.size() - layout::models.size() - 5));
  for (const std::string &name : names)
    if (name == "model" || names.size() == 1)
      return name;
  return Error{ErrorCode::Unsupported,
               "expected one exported program, got " + std::to_string(names.size()),
               std::string(layout::models)};
}

/// A tensor whose bytes are a record of their own.
Result<void> ExportedArchive::Impl::readPayload(const JsonPlace &place, const std::string &folder,
                                                exported::Reader &reader) {
  ArchiveTensor tensor;
  bool pickled = false;
  reader.required(place, "path_name",
                  [&](const JsonPlace &path) { tensor.storageKey = folder + reader.text(path); });
  reader.required(place, "is_param",
                  [&](const JsonPlace &flag) { tensor.isParameter = reader.boolean(flag); });
  reader.optional(place, "use_pickle",
                  [&](const JsonPlace &flag) { pickled = reader.boolean(flag); });
  // What is pickled is no tensor, and an error only where the program asks for it.
  if (pickled || reader.failed())
    return {};
  reader.required(place, "tensor_meta", [&](const JsonPlace &value) {
    exported::TensorMeta meta = reader.tensorMeta(value);
    auto known = [&](const exported::Extent &extent) {
      if (!extent.isKnown())
        reader.fail(value, ErrorCode::Malformed, "expected known sizes of a stored tensor");
      return extent.value;
    };
    tensor.dtype = meta.dtype;
    tensor.requiresGrad = meta.requiresGrad;
    tensor.device = meta.device;
    tensor.offset = known(meta.offset);
    for (const exported::Extent &size : meta.sizes)
      tensor.sizes.push_back(known(size));
    for (const exported::Extent &stride : meta.strides)
      tensor.strides.push_back(known(stride));
    bool negative = tensor.offset < 0;
    for (int64_t stride : tensor.strides)
      negative |= stride < 0;
    if (negative)
      reader.fail(value, ErrorCode::Malformed, "expected a non-negative offset and strides");
  });
  if (reader.failed())
    return {};
  Result<SharedBytes> record = records.read(tensor.storageKey);
  if (!record)
    return record.takeError();
  tensor.storage = std::move(*record);
  if (Result<void> checked = checkView(tensor, zip.budget(), reader.where(place)); !checked)
    return checked;
  tensors.emplace(std::string(place.key), std::move(tensor));
  return {};
}

Result<void> ExportedArchive::Impl::readConfig(const std::string &folder,
                                               const std::string &member) {
  if (!zip.contains(member))
    return {};
  Result<SharedBytes> text = zip.read(member, zip.limits().maxJsonBytes);
  if (!text)
    return text.takeError();
  Result<JsonValue> config = parseJson(member, text->text(), zip.limits());
  if (!config)
    return config.takeError();
  exported::Reader reader(member, zip.limits());
  Result<void> result;
  JsonPlace root{&*config};
  reader.required(root, "config", [&](const JsonPlace &entries) {
    reader.eachMember(entries, [&](const JsonPlace &entry) {
      if (result)
        result = readPayload(entry, folder, reader);
    });
  });
  if (reader.failed())
    return reader.takeError();
  return result;
}

Result<void> ExportedArchive::Impl::openNew() {
  if (Result<void> order = checkByteOrder(); !order)
    return order;
  Result<std::string> name = modelName();
  if (!name)
    return name.takeError();
  if (Result<void> read = readProgram(std::string(layout::models) + *name + ".json"); !read)
    return read;
  std::string weights(layout::weights), constants(layout::constants);
  if (Result<void> read = readConfig(weights, weights + *name + "_weights_config.json"); !read)
    return read;
  return readConfig(constants, constants + *name + "_constants_config.json");
}

//===----------------------------------------------------------------------===//
// The layout before
//===----------------------------------------------------------------------===//

/// What torch.save wrote: a dict from names to tensors.
Result<void> ExportedArchive::Impl::readPickled(const std::string &member) {
  Result<ZipFile> inner = records.openInner(member);
  if (!inner)
    return inner.takeError();
  Result<SharedBytes> bytes = inner->read("data.pkl", zip.limits().maxPickleBytes);
  if (!bytes)
    return bytes.takeError();
  Result<PickleTree> tree = PickleTree::read(member + "/data.pkl", std::move(*bytes), zip.limits());
  if (!tree)
    return tree.takeError();
  TensorStorage storage(*inner, "data");
  ArchiveValues values;
  Result<ArchiveValue> root = ValueBuilder(*tree, storage, values).run();
  if (!root)
    return root.takeError();
  if (!root->asDict())
    return Error{ErrorCode::Malformed,
                 "expected a dict of tensors, got a " + std::string(root->kindName()), member};
  for (const auto &[key, value] : root->asDict()->items) {
    if (!key.asString() || !value.asTensor())
      return Error{ErrorCode::Unsupported,
                   "expected a name and a tensor, got a " + std::string(value.kindName()), member};
    ArchiveTensor tensor = *value.asTensor();
    tensor.storageKey = member + "/" + tensor.storageKey;
    tensors.emplace(*key.asString(), std::move(tensor));
  }
  return {};
}

Result<void> ExportedArchive::Impl::openOld() {
  if (Result<void> read = readProgram(std::string(layout::oldProgram)); !read)
    return read;
  if (Result<void> read = readPickled(std::string(layout::oldState)); !read)
    return read;
  // The first versions kept constants with the rest.
  if (!zip.contains(layout::oldConstants))
    return {};
  return readPickled(std::string(layout::oldConstants));
}

//===----------------------------------------------------------------------===//
// ExportedArchive
//===----------------------------------------------------------------------===//

static bool holdsProgram(const ZipFile &zip) {
  if (zip.contains(layout::oldProgram))
    return true;
  for (const std::string &member : zip.members())
    if (member.starts_with(layout::models) && member.ends_with(".json"))
      return true;
  return false;
}

Result<void> ExportedArchive::Impl::open(const std::string &name) {
  if (!holdsProgram(zip))
    return Error{ErrorCode::Unsupported, "expected a program saved by torch.export", name};
  return zip.contains(layout::oldProgram) ? openOld() : openNew();
}

bool ExportedArchive::recognizes(SharedBytes bytes, const std::string &name) {
  Result<ZipFile> zip = openAnyLayout(std::move(bytes), name, {});
  return zip && (holdsProgram(*zip) || zip->contains("archive_format"));
}

Result<ExportedArchive> ExportedArchive::openBytes(SharedBytes bytes, const std::string &name,
                                                   const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<ExportedArchive> {
    Result<ZipFile> zip = openAnyLayout(std::move(bytes), name, limits);
    if (!zip)
      return zip.takeError();
    auto impl = std::make_shared<Impl>(std::move(*zip));
    if (Result<void> opened = impl->open(name); !opened)
      return opened.takeError();
    return ExportedArchive(std::move(impl));
  });
}

Result<ExportedArchive> ExportedArchive::open(const std::string &path,
                                              const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<ExportedArchive> {
    Result<SharedBytes> mapped = SharedBytes::mapFile(path);
    if (!mapped)
      return mapped.takeError();
    return openBytes(std::move(*mapped), path, limits);
  });
}

const exported::Program &ExportedArchive::program() const { return impl->program; }

const ArchiveTensor *ExportedArchive::findTensor(std::string_view name) const {
  auto found = impl->tensors.find(name);
  return found == impl->tensors.end() ? nullptr : &found->second;
}

} // namespace jit
