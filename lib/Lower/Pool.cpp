#include "Lower.h"
namespace jit {
void populatePoolLowering(const LoweredTypes &, mlir::RewritePatternSet &) {}
} // namespace jit
