//===- DebugRanges.cpp - from printed code to the user's Python -----------===//

#include "jit/Archive/DebugRanges.h"

#include "jit/Archive/Pickle.h"
#include "jit/OutOfMemory.h"

#include <algorithm>
#include <unordered_map>

namespace jit {

static constexpr std::string_view formatTag = "FORMAT_WITH_STRING_TABLE";

/// The tree is (tag, (text, ...), ((offset, (source, begin, end), number), ...)), a source being
/// ([index of text, ...], index of file name, first line). Before there was a table of texts, the
/// tree was the entries alone, a source being (text, file name, first line).
class DebugRangesReader {
public:
  DebugRangesReader(const PickleTree &tree, DebugRanges &ranges) : tree(tree), ranges(ranges) {}

  Result<void> run();

private:
  Error malformed(PickleRef ref, std::string_view what) const {
    return tree.error(ErrorCode::Malformed, ref, "expected " + std::string(what));
  }
  bool isTuple(PickleRef ref, size_t atLeast) const {
    return tree[ref].kind == PickleKind::Tuple && tree[ref].items.size() >= atLeast;
  }
  bool isInt(PickleRef ref) const { return tree[ref].kind == PickleKind::Int; }
  bool textIndex(PickleRef ref, uint32_t &index) const;

  Result<void> readTexts(PickleRef ref);
  Result<void> readEntry(PickleRef ref);
  Result<uint32_t> readSource(PickleRef ref);
  bool readTableSource(PickleRef ref, DebugRanges::Source &source);
  bool readPlainSource(PickleRef ref, DebugRanges::Source &source);

