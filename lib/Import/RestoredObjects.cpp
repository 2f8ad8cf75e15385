//===- RestoredObjects.cpp - __setstate__ of a class, executed ------------===//
//
// A class may say by itself what of its objects is saved (__getstate__), and what they are made of
// again (__setstate__). The archive holds the state; what it is to the program only the method
// says, which is executed here: over values of the archive, without tensors' elements.
//
//===----------------------------------------------------------------------===//

#include "RestoredObjects.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

/// One call of a __setstate__.
class RestoredObjects::Execution {
public:
  Execution(RestoredObjects &made, ArchiveObject &object) : made(made), object(object) {}

  /// False where the method does anything but to assign.
  bool run(const ts::FunctionDef &method, const ArchiveValue &state) {
    if (method.parameters.size() != 2)
      return false;
    self = method.parameters[0].name;
    names[method.parameters[1].name] = state;
    return llvm::all_of(method.body, [&](const ts::Stmt *stmt) { return execute(*stmt); });
  }

private:
  using Known = std::optional<ArchiveValue>;

  bool execute(const ts::Stmt &stmt) {
    if (const auto *assign = stmt.as<ts::AssignStmt>()) {
      Known value = assign->value ? evaluate(*assign->value) : std::nullopt;
      return value && assignTo(*assign->target, *value);
    }
    if (const auto *done = stmt.as<ts::ReturnStmt>())
      return !done->value || done->value->as<ts::NoneExpr>();
    return stmt.as<ts::PassStmt>();
  }

  bool isSelf(const ts::Expr &expr) const {
    const auto *name = expr.as<ts::NameExpr>();
    return name && StringRef(name->name) == self;
  }

  bool assignTo(const ts::Expr &target, const ArchiveValue &value) {
    if (const auto *name = target.as<ts::NameExpr>()) {
      names[name->name] = value;
      return true;
    }
    if (const auto *attribute = target.as<ts::AttributeExpr>()) {
      if (!isSelf(*attribute->base))
        return false;
      llvm::erase_if(object.attributes,
                     [&](const auto &held) { return held.first == attribute->name; });
      object.attributes.emplace_back(attribute->name, value);
      return true;
    }
    const auto *targets = target.as<ts::TupleExpr>();
    const std::vector<ArchiveValue> *items = itemsOf(value);
    if (!targets || !items || items->size() != targets->elements.size())
      return false;
    return llvm::all_of_zip(
        targets->elements, *items,
        [&](const ts::Expr *to, const ArchiveValue &item) { return assignTo(*to, item); });
  }

  static const std::vector<ArchiveValue> *itemsOf(const ArchiveValue &value) {
    if (const ArchiveTuple *tuple = value.asTuple())
      return &tuple->items;
    const ArchiveList *list = value.asList();
    return list ? &list->items : nullptr;
  }

  Known evaluate(const ts::Expr &expr) {
    if (const auto *name = expr.as<ts::NameExpr>()) {
      auto found = names.find(name->name);
      return found == names.end() ? Known() : Known(found->second);
    }
    if (const auto *attribute = expr.as<ts::AttributeExpr>()) {
      const ArchiveValue *held =
          isSelf(*attribute->base) ? object.find(attribute->name) : constant(expr);
      return held ? Known(*held) : Known();
    }
    if (const auto *subscript = expr.as<ts::SubscriptExpr>())
      return part(*subscript);
    // annotate(T, value), unchecked_cast(T, value)
    if (const auto *call = expr.as<ts::CallExpr>()) {
      const auto *callee = call->callee->as<ts::NameExpr>();
      bool isCast = callee && (callee->name == "annotate" || callee->name == "unchecked_cast");
      return isCast && call->args.size() == 2 ? evaluate(*call->args.back()) : Known();
    }
    if (const auto *tuple = expr.as<ts::TupleExpr>())
      return all(tuple->elements, made.tuples);
    if (const auto *list = expr.as<ts::ListExpr>())
      return all(list->elements, made.lists);
    return literal(expr);
  }

