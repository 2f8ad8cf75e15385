//===- Picture.h - boxes, lines and text -------------------------*- C++ -*-===//
//
// Every corner and point is relative to what it stands in. Lengths are in pixels.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_DRAW_PICTURE_H
#define JIT_LIB_DRAW_PICTURE_H

#include "LayeredLayout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace jit::draw {

enum class Style { Input, Result, Operator, View, Number, Group, Control };

struct TextLine {
  enum class Role { Title, Detail, Type };
  Role role = Role::Title;
  std::string text;
};

struct Wire {
  std::vector<Point> points;
  bool arrow = false;
  std::string tooltip = {};
};

/// A word beside a line.
struct Note {
  std::string text;
  Point at;
};

struct Box;

/// The picture of a block.
struct Panel {
  std::string title = {};
  Point corner = {};
  double width = 0;
  double height = 0;
  std::vector<Box> boxes;
  std::vector<Wire> wires;
};

struct Box {
  Style style = Style::Operator;
  unsigned group = 0; ///< of a Group: its number, from 1
  std::vector<TextLine> lines = {};
  std::string tooltip = {};
  Point corner = {};
  double width = 0;
  double height = 0;
  /// What a group, a branch or a loop holds; and the lines from its border to theirs.
  std::vector<Panel> panels = {};
  std::vector<Wire> wires = {};
  std::vector<Note> notes = {};
};

/// One entry of the legend: a group and what it computes.
struct GroupEntry {
  unsigned number = 0;
  std::string text;
};

struct Picture {
  std::string title;
  Panel panel;
  std::vector<GroupEntry> groups;
};

/// Lays out a function. Fails, after an error, as jit/Draw/Svg.h says.
llvm::FailureOr<Picture> buildPicture(mlir::func::FuncOp function);

/// The room that a line of text takes.
double textWidth(const TextLine &line);
double textHeight(const TextLine &line);

/// The pictures one below another as an SVG image.
std::string writeSvg(const std::vector<Picture> &pictures);

} // namespace jit::draw

#endif // JIT_LIB_DRAW_PICTURE_H