  const PickleTree &tree;
  DebugRanges &ranges;
  bool hasTable = false;
  std::unordered_map<PickleRef, uint32_t> sourceOf;
};

bool DebugRangesReader::textIndex(PickleRef ref, uint32_t &index) const {
  if (!isInt(ref) || tree[ref].integer < 0 ||
      tree[ref].integer >= static_cast<int64_t>(ranges.texts.size()))
    return false;
  index = static_cast<uint32_t>(tree[ref].integer);
  return true;
}

Result<void> DebugRangesReader::readTexts(PickleRef ref) {
  if (!isTuple(ref, 0))
    return malformed(ref, "a tuple of strings");
  for (PickleRef text : tree[ref].items) {
    if (tree[text].kind != PickleKind::String)
      return malformed(text, "a string");
    ranges.texts.push_back(tree[text].text);
  }
  return {};
}

bool DebugRangesReader::readTableSource(PickleRef ref, DebugRanges::Source &source) {
  PickleRef pieces = tree[ref].items[0];
  // build_intlist([...]), or the list alone.
  if (tree[pieces].kind == PickleKind::Reduce) {
    pieces = tree[pieces].items[1];
    if (!isTuple(pieces, 1))
      return false;
    pieces = tree[pieces].items[0];
  }
  if (tree[pieces].kind != PickleKind::List)
    return false;
  for (PickleRef piece : tree[pieces].items)
    if (!textIndex(piece, source.pieces.emplace_back()))
      return false;
  uint32_t file;
  if (!textIndex(tree[ref].items[1], file))
    return false;
  source.file = ranges.texts[file];
  return true;
}

bool DebugRangesReader::readPlainSource(PickleRef ref, DebugRanges::Source &source) {
  const PickleNode &text = tree[tree[ref].items[0]], &file = tree[tree[ref].items[1]];
  if (text.kind != PickleKind::String ||
      (file.kind != PickleKind::String && file.kind != PickleKind::None))
    return false;
  source.pieces.push_back(static_cast<uint32_t>(ranges.texts.size()));
  ranges.texts.push_back(text.text);
  source.file = file.text;
  return true;
}

Result<uint32_t> DebugRangesReader::readSource(PickleRef ref) {
  auto [known, isNew] = sourceOf.try_emplace(ref, static_cast<uint32_t>(ranges.sources.size()));
  if (!isNew)
    return known->second;
  DebugRanges::Source &source = ranges.sources.emplace_back();
  bool valid = isTuple(ref, 3) && isInt(tree[ref].items[2]) &&
               (hasTable ? readTableSource(ref, source) : readPlainSource(ref, source));
  if (!valid)
    return malformed(ref, "a source (text, file name, first line)");
  source.firstLine = tree[tree[ref].items[2]].integer;
  return known->second;
}

Result<void> DebugRangesReader::readEntry(PickleRef ref) {
  if (!isTuple(ref, 2) || !isInt(tree[ref].items[0]) || !isTuple(tree[ref].items[1], 3))
    return malformed(ref, "an entry (offset, (source, begin, end))");
  const std::vector<PickleRef> &range = tree[tree[ref].items[1]].items;
  if (!isInt(range[1]))
    return malformed(ref, "an entry (offset, (source, begin, end))");
  Result<uint32_t> source = readSource(range[0]);
  if (!source)
    return source.takeError();
  ranges.entries.push_back({tree[tree[ref].items[0]].integer, tree[range[1]].integer, *source});
  return {};
}

Result<void> DebugRangesReader::run() {
  PickleRef entries = tree.root();
  if (!isTuple(entries, 0))
    return malformed(entries, "a tuple of debug ranges");
  hasTable = isTuple(entries, 1) && tree[tree[entries].items[0]].text == formatTag;
  if (hasTable) {
    if (!isTuple(entries, 3) || !isTuple(tree[entries].items[2], 0))
      return malformed(entries, "a tag, a tuple of texts and a tuple of ranges");
    if (Result<void> texts = readTexts(tree[entries].items[1]); !texts)
      return texts;
    entries = tree[entries].items[2];
  }
  for (PickleRef entry : tree[entries].items)
    if (Result<void> read = readEntry(entry); !read)
      return read;
  if (!std::is_sorted(ranges.entries.begin(), ranges.entries.end(),
                      [](const auto &a, const auto &b) { return a.offset < b.offset; }))
    return malformed(entries, "ranges in the order of their offsets");
  return {};
}

Result<DebugRanges> DebugRanges::read(std::string_view member, SharedBytes bytes,
                                      const ArchiveLimits &limits) {
  return orOutOfMemory([&]() -> Result<DebugRanges> {
    DebugRanges ranges;
    ranges.keep = bytes;
    Result<PickleTree> tree = PickleTree::read(std::string(member), std::move(bytes), limits);
    if (!tree)
      return tree.takeError();
    if (Result<void> read = DebugRangesReader(*tree, ranges).run(); !read)
      return read.takeError();
    return ranges;
  });
}

/// Adds the newlines of \p text to \p line, which may be a number that the archive made up.
static void addLines(int64_t &line, std::string_view text) {
  int64_t lines = std::count(text.begin(), text.end(), '\n');
  line = line > INT64_MAX - lines ? INT64_MAX : line + lines;
}

std::optional<PythonLocation> DebugRanges::find(uint32_t offset) const {
  auto after =
      std::upper_bound(entries.begin(), entries.end(), static_cast<int64_t>(offset),
                       [](int64_t wanted, const Entry &entry) { return wanted < entry.offset; });
  if (after == entries.begin())
    return std::nullopt;
  const Entry &entry = *std::prev(after);
  const Source &source = sources[entry.source];
  if (source.pieces.empty() || source.file.empty() || entry.begin < 0)
    return std::nullopt;
  PythonLocation location;
  location.file = source.file;
  location.line = source.firstLine;
  // The position counts bytes of the pieces one after the other. `left` of them stand before it,
  // and `location.text` is what the pieces so far hold of its line.
  uint64_t left = entry.begin;
  bool found = false;
  for (uint32_t piece : source.pieces) {
    std::string_view text = texts[piece];
    if (!found) {
      std::string_view before = text.substr(0, left);
      size_t lineStart = before.rfind('\n') + 1;
      if (lineStart > 0)
        location.text.clear();
      addLines(location.line, before);
      location.text += before.substr(lineStart);
      found = left < text.size();
      left -= before.size();
      location.column = static_cast<int64_t>(location.text.size());
      text.remove_prefix(before.size());
    }
    size_t lineEnd = text.find('\n');
    location.text += text.substr(0, lineEnd);
    if (found && lineEnd != text.npos)
      break;
  }
  return found ? std::optional(location) : std::nullopt;
}

} // namespace jit
