//===- Bufferize.cpp - from tensors to buffers, for every target ----------===//
#include "Bufferize.h"
#include "jit/Canonicalizer.h"
#include "jit/Codegen/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void jit::addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizer());
  pm.addPass(createCSEPass());
}

std::unique_ptr<Pass> jit::createQuickCanonicalizer() {
  GreedyRewriteConfig config;
  config.setMaxIterations(1);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return createCanonicalizer(config);
}

void jit::addQuickCleanup(OpPassManager &pm) {
  pm.addPass(createQuickCanonicalizer());
  pm.addPass(createCSEPass());
}

void jit::addBufferization(OpPassManager &pm) {
  pm.addPass(createHoistInit());
  pm.addNestedPass<func::FuncOp>(createFuseLoops());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createSeparateInits());
  pm.addNestedPass<func::FuncOp>(createDestinationStyle());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addNestedPass<func::FuncOp>(createCarryInPlace());
  // The bufferisation knows that an alloc_tensor is dense. Of what it makes of a tensor.empty it
  // knows nothing before it has made it; two branches may have guessed two layouts by then.
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  pm.addPass(bufferization::createOneShotBufferizePass());
  pm.addPass(createVerifyModule());
  pm.addNestedPass<func::FuncOp>(createSeparateResults());
  addCleanup(pm);
}
