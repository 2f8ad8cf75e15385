//===- TileChoice.cpp - the register tile of a product --------------------===//
//
// Exhaustive search over a few hundred tiles with a model of a core that starts two multiply-adds
// and two loads in a cycle. The model only ranks tiles; it need not be exact.
//
//===----------------------------------------------------------------------===//

#include "Products/TileChoice.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace jit::codegen {

/// Cycles to start and store a tile beside its steps: loop entry, exit and its mispredicted branch.
static constexpr double tileOverhead = 12;
/// A line of the first-level cache, and the distance after which its sets repeat.
static constexpr int64_t lineBytes = 64, pageBytes = 4096;
/// What a tile costs whose rows drive one another out of the cache: 14 rows of 1024 or 2048 floats
/// took a tenth to a seventh longer than 6 in a cache of 12 ways.
static constexpr double crowdedCost = 1.15;
/// What a tile costs of whose streamed operand a column of tiles does not stay in the second-level
/// cache: five vectors of 2048 floats took twice as long as four, which fill half of it.
static constexpr double overflowCost = 2;

int64_t RegisterTile::pointCount() const {
  int64_t count = 1;
  for (const TiledLoop &point : points)
    count *= point.size;
  return count;
}

TileSizes RegisterTile::sizes() const {
  TileSizes sizes{vectors};
  for (auto [size, point] : llvm::zip(sizes.points, points))
    size = point.size;
  return sizes;
}

int64_t lanesFor(const ProductNest &nest, const Machine &machine) {
  return std::max<int64_t>(1, machine.lanes * 32 / nest.elementBits());
}

static bool canVectorize(const NestLoop &loop) {
  if (loop.open)
    return false;
  if (loop.reduction)
    return loop.block == 0 && loop.step[Lhs] == 1 && loop.step[Rhs] == 1;
  // Every second element takes two loads and a shuffle.
  bool readable = loop.step[Lhs] <= 2 && loop.step[Rhs] <= 2;
  return readable && loop.step[Lhs] + loop.step[Rhs] >= 1;
}

namespace {

using TileVisitor = llvm::function_ref<void(RegisterTile)>;

/// Costs the tiles of one choice of vector loop and point loops.
class TileSearch {
public:
  TileSearch(const ProductNest &nest, const Machine &machine, unsigned vectorLoop)
      : nest(nest), machine(machine), vectorLoop(vectorLoop), lanes(lanesFor(nest, machine)) {
    orderPointLoops();
  }

  void run(TileVisitor visit);

private:
  const NestLoop &vector() const { return nest.loops[vectorLoop]; }
  void orderPointLoops();
  RegisterTile tileOf(int64_t vectors, int64_t size0, int64_t size1) const;
  double cost(int64_t vectors, int64_t size0, int64_t size1) const;
  double stepCost(int64_t vectors, int64_t size0, int64_t size1) const;
  double storeCost(int64_t vectors, int64_t points) const;
  /// The most lines of one set of the first-level cache among what a step reads of an operand.
  int64_t linesOfSet(Operand operand, int64_t size0, int64_t size1) const;
  bool isCrowded(int64_t size0, int64_t size1) const;
  /// Registers or loads that one operand needs in a step.
  int64_t reads(Operand operand, int64_t vectors, int64_t size0, int64_t size1) const;
  int64_t extent(unsigned point) const {
    return point < pointLoops.size() ? nest.loops[pointLoops[point]].extent : 1;
  }

  const ProductNest &nest;
  const Machine &machine;
  unsigned vectorLoop;
  int64_t lanes;
  SmallVector<unsigned, 2> pointLoops;
};

} // namespace

