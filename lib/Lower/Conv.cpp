#include "Lower.h"
namespace jit {
void populateConvLowering(const LoweredTypes &, mlir::RewritePatternSet &) {}
} // namespace jit
