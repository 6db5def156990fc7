// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The tokens of Lua 5.4 where Lua's own lexer sees them: a scanner that ends a comment or a string elsewhere overlooks what follows.
#pragma once

#include <cstddef>
#include <string_view>

namespace volary::swarm::script {

struct Token {
  enum class Kind { Name, Number, Text, Symbol, End };
  Kind kind;
  std::string_view text;  // a symbol is one character, except .. and ... and ::
  int line;               // of its beginning, from 1
};

// What Lua refuses becomes tokens of any kind: Lua says what is wrong with it.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  bool is_newline(std::size_t i) const { return i < text_.size() && (text_[i] == '\n' || text_[i] == '\r'); }
  void take_newline();
  void take_blanks();
  bool take_long();
  void take_text();
  void take_number();
  void take_symbol();

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace volary::swarm::script