  /// `CONSTANTS.c3`
  const ArchiveValue *constant(const ts::Expr &expr) const {
    std::optional<std::string> name = ts::dottedName(&expr);
    StringRef place = name ? StringRef(*name) : StringRef();
    size_t index = 0;
    bool isPlace = place.consume_front("CONSTANTS.c") && !place.getAsInteger(10, index);
    return isPlace && index < made.archive.constants().size() ? &made.archive.constants()[index]
                                                              : nullptr;
  }

  Known literal(const ts::Expr &expr) {
    if (const auto *number = expr.as<ts::IntExpr>())
      return ArchiveValue(number->value);
    if (const auto *number = expr.as<ts::FloatExpr>())
      return ArchiveValue(number->value);
    if (const auto *flag = expr.as<ts::BoolExpr>())
      return ArchiveValue(flag->value);
    if (const auto *text = expr.as<ts::StringExpr>())
      return ArchiveValue(&made.strings.emplace_back(ArchiveString{std::string(text->value)}));
    return expr.as<ts::NoneExpr>() ? Known(ArchiveValue()) : Known();
  }

  template <typename Made> Known all(ts::ExprList elements, Made &kept) {
    auto &whole = kept.emplace_back();
    for (const ts::Expr *element : elements) {
      Known item = evaluate(*element);
      if (!item)
        return std::nullopt;
      whole.items.push_back(*item);
    }
    return ArchiveValue(&std::as_const(whole));
  }

  /// An item of a tuple or list by its place, of a dict by its key.
  Known part(const ts::SubscriptExpr &expr) {
    Known whole = evaluate(*expr.base);
    Known index = expr.indices.size() == 1 ? evaluate(*expr.indices[0]) : std::nullopt;
    if (!whole || !index)
      return std::nullopt;
    if (const ArchiveDict *dict = whole->asDict()) {
      for (const auto &[key, value] : dict->items)
        if (isSame(key, *index))
          return value;
      return std::nullopt;
    }
    const std::vector<ArchiveValue> *items = itemsOf(*whole);
    const int64_t *place = index->asInt();
    if (!items || !place)
      return std::nullopt;
    int64_t count = int64_t(items->size()), at = *place < 0 ? *place + count : *place;
    return at >= 0 && at < count ? Known((*items)[at]) : std::nullopt;
  }

  static bool isSame(const ArchiveValue &a, const ArchiveValue &b) {
    if (a.asString() && b.asString())
      return *a.asString() == *b.asString();
    return a.asInt() && b.asInt() && *a.asInt() == *b.asInt();
  }

  RestoredObjects &made;
  ArchiveObject &object;
  StringRef self;
  llvm::StringMap<ArchiveValue> names;
};

/// Whether None is a value of the type.
static bool mayBeNone(const ts::Expr &type) {
  if (const auto *name = type.as<ts::NameExpr>())
    return name->name == "NoneType";
  const auto *subscript = type.as<ts::SubscriptExpr>();
  const auto *base = subscript ? subscript->base->as<ts::NameExpr>() : nullptr;
  return base && base->name == "Optional";
}

const ArchiveObject *RestoredObjects::restored(const ArchiveObject &object,
                                               const ts::ClassDef &definition,
                                               std::string &reason) {
  if (object.state.isNone())
    return &object;
  auto [found, isNew] = known.try_emplace(&object, nullptr);
  reason = "class " + object.className +
           " is not supported: its objects are saved by __getstate__, and its __setstate__ does "
           "more than to assign parts of what that gave";
  if (!isNew)
    return found->second;
  const ts::FunctionDef *method = definition.findMethod("__setstate__");
  ArchiveObject &made = objects.emplace_back();
  made.className = object.className;
  if (!method || !Execution(*this, made).run(*method, object.state))
    return nullptr;
  for (const ts::AttributeDef &attribute : definition.attributes) {
    if (!attribute.type || attribute.value || made.find(attribute.name))
      continue;
    if (!mayBeNone(*attribute.type)) {
      reason = "class " + object.className + " is not supported: its __setstate__ leaves '" +
               std::string(attribute.name) + "' without a value";
      return nullptr;
    }
    made.attributes.emplace_back(attribute.name, ArchiveValue());
  }
  return known[&object] = &made;
}

} // namespace jit
