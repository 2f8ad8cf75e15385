//===- jit-run.cpp - import, compile and run a program --------------------===//

#include "CommandLine.h"
#include "Output.h"
#include "Tools.h"
#include "call/InputValues.h"
#include "jit/Runtime/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace jit;
using namespace jit::runtime;

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

static Result<void> deliver(const CommandLine &line, const std::vector<Tensor> &leaves) {
  if (!line.output.empty())
    return writeOutputs(leaves, line.output);
  for (const Tensor &leaf : leaves)
    printValue(llvm::outs(), Value(leaf));
  return {};
}

/// Calls the method once per row, state carried on. With --time the calls are timed, the first
/// ones, which compile, left out.
static Result<void> runRows(const CommandLine &line, Session &session, std::vector<Value> args) {
  if (!llvm::StringRef(line.repeatOver).starts_with("@"))
    return Error{ErrorCode::InvalidArgument,
                 "expected --repeat-over=@file.npy, got '" + line.repeatOver + "'"};
  auto rows = readNpy(line.repeatOver.substr(1));
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
    uint64_t compiled = session.statistics().compiles;
    auto start = std::chrono::steady_clock::now();
    auto result = session.run(line.method, args);
    double elapsed = millisecondsSince(start);
    if (!result)
      return result.takeError();
    if (session.statistics().compiles == compiled)
      times.push_back(elapsed);
    auto leaves = leavesOf(*result);
    if (!leaves)
      return leaves.takeError();
    results.push_back(std::move(*leaves));
  }
  auto stacked = stackOutputs(results);
  if (!stacked)
    return stacked.takeError();
  if (auto done = deliver(line, *stacked); !done)
    return done;
  if (line.timedRuns && !times.empty())
    printTimes(times);
  return {};
}

/// "x.grad0.npy" for the first argument, "x.grad.conv.weight.npy" for a parameter.
static Result<void> deliverGradients(const CommandLine &line,
                                     const std::vector<NamedGradient> &gradients) {
  for (const auto &[name, value] : gradients) {
    std::string label = "grad" + (llvm::isDigit(name[0]) ? name : "." + name);
    if (line.output.empty()) {
      llvm::outs() << label << ": ";
      printValue(llvm::outs(), Value(value));
    } else if (auto done = writeArray(line.output + "." + label + ".npy", value); !done) {
      return done;
    }
  }
  return {};
}

static Result<Value> call(const CommandLine &line, Session &session, std::span<Value> args,
                          bool isShown) {
  if (!line.gradients)
    return session.run(line.method, args);
  auto result = session.runWithGradients(line.method, args);
  if (!result)
    return result.takeError();
  if (isShown)
    if (auto done = deliverGradients(line, result->gradients); !done)
      return done.takeError();
  return std::move(result->value);
}

static Result<void> runOnce(const CommandLine &line, Session &session, std::vector<Value> args) {
  auto result = call(line, session, args, /*isShown=*/true);
  if (!result)
    return result.takeError();
  if (line.output.empty()) {
    printValue(llvm::outs(), *result);
  } else {
    auto leaves = leavesOf(*result);
    if (!leaves)
      return leaves.takeError();
    if (auto done = deliver(line, *leaves); !done)
      return done;
  }
  // A call that changes the module's state may need one more variant before it repeats.
  if (line.timedRuns)
    if (auto warm = call(line, session, args, /*isShown=*/false); !warm)
      return warm.takeError();
  std::vector<double> times;
  for (unsigned i = 0; i < line.timedRuns; ++i) {
    auto start = std::chrono::steady_clock::now();
    auto again = call(line, session, args, /*isShown=*/false);
    times.push_back(millisecondsSince(start));
    if (!again)
      return again.takeError();
  }
  if (line.timedRuns)
    printTimes(times);
  return {};
}

/// The one number that a step returns first: the loss.
static Result<double> lossOf(const Value &result) {
  auto leaves = leavesOf(result);
  if (!leaves)
    return leaves.takeError();
  if (!leaves->empty() && leaves->front().numElements() == 1) {
    if (leaves->front().type() == ScalarType::Float)
      return double(*leaves->front().as<float>());
    if (leaves->front().type() == ScalarType::Double)
      return *leaves->front().as<double>();
  }
  return Error{ErrorCode::InvalidArgument,
               "expected a loss of type f32 or f64, got " +
                   (leaves->empty() ? "nothing" : leaves->front().typeString())};
}

