//===- Lexer.cpp - the words of a PTX text --------------------------------===//
#include "Lexer.h"

#include <cctype>

using namespace ptx;

static bool isWordSign(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

void Lexer::skipSpace() {
  while (place < text.size()) {
    char c = text[place];
    if (text.substr(place, 2) == "//") {
      while (place < text.size() && text[place] != '\n')
        ++place;
    } else if (text.substr(place, 2) == "/*") {
      for (; place < text.size() && text.substr(place, 2) != "*/"; ++place)
        line_ += text[place] == '\n' ? 1 : 0;
      place += 2;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      line_ += c == '\n' ? 1 : 0;
      ++place;
    } else {
      return;
    }
  }
}

void Lexer::advance() {
  skipSpace();
  currentLine = line_;
  if (hasFailed() || place >= text.size()) {
    current = {};
    return;
  }
  size_t start = place;
  if (text[place] == '"') {
    place = text.find('"', place + 1);
    place = place == std::string_view::npos ? text.size() : place + 1;
  } else if (isWordSign(text[place])) {
    // shared::cluster and the like are parts of one word.
    while (place < text.size() && (isWordSign(text[place]) || text.substr(place, 2) == "::"))
      place += text[place] == ':' ? 2 : 1;
  } else {
    ++place;
  }
  current = text.substr(start, place - start);
}

std::string_view Lexer::take() {
  std::string_view result = current;
  advance();
  return result;
}

bool Lexer::takeIf(std::string_view expected) {
  if (current != expected)
    return false;
  advance();
  return true;
}

void Lexer::expect(std::string_view expected) {
  if (!takeIf(expected))
    fail("expected '" + std::string(expected) + "', got '" + std::string(current) + "'");
}

void Lexer::fail(const std::string &what) {
  if (!hasFailed())
    message = "line " + std::to_string(currentLine) + ": " + what;
  current = {};
}
