//===- SpecText.cpp - a value's spec in text ------------------------------===//

#include "SpecText.h"
#include "jit/QuotedText.h"

using namespace jit;
using namespace jit::runtime;

namespace {
class Writer {
public:
  Writer(SpecPolicy policy, unsigned &names) : policy(policy), names(names) {}

  Result<void> append(const Value &value);
  std::string text;

private:
  Result<void> appendAll(std::span<const Value> values, const char *open, const char *close);
  void appendTensor(const Tensor &tensor);
  void appendLayout(const CallerLayout &layout);

  SpecPolicy policy;
  unsigned &names;
};
} // namespace

Result<void> Writer::appendAll(std::span<const Value> values, const char *open, const char *close) {
  text += open;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i)
      text += ',';
    if (auto done = append(values[i]); !done)
      return done;
  }
  text += close;
  return {};
}

void Writer::appendLayout(const CallerLayout &layout) {
  for (size_t i = 0; i < layout.strides.size(); ++i)
    text += (i ? "," : ":strides[") + (layout.strides[i] == CallerLayout::unknownStride
                                           ? "?"
                                           : std::to_string(layout.strides[i]));
  text += layout.strides.empty() ? "" : "]";
  if (layout.whole)
    text += ":part[" + std::to_string(layout.group) + "," + std::to_string(layout.offset) + "," +
            std::to_string(layout.whole->numElements()) + "]";
}

void Writer::appendTensor(const Tensor &tensor) {
  if (!tensor.defined()) {
    text += "undef";
    return;
  }
  const CallerLayout *layout = policy.strides ? tensor.callerLayout() : nullptr;
  text += shortName(tensor.type());
  text += '[';
  for (size_t i = 0; i < tensor.sizes().size(); ++i) {
    int64_t size = tensor.sizes()[i];
    if (i)
      text += ',';
    bool isOpen = policy.sizes == SizePolicy::Symbolic && !layout && size > 1;
    text += isOpen ? "s" + std::to_string(names++) : std::to_string(size);
  }
  text += ']';
  if (layout)
    appendLayout(*layout);
  text += tensor.requiresGrad() ? ":grad" : "";
}

Result<void> Writer::append(const Value &value) {
  if (auto *tensor = value.getIf<Tensor>()) {
    appendTensor(*tensor);
  } else if (auto *number = value.getIf<int64_t>()) {
    text += std::to_string(*number);
  } else if (value.getIf<double>()) {
    text += "?float";
  } else if (auto *flag = value.getIf<bool>()) {
    text += *flag ? "true" : "false";
  } else if (auto *string = value.getIf<std::string>()) {
    text += quoted(*string);
  } else if (auto *list = value.getIf<List>()) {
    return appendAll(list->items, "[", "]");
  } else if (auto *tuple = value.getIf<Tuple>()) {
    return appendAll(tuple->items, "(", ")");
  } else {
    text += "none";
  }
  return {};
}

Result<std::string> jit::specText(const Value &value, SpecPolicy policy, unsigned &names) {
  Writer writer(policy, names);
  if (auto done = writer.append(value); !done)
    return done.takeError();
  return std::move(writer.text);
}
