//===- WarpgroupProducts.cpp - wgmma --------------------------------------===//
//
// A warp does its 16 rows of the 64. Sums are there at once, but may not be touched before a wait;
// the matrices are read when a product begins and looked at again when it is waited for, which may
// be as late as the device reads them: who writes there in between is a race.
//
//===----------------------------------------------------------------------===//
#include "LaneLoops.h"

#include <charconv>
#include <cstring>

using namespace ptx;

namespace {
/// A matrix in shared memory, by its descriptor. In the layouts that CUTLASS documents for
/// descriptors, chunks are 8 elements of 16 bits or 4 of 32; its `row` is one of the product's rows
/// or columns.
struct Matrix {
  uint64_t start, leading, stride;
  unsigned swizzle;
  /// True where rows lie side by side, not what is summed.
  bool isAlongRows;

  Matrix(uint64_t descriptor, bool isAlongRows)
      : start((descriptor & 0x3fff) << 4), leading((descriptor >> 16 & 0x3fff) << 4),
        stride((descriptor >> 32 & 0x3fff) << 4), swizzle(descriptor >> 62),
        isAlongRows(isAlongRows) {}

  /// Chunks side by side before the pattern repeats: 8 for 128 bytes, then 4, 2, 1.
  uint64_t width() const { return swizzle == 0 ? 1 : uint64_t(16) >> swizzle; }

  /// Of chunk `chunk` of line `line`: lines are rows and chunks along the depth, or the reverse.
  uint64_t address(uint64_t line, uint64_t chunk) const {
    uint64_t place = start + line % 8 * width() * 16;
    if (isAlongRows)
      place += swizzle == 0 ? chunk * stride + line / 8 * leading
                            : chunk % width() * 16 + chunk / width() * leading + line / 8 * stride;
    else
      place += line / 8 * stride + (swizzle == 0 ? chunk * leading : chunk * 16);
    return place ^ ((place >> 7 & (width() - 1)) << 4);
  }
};

constexpr uint64_t depthBytes = 32, chunkBytes = 16;

class Product {
public:
  Product(Warp &warp, const Instruction &i)
      : warp(warp), i(i), elementBytes(i.fromType == Type::TF32 ? 4 : 2),
        depth(depthBytes / elementBytes) {}

  void run();

private:
  uint64_t number(size_t operand) { return warp.operand(i, operand)[0]; }
  /// Whether a factor's rows lie side by side: the operand that says so is one of halves.
  bool isAlongRows(size_t operand) { return operand < i.operands.size() && number(operand) != 0; }
  double element(uint32_t bits) const {
    // The 13 lowest bits are not looked at.
    if (i.fromType == Type::TF32)
      return double(valueOf<float>(bits & 0xffffe000));
    return i.fromType == Type::F16 ? double(valueOf<Half>(bits)) : double(valueOf<Brain>(bits));
  }
  /// Rows `first` to `first + count` of a matrix, all of its depth.
  std::vector<double> read(const Matrix &matrix, uint64_t first, uint64_t count);
  std::vector<double> readRegisters();

  Warp &warp;
  const Instruction &i;
  uint64_t elementBytes, depth;
};
} // namespace

std::vector<double> Product::read(const Matrix &matrix, uint64_t first, uint64_t count) {
  std::vector<double> result(count * depth);
  uint64_t chunkElements = chunkBytes / elementBytes;
  uint64_t lines = matrix.isAlongRows ? depth : count;
  uint64_t chunks = (matrix.isAlongRows ? count : depth) / chunkElements;
  for (uint64_t line = 0; line < lines; ++line)
    for (uint64_t chunk = 0; chunk < chunks; ++chunk) {
      uint64_t address = matrix.isAlongRows ? matrix.address(line, first / chunkElements + chunk)
                                            : matrix.address(first + line, chunk);
      const uint8_t *data = warp.reach(i, 0, Space::Shared, address, chunkBytes, Access::AsyncRead);
      if (!data)
        return result;
      warp.products.open.push_back({address, chunkBytes, &i});
      ++warp.block.productReads[address / chunkBytes];
      for (uint64_t e = 0; e < chunkElements; ++e) {
        uint32_t bits = 0;
        std::memcpy(&bits, data + elementBytes * e, elementBytes);
        uint64_t along = chunk * chunkElements + e;
        result[matrix.isAlongRows ? along * depth + line : line * depth + along] = element(bits);
      }
    }
  return result;
}

std::vector<double> Product::readRegisters() {
  std::vector<double> result(16 * depth);
  const auto &a = i.operands[1].slots;
  for (size_t lane = 0; lane < warpSize; ++lane)
    for (size_t r = 0; r < a.size(); ++r)
      for (size_t part = 0; part < 2; ++part)
        result[(lane / 4 + 8 * (r % 2)) * depth + lane % 4 * 2 + part + 8 * (r / 2)] =
            element(static_cast<uint16_t>(warp.slot(a[r])[lane] >> (16 * part)));
  return result;
}

