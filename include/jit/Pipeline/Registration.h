//===- Registration.h - what the tools know of ------------------*- C++ -*-===//
#ifndef JIT_PIPELINE_REGISTRATION_H
#define JIT_PIPELINE_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace jit {

/// Our dialects, the upstream ones that the stages produce, and the interface models they need.
void registerDialects(mlir::DialectRegistry &registry);

/// Every stage's passes, the named pipelines, and the upstream passes that go well with them.
void registerPasses();

} // namespace jit

#endif // JIT_PIPELINE_REGISTRATION_H