static Result<void> writeTrained(const CommandLine &line, Session &session,
                                 const std::vector<double> &losses) {
  auto curve = Tensor::from<double>(ScalarType::Double, {int64_t(losses.size())}, losses);
  if (!curve)
    return curve.takeError();
  if (auto done = writeArray(line.output + ".loss.npy", *curve); !done)
    return done;
  for (const std::string &name : session.parameters()) {
    auto value = session.state(name);
    if (!value)
      return value.takeError();
    if (auto *tensor = value->getIf<Tensor>())
      if (auto done = writeArray(line.output + ".param." + name + ".npy", *tensor); !done)
        return done;
  }
  return {};
}

static Result<void> train(const CommandLine &line, Session &session, std::vector<Value> args) {
  std::vector<double> losses, times;
  for (unsigned step = 0; step < line.trainingSteps; ++step) {
    auto start = std::chrono::steady_clock::now();
    auto result = session.run(line.method, args);
    times.push_back(millisecondsSince(start));
    if (!result)
      return result.takeError();
    auto loss = lossOf(*result);
    if (!loss)
      return loss.takeError();
    losses.push_back(*loss);
    llvm::outs() << llvm::format("step %u: loss %.6g\n", step + 1, *loss);
  }
  if (line.timedRuns && times.size() > 1)
    printTimes({times.begin() + 1, times.end()}); // the first one compiles
  return line.output.empty() ? Result<void>() : writeTrained(line, session, losses);
}

static Result<void> showGraphs(const CommandLine &line, Session &session,
                               std::span<const Value> args) {
  for (bool differentiate : {false, true}) {
    if (differentiate && !line.gradients)
      break;
    auto graph = session.graphFor(line.method, args, differentiate);
    if (!graph)
      return graph.takeError();
    if (line.gradients)
      llvm::outs() << (differentiate ? "// With gradients:\n" : "// Without gradients:\n");
    llvm::outs() << *graph << '\n';
  }
  return {};
}

static Result<void> drawGraph(const CommandLine &line, Session &session,
                              std::span<const Value> args) {
  auto picture = session.drawGraph(line.method, args, line.gradients);
  if (!picture)
    return picture.takeError();
  return writeText(line.drawing, *picture);
}

/// What the command line asks of an opened program.
static Result<void> use(const CommandLine &line, Session &session) {
  if (line.listMethods) {
    for (const MethodInfo &info : session.methods())
      llvm::outs() << info.name << '(' << llvm::join(info.arguments, ", ") << ")\n";
    return {};
  }
  auto inputs = makeInputs(line.inputs, line.seed);
  if (!inputs)
    return inputs.takeError();
  std::vector<Value> args = std::move(*inputs);
  if (!line.drawing.empty())
    return drawGraph(line, session, args);
  if (line.graphFor)
    return showGraphs(line, session, args);
  if (line.trainingSteps)
    return train(line, session, std::move(args));
  return line.repeatOver.empty() ? runOnce(line, session, std::move(args))
                                 : runRows(line, session, std::move(args));
}

static Result<void> runTool(const CommandLine &line) {
  auto session = Session::open(line.file, line.session);
  if (!session)
    return session.takeError();
  auto done = use(line, **session);
  llvm::errs() << (*session)->timeReport();
  if (!done || line.tuned.empty())
    return done;
  auto report = (*session)->tune(line.tuned);
  if (!report)
    return report.takeError();
  llvm::outs() << *report;
  return {};
}

/// Says in the bundle, if the failure has left one, what call it is of.
static void finishBundle(const std::string &path, const std::string &words) {
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return;
  std::string all = "// " + words + "\n" + (*text)->getBuffer().str();
  if (auto done = writeText(path, all); !done)
    llvm::errs() << "jit-run: error: " << done.error().str() << '\n';
  else
    llvm::errs() << "jit-run: to see the failure again: jit-opt --run-reproducer " << path << '\n';
}

/// A failure is written down; one of ours also where nobody has asked for that, by failing again.
static Result<void> runAndBundle(CommandLine line) {
  std::string &bundle = line.session.bundle;
  bool isAsked = !bundle.empty();
  if (isAsked)
    llvm::sys::fs::remove(bundle);
  auto done = runTool(line);
  if (!done && !isAsked && done.error().code == ErrorCode::Internal && line.output.empty() &&
      line.session.target == "cpu") {
    bundle = defaultBundle.str();
    llvm::sys::fs::remove(bundle);
    done = runTool(line);
  }
  if (!done && !bundle.empty())
    finishBundle(bundle, line.words);
  else if (isAsked)
    llvm::sys::fs::remove(bundle); // of a try that another one made good
  return done;
}

int jit_run_main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::setBugReportMsg("jit-run: a fault of ours; with --bundle=FILE the same command writes what "
                        "jit-opt --run-reproducer needs to see it again\n");
  auto done = runAndBundle(parseCommandLine(argc, argv));
  return done ? 0 : report(done.error());
}
