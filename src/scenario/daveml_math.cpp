// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/daveml_math.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/suggest.hpp"

namespace volary::scenario {

namespace {

using math::Operation;
using math::Step;

constexpr double kPi = 3.141592653589793;
constexpr double kEuler = 2.718281828459045;
constexpr int kMaxMathDepth = 200;

// how many operands, and whether a longer list is folded from the left
struct Operator {
  std::string_view name;
  Operation operation;
  int least, most;           // operands; most 0: any number, folded
  bool swapped = false;      // a > b is b < a
  bool negated = false;      // a != b is not (a == b)
};
constexpr Operator kOperators[] = {
    {"plus", Operation::Add, 1, 0},          {"times", Operation::Multiply, 1, 0},
    {"min", Operation::Minimum, 1, 0},       {"max", Operation::Maximum, 1, 0},
    {"and", Operation::And, 1, 0},           {"or", Operation::Or, 1, 0},
    {"divide", Operation::Divide, 2, 2},     {"atan2", Operation::ArcTangent2, 2, 2},
    {"lt", Operation::Less, 2, 2},           {"leq", Operation::LessOrEqual, 2, 2},
    {"gt", Operation::Less, 2, 2, true},     {"geq", Operation::LessOrEqual, 2, 2, true},
    {"eq", Operation::Equal, 2, 2},          {"neq", Operation::Equal, 2, 2, false, true},
    {"not", Operation::Not, 1, 1},           {"abs", Operation::Absolute, 1, 1},
    {"floor", Operation::Floor, 1, 1},       {"sin", Operation::Sine, 1, 1},
    {"cos", Operation::Cosine, 1, 1},        {"tan", Operation::Tangent, 1, 1},
    {"arcsin", Operation::ArcSine, 1, 1},    {"arccos", Operation::ArcCosine, 1, 1},
    {"arctan", Operation::ArcTangent, 1, 1}, {"exp", Operation::Exponential, 1, 1},
    {"ln", Operation::Logarithm, 1, 1},
};

class MathReader {
 public:
  MathReader(const XmlFile& xml, const MathNames& names, Slots& slots) : xml_(xml), names_(names), slots_(slots) {}

  core::Result<MathPiece> read(pugi::xml_node math, std::int32_t out) {
    const std::vector<pugi::xml_node> parts = elements_of(math);
    if (parts.size() != 1) return xml_.error(math, "'math' needs exactly one formula, it has " + std::to_string(parts.size()));
    const std::int32_t value = expression(parts[0], 0);
    if (error_) return *error_;
    emit(Operation::Copy, {value}, out);
    return std::move(piece_);
  }

 private:
  static std::vector<pugi::xml_node> elements_of(pugi::xml_node node) {
    std::vector<pugi::xml_node> elements;
    for (const pugi::xml_node c : node.children())
      if (c.type() == pugi::node_element) elements.push_back(c);
    return elements;
  }

  std::int32_t fail(pugi::xml_node node, std::string message, std::string suggestion = "") {
    if (!error_) error_ = xml_.error(node, std::move(message), std::move(suggestion));
    return 0;
  }

  std::int32_t emit(Operation operation, std::vector<std::int32_t> operands, std::optional<std::int32_t> out = {}) {
    operands.resize(3, 0);
    piece_.steps.push_back({operation, out ? *out : slots_.add(), operands[0], operands[1], operands[2]});
    return piece_.steps.back().out;
  }

  std::int32_t expression(pugi::xml_node node, int depth) {
    if (error_) return 0;
    if (depth > kMaxMathDepth) return fail(node, "the formula is nested too deeply");
    const std::string name(local_name(node));
    if (name == "apply") return application(node, depth);
    if (name == "piecewise") return piecewise(node, depth);
    if (name == "ci") return variable(node);
    if (name == "cn") return number(node);
    if (name == "pi") return slots_.add(kPi);
    if (name == "exponentiale") return slots_.add(kEuler);
    if (name == "true") return slots_.add(1);
    if (name == "false") return slots_.add(0);
    return fail(node, "'" + name + "' is not a formula that is understood", core::did_you_mean(name, {"apply", "piecewise", "ci", "cn", "pi"}));
  }

  std::int32_t variable(pugi::xml_node node) {
    const std::string id = text_in(node);
    const auto found = names_.find(id);
    if (found != names_.end()) {
      piece_.needs.push_back(found->second.variable);
      return found->second.slot;
    }
    std::vector<std::string> known;
    for (const auto& [name, where] : names_) known.push_back(name);
    return fail(node, "there is no variable '" + id + "'", core::did_you_mean(id, known));
  }

  std::int32_t number(pugi::xml_node node) {
    const std::string kind = node.attribute("type").as_string("real");
    if (kind != "real" && kind != "integer") return fail(node, "a number of type '" + kind + "' is not understood", "write it as a plain decimal number");
    const std::optional<double> value = to_number(text_in(node));
    if (!value) return fail(node, "'" + text_in(node).substr(0, 40) + "' is not a number");
    return slots_.add(*value);
  }

