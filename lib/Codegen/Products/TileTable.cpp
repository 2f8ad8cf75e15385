//===- TileTable.cpp - cuts of products that were measured ----------------===//

#include "jit/Codegen/Products/TileTable.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace jit::codegen {

/// Of the file's format and of what its numbers mean.
static constexpr int64_t version = 1;
/// A table is objects in objects; the parser calls itself for each.
static constexpr int64_t deepest = 8;

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
  auto require = [](bool holds, json::Path at, StringLiteral what) {
    if (!holds)
      at.report(what);
    return holds;
  };
  if (!require(cut.packed >= -1 && cut.packed <= 1, path.field("packed"), "expected -1, 0 or 1") ||
      !require(cut.loop >= 0, path.field("loop"), "expected no negative number") ||
      !require(cut.tile.vectors >= 1, path.field("vectors"), "expected a positive number") ||
      !require(points.size() == 2 && points[0] >= 1 && points[1] >= 1, path.field("points"),
               "expected two positive numbers"))
    return false;
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

/// Brackets in strings are none.
static bool isTooDeep(StringRef text) {
  int64_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"')
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
    else
      depth += (text[i] == '[' || text[i] == '{') - (text[i] == ']' || text[i] == '}');
    if (depth > deepest)
      return true;
  }
  return false;
}

Result<TileTable> TileTable::read(const std::string &path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return Error{ErrorCode::Io, file.getError().message(), path};
  if (isTooDeep((*file)->getBuffer()))
    return Error{ErrorCode::LimitExceeded, "expected a table of tiles, got deeper nesting", path};
  Expected<json::Value> whole = json::parse((*file)->getBuffer());
  if (!whole)
    return malformed(path, whole.takeError());
  json::Path::Root root("table");
  TileTable table("");
  json::ObjectMapper map(*whole, root);
  int64_t found = 0;
  if (!map || !map.map("version", found))
    return malformed(path, root.getError());
  if (found != version)
    return Error{ErrorCode::Unsupported,
                 formatv("expected a table of tiles of version {0}, got {1}", version, found),
                 path};
  if (!map.map("cpu", table.cpuName) || !map.map("products", table.cuts))
    return malformed(path, root.getError());
  return table;
}

std::string TileTable::text() const {
  json::Object products;
  for (const auto &[product, cut] : cuts)
    products[product] = toJSON(cut);
  return formatv("{0:2}\n",
                 json::Value(json::Object{
                     {"version", version}, {"cpu", cpuName}, {"products", std::move(products)}}));
}

Result<void> TileTable::write(const std::string &path) const {
  std::error_code error;
  raw_fd_ostream file(path, error);
  if (!error) {
    file << text();
    file.close();
    error = file.error();
    file.clear_error();
  }
  return error ? Result<void>(Error{ErrorCode::Io, error.message(), path}) : Result<void>();
}

} // namespace jit::codegen
