// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/translate.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "core/faults.hpp"
#include "swarm/script/lexer.hpp"

namespace volary::swarm::script {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) { return std::find(words.begin(), words.end(), word) != words.end(); }

// Finds the operands of .. without a whole parser: they bind tighter than all that can stand beside them, so an operand goes from one
// weaker operator, separator, bracket or keyword to the next, or to a word that cannot belong to the same expression.
class Translator {
 public:
  Translator(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  core::Result<std::string> run() {
    Lexer lexer(text_);
    for (Token t = lexer.next(); t.kind != Token::Kind::End; t = lexer.next()) {
      if (t.kind == Token::Kind::Name && is_operator_name(t.text))
        faults_.add({.message = "'" + std::string(t.text) + "' is one of Volary's own names; choose another", .file = file_, .line = t.line});
      if (t.kind == Token::Kind::Symbol && t.text == "^")
        faults_.add({.message = "the operator ^ gives other bits on other systems", .file = file_, .line = t.line, .suggestion = "use pow(x, y), or x * x"});
      take(t);
    }
    if (!faults_.empty()) return faults_.error();
    end_operand(false);
    return edited();
  }

 private:
  // the operand in progress, one for each bracket and block that is open
  struct Operand {
    std::size_t begin = 0, end = 0;  // in the text; equal: nothing yet
    bool joined = false;             // .. stands before it
    bool is_text = true;             // it is written as a text, and nothing else
  };
  enum Rank { Close, Open, Replace };  // at the same place
  struct Edit {
    std::size_t at, erased;
    Rank rank;
    std::string text;
  };

  std::size_t place(const Token& t) const { return static_cast<std::size_t>(t.text.data() - text_.data()); }

  void end_operand(bool joins_next) {
    Operand& o = open_.back();
    if (o.end > o.begin && !o.is_text && (o.joined || joins_next)) {
      edits_.push_back({o.begin, 0, Open, " " + std::string(kTextFunction) + "("});
      edits_.push_back({o.end, 0, Close, ")"});
    }
    o = {.joined = joins_next};
    expression_ended_ = false;
  }
  void extend(const Token& t) {
    Operand& o = open_.back();
    if (o.end == o.begin) o.begin = place(t);
    o.is_text &= o.end <= o.begin && t.kind == Token::Kind::Text;
    o.end = place(t) + t.text.size();
  }
  void open_level(const Token& t, bool in_operand) {
    if (in_operand) extend(t), open_.back().is_text = false;
    open_.push_back({});
    expression_ended_ = false;
  }
  void close_level(const Token& t) {
    end_operand(false);
    if (open_.size() > 1) open_.pop_back();
    if (open_.back().end > open_.back().begin) extend(t);
    expression_ended_ = true;
  }

  void take(const Token& t) {
    if (t.kind == Token::Kind::Symbol) return take_symbol(t);
    const bool name = t.kind == Token::Kind::Name;
    if (name && t.text == "not") return extend(t), open_.back().is_text = false, expression_ended_ = false, void();
    if (name && is_one_of(t.text, {"end", "until"})) return t.text == "end" ? close_level(t) : (close_level(t), end_operand(false));
    if (name && t.text == "function") return start_word(), open_level(t, true);
    if (name && is_one_of(t.text, {"if", "do", "repeat"})) return end_operand(false), open_level(t, false);
    if (name && is_one_of(t.text, {"and", "or", "return", "local", "then", "else", "elseif", "while", "for", "in", "goto", "break"})) return end_operand(false);
    // a text after an expression is what a function is called with; a word or a number begins something new
    if (t.kind != Token::Kind::Text) start_word();
    extend(t);
    is_field_ = false;
    expression_ended_ = true;
  }
  void start_word() {
    if (expression_ended_ && !is_field_) end_operand(false);
  }

  void take_symbol(const Token& t) {
    const char c = t.text[0];
    const bool inside_operand = is_one_of(t.text, {".", ":", "+", "-", "*", "/", "%", "#", "..."}) || (c == '~' && !expression_ended_);
    if (t.text == "#") edits_.push_back({place(t), 1, Replace, " " + std::string(kLengthOperator) + "^"});
    if (t.text == "...") start_word();
    if (c == '(' || c == '[' || c == '{') {
      open_level(t, true);
    } else if (c == ')' || c == ']' || c == '}') {
      close_level(t);
    } else if (inside_operand) {
      extend(t);
      open_.back().is_text = false;
      expression_ended_ = t.text == "...";
    } else {
      end_operand(t.text == "..");
    }
    is_field_ = t.text == "." || t.text == ":";
  }

  std::string edited() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.at != b.at ? a.at < b.at : a.rank < b.rank; });
    std::string out = std::string("local ") + kLengthOperator + " <const>, " + kTextFunction + " <const> = " + kGiveOperators + "();";
    std::size_t copied = 0;
    for (const Edit& e : edits_) {
      out.append(text_.substr(copied, e.at - copied)).append(e.text);
      copied = e.at + e.erased;
    }
    return out.append(text_.substr(copied));
  }

  std::string_view text_;
  const std::string& file_;
  core::Faults faults_;
  std::vector<Operand> open_{1};
  std::vector<Edit> edits_;
  bool expression_ended_ = false;  // the token before can be the last one of an expression
  bool is_field_ = false;          // the token before is . or :
};

}  // namespace

bool is_operator_name(std::string_view name) { return is_one_of(name, {kLengthOperator, kTextFunction, kGiveOperators}); }

core::Result<std::string> translate(std::string_view text, const std::string& file) { return Translator(text, file).run(); }

}  // namespace volary::swarm::script
