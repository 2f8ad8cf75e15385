//===- jit-compile.cpp - a program to one file to ship --------------------===//

#include "Tools.h"
#include "jit/Pipeline/Version.h"
#include "jit/Session/Progress.h"
#include "jit/Session/Session.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

using namespace jit;
namespace cl = llvm::cl;

namespace {
struct CommandLine {
  std::string file;
  SessionOptions session;
  PackageOptions package;
};
} // namespace

static Result<CommandLine> parseCommandLine(int argc, char **argv) {
  // LLVM's libraries register options of their own for their own tools: start from none.
  cl::ResetCommandLineParser();
  cl::OptionCategory category("jit-compile options");
  cl::opt<std::string> file(cl::Positional, cl::Required, cl::desc("FILE"), cl::cat(category));
  cl::opt<std::string> output("o", cl::Required, cl::value_desc("file"), cl::cat(category),
                              cl::desc("What to write: a shared object (.so), an object (.o) or\n"
                                       "a static library (.a); a C header goes beside it"));
  cl::list<std::string> inputs(
      "input", cl::value_desc("spec"), cl::cat(category),
      cl::desc("An argument of --method, in order: f32[1,3,224,224],\n16000, true, none, "
               "\"text\", [A,B], (A,B), ?int; after a\ntensor, :grad; f32[n,8]: any n from 2 on"));
  cl::opt<std::string> method("method", cl::init("forward"), cl::value_desc("name"),
                              cl::desc("The method that --input is for (forward)"),
                              cl::cat(category));
  cl::list<std::string> calls("call", cl::value_desc("call"), cl::cat(category),
                              cl::desc("One more call: \"forward(f32[1,512], 16000)\"; with its\n"
                                       "gradients \"forward.grad(f32[1,512]:grad, 16000)\""));
  cl::opt<std::string> weights("weights", cl::value_desc("file"), cl::cat(category),
                               cl::desc("Write the weights to this file, to be mapped when the\n"
                                        "program is opened; otherwise they are inside"));
  cl::opt<std::string> cpu("cpu", cl::init("native"), cl::value_desc("name"), cl::cat(category),
                           cl::desc("native, x86-64, x86-64-v3, x86-64-v4 or another of LLVM's\n"
                                    "names (native); several with commas: the best that the\n"
                                    "CPU can run is taken when the program is opened"));
  cl::opt<std::string> target("target", cl::init("cpu"), cl::value_desc("name"), cl::cat(category),
                              cl::desc("cpu, or cuda for an NVIDIA GPU, whose driver is looked\n"
                                       "for at the first call (cpu)"));
  cl::opt<std::string> chip(
      "chip", cl::value_desc("name"), cl::cat(category),
      cl::desc("For cuda: sm_80, sm_90, ...; several with commas between:\nthe first that fits is "
               "taken (this machine's, or sm_80)"));
  cl::opt<std::string> name("name", cl::value_desc("identifier"), cl::cat(category),
                            cl::desc("What the functions' names begin with (from -o)"));
  cl::opt<bool> places("keep-places", cl::cat(category),
                       cl::desc("Errors name the line of the Python program"));
  cl::opt<bool> train("train", cl::cat(category),
                      cl::desc("Make --method, which gives the loss, a training step"));
  OptimizerOptions trained;
  cl::opt<std::string> optimizer("optimizer", cl::init(trained.name), cl::value_desc("name"),
                                 cl::cat(category), cl::desc("sgd, adam or adamw (sgd)"));
  cl::opt<double> lr("lr", cl::init(trained.lr), cl::value_desc("x"), cl::cat(category),
                     cl::desc("Learning rate (0.001)"));
  cl::opt<std::string> tiles("tiles", cl::value_desc("file"), cl::cat(category),
                             cl::desc("Compile by this table of tiles, which jit-run --tune has\n"
                                      "made on a machine of this kind"));
  cl::opt<std::string> dumpIr("dump-ir", cl::value_desc("dir"), cl::cat(category),
                              cl::desc("Write the IR after each stage into this folder"));
  cl::opt<bool> timeReport("time-report", cl::cat(category),
                           cl::desc("Say on stderr where the time of compiling went"));
  cl::opt<Numerics> numerics(
      "numerics", cl::init(Numerics::Fast), cl::cat(category),
      cl::desc("How results may round (fast)"),
      cl::values(clEnumValN(Numerics::Strict, "strict", "each sum as the program writes it"),
                 clEnumValN(Numerics::Fast, "fast", "convolutions may lose 1e-5 of the largest")));
  cl::list<std::string> operators(
      "operators", cl::value_desc("file.so"), cl::cat(category),
      cl::desc("A file of operators of your own (jit-c/Operators.h), to\n"
               "which a shared object is linked; it has to lie beside it"));
  cl::opt<bool> verifyStages("verify-stages", cl::cat(category),
                             cl::desc("Check the IR after every pass and each stage's promise"));
  cl::opt<bool> isolate(
      "isolate", cl::cat(category),
      cl::desc("Compile in a child process: a crash of the compiler is an error"));
  cl::SetVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles a PyTorch program to a file that needs libc and libm alone\n\n"
      "  jit-compile model.pt --input='f32[1,3,224,224]' -o libmodel.so\n\n"
      "Exit code: 0 done, 1 bad input, 2 our bug.\n");
  // The linker resets all registered options; these end with this function.
  auto forget = llvm::make_scope_exit([] { cl::ResetCommandLineParser(); });
  CommandLine line{file, {}, {}};
  line.session.tiles = tiles;
  line.session.dumpDir = dumpIr;
  line.session.numerics = numerics;
  line.session.verifyStages = verifyStages;
  line.session.isolate = isolate;
  line.session.time = timeReport;
  line.session.operators = {operators.begin(), operators.end()};
  line.session.progress = progressOnTerminal();
  if (train) {
    trained.name = optimizer;
    trained.lr = lr;
    trained.method = method;
    line.session.optimizer = trained;
  }
  if (!inputs.empty() || calls.empty())
    line.package.calls.push_back({method, llvm::join(inputs, ",")});
  for (const std::string &text : calls) {
    auto call = PackagedCall::parse(text);
    if (!call)
      return call.takeError();
    line.package.calls.push_back(std::move(*call));
  }
  line.package.output = output;
  line.package.name = name;
  line.package.weightsFile = weights;
  line.package.cpu = cpu;
  line.package.target = target;
  line.package.chip = chip;
  line.package.keepPlaces = places;
  line.package.warn = [](const std::string &text) {
    llvm::errs() << "jit-compile: warning: " << text << '\n';
  };
  return line;
}

static Result<void> runTool(int argc, char **argv) {
  auto line = parseCommandLine(argc, argv);
  if (!line)
    return line.takeError();
  auto session = Session::open(line->file, line->session);
  if (!session)
    return session.takeError();
  auto done = (*session)->save(line->package);
  llvm::errs() << (*session)->timeReport();
  return done;
}

int jit_compile_main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  auto done = runTool(argc, argv);
  if (done)
    return 0;
  llvm::errs() << "jit-compile: error: " << done.error().str() << '\n';
  return done.error().code == ErrorCode::Internal ? 2 : 1;
}
