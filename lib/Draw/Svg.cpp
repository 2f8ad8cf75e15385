//===- Svg.cpp - a picture as SVG -----------------------------------------===//

#include "jit/Draw/Svg.h"
#include "Labels.h"
#include "Picture.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace jit::draw {

static constexpr double margin = 20;
static constexpr double titleHeight = 30;
static constexpr double legendLine = 18;
static constexpr double narrowest = 480;
static constexpr const char *dashes = " stroke-dasharray=\"4 3\"";

namespace {
struct Colors {
  const char *fill;
  const char *stroke;
};

class SvgWriter {
public:
  std::string write(const std::vector<Picture> &pictures);

private:
  void writePicture(const Picture &picture, double width);
  void writeLegend(const Picture &picture, double width);
  void writePanel(const Panel &panel);
  void writeBox(const Box &box);
  void writeHeader(const Box &box, StringRef background);
  void writeFrame(const Panel &panel);
  void writeWire(const Wire &wire);
  void writeText(double x, double y, const char *style, StringRef text);
  void writeTooltip(StringRef text);
  double legendHeight(const Picture &picture, double width) const;

  std::string out;
  llvm::raw_string_ostream os{out};
};

/// What the legend says: a colour and its meaning.
struct LegendEntry {
  Colors colors;
  std::string text;
  bool isDashed = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Colours
//===----------------------------------------------------------------------===//

static Colors groupColors(unsigned number) {
  static constexpr Colors colors[] = {{"#dbeafe", "#3b82f6"}, {"#dcfce7", "#22a455"},
                                      {"#fef3c7", "#d39b0a"}, {"#fce7f3", "#db4a93"},
                                      {"#ede9fe", "#8155e8"}, {"#ccfbf1", "#14a095"},
                                      {"#ffedd5", "#ec7420"}, {"#e0f2fe", "#0b92d0"},
                                      {"#fee2e2", "#e04848"}, {"#ecfccb", "#74a816"}};
  return colors[(number - 1) % std::size(colors)];
}

static Colors boxColors(const Box &box) {
  switch (box.style) {
  case Style::Input:
    return {"#e2e8f0", "#64748b"};
  case Style::Result:
    return {"#334155", "#334155"};
  case Style::Operator:
    return {"#ffffff", "#475569"};
  case Style::View:
    return {"#ffffff", "#a8b3c2"};
  case Style::Number:
    return {"#f8fafc", "#cbd5e1"};
  case Style::Group:
    return groupColors(box.group);
  case Style::Control:
    return {"#f8fafc", "#475569"};
  }
  return {"#ffffff", "#475569"};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// XML has neither control characters nor bytes that are not UTF-8.
static std::string escape(StringRef text) {
  std::string escaped;
  for (char c : llvm::json::fixUTF8(text)) {
    switch (c) {
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '&':
      escaped += "&amp;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? '?' : c;
    }
  }
  return escaped;
}

void SvgWriter::writeText(double x, double y, const char *style, StringRef text) {
  os << llvm::formatv("<text class=\"{0}\" x=\"{1:F1}\" y=\"{2:F1}\">{3}</text>\n", style, x, y,
                      escape(text));
}

void SvgWriter::writeTooltip(StringRef text) {
  if (!text.empty())
    os << "<title>" << escape(text) << "</title>";
}

//===----------------------------------------------------------------------===//
// Boxes and lines
//===----------------------------------------------------------------------===//

void SvgWriter::writeWire(const Wire &wire) {
  os << "<path class=\"" << (wire.arrow ? "wire arrow" : "wire") << "\" d=\"";
  Point last;
  for (auto [index, point] : llvm::enumerate(wire.points)) {
    if (index == 0) {
      os << llvm::formatv("M{0:F1},{1:F1}", point.x, point.y);
    } else if (std::abs(point.x - last.x) < 0.05) {
      os << llvm::formatv("V{0:F1}", point.y);
    } else {
      os << llvm::formatv("C{0:F1},{1:F1} {2:F1},{1:F1} {2:F1},{3:F1}", last.x,
                          (last.y + point.y) / 2, point.x, point.y);
    }
    last = point;
  }
  os << "\">";
  writeTooltip(wire.tooltip);
  os << "</path>\n";
}

static const char *textClass(TextLine::Role role) {
  switch (role) {
  case TextLine::Role::Title:
    return "name";
  case TextLine::Role::Detail:
    return "detail";
  case TextLine::Role::Type:
    return "type";
  }
  return "name";
}

/// Text in the middle; in a box that holds others on the left, readable where lines cross it.
void SvgWriter::writeHeader(const Box &box, StringRef background) {
  bool holds = !box.panels.empty();
  if (holds)
    os << llvm::formatv("<g stroke=\"{0}\" stroke-width=\"4\">\n", background);
  double y = holds ? 3 : 5;
  for (const TextLine &line : box.lines) {
    double x = holds ? 9 : (box.width - textWidth(line)) / 2;
    writeText(x, y + textHeight(line) - 2, textClass(line.role), line.text);
    y += textHeight(line);
  }
  if (holds)
    os << "</g>\n";
}

/// The border of one branch of several.
void SvgWriter::writeFrame(const Panel &panel) {
  if (panel.title.empty())
    return;
  os << llvm::formatv("<rect class=\"panel\" x=\"{0:F1}\" y=\"{1:F1}\" width=\"{2:F1}\" "
                      "height=\"{3:F1}\" rx=\"4\"/>\n",
                      panel.corner.x - 9, panel.corner.y - 25, panel.width + 18, panel.height + 28);
  writeText(panel.corner.x - 4, panel.corner.y - 14, "detail", panel.title);
}

void SvgWriter::writeBox(const Box &box) {
  Colors colors = boxColors(box);
  bool pill = box.style == Style::Input || box.style == Style::Result;
  os << llvm::formatv("<g class=\"{0}\" transform=\"translate({1:F1} {2:F1})\">",
                      box.style == Style::Result ? "result" : "box", box.corner.x, box.corner.y);
  writeTooltip(box.tooltip);
  os << llvm::formatv("<rect width=\"{0:F1}\" height=\"{1:F1}\" rx=\"{2}\" fill=\"{3}\" "
                      "stroke=\"{4}\"{5}/>\n",
                      box.width, box.height, pill ? 14 : 5, colors.fill, colors.stroke,
                      box.style == Style::View ? dashes : "");
  for (const Panel &panel : box.panels)
    writeFrame(panel);
  for (const Wire &wire : box.wires)
    writeWire(wire);
  for (const Note &note : box.notes)
    writeText(note.at.x, note.at.y, "detail", note.text);
  writeHeader(box, colors.fill);
  for (const Panel &panel : box.panels) {
    os << llvm::formatv("<g transform=\"translate({0:F1} {1:F1})\">\n", panel.corner.x,
                        panel.corner.y);
    writePanel(panel);
    os << "</g>\n";
  }
  os << "</g>\n";
}

void SvgWriter::writePanel(const Panel &panel) {
  for (const Wire &wire : panel.wires)
    writeWire(wire);
  for (const Box &box : panel.boxes)
    writeBox(box);
}

//===----------------------------------------------------------------------===//
// Legend
//===----------------------------------------------------------------------===//

static void findStyles(const Panel &panel, std::vector<bool> &found) {
  for (const Box &box : panel.boxes) {
    found[size_t(box.style)] = true;
    for (const Panel &inner : box.panels)
      findStyles(inner, found);
  }
}

static std::vector<LegendEntry> legendOf(const Picture &picture) {
  static constexpr size_t maxGroups = 12;
  static const std::pair<Style, const char *> meanings[] = {
      {Style::Input, "argument or state"},
      {Style::Result, "result"},
      {Style::View, "view: moves no data"},
      {Style::Number, "number or list, not a tensor"},
      {Style::Control, "branch or loop"}};
  std::vector<bool> found(size_t(Style::Control) + 1, false);
  findStyles(picture.panel, found);
  std::vector<LegendEntry> entries;
  for (auto [style, text] : meanings)
    if (found[size_t(style)])
      entries.push_back({boxColors(Box{.style = style}), text, style == Style::View});
  for (const GroupEntry &group : picture.groups) {
    if (entries.size() > 0 && group.number > maxGroups) {
      entries.push_back(
          {{"none", "none"},
           "and " + std::to_string(picture.groups.size() - maxGroups) + " more groups"});
      break;
    }
    entries.push_back({groupColors(group.number),
                       "group " + std::to_string(group.number) + ": " + shorten(group.text, 56)});
  }
  return entries;
}

static double entryWidth(const LegendEntry &entry) {
  return 36 + textWidth(TextLine{TextLine::Role::Type, entry.text});
}

/// Calls `place` with each entry and its place: in rows of the width given. The rows' height.
static double layOutLegend(const Picture &picture, double width,
                           llvm::function_ref<void(const LegendEntry &, Point)> place) {
  Point at;
  for (const LegendEntry &entry : legendOf(picture)) {
    if (at.x > 0 && at.x + entryWidth(entry) > width)
      at = {0, at.y + legendLine};
    place(entry, at);
    at.x += entryWidth(entry);
  }
  return at.y + legendLine;
}

double SvgWriter::legendHeight(const Picture &picture, double width) const {
  return layOutLegend(picture, width, [](const LegendEntry &, Point) {});
}

void SvgWriter::writeLegend(const Picture &picture, double width) {
  layOutLegend(picture, width, [&](const LegendEntry &entry, Point at) {
    os << llvm::formatv("<rect x=\"{0:F1}\" y=\"{1:F1}\" width=\"14\" height=\"10\" rx=\"3\" "
                        "fill=\"{2}\" stroke=\"{3}\"{4}/>\n",
                        at.x, at.y, entry.colors.fill, entry.colors.stroke,
                        entry.isDashed ? dashes : "");
    writeText(at.x + 19, at.y + 9, "detail", entry.text);
  });
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

static constexpr const char *styleSheet =
    "text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;"
    "paint-order:stroke}\n"
    ".title{font-size:16px;font-weight:bold;fill:#0f172a}\n"
    ".name{font-size:12px;font-weight:bold;fill:#0f172a}\n"
    ".detail{font-size:10px;fill:#475569}\n"
    ".type{font-size:10px;fill:#1d4ed8}\n"
    ".result .name{fill:#ffffff}.result .type{fill:#cbd5e1}\n"
    ".wire{fill:none;stroke:#64748b;stroke-width:1.2}\n"
    ".arrow{marker-end:url(#arrow)}\n"
    ".panel{fill:#ffffff;stroke:#94a3b8;stroke-dasharray:3 3}\n";

void SvgWriter::writePicture(const Picture &picture, double width) {
  writeText(0, 16, "title", picture.title);
  os << llvm::formatv("<g transform=\"translate(0 {0})\">\n", titleHeight);
  writeLegend(picture, width);
  os << llvm::formatv("</g>\n<g transform=\"translate({0:F1} {1:F1})\">\n",
                      (width - picture.panel.width) / 2,
                      titleHeight + legendHeight(picture, width) + margin);
  writePanel(picture.panel);
  os << "</g>\n";
}

std::string SvgWriter::write(const std::vector<Picture> &pictures) {
  double width = narrowest;
  for (const Picture &picture : pictures)
    width = std::max(width, picture.panel.width);
  double height = margin;
  std::vector<double> tops;
  for (const Picture &picture : pictures) {
    tops.push_back(height);
    height += titleHeight + legendHeight(picture, width) + picture.panel.height + 3 * margin;
  }
  os << llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:F0}\" "
                      "height=\"{1:F0}\" viewBox=\"0 0 {0:F0} {1:F0}\">\n",
                      width + 2 * margin, height);
  os << "<style>\n"
     << styleSheet << "</style>\n"
     << "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0.8L8,4L0,7.2z\" fill=\"#64748b\"/>"
        "</marker></defs>\n"
     << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  for (auto [picture, top] : llvm::zip(pictures, tops)) {
    os << llvm::formatv("<g transform=\"translate({0} {1:F1})\">\n", margin, top);
    writePicture(picture, width);
    os << "</g>\n";
  }
  os << "</svg>\n";
  return std::move(out);
}

std::string writeSvg(const std::vector<Picture> &pictures) { return SvgWriter().write(pictures); }

} // namespace jit::draw

FailureOr<std::string> jit::drawSvg(Operation *root) {
  std::vector<draw::Picture> pictures;
  WalkResult walk = root->walk<WalkOrder::PreOrder>([&](func::FuncOp function) {
    if (function.isDeclaration())
      return WalkResult::skip();
    auto picture = draw::buildPicture(function);
    if (failed(picture))
      return WalkResult::interrupt();
    pictures.push_back(std::move(*picture));
    return WalkResult::skip();
  });
  if (walk.wasInterrupted())
    return failure();
  if (pictures.empty())
    return root->emitError("expected a function to draw, got none");
  return draw::writeSvg(pictures);
}
