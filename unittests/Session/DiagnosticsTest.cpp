//===- DiagnosticsTest.cpp - what errors of MLIR's become -----------------===//

#include "Diagnostics.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace jit;

namespace {
struct Diagnostics : testing::Test {
  mlir::Location at(unsigned line) { return mlir::FileLineColLoc::get(&context, "p.py", line, 1); }

  mlir::MLIRContext context;
  DiagnosticCollector collector{&context};
};
} // namespace

TEST_F(Diagnostics, AFaultHasTheCodeOfItsStage) {
  mlir::emitError(at(3)) << "expected a launch";
  Error error = collector.toError(ErrorCode::Internal, "nothing");
  EXPECT_EQ(error.code, ErrorCode::Internal);
  EXPECT_EQ(error.message, "expected a launch");
  EXPECT_EQ(error.where, "p.py:3");
}

TEST_F(Diagnostics, ARefusalIsUnsupported) {
  (void)refuse(mlir::emitError(at(3)) << "expected a launch");
  Error error = collector.toError(ErrorCode::Internal, "nothing");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.message, "expected a launch");
}

TEST_F(Diagnostics, ANoteIsMoreOfTheMessage) {
  mlir::InFlightDiagnostic error = mlir::emitError(at(3)) << "expected to know which memory";
  error.attachNote(at(5)) << "it may be this";
  error.report();
  EXPECT_EQ(collector.toError(ErrorCode::Internal, "nothing").message,
            "expected to know which memory (p.py:5: it may be this)");
}

TEST_F(Diagnostics, WithoutAnErrorThereIsTheOtherText) {
  EXPECT_EQ(collector.toError(ErrorCode::Internal, "nothing").message, "nothing");
}
