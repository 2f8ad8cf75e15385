//===- jit-run.cpp - import, compile and run a program --------------------===//

#include "InputSpec.h"
#include "Output.h"
#include "jit/Runtime/Npy.h"
#include "jit/Session/Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace jit;
namespace cl = llvm::cl;

static cl::OptionCategory category("jit-run options");
static cl::opt<std::string> file(cl::Positional, cl::Required, cl::desc("FILE"), cl::cat(category));
static cl::opt<std::string> method("method", cl::desc("The method to call"), cl::init("forward"),
                                   cl::value_desc("name"), cl::cat(category));
static cl::list<std::string>
    inputs("input", cl::value_desc("spec"), cl::cat(category),
           cl::desc("One argument, in order: @x.npy, 1x3x224x224xf32 (random), 16000, 1.5, true,\n"
                    "none, \"text\", [A,B] or (A,B)"));
static cl::opt<std::string> repeatOver(
    "repeat-over", cl::value_desc("@x.npy"), cl::cat(category),
    cl::desc("Call once per row of this array, with the row (shape 1xN) as first argument and the\n"
             "module's state carried on; results are stacked"));
static cl::opt<std::string> output("output", cl::value_desc("prefix"), cl::cat(category),
                                   cl::desc("Write results to PREFIX.0.npy, PREFIX.1.npy, ...; "
                                            "otherwise they are printed short"));
static cl::opt<std::string> target("target", cl::desc("What to generate code for"), cl::init("cpu"),
                                   cl::value_desc("name"), cl::cat(category));
static cl::opt<unsigned> threads("threads", cl::init(1), cl::value_desc("n"), cl::cat(category),
                                 cl::desc("Threads to use; 0: one per processor"));
static cl::opt<unsigned>
    timeRuns("time", cl::init(0), cl::value_desc("n"), cl::cat(category),
             cl::desc("Time N calls after the first and print min and median"));
static cl::opt<uint64_t> seed("seed", cl::init(0), cl::value_desc("n"), cl::cat(category),
                              cl::desc("Seed of random inputs"));
static cl::opt<std::string> dumpIr("dump-ir", cl::value_desc("dir"), cl::cat(category),
                                   cl::desc("Write the IR after each stage into this folder"));
static cl::opt<bool>
    verifyStages("verify-stages", cl::cat(category),
                 cl::desc("Check the IR after every pass and each stage's promise"));
static cl::opt<bool> listMethods("list-methods", cl::cat(category),
                                 cl::desc("Print the program's methods and stop"));
static cl::opt<bool> showGraph("show-graph", cl::cat(category),
                               cl::desc("Print the graph that this call runs and stop"));

/// 1 for what the user gave, 2 for our own bugs.
static int report(const Error &error) {
  llvm::errs() << "jit-run: error: ";
  if (!error.where.empty())
    llvm::errs() << error.where << ": ";
  if (!error.pythonClass.empty())
    llvm::errs() << llvm::StringRef(error.pythonClass).rsplit('.').second << ": ";
  llvm::errs() << error.message << '\n';
  return error.code == ErrorCode::Internal ? 2 : 1;
}

/// Row `i` of a matrix as a tensor of shape 1xN.
static Result<Tensor> rowOf(const Tensor &rows, int64_t i) {
  std::vector<int64_t> sizes = rows.sizes();
  sizes[0] = 1;
  auto row = Tensor::allocate(rows.type(), sizes);
  if (row)
    std::memcpy(row->mutableData(),
                static_cast<const std::byte *>(rows.data()) + i * row->byteSize(), row->byteSize());
  return row;
}

static void printTimes(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  llvm::outs() << llvm::format("time: min %.4f ms, median %.4f ms, runs %zu\n", times.front(),
                               times[times.size() / 2], times.size());
}

static double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

