//===- PtxCode.cpp - from the NVVM dialect to PTX -------------------------===//
#include "NVVM/PtxCode.h"
#include "Machine/Subtarget.h"
#include "NVVM/Toolkit.h"
#include "LLVM/OptimizeModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

static const char *const tripleName = "nvptx64-nvidia-cuda";

static Expected<std::unique_ptr<TargetMachine>> backendFor(StringRef chip) {
  jit::codegen::initializeBackends();
  Expected<jit::codegen::GpuMachine> machine = jit::codegen::describeGpu(chip);
  if (!machine)
    return machine.takeError();
  Triple triple(tripleName);
  std::string message;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError("expected LLVM to have a backend for NVIDIA's GPUs: " + message);
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, machine->chip, machine->features, TargetOptions(),
                                  std::nullopt, std::nullopt, CodeGenOptLevel::Aggressive));
}

/// The kernels as an LLVM module of their own.
static std::unique_ptr<Module> translate(mlir::gpu::GPUModuleOp kernels, LLVMContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(kernels.getLoc());
  mlir::OpBuilder b(module->getBodyRegion());
  for (mlir::Operation &op : *kernels.getBody())
    b.clone(op);
  // The translation trusts what it reads, and would end the process.
  return failed(mlir::verify(*module)) ? nullptr
                                       : mlir::translateModuleToLLVMIR(*module, context, "kernels");
}

/// A function of libdevice that is called, or null.
static const Function *calledOfLibdevice(const Module &module) {
  for (const Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_"))
      return &function;
  return nullptr;
}

static Error linkLibdevice(Module &module) {
  const Function *called = calledOfLibdevice(module);
  if (!called)
    return Error::success();
  auto path = jit::codegen::findInToolkit("nvvm/libdevice/libdevice.10.bc");
  if (!path)
    return createStringError("expected CUDA's libdevice for " + called->getName().str() +
                             ": set CUDA_HOME, or install nvidia-cuda-nvcc; looked in " +
                             jit::codegen::toolkitPlaces());
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> library = parseIRFile(*path, diagnostic, module.getContext());
  if (!library)
    return createStringError("expected LLVM bitcode in " + *path + ": " +
                             diagnostic.getMessage().str());
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  auto internalize = [](Module &linked, const StringSet<> &names) {
    for (Function &function : linked)
      if (names.contains(function.getName()) && !function.isDeclaration())
        function.setLinkage(GlobalValue::InternalLinkage);
  };
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded, internalize))
    return createStringError("expected a libdevice that links, got " + *path);
  // A call would put what the kernel has in registers into memory; pow of doubles asks for one.
  for (Function &function : module)
    if (function.hasLocalLinkage()) {
      function.removeFnAttr(Attribute::NoInline);
      function.addFnAttr(Attribute::AlwaysInline);
    }
  // Denormals count, as on the CPU.
  module.addModuleFlag(Module::Override, "nvvm-reflect-ftz", uint32_t(0));
  return Error::success();
}

/// The backend contracts a product into each of the sums that it is in, and each of them would have
/// another value of it than who reads it alone: `x * 3 - x * 3` would not be 0. A product that is
/// read more than once is rounded for all.
static void roundSharedProducts(Module &module) {
  for (Function &function : module)
    for (Instruction &op : instructions(function))
      if (op.getOpcode() == Instruction::FMul && op.hasAllowContract() && !op.hasOneUse())
        op.setHasAllowContract(false);
}

Expected<std::string> jit::codegen::emitPtx(mlir::gpu::GPUModuleOp kernels, StringRef chip) {
  Expected<std::unique_ptr<TargetMachine>> machine = backendFor(chip);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  std::unique_ptr<Module> module = translate(kernels, context);
  if (!module)
    return createStringError("expected kernels that translate to LLVM IR");
  module->setTargetTriple((*machine)->getTargetTriple());
  module->setDataLayout((*machine)->createDataLayout());
  if (Error error = linkLibdevice(*module))
    return error;
  optimizeModule(*module, **machine, OptimizationLevel::O3);
  roundSharedProducts(*module);
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    return createStringError("expected LLVM to write PTX");
  passes.run(*module);
  return text.str().str();
}

Expected<std::string> jit::codegen::assemblePtx(StringRef ptx, StringRef chip) {
  auto tool = findInToolkit("bin/ptxas");
  if (!tool)
    return std::string();
  SmallString<128> input, output, log;
  for (auto [suffix, path] :
       {std::pair("ptx", &input), std::pair("cubin", &output), std::pair("log", &log)})
    if (std::error_code error = sys::fs::createTemporaryFile("jit", suffix, *path))
      return createStringError("expected to make a temporary file: " + error.message());
  FileRemover removeInput(input), removeOutput(output), removeLog(log);
  {
    std::error_code error;
    raw_fd_ostream file(input, error);
    file << ptx;
  }
  std::string arch = ("-arch=" + chip).str(), message;
  StringRef args[] = {*tool, arch, input, "-o", output};
  std::optional<StringRef> redirects[] = {std::nullopt, log.str(), log.str()};
  int code =
      sys::ExecuteAndWait(*tool, args, std::nullopt, redirects, /*SecondsToWait=*/300, 0, &message);
  if (code != 0) {
    auto said = MemoryBuffer::getFile(log);
    return createStringError("expected ptxas to take the kernels: " + message +
                             (said ? (*said)->getBuffer().str() : ""));
  }
  auto image = MemoryBuffer::getFile(output);
  if (!image)
    return createStringError("expected ptxas to write an image");
  return (*image)->getBuffer().str();
}