  std::int32_t application(pugi::xml_node node, int depth) {
    std::vector<pugi::xml_node> parts = elements_of(node);
    if (parts.empty()) return fail(node, "'apply' is empty");
    // NASA's own files wrap a piecewise in an apply
    if (parts.size() == 1 && is(parts[0], "piecewise")) return piecewise(parts[0], depth + 1);
    const pugi::xml_node head = parts[0];
    const std::string name = is(head, "csymbol") ? text_in(head) : std::string(local_name(head));
    parts.erase(parts.begin());
    if (name == "power") return power(node, parts, depth);
    if (name == "root") return root(node, parts, depth);
    std::vector<std::int32_t> operands;
    for (const pugi::xml_node part : parts) operands.push_back(expression(part, depth + 1));
    if (error_) return 0;
    if (name == "minus") return minus(node, operands);
    const auto* op = std::find_if(std::begin(kOperators), std::end(kOperators), [&](const Operator& o) { return o.name == name; });
    if (op == std::end(kOperators)) return fail(head, "'" + name + "' is not an operation that is understood", core::did_you_mean(name, operator_names()));
    return operate(node, *op, operands);
  }

  std::int32_t operate(pugi::xml_node node, const Operator& op, std::vector<std::int32_t> operands) {
    const int n = static_cast<int>(operands.size());
    if (n < op.least || (op.most > 0 && n > op.most)) return wrong_count(node, op.name, n);
    if (op.swapped) std::swap(operands[0], operands[1]);
    if (op.most > 0) {
      const std::int32_t value = emit(op.operation, operands);
      return op.negated ? emit(Operation::Not, {value}) : value;
    }
    std::int32_t value = operands[0];
    for (std::size_t k = 1; k < operands.size(); ++k) value = emit(op.operation, {value, operands[k]});
    return value;
  }

  std::int32_t minus(pugi::xml_node node, const std::vector<std::int32_t>& operands) {
    if (operands.size() == 1) return emit(Operation::Negate, operands);
    if (operands.size() == 2) return emit(Operation::Subtract, operands);
    return wrong_count(node, "minus", static_cast<int>(operands.size()));
  }

  // whole powers are products, which negative numbers have too; the power 1/2 is the square root
  std::int32_t power(pugi::xml_node node, const std::vector<pugi::xml_node>& parts, int depth) {
    if (parts.size() != 2) return wrong_count(node, "power", static_cast<int>(parts.size()));
    const std::int32_t base = expression(parts[0], depth + 1);
    if (is(parts[1], "cn")) {
      const std::optional<double> exponent = to_number(text_in(parts[1]));
      if (exponent && *exponent == 0.5) return emit(Operation::SquareRoot, {base});
      for (int whole = 1; exponent && whole <= 16; ++whole) {
        if (*exponent != whole) continue;
        std::int32_t value = base;
        for (int k = 1; k < whole; ++k) value = emit(Operation::Multiply, {value, base});
        return value;
      }
    }
    return emit(Operation::Power, {base, expression(parts[1], depth + 1)});
  }

  std::int32_t root(pugi::xml_node node, const std::vector<pugi::xml_node>& parts, int depth) {
    if (parts.size() != 1) return fail(node, "only the square root is understood", "write the power 1/n");
    return emit(Operation::SquareRoot, {expression(parts[0], depth + 1)});
  }

  // from the last piece backwards, so that the first true one wins
  std::int32_t piecewise(pugi::xml_node node, int depth) {
    std::vector<pugi::xml_node> pieces = elements_of(node);
    if (pieces.empty() || !is(pieces.back(), "otherwise")) {
      return fail(node, "'piecewise' without 'otherwise' says nothing where no piece holds", "add an 'otherwise' as the last part");
    }
    const std::vector<pugi::xml_node> last = elements_of(pieces.back());
    if (last.size() != 1) return fail(pieces.back(), "'otherwise' needs one value");
    std::int32_t value = expression(last[0], depth + 1);
    pieces.pop_back();
    for (auto piece = pieces.rbegin(); piece != pieces.rend() && !error_; ++piece) {
      const std::vector<pugi::xml_node> parts = elements_of(*piece);
      if (!is(*piece, "piece") || parts.size() != 2) return fail(*piece, "'piece' needs a value and a condition");
      const std::int32_t then = expression(parts[0], depth + 1);
      const std::int32_t condition = expression(parts[1], depth + 1);
      value = emit(Operation::Choose, {condition, then, value});
    }
    return value;
  }

  std::int32_t wrong_count(pugi::xml_node node, std::string_view name, int n) {
    return fail(node, "'" + std::string(name) + "' does not take " + std::to_string(n) + " operand" + (n == 1 ? "" : "s"));
  }

  static std::vector<std::string> operator_names() {
    std::vector<std::string> names = {"minus", "power", "root"};
    for (const Operator& o : kOperators) names.emplace_back(o.name);
    return names;
  }

  const XmlFile& xml_;
  const MathNames& names_;
  Slots& slots_;
  MathPiece piece_;
  std::optional<core::Error> error_;
};

}  // namespace

core::Result<MathPiece> read_math(const XmlFile& xml, pugi::xml_node math, const MathNames& names, Slots& slots, std::int32_t out) {
  return MathReader(xml, names, slots).read(math, out);
}

}  // namespace volary::scenario
