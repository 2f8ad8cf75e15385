// What the stages on the graph (jit and aten dialects) read. The jit dialect is the one header of ours: nearly all of them see
// it, and a change in any other would compile everything anew.
#include "Mlir.h"
#include "jit/Dialect/Jit/Jit.h"
