//===- Describe.cpp - what is wrong, for people ---------------------------===//

#include "jit/Diff/Diff.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace jit {

std::string describe(const WrongOperator &wrong) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (wrong.place.empty() ? "" : wrong.place + ": ") << wrong.name << " is wrong";
  for (const std::string &where : wrong.inside)
    os << ", in " << where;
  os << "\n  " << wrong.text << '\n';
  const Mismatch &m = wrong.mismatch;
  os << "  result " << wrong.result << ", " << m.type;
  if (!m.note.empty()) {
    os << ": " << m.note << '\n';
  } else {
    if (!m.position.empty())
      os << " at ["
         << llvm::join(llvm::map_range(m.position, [](int64_t at) { return std::to_string(at); }),
                       ",")
         << "]";
    os << llvm::format(": expected %.9g, got %.9g, allowed %.2g apart", m.expected, m.got,
                       m.allowed)
       << "; " << m.beyond << " of " << m.elements << " are off by more\n";
  }
  os << "  " << wrong.found << '\n';
  return text;
}

} // namespace jit
