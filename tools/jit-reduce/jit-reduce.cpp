//===- jit-reduce.cpp - a program as small as it still fails --------------===//

#include "Tools.h"
#include "call/CallOptions.h"
#include "jit/Diff/Reduce.h"
#include "jit/Diff/SeedFault.h"
#include "jit/Pipeline/Version.h"
#include "jit/Session/ChildProcess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

#include <cstdlib>
#include <unistd.h>

using namespace jit;
using namespace jit::runtime;
namespace cl = llvm::cl;

namespace {

struct CommandLine {
  NamedCall call;
  std::string output, refusal, script, fault;
  double seconds = 0, timeout = 60;
  bool crash = false, mismatch = false;

  int looksFor() const {
    return crash + mismatch + (seconds > 0) + !refusal.empty() + !script.empty();
  }
};

CommandLine parse(int argc, char **argv) {
  cl::OptionCategory category("jit-reduce options");
  CallOptions call(category);
  cl::opt<bool> mismatch("mismatch", cl::cat(category),
                         cl::desc("Keep that jit-diff finds the same operator wrong"));
  cl::opt<bool> crash("crash", cl::cat(category),
                      cl::desc("Keep that compiling or running it ends the process"));
  cl::opt<double> time("time", cl::init(0), cl::value_desc("seconds"), cl::cat(category),
                       cl::desc("Keep that compiling and running it takes as long"));
  cl::opt<std::string> refusal("refusal", cl::value_desc("text"), cl::cat(category),
                               cl::desc("Keep that it fails with a message that has this text"));
  cl::opt<std::string> script("test", cl::value_desc("script"), cl::cat(category),
                              cl::desc("Keep that this exits with 0; called with the program's "
                                       "file,\nits --operators=FILE and --input=SPEC"));
  cl::opt<double> timeout("timeout", cl::init(60), cl::value_desc("seconds"), cl::cat(category),
                          cl::desc("End a try after as long (60)"));
  cl::opt<std::string> output("output", cl::init("reduced.mlir"), cl::value_desc("file"),
                              cl::cat(category),
                              cl::desc("Where the program goes, and beside it its inputs\n"
                                       "(reduced.mlir)"));
  cl::opt<std::string> fault("seed-fault", cl::Hidden, cl::cat(category),
                             cl::desc("For tests: make the optimised program wrong"));
  cl::SetVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(argc, argv,
                              "Makes the program of a call as small as it still fails\n\n"
                              "  jit-reduce model.pt --input='f32[3,4]' --mismatch\n\n"
                              "Exit code: 0 done, 1 bad input, or nothing fails.\n");
  CommandLine line{call.call(), output, refusal, script, fault};
  line.seconds = time;
  line.timeout = timeout;
  line.crash = crash;
  line.mismatch = mismatch;
  return line;
}

/// What is looked for, of one program at a time.
class Question {
public:
  Question(const CommandLine &line, DiffOptions options)
      : line(line), options(std::move(options)) {}

  /// Which operator is wrong to begin with: it is to stay the first.
  Result<void> prepare(const CallProgram &program) {
    if (!line.mismatch)
      return {};
    auto report = findWrongOperator(program, options);
    if (!report)
      return report.takeError();
    if (!report->wrong)
      return Error{ErrorCode::InvalidArgument, "expected an operator that is wrong, got none"};
    llvm::outs() << describe(*report->wrong);
    wrong = report->wrong->name + report->wrong->place;
    return {};
  }

  bool ask(const CallProgram &program) const {
    if (!line.script.empty())
      return askScript(program);
    ChildEnd end = runInChild([&] { return line.mismatch ? isWrong(program) : isRefused(program); },
                              line.seconds > 0 ? line.seconds : line.timeout);
    if (line.seconds > 0)
      return end.isLate || end.seconds >= line.seconds;
    if (line.crash)
      return end.signal && !end.isLate;
    return !end.signal && end.code == yes;
  }

private:
  static constexpr int yes = 10;

  int isWrong(const CallProgram &program) const {
    auto report = findWrongOperator(program, options);
    return report && report->wrong && report->wrong->name + report->wrong->place == wrong ? yes : 0;
  }

  int isRefused(const CallProgram &program) const {
    auto done = runOptimised(program, options);
    return !done && !line.refusal.empty() &&
                   llvm::StringRef(done.error().str()).contains(line.refusal)
               ? yes
               : 0;
  }

  bool askScript(const CallProgram &program) const {
    std::string path = line.output + ".candidate.mlir";
    auto specs = writeProgram(program, path, "a candidate:");
    if (!specs)
      return false;
    ChildEnd end = runInChild(
        [&] {
          std::vector<std::string> words{line.script, path};
          for (const std::string &file : line.call.operators)
            words.push_back("--operators=" + file);
          for (const std::string &spec : *specs)
            words.push_back("--input=" + spec);
          std::vector<char *> argv;
          for (std::string &word : words)
            argv.push_back(word.data());
          argv.push_back(nullptr);
          execvp(argv[0], argv.data());
          return 127;
        },
        line.timeout, /*isSilent=*/false);
    return !end.signal && end.code == 0;
  }

  const CommandLine &line;
  DiffOptions options;
  std::string wrong;
};

Result<void> reduce(const CommandLine &line) {
  if (line.looksFor() != 1)
    return Error{ErrorCode::InvalidArgument,
                 "expected one of --mismatch, --crash, --time, --refusal and --test, got " +
                     std::to_string(line.looksFor())};
  SessionOptions sessionOptions;
  sessionOptions.threads = 1; // what is tried is tried in children
  sessionOptions.operators = line.call.operators;
  auto session = Session::open(line.call.file, sessionOptions);
  if (!session)
    return session.takeError();
  auto program = line.call.program(**session);
  if (!program)
    return program.takeError();
  DiffOptions options;
  options.weights = program->weights;
  if (line.call.gradients)
    options.firstStage = "simplify-joint";
  ReduceOptions how;
  how.plain = options;
  if (auto done = seedFault(line.fault, options); !done)
    return done.takeError();
  Question question(line, options);
  if (auto done = question.prepare(*program); !done)
    return done.takeError();
  how.isInteresting = [&](const CallProgram &candidate) { return question.ask(candidate); };
  how.endsWell = [&](const std::function<void()> &body) {
    ChildEnd end = runInChild([&] { return body(), 0; }, line.timeout);
    return !end.signal;
  };
  how.progress = [](const std::string &step) { llvm::errs() << step << '\n'; };
  unsigned before = countOperators(*program->module);
  auto small = reduceProgram(std::move(*program), how);
  if (!small)
    return small.takeError();
  auto specs = writeProgram(*small, line.output, "jit-run " + line.output);
  if (!specs)
    return specs.takeError();
  llvm::outs() << line.output << ": " << countOperators(*small->module) << " of " << before
               << " operators\n";
  return {};
}

} // namespace

int jit_reduce_main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  auto done = reduce(parse(argc, argv));
  if (done)
    return 0;
  llvm::errs() << "jit-reduce: error: " << done.error().str() << '\n';
  return 1;
}
