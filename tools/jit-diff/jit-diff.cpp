//===- jit-diff.cpp - which operator is wrong -----------------------------===//

#include "Tools.h"
#include "call/CallOptions.h"
#include "jit/Diff/Recorded.h"
#include "jit/Diff/SeedFault.h"
#include "jit/Pipeline/Version.h"
#include "jit/Runtime/ThreadPool.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace jit;
using namespace jit::runtime;
namespace cl = llvm::cl;

namespace {

struct CommandLine {
  NamedCall call;
  std::string recorded, fault;
  SessionOptions session;
  bool isVerbose = false;
};

CommandLine parse(int argc, char **argv) {
  cl::OptionCategory category("jit-diff options");
  CallOptions call(category);
  cl::opt<unsigned> threads("threads", cl::init(0), cl::value_desc("n"), cl::cat(category),
                            cl::desc("Threads to use (0: one for each CPU that it may use)"));
  cl::opt<Numerics> numerics(
      "numerics", cl::init(Numerics::Fast), cl::cat(category), cl::desc("As jit-run (fast)"),
      cl::values(clEnumValN(Numerics::Strict, "strict", "each sum as the program writes it"),
                 clEnumValN(Numerics::Fast, "fast", "convolutions may lose 1e-5 of the largest")));
  cl::opt<bool> verbose("verbose", cl::cat(category),
                        cl::desc("Name the operators that could not be compared, and why"));
  cl::opt<std::string> recorded(
      "recorded", cl::value_desc("file"), cl::cat(category),
      cl::desc("Compare with this too: an .npz file of jit_mlir.recording,\nor an .npy file that "
               "is the first result"));
  cl::opt<std::string> fault("seed-fault", cl::Hidden, cl::cat(category),
                             cl::desc("For tests: make the optimised program wrong"));
  cl::SetVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Finds the first operator of a call whose result is wrong\n\n"
      "  jit-diff model.pt --input='f32[1,3,224,224]'\n\n"
      "Exit code: 0 all are right, 1 one is wrong, 2 the program could not be compared.\n");
  CommandLine line{call.call(), recorded, fault, {}};
  line.session.threads = threads;
  line.session.operators = line.call.operators;
  line.session.numerics = numerics;
  line.isVerbose = verbose;
  return line;
}

Result<int> compare(const CommandLine &line) {
  auto session = Session::open(line.call.file, line.session);
  if (!session)
    return session.takeError();
  auto program = line.call.program(**session);
  if (!program)
    return program.takeError();
  ThreadPool pool(line.session.threads);
  DiffOptions options;
  options.numerics = line.session.numerics;
  options.pool = &pool;
  options.weights = program->weights;
  if (line.call.gradients)
    options.firstStage = "simplify-joint";
  if (auto done = seedFault(line.fault, options); !done)
    return done.takeError();
  RecordedValues recorded;
  if (!line.recorded.empty()) {
    auto opened = RecordedValues::open(line.recorded);
    if (!opened)
      return opened.takeError();
    recorded = std::move(*opened);
    options.recorded = &recorded;
  }
  auto report = findWrongOperator(*program, options);
  if (!report)
    return report.takeError();
  if (line.isVerbose)
    for (const std::string &what : report->notCompared)
      llvm::outs() << "not compared: " << what << '\n';
  if (report->wrong) {
    llvm::outs() << describe(*report->wrong);
    return 1;
  }
  llvm::outs() << "equal: " << report->compared << " operators";
  if (!report->notCompared.empty())
    llvm::outs() << ", " << report->notCompared.size() << " not compared";
  llvm::outs() << '\n';
  return 0;
}

} // namespace

int jit_diff_main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  auto done = compare(parse(argc, argv));
  if (done)
    return *done;
  llvm::errs() << "jit-diff: error: " << done.error().str() << '\n';
  return 2;
}
