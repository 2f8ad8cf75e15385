//===- Registration.cpp - what the passes of Codegen rely on --------------===//
#include "Buffers/SliceSubsets.h"
#include "Targets/GpuTargets.h"
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Codegen/Cpu.h"
#include "jit/Codegen/LLVM/Passes.h"
#include "jit/Codegen/Loops/Passes.h"
#include "jit/Codegen/Math/Passes.h"
#include "jit/Codegen/Products/Passes.h"
#include "jit/Codegen/Products/WinogradOp.h"
#include "jit/Dialect/Foreign/Foreign.h"

#include "mlir/Dialect/Arith/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;

void jit::codegen::registerCodegen(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                  cf::ControlFlowDialect, foreign::ForeignDialect, func::FuncDialect,
                  index::IndexDialect, linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect, ub::UBDialect,
                  vector::VectorDialect, winograd::WinogradDialect>();
  registerSliceSubsets(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferViewFlowOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerSubsetOpInterfaceExternalModels(registry);
  linalg::registerTilingInterfaceExternalModels(registry);
  memref::registerBufferViewFlowOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerGpu(registry);
}

namespace {
struct CpuPipelineOptions : PassPipelineOptions<CpuPipelineOptions> {
  Option<std::string> cpu{*this, "cpu", llvm::cl::desc("LLVM's name of the CPU (the host's)")};
  Option<int64_t> threshold{*this, "parallel-threshold",
                            llvm::cl::desc("scalar operations below which a loop stays serial"),
                            llvm::cl::init(jit::codegen::CodegenOptions().parallelThreshold)};
  Option<jit::Numerics> numerics{
      *this, "numerics", llvm::cl::desc("how results may round"),
      llvm::cl::init(jit::codegen::CodegenOptions().numerics),
      llvm::cl::values(
          clEnumValN(jit::Numerics::Strict, "strict", "sums as the program writes them"),
          clEnumValN(jit::Numerics::Fast, "fast", "convolutions may lose 1e-5"))};
};
} // namespace

static LogicalResult addCpuPipeline(OpPassManager &pm, StringRef text,
                                    function_ref<LogicalResult(const Twine &)> fail) {
  CpuPipelineOptions options;
  if (failed(options.parseFromString(text)))
    return failure();
  jit::codegen::CodegenOptions codegen;
  codegen.parallelThreshold = options.threshold;
  codegen.numerics = options.numerics;
  if (!options.cpu.empty()) {
    llvm::Expected<jit::codegen::Machine> machine = jit::codegen::describeMachine(options.cpu);
    if (!machine)
      return fail(llvm::toString(machine.takeError()));
    codegen.machine = *machine;
  }
  jit::codegen::cpuTarget().addLoweringPasses(pm, codegen);
  return success();
}

void jit::codegen::registerCodegenPasses() {
  registerJitBuffersPasses();
  registerJitProductsPasses();
  registerJitMathPasses();
  registerJitLoopsPasses();
  registerJitLLVMPasses();
  registerPassPipeline("jit-to-cpu", "Lower entries on tensors to the LLVM dialect for a CPU",
                       addCpuPipeline,
                       [](function_ref<void(const mlir::detail::PassOptions &)> show) {
                         show(CpuPipelineOptions());
                       });
  registerGpuPasses();
}
