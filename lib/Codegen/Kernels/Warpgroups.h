//===- Warpgroups.h - what groups of four warps multiply ---------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_WARPGROUPS_H
#define JIT_CODEGEN_KERNELS_WARPGROUPS_H

#include "Kernels/Launch.h"
#include "Kernels/TensorMaps.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace jit::codegen {

/// Halves of a row of shared memory, which is what is copied side by side: 128 bytes. Shared memory
/// is exchanged in patterns of eight such rows.
inline constexpr int64_t boxHalves = 64, halfBytes = 2, boxRowBytes = boxHalves * halfBytes,
                         patternBytes = 8 * boxRowBytes;
/// A group, and the rows that it multiplies at once; the summands of one instruction, which are
/// halves, and their bytes.
inline constexpr int64_t groupThreads = 128, groupRows = 64, stepDepth = 16,
                         stepBytes = stepDepth * halfBytes;
/// Of a barrier of the device.
inline constexpr int64_t barrierBytes = 8;
/// What a thread that multiplies may have of registers where two groups do and one copies, and what
/// one of those has that copy.
inline constexpr uint32_t manyRegisters = 232, fewRegisters = 40;

/// The body of an scf.if that holds for `condition`.
void runIf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition,
           llvm::function_ref<void()> body);

/// One operand of a product, of which the device copies boxes to shared memory: `tile` rows or
/// columns by `summands`.
class SharedFactor {
public:
  SharedFactor(mlir::OpOperand &operand, const FactorMatrix &matrix, int64_t tile, int64_t summands)
      : operand(&operand), matrix(matrix), tile(tile), summands(summands) {}

  int64_t bytes() const { return boxes() * boxRows() * boxRowBytes; }
  int64_t columns() const { return tile; }
  bool isAlongDepth() const { return matrix.isAlongDepth; }
  mlir::Type type() const { return mlir::getElementTypeOrSelf(operand->get()); }
  bool isBrain() const { return type().isBF16(); }
  /// The elements of a row of shared memory, and the summands of one instruction.
  int64_t rowElements() const { return boxRowBytes / elementBytes(*operand); }
  int64_t stepElements() const { return stepBytes / elementBytes(*operand); }

  /// Makes its map; `batchAt` is the product's batch.
  void locate(mlir::OpBuilder &b, mlir::Location loc, mlir::Value batchAt);
  /// Copies what begins with these numbers to the address `to`; the bytes come to `barrier`.
  void copy(mlir::OpBuilder &b, mlir::Location loc, mlir::Value to, mlir::Value depthAt,
            mlir::Value otherAt, mlir::Value barrier) const;
  /// The layout of what is at `address`, a multiple of a pattern's bytes, as the instruction wants
  /// it told, from the first summand on.
  mlir::Value descriptor(mlir::OpBuilder &b, mlir::Location loc, mlir::Value address) const;
  /// The bytes between the first row and row number `row`, a multiple of a group's.
  mlir::Value rowOffset(mlir::OpBuilder &b, mlir::Location loc, mlir::Value row) const;
  /// The same descriptor for the summands of step number `number`.
  mlir::Value step(mlir::OpBuilder &b, mlir::Location loc, mlir::Value descriptor,
                   int64_t number) const;

private:
  /// Rows of summands are boxes of a row's summands, rows of others boxes of as many of these.
  int64_t boxes() const {
    return llvm::divideCeilSigned(matrix.isAlongDepth ? summands : tile, rowElements());
  }
  int64_t boxRows() const { return matrix.isAlongDepth ? tile : summands; }

  mlir::OpOperand *operand;
  FactorMatrix matrix;
  int64_t tile, summands;
  /// The address of its map, its batch, and where the rows of that begin.
  mlir::Value map, batch, start;
};

/// Stages of shared memory that copies fill and warps empty, in turn, each with two barriers: one
/// counts the bytes that have come, one the warps that are done.
class CopyRing {
public:
  CopyRing(mlir::OpBuilder &b, mlir::Location loc, int64_t stages)
      : b(b), loc(loc), stages(stages) {}

  /// Where the barriers are.
  void locate(mlir::Value address) { barriers = address; }
  int64_t bytes() const { return stages * 2 * barrierBytes; }
  /// By one thread: `warps` leave each stage.
  void initBarriers(int64_t warps);
  mlir::Value stageOf(mlir::Value number);
  /// Waits until copy `number` has come to its stage, or may come.
  void awaitFull(mlir::Value number);
  void awaitEmpty(mlir::Value number);
  /// Says how many bytes copy `number` has; they come to the barrier that it gives.
  mlir::Value expect(mlir::Value number, int64_t bytes);
  /// Says that the thread's warp has read copy `number`.
  void leave(mlir::Value thread, mlir::Value number);

private:
  mlir::Value barrier(mlir::Value stage, bool isFull);
  void await(mlir::Value number, bool isFull);

  mlir::OpBuilder &b;
  mlir::Location loc;
  int64_t stages;
  mlir::Value barriers;
};

/// A pointer to shared memory.
mlir::Value sharedPointer(mlir::OpBuilder &b, mlir::Location loc, mlir::Value address,
                          mlir::NVVM::NVVMMemorySpace space);
/// Waits for the phase of this parity.
void awaitBarrier(mlir::OpBuilder &b, mlir::Location loc, mlir::Value barrier, mlir::Value parity);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_WARPGROUPS_H
