//===- CallOptions.cpp - the options that say which call is meant ---------===//

#include "CallOptions.h"
#include "InputValues.h"

namespace cl = llvm::cl;

namespace jit {

CallOptions::CallOptions(cl::OptionCategory &category)
    : file(cl::Positional, cl::Required, cl::desc("FILE"), cl::cat(category)),
      method("method", cl::desc("The method to call (forward)"), cl::init("forward"),
             cl::value_desc("name"), cl::cat(category)),
      inputs("input", cl::value_desc("spec"), cl::cat(category),
             cl::desc("An argument, in order, as jit-run takes it")),
      operators("operators", cl::value_desc("file.so"), cl::cat(category),
                cl::desc("A file of operators of your own, as jit-run takes it")),
      seed("seed", cl::init(0), cl::value_desc("n"), cl::cat(category),
           cl::desc("Seed of random inputs (0)")),
      gradients("grad", cl::cat(category),
                cl::desc("With the gradients by every input marked SPEC:grad and\nevery parameter, "
                         "as jit-run --grad")) {}

NamedCall CallOptions::call() const {
  return {file, method,   {inputs.begin(), inputs.end()}, {operators.begin(), operators.end()},
          seed, gradients};
}

Result<CallProgram> NamedCall::program(Session &session) const {
  auto args = makeInputs(inputs, seed);
  if (!args)
    return args.takeError();
  return CallProgram::of(session, method, *args, gradients);
}

} // namespace jit
