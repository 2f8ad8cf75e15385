//===- SourcePlace.cpp - where in the user's program ----------------------===//
#include "Analysis/SourcePlace.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

std::string jit::codegen::sourcePlace(Location loc) {
  std::string place;
  loc->walk([&](Location part) {
    if (auto file = dyn_cast<FileLineColLoc>(part)) {
      place = (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return place;
}
