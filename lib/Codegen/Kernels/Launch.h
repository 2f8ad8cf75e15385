//===- Launch.h - making kernels in place ------------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_LAUNCH_H
#define JIT_CODEGEN_KERNELS_LAUNCH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace jit::codegen {

/// Names what a gpu.launch does, for the kernel's name.
inline constexpr const char *kernelAttrName = "jit.kernel";
/// Marks the load of a number that the program computed: a kernel repeats it where it needs it.
inline constexpr const char *cellAttrName = "jit.cell";
/// Marks the load of a number that the host needs.
inline constexpr const char *readAttrName = "jit.read";
/// Marks a load of an operand whose elements several threads read.
inline constexpr const char *broadcastAttrName = "jit.broadcast";
/// Marks a load through the read-only cache.
inline constexpr const char *ncAttrName = "jit.nc";

/// How much shared memory a launch adds to what its kernel declares.
inline constexpr const char *dynamicSharedAttrName = "jit.dynamic_shared_bytes";

/// How many registers a thread of a launch, and of its kernel, may have.
inline constexpr const char *registersAttrName = "jit.registers";

/// Marks a launch whose blocks wait for each other: they all have to run side by side, as many of
/// them as the device has room for.
inline constexpr const char *cooperativeAttrName = "jit.cooperative";

/// How many threads are in step.
inline constexpr int64_t warpSize = 32;

/// A gpu.launch of one dimension while its body is written. Between construction and destruction
/// the builder stands inside.
class Launch {
public:
  Launch(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef what, int64_t blocks,
         int64_t threads);

  mlir::Value blockId() { return op.getBlockIds().x; }
  mlir::Value threadId() { return op.getThreadIds().x; }
  /// The thread's number among those of all blocks.
  mlir::Value globalId();
  /// Memory that the threads of a block share.
  mlir::Value shared(mlir::MemRefType type);
  /// The same by bytes, for more than a kernel can declare. Once for each launch.
  mlir::Value dynamicShared(int64_t bytes);
  /// How many registers a thread may have. Else the assembler chooses, and rather spills a few than
  /// have one block less in a multiprocessor.
  void allowRegisters(int64_t count);

private:
  mlir::OpBuilder &b;
  mlir::OpBuilder::InsertionGuard guard;
  mlir::gpu::LaunchOp op;
};

mlir::Value constantIndex(mlir::OpBuilder &b, mlir::Location loc, int64_t value);

/// A kernel that runs `body` for each number below `count`, spread over the device's threads.
/// `multiprocessors` bounds the grid: each thread goes on in strides of the whole grid.
void launchForEach(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef what, int64_t count,
                   int64_t multiprocessors, llvm::function_ref<void(mlir::Value)> body);

/// The same where the call tells the count, an index: the grid fills the device once.
void launchForOpen(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef what, mlir::Value count,
                   int64_t multiprocessors, llvm::function_ref<void(mlir::Value)> body);

/// A kernel of one thread.
void launchOnce(mlir::OpBuilder &b, mlir::Location loc, llvm::function_ref<void()> body);

/// The coordinates of point number `id` of a row-major space of these sizes.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &b, mlir::Location loc, mlir::Value id,
                                           llvm::ArrayRef<int64_t> sizes);
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &b, mlir::Location loc, mlir::Value id,
                                           llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Repeats inside of `launch` what it uses from outside and `isRepeated` holds for, together with
/// what that uses.
void sinkInto(mlir::gpu::LaunchOp launch, llvm::function_ref<bool(mlir::Operation *)> isRepeated);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_LAUNCH_H
