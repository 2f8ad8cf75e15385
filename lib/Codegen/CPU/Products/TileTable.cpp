//===- TileTable.cpp - cuts of products that were measured ----------------===//

#include "jit/Codegen/Products/TileTable.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace jit {

static json::Value toJSON(const ProductCut &cut) {
  return json::Object{{"packed", cut.packed},
                      {"loop", cut.loop},
                      {"vectors", cut.tile.vectors},
                      {"points", json::Array{cut.tile.points[0], cut.tile.points[1]}}};
}

static bool fromJSON(const json::Value &value, ProductCut &cut, json::Path path) {
  json::ObjectMapper map(value, path);
  std::vector<int64_t> points;
  if (!map || !map.map("packed", cut.packed) || !map.map("loop", cut.loop) ||
      !map.map("vectors", cut.tile.vectors) || !map.map("points", points))
    return false;
  if (points.size() != 2) {
    path.field("points").report("expected two numbers");
    return false;
  }
  cut.tile.points = {points[0], points[1]};
  return true;
}

std::optional<ProductCut> TileTable::find(StringRef product) const {
  auto found = cuts.find(product.str());
  return found == cuts.end() ? std::nullopt : std::optional(found->second);
}

static Error malformed(const std::string &path, llvm::Error error) {
  return Error{ErrorCode::Malformed,
               "expected a table of tiles: " + llvm::toString(std::move(error)), path};
}

Result<TileTable> TileTable::read(const std::string &path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return Error{ErrorCode::Io, file.getError().message(), path};
  Expected<json::Value> whole = json::parse((*file)->getBuffer());
  if (!whole)
    return malformed(path, whole.takeError());
  json::Path::Root root("table");
  TileTable table("");
  json::ObjectMapper map(*whole, root);
  if (!map || !map.map("cpu", table.cpuName) || !map.map("products", table.cuts))
    return malformed(path, root.getError());
  return table;
}

Result<void> TileTable::write(const std::string &path) const {
  json::Object products;
  for (const auto &[product, cut] : cuts)
    products[product] = toJSON(cut);
  std::error_code error;
  raw_fd_ostream file(path, error);
  if (!error) {
    file << formatv("{0:2}\n",
                    json::Value(json::Object{{"cpu", cpuName}, {"products", std::move(products)}}));
    file.close();
    error = file.error();
    file.clear_error();
  }
  return error ? Result<void>(Error{ErrorCode::Io, error.message(), path}) : Result<void>();
}

} // namespace jit
