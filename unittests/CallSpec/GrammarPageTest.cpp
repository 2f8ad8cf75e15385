//===- GrammarPageTest.cpp - docs/call-spec.md, line by line --------------===//
//
// A line of a block marked `spec` is a spec that is printed as it stands, but for spaces; what
// follows two spaces is an explanation. Of a block marked `refused` the explanation is the message.
//
//===----------------------------------------------------------------------===//
#include "jit/CallSpec/CallSpec.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace jit;

namespace {
struct Example {
  std::string block, text, explanation;
};
} // namespace

static std::vector<Example> examplesOf(const char *path) {
  std::vector<Example> examples;
  std::ifstream page(path);
  std::string block, line;
  while (std::getline(page, line)) {
    if (line.starts_with("```")) {
      block = line.substr(3);
    } else if (block == "spec" || block == "refused") {
      size_t end = line.find("  ");
      size_t next = std::min(line.find_first_not_of(' ', end), line.size());
      examples.push_back({block, line.substr(0, end), line.substr(next)});
    }
  }
  return examples;
}

static std::string withoutSpaces(std::string text) {
  bool isQuoted = false;
  std::erase_if(text, [&](char c) {
    isQuoted ^= c == '"';
    return c == ' ' && !isQuoted;
  });
  return text;
}

TEST(GrammarPage, ExamplesAreReadAsThePageSays) {
  std::vector<Example> examples = examplesOf(JIT_CALL_SPEC_PAGE);
  EXPECT_GE(examples.size(), 20u);
  for (const Example &example : examples) {
    auto call = CallSpec::parse(example.text);
    if (example.block == "spec") {
      ASSERT_TRUE(call) << example.text << ": " << call.error().str();
      EXPECT_EQ(call->str(), withoutSpaces(example.text));
    } else {
      ASSERT_FALSE(call) << example.text;
      EXPECT_EQ(call.error().str(), example.explanation);
    }
  }
}
