// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/lexer.hpp"

namespace volary::swarm::script {

namespace {

// as Lua has them: ASCII, whatever the locale
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

}  // namespace

// \n, \r, \r\n and \n\r are one line each
void Lexer::take_newline() {
  const char first = text_[at_++];
  if (is_newline(at_) && text_[at_] != first) ++at_;
  ++line_;
}

// blanks, lines and comments
void Lexer::take_blanks() {
  while (at_ < text_.size()) {
    if (is_newline(at_)) {
      take_newline();
    } else if (is_blank(text_[at_])) {
      ++at_;
    } else if (at(at_) == '-' && at(at_ + 1) == '-') {
      at_ += 2;
      if (take_long()) continue;
      while (at_ < text_.size() && !is_newline(at_)) ++at_;
    } else {
      return;
    }
  }
}

// [[...]] or [==[...]==], when one begins here
bool Lexer::take_long() {
  std::size_t open = at_ + 1;
  while (at(open) == '=') ++open;
  if (at(at_) != '[' || at(open) != '[') return false;
  const std::size_t level = open - at_ - 1;
  at_ = open + 1;
  while (at_ < text_.size()) {
    if (is_newline(at_)) {
      take_newline();
      continue;
    }
    if (text_[at_++] != ']') continue;
    std::size_t close = at_;
    while (at(close) == '=') ++close;
    if (close - at_ == level && at(close) == ']') return at_ = close + 1, true;
  }
  return true;
}

// to the quote that closes it; a line that ends before it does is an error to Lua, unless a backslash stands before the end
void Lexer::take_text() {
  const char quote = text_[at_++];
  while (at_ < text_.size() && text_[at_] != quote && !is_newline(at_)) {
    if (text_[at_++] != '\\' || at_ >= text_.size()) continue;
    if (is_newline(at_)) {
      take_newline();
    } else if (text_[at_++] == 'z') {
      while (at_ < text_.size() && (is_blank(text_[at_]) || is_newline(at_))) is_newline(at_) ? take_newline() : void(++at_);
    }
  }
  if (at(at_) == quote) ++at_;
}

void Lexer::take_number() {
  const bool hexadecimal = at(at_) == '0' && (at(at_ + 1) == 'x' || at(at_ + 1) == 'X');
  const char exponent = hexadecimal ? 'p' : 'e';
  at_ += hexadecimal ? 2 : 1;
  while (true) {
    if ((at(at_) | 0x20) == exponent) {
      ++at_;
      if (at(at_) == '+' || at(at_) == '-') ++at_;
    } else if (is_hex(at(at_)) || at(at_) == '.') {
      ++at_;
    } else {
      return;
    }
  }
}

void Lexer::take_symbol() {
  const char c = text_[at_++];
  if ((c != '.' && c != ':') || at(at_) != c) return;
  at_ += c == '.' && at(at_ + 1) == '.' ? 2 : 1;
}

Token Lexer::next() {
  take_blanks();
  const std::size_t begin = at_;
  const int line = line_;
  const char c = at(begin);
  Token::Kind kind = Token::Kind::Symbol;
  if (begin >= text_.size()) {
    kind = Token::Kind::End;
  } else if (is_letter(c)) {
    kind = Token::Kind::Name;
    while (is_letter(at(at_)) || is_digit(at(at_))) ++at_;
  } else if (is_digit(c) || (c == '.' && is_digit(at(begin + 1)))) {
    kind = Token::Kind::Number;
    take_number();
  } else if (c == '"' || c == '\'') {
    kind = Token::Kind::Text;
    take_text();
  } else if (take_long()) {
    kind = Token::Kind::Text;
  } else {
    take_symbol();
  }
  return {kind, text_.substr(begin, at_ - begin), line};
}

}  // namespace volary::swarm::script
