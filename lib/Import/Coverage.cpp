//===- Coverage.cpp - what an import finds missing ------------------------===//

#include "jit/Import/Coverage.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace jit {

void Coverage::missing(Kind kind, Location where, const std::string &message,
                       ArrayRef<std::string> notes, StringRef key, bool isKept) {
  auto [known, isNew] = indices.try_emplace(key.empty() ? StringRef(message) : key, all.size());
  if (isNew)
    all.push_back({kind, message, notes.vec(), where, 0, isKept});
  ++all[known->second].count;
}

bool Coverage::isKept() const {
  return llvm::all_of(all, [](const Missing &thing) { return thing.isKept; });
}

size_t Coverage::missingCalls() const {
  size_t calls = 0;
  for (const Missing &thing : all)
    if (thing.kind == Kind::Operator)
      calls += thing.count;
  return calls;
}

double Coverage::share() const {
  size_t calls = coveredCalls + missingCalls();
  if (calls == 0)
    return all.empty() ? 100.0 : 0.0;
  return 100.0 * coveredCalls / calls;
}

void Coverage::emitErrors() const {
  for (const Missing &thing : all) {
    InFlightDiagnostic diagnostic =
        thing.isKept ? emitWarning(thing.where) : emitError(thing.where);
    diagnostic << thing.message;
    for (const std::string &note : thing.notes)
      diagnostic.attachNote() << note;
  }
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static StringRef nameOf(Coverage::Kind kind) {
  switch (kind) {
  case Coverage::Kind::Operator:
    return "operator";
  case Coverage::Kind::Type:
    return "type";
  case Coverage::Kind::Statement:
    return "statement";
  case Coverage::Kind::Program:
    return "program";
  }
  return "";
}

void Coverage::print(raw_ostream &os) const {
  os << llvm::format("%.1f", share())
     << " % of the calls of operators are covered: " << coveredCalls << " of "
     << coveredCalls + missingCalls() << "\n";
  for (Kind kind : {Kind::Operator, Kind::Type, Kind::Statement, Kind::Program})
    for (const Missing &thing : all) {
      if (thing.kind != kind)
        continue;
      os << nameOf(kind) << ", " << thing.count << (thing.count == 1 ? " time" : " times");
      if (auto place = dyn_cast<FileLineColLoc>(thing.where))
        os << ", " << place.getFilename().getValue() << ":" << place.getLine();
      os << ": " << thing.message << "\n";
      for (const std::string &note : thing.notes)
        os << "    " << note << "\n";
    }
}

void Coverage::printJson(raw_ostream &os) const {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("calls", coveredCalls + missingCalls());
    json.attribute("covered_calls", coveredCalls);
    json.attribute("share", share());
    json.attributeArray("missing", [&] {
      for (const Missing &thing : all)
        json.object([&] {
          json.attribute("kind", nameOf(thing.kind));
          json.attribute("message", llvm::json::fixUTF8(thing.message));
          json.attributeArray("notes", [&] {
            for (const std::string &note : thing.notes)
              json.value(llvm::json::fixUTF8(note));
          });
          json.attribute("count", thing.count);
          if (auto place = dyn_cast<FileLineColLoc>(thing.where)) {
            json.attribute("file", llvm::json::fixUTF8(place.getFilename().getValue()));
            json.attribute("line", place.getLine());
          }
        });
    });
  });
  os << "\n";
}

} // namespace jit