/// The (at most two) loops to unroll: those that reuse a loaded vector, the ones that make
/// contiguous output first, then the longest and the nearest.
void TileSearch::orderPointLoops() {
  bool scattered = !vector().reduction && vector().step[Out] != 1;
  SmallVector<unsigned> candidates;
  for (auto [index, loop] : llvm::enumerate(nest.loops))
    if (!loop.reduction && index != vectorLoop && loop.block == 0)
      candidates.push_back(index);
  auto rank = [&](unsigned index) {
    const NestLoop &loop = nest.loops[index];
    bool reuses = vector().reduction || (vector().step[Lhs] != 0 && loop.step[Lhs] == 0) ||
                  (vector().step[Rhs] != 0 && loop.step[Rhs] == 0);
    bool contiguous = scattered && loop.step[Out] == 1;
    int64_t useful = std::min<int64_t>(loop.extent, 8);
    return std::make_tuple(!reuses, !contiguous, -useful, loop.step[Out]);
  };
  llvm::stable_sort(candidates, [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
  pointLoops.assign(candidates.begin(),
                    candidates.begin() + std::min<size_t>(2, candidates.size()));
}

int64_t TileSearch::reads(Operand operand, int64_t vectors, int64_t size0, int64_t size1) const {
  int64_t count = 1;
  if (!vector().reduction && vector().step[operand] != 0)
    count *= vectors * (vector().step[operand] == 2 ? 3 : 1);
  if (!pointLoops.empty() && nest.loops[pointLoops[0]].step[operand] != 0)
    count *= size0;
  if (pointLoops.size() > 1 && nest.loops[pointLoops[1]].step[operand] != 0)
    count *= size1;
  return count;
}

int64_t TileSearch::linesOfSet(Operand operand, int64_t size0, int64_t size1) const {
  auto step = [&](unsigned point) {
    return point < pointLoops.size() ? nest.loops[pointLoops[point]].step[operand] : 0;
  };
  llvm::SmallDenseSet<int64_t, 32> lines;
  for (int64_t i = 0; i < size0; ++i)
    for (int64_t j = 0; j < size1; ++j)
      lines.insert((i * step(0) + j * step(1)) * nest.storedBits(operand) / 8 / lineBytes);
  std::array<int64_t, pageBytes / lineBytes> sets = {};
  for (int64_t line : lines)
    ++sets[line % sets.size()];
  return *llvm::max_element(sets);
}

/// Whether lines that the next steps read again leave the cache before.
bool TileSearch::isCrowded(int64_t size0, int64_t size1) const {
  int64_t ways = machine.l1Bytes / pageBytes;
  return llvm::any_of(std::array{Lhs, Rhs}, [&](Operand operand) {
    return linesOfSet(operand, size0, size1) > ways * 3 / 4;
  });
}

double TileSearch::stepCost(int64_t vectors, int64_t size0, int64_t size1) const {
  double fma = vectors * size0 * size1 / 2.0;
  double loads = (reads(Lhs, vectors, size0, size1) + reads(Rhs, vectors, size0, size1)) / 2.0;
  // The quarter of a cycle stands for the loop itself, and lets larger tiles win among equals.
  return std::max({fma, loads, 0.5}) + 0.25;
}

double TileSearch::storeCost(int64_t vectors, int64_t points) const {
  if (vector().reduction)
    return points * 6.0;
  if (vector().step[Out] == 1)
    return vectors * points;
  bool contiguous = !pointLoops.empty() && nest.loops[pointLoops[0]].step[Out] == 1;
  // A register transpose takes log2(lanes) shuffles a vector; else each element is stored by
  // itself.
  return contiguous ? vectors * (lanes + points * 3.0) : 2.0 * vectors * points * lanes;
}

double TileSearch::cost(int64_t vectors, int64_t size0, int64_t size1) const {
  double steps = 1, others = 1;
  for (auto [index, loop] : llvm::enumerate(nest.loops)) {
    if (index == vectorLoop)
      steps *= loop.reduction ? llvm::divideCeil(loop.extent, lanes) : 1;
    else if (loop.reduction)
      steps *= loop.extent;
    else if (!llvm::is_contained(pointLoops, index))
      others *= loop.extent;
  }
  int64_t width = vector().reduction ? 1 : vectors * lanes;
  int64_t length = vector().reduction ? 1 : vector().extent;
  struct Part {
    int64_t count, size;
  };
  auto parts = [](int64_t extent, int64_t size) {
    return std::array<Part, 2>{Part{extent / size, size}, Part{extent % size != 0, extent % size}};
  };
  double total = 0;
  for (Part v : parts(length, width))
    for (Part p : parts(extent(0), size0))
      for (Part q : parts(extent(1), size1)) {
        double count = double(v.count) * p.count * q.count;
        if (count == 0)
          continue;
        int64_t used = vector().reduction ? 1 : llvm::divideCeil(v.size, lanes);
        total += count * (steps * stepCost(used, p.size, q.size) +
                          storeCost(used, p.size * q.size) + tileOverhead);
      }
  if (isCrowded(size0, size1))
    total *= crowdedCost;
  Operand streamed = vector().step[Rhs] != 0 ? Rhs : Lhs;
  bool isReused = llvm::any_of(nest.loops, [&](const NestLoop &loop) {
    return !loop.reduction && loop.extent > 1 && loop.step[streamed] == 0;
  });
  // Narrower ones overflow for sums that are cut into blocks anyway.
  double panelBytes = steps * double(width) * double(nest.storedBits(streamed)) / 8;
  if (isReused && vectors > 2 && !vector().reduction && panelBytes > double(machine.l2Bytes) / 2)
    total *= overflowCost;
  return total * others;
}

RegisterTile TileSearch::tileOf(int64_t vectors, int64_t size0, int64_t size1) const {
  RegisterTile tile{vectorLoop, lanes, vectors, {}, cost(vectors, size0, size1)};
  std::array<int64_t, 2> sizes = {size0, size1};
  for (auto [loop, size] : llvm::zip(pointLoops, sizes))
    tile.points.push_back({loop, size});
  return tile;
}

void TileSearch::run(TileVisitor visit) {
  int64_t fixed = vector().block / lanes;
  if (vector().block % lanes != 0)
    return;
  int64_t most = vector().reduction ? 1
                 : fixed ? fixed
                         : std::min(maxVectors, llvm::divideCeilSigned(vector().extent, lanes));
  for (int64_t vectors = fixed ? fixed : 1; vectors <= most; ++vectors)
    for (int64_t size0 = 1; size0 <= std::min(extent(0), machine.registers); ++size0)
      for (int64_t size1 = 1; size1 <= std::min(extent(1), machine.registers); ++size1) {
        // Two ragged dimensions of points would need four tiles in every block of vectors.
        if (size1 > 1 && !vector().reduction && size0 != extent(0))
          break;
        int64_t shared =
            std::min(reads(Lhs, vectors, size0, size1), reads(Rhs, vectors, size0, size1));
        bool least = size0 == 1 && size1 == 1;
        if (!least && vectors * size0 * size1 + shared + 1 > machine.registers)
          break;
        visit(tileOf(vectors, size0, size1));
      }
}

static void forEachTile(const ProductNest &nest, const Machine &machine, TileVisitor visit) {
  bool packed = llvm::any_of(nest.loops, [](const NestLoop &loop) { return loop.block != 0; });
  for (auto [index, loop] : llvm::enumerate(nest.loops))
    if (canVectorize(loop) && (loop.block != 0 || !packed))
      TileSearch(nest, machine, index).run(visit);
}

std::optional<RegisterTile> chooseTile(const ProductNest &nest, const Machine &machine,
                                       std::optional<TileSizes> wanted) {
  std::optional<RegisterTile> cheapest, measured;
  forEachTile(nest, machine, [&](RegisterTile tile) {
    auto &best = wanted && tile.sizes() == *wanted ? measured : cheapest;
    if (!best || tile.cost < best->cost)
      best = std::move(tile);
  });
  return measured ? measured : cheapest;
}

SmallVector<RegisterTile> cheapestTiles(const ProductNest &nest, const Machine &machine,
                                        size_t count) {
  SmallVector<RegisterTile> all, chosen;
  forEachTile(nest, machine, [&](RegisterTile tile) { all.push_back(std::move(tile)); });
  llvm::stable_sort(all, [](const auto &a, const auto &b) { return a.cost < b.cost; });
  for (RegisterTile &tile : all) {
    if (chosen.size() == count)
      break;
    if (llvm::none_of(chosen, [&](const auto &other) { return other.sizes() == tile.sizes(); }))
      chosen.push_back(std::move(tile));
  }
  return chosen;
}

} // namespace jit::codegen
