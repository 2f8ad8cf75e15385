//===- Blobs.cpp - constant bytes, each once ------------------------------===//
#include "jit/Codegen/Package.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstring>

using namespace jit::package;

static llvm::ArrayRef<uint8_t> bytesOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()};
}

int32_t Blobs::add(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  uint64_t hash = llvm::xxh3_64bits(bytesOf(bytes));
  auto [first, last] = byHash.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (bytesOf(blobs[it->second].bytes) == bytesOf(bytes))
      return it->second;
  int32_t number = static_cast<int32_t>(blobs.size());
  blobs.push_back({bytes, std::move(owner), end});
  byHash.emplace(hash, number);
  end += static_cast<int64_t>(llvm::alignTo(bytes.size(), 64));
  return number;
}

uint64_t Blobs::id() const {
  std::vector<uint64_t> words;
  for (const Blob &blob : blobs) {
    words.push_back(blob.bytes.size());
    words.push_back(llvm::xxh3_64bits(bytesOf(blob.bytes)));
  }
  return llvm::xxh3_64bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(words.data()),
                                          words.size() * sizeof(uint64_t)));
}

void Blobs::write(llvm::raw_ostream &os) const {
  char head[64] = "JITWGHT";
  uint64_t number = id();
  std::memcpy(head + 8, &number, sizeof number);
  os.write(head, sizeof head);
  for (const Blob &blob : blobs) {
    os.write(reinterpret_cast<const char *>(blob.bytes.data()), blob.bytes.size());
    os.write_zeros(llvm::alignTo(blob.bytes.size(), 64) - blob.bytes.size());
  }
}