static Result<void> deliver(const std::vector<Tensor> &leaves) {
  if (!output.empty())
    return writeOutputs(leaves, output);
  for (const Tensor &leaf : leaves)
    printValue(llvm::outs(), Value(leaf));
  return {};
}

/// Calls the method once per row, state carried on. With --time the calls are timed, the first
/// ones, which compile, left out.
static Result<void> runRows(Session &session, std::vector<Value> args) {
  if (!llvm::StringRef(repeatOver).starts_with("@"))
    return Error{ErrorCode::InvalidArgument,
                 "expected --repeat-over=@file.npy, got '" + repeatOver + "'"};
  auto rows = readNpy(repeatOver.substr(1));
  if (!rows)
    return rows.takeError();
  if (rows->sizes().empty())
    return Error{ErrorCode::InvalidArgument,
                 "expected --repeat-over to have rows, got " + rows->typeString()};
  args.insert(args.begin(), Value());
  std::vector<std::vector<Tensor>> results;
  std::vector<double> times;
  for (int64_t i = 0; i < rows->sizes()[0]; ++i) {
    auto row = rowOf(*rows, i);
    if (!row)
      return row.takeError();
    args[0] = Value(std::move(*row));
    size_t variants = session.compiledVariants();
    auto start = std::chrono::steady_clock::now();
    auto result = session.run(method, args);
    double elapsed = millisecondsSince(start);
    if (!result)
      return result.takeError();
    if (session.compiledVariants() == variants)
      times.push_back(elapsed);
    auto leaves = leavesOf(*result);
    if (!leaves)
      return leaves.takeError();
    results.push_back(std::move(*leaves));
  }
  auto stacked = stackOutputs(results);
  if (!stacked)
    return stacked.takeError();
  if (auto done = deliver(*stacked); !done)
    return done;
  if (timeRuns && !times.empty())
    printTimes(times);
  return {};
}

static Result<void> runOnce(Session &session, std::vector<Value> args) {
  auto result = session.run(method, args);
  if (!result)
    return result.takeError();
  if (output.empty()) {
    printValue(llvm::outs(), *result);
  } else {
    auto leaves = leavesOf(*result);
    if (!leaves)
      return leaves.takeError();
    if (auto done = deliver(*leaves); !done)
      return done;
  }
  // A call that changes the module's state may need one more variant before it repeats.
  if (timeRuns)
    if (auto warm = session.run(method, args); !warm)
      return warm.takeError();
  std::vector<double> times;
  for (unsigned i = 0; i < timeRuns; ++i) {
    auto start = std::chrono::steady_clock::now();
    auto again = session.run(method, args);
    times.push_back(millisecondsSince(start));
    if (!again)
      return again.takeError();
  }
  if (timeRuns)
    printTimes(times);
  return {};
}

static Result<void> runTool() {
  SessionOptions options;
  options.target = target;
  options.threads = threads;
  options.dumpDir = dumpIr;
  options.verifyStages = verifyStages;
  auto session = Session::open(file, options);
  if (!session)
    return session.takeError();
  if (listMethods) {
    for (const MethodInfo &info : (*session)->methods())
      llvm::outs() << info.name << '(' << llvm::join(info.arguments, ", ") << ")\n";
    return {};
  }
  std::mt19937_64 random(seed);
  std::vector<Value> args;
  for (const std::string &text : inputs) {
    auto value = parseInput(text, random);
    if (!value)
      return value.takeError();
    args.push_back(std::move(*value));
  }
  if (showGraph) {
    auto graph = (*session)->graphFor(method, args);
    if (!graph)
      return graph.takeError();
    llvm::outs() << *graph << '\n';
    return {};
  }
  return repeatOver.empty() ? runOnce(**session, std::move(args))
                            : runRows(**session, std::move(args));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "JIT: runs a PyTorch program without PyTorch\n\n"
                              "  jit-run model.pt --input=1x3x224x224xf32\n");
  auto done = runTool();
  return done ? 0 : report(done.error());
}