/// Operands: sums, two factors, whether the old sums count, the factors' signs, and, of halves,
/// whether each factor that lies in memory is transposed.
void Product::run() {
  const auto &sums = i.operands[0].slots;
  bool isInRegisters = i.operands[1].slots.size() == 4;
  size_t columns = 2 * sums.size();
  Matrix right(number(2), isAlongRows(isInRegisters ? 6 : 7));
  uint64_t firstRow = warp.number % 4 * 16;
  std::vector<double> a =
      isInRegisters ? readRegisters() : read(Matrix(number(1), isAlongRows(6)), firstRow, 16);
  std::vector<double> b = read(right, 0, columns);
  if (warp.block.hasFailed())
    return;
  auto signOf = [&](size_t operand) {
    return static_cast<double>(static_cast<int32_t>(number(operand)));
  };
  double sign = signOf(4) * signOf(5);
  bool adds = number(3) != 0;
  for (size_t lane = 0; lane < warpSize; ++lane)
    for (size_t r = 0; r < sums.size(); ++r) {
      size_t row = lane / 4 + 8 * (r / 2 % 2), column = r / 4 * 8 + lane % 4 * 2 + r % 2;
      double sum = 0;
      for (size_t k = 0; k < depth; ++k)
        sum += a[row * depth + k] * b[column * depth + k];
      uint64_t &to = warp.slot(sums[r])[lane];
      to = bitsOf(static_cast<float>(sign * sum + (adds ? valueOf<float>(to) : 0)));
    }
  for (int slot : sums) {
    warp.products.openSlots.push_back(slot);
    ++warp.products.underWay[static_cast<size_t>(slot)];
  }
}

static void multiply(Warp &warp, const Instruction &i, Lanes) { Product(warp, i).run(); }

/// Registers that were written before may be read by products after it.
static void fence(Warp &warp, const Instruction &, Lanes) {
  auto &unfenced = warp.products.isUnfenced;
  std::fill(unfenced.begin(), unfenced.end(), false);
}

static void commit(Warp &warp, const Instruction &, Lanes) {
  auto &products = warp.products;
  products.groups.push_back({std::move(products.open), std::move(products.openSlots)});
  products.open.clear();
  products.openSlots.clear();
}

/// The matrices of products that end now were there until now.
static void waitForGroups(Warp &warp, const Instruction &i, Lanes lanes) {
  auto &products = warp.products;
  for (auto left = static_cast<size_t>(warp.operand(i, 0)[0]); products.groups.size() > left;) {
    auto [reads, slots] = std::move(products.groups.front());
    products.groups.pop_front();
    for (auto &read : reads) {
      --warp.block.productReads[read.address / chunkBytes];
      warp.reach(*read.instruction, 0, Space::Shared, read.address, read.bytes, Access::LastRead);
    }
    for (int slot : slots)
      --products.underWay[static_cast<size_t>(slot)];
  }
  // All lanes know that the reads of the warp have ended.
  std::shared_ptr<const Times> seen;
  warp.block.clocks.release(warp.clock(0), seen);
  forLanes(lanes, [&](int l) { warp.block.clocks.acquire(warp.clock(l), seen); });
}

/// Floats lie in memory with their summands side by side: nothing says that they are transposed.
static Handler findProduct(Instruction &i, Words &words) {
  std::string_view shape = words.word();
  words.skip();
  bool isOfSums = words.takeType() == Type::F32;
  std::optional<Type> type = words.takeType();
  bool isFloat = type == Type::TF32;
  std::string_view begin = "m64n", end = isFloat ? "k8" : "k16";
  if (!isOfSums || !shape.starts_with(begin) || !shape.ends_with(end))
    return nullptr;
  size_t columns = 0;
  std::from_chars(shape.data() + begin.size(), shape.data() + shape.size() - end.size(), columns);
  bool isKnown = (isFloat || type == Type::F16 || type == Type::BF16) && words.takeType() == type &&
                 columns % 8 == 0 && columns <= 256 && i.operands.size() >= 6 &&
                 i.operands[0].slots.size() == columns / 2;
  i.fromType = type.value_or(Type::F16);
  bool isInRegisters = isKnown && i.operands[1].slots.size() == 4;
  if (isFloat && isInRegisters)
    return nullptr;
  size_t expected = isFloat ? 6 : isInRegisters ? 7 : 8;
  return isKnown && i.operands.size() == expected ? multiply : Handler(nullptr);
}

Handler ptx::findWarpgroupProducts(Instruction &i, Words &words) {
  i.meeting = Instruction::Meeting::All;
  words.skip();
  std::string_view name = words.word();
  words.skip();
  if (!words.take("sync") || !words.take("aligned"))
    return nullptr;
  if (name == "fence")
    return fence;
  if (name == "commit_group")
    return commit;
  if (name == "wait_group")
    return waitForGroups;
  return name == "mma_async" ? findProduct(i, words) : nullptr;
}
