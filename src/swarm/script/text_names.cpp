// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/text_names.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "swarm/script/lexer.hpp"

namespace volary::swarm::script {

namespace {

bool is_name(std::string_view s) { return !s.empty() && ((s[0] >= 'a' && s[0] <= 'z') || (s[0] >= 'A' && s[0] <= 'Z') || s[0] == '_'); }

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  Lexer lexer(text);
  for (Token t = lexer.next(); t.kind != Token::Kind::End; t = lexer.next()) tokens.push_back(t);
  return tokens;
}

class Reader {
 public:
  Reader(std::vector<Token> tokens, std::string_view receiver) : tokens_(std::move(tokens)), receiver_(receiver) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) note_bindings(i);
    // a name that means something else anywhere is not looked at
    for (const std::string_view name : others_) aliases_.erase(name);
  }

  std::vector<Misnamed> undeclared(const ScriptParams& declared) const {
    std::vector<Misnamed> found;
    if (others_.contains(receiver_)) return found;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::size_t after = is_params(i) ? i + 3 : aliases_.contains(at(i)) && !is_field(i) ? i + 1 : 0;
      if (after == 0 || at(after) != "." || at(after + 1) == "." || !is_name(at(after + 1))) continue;
      const std::string_view name = at(after + 1);
      if (std::none_of(declared.begin(), declared.end(), [&](const auto& p) { return p.first == name; }))
        found.push_back({std::string(name), tokens_[after + 1].line});
    }
    return found;
  }

  std::vector<Misnamed> unknown_fields(const std::vector<std::string>& known) const {
    std::vector<Misnamed> found;
    if (others_.contains(receiver_) || is_rebound_) return found;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (at(i) != receiver_ || is_field(i) || at(i + 1) != "." || !is_name(at(i + 2))) continue;
      if (std::find(known.begin(), known.end(), at(i + 2)) == known.end()) found.push_back({std::string(at(i + 2)), tokens_[i + 2].line});
    }
    return found;
  }

  std::vector<Misnamed> uses(std::span<const char* const> names) const {
    std::vector<Misnamed> found;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Token::Kind::Name || is_field(i) || at(i + 1) == "::" || at(i - (i > 0 ? 1 : 0)) == "goto") continue;
      if (others_.contains(at(i)) || aliases_.contains(at(i)) || functions_.contains(at(i))) continue;
      if (std::any_of(names.begin(), names.end(), [&](const char* name) { return at(i) == name; })) found.push_back({std::string(at(i)), tokens_[i].line});
    }
    return found;
  }

 private:
  std::string_view at(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view{}; }
  bool is_field(std::size_t i) const { return i > 0 && (at(i - 1) == "." || at(i - 1) == ":"); }
  bool is_params(std::size_t i) const { return at(i) == receiver_ && !is_field(i) && at(i + 1) == "." && at(i + 2) == "params"; }

  // local a, b = me.params, ...: which of them are the parameters
  void note_local(std::size_t i) {
    std::vector<std::string_view> names;
    for (; is_name(at(i)); i += 2) {
      names.push_back(at(i));
      if (at(i + 1) != ",") break;
    }
    const bool given = at(i + 1) == "=" && at(i + 2) != "=";
    std::size_t value = i + 2;
    for (const std::string_view name : names) {
      const std::string_view after = at(value + 3);
      const bool whole = given && is_params(value) && after != "." && after != ".." && after != "[" && after != ":" && after != "(";
      (whole ? aliases_ : others_).insert(name);
      // the next value, where this one is a plain name with fields
      while (is_name(at(value)) && at(value + 1) == ".") value += 2;
      value = is_name(at(value)) && at(value + 1) == "," ? value + 2 : tokens_.size();
    }
  }
  void note_list(std::size_t i, std::string_view end) {
    for (; i < tokens_.size() && at(i) != end; ++i) {
      if (is_name(at(i)) && at(i) != receiver_) others_.insert(at(i));
      is_rebound_ = is_rebound_ || (at(i) == receiver_ && end != ")");
    }
  }
  void note_bindings(std::size_t i) {
    if (at(i) == "local" && at(i + 1) != "function") return note_local(i + 1);
    if (at(i) == "for") return note_list(i + 1, at(i + 2) == "=" ? "=" : "in");
    if (at(i) == "function") {
      if (is_name(at(i + 1)) && at(i + 2) == "(") functions_.insert(at(i + 1));
      while (i < tokens_.size() && at(i) != "(") ++i;
      return note_list(i + 1, ")");
    }
    // an assignment that is no local one
    if (!is_name(at(i)) || is_field(i) || at(i + 1) != "=" || at(i + 2) == "=" || (i > 0 && at(i - 1) == "=")) return;
    std::size_t first = i;
    while (first >= 2 && at(first - 1) == "," && is_name(at(first - 2))) first -= 2;
    if (first == 0 || at(first - 1) != "local")
      for (std::size_t k = first; k <= i; k += 2) others_.insert(at(k));
  }

  std::vector<Token> tokens_;
  std::string_view receiver_;
  std::set<std::string_view> aliases_, others_, functions_;
  bool is_rebound_ = false;  // the receiver is a variable of a loop somewhere
};

}  // namespace

std::vector<Misnamed> find_undeclared(std::string_view text, std::string_view receiver, const ScriptParams& declared) {
  return Reader(tokens_of(text), receiver).undeclared(declared);
}
std::vector<Misnamed> find_unknown_fields(std::string_view text, std::string_view receiver, const std::vector<std::string>& known) {
  return Reader(tokens_of(text), receiver).unknown_fields(known);
}
std::vector<Misnamed> find_uses(std::string_view text, std::span<const char* const> names) { return Reader(tokens_of(text), "").uses(names); }

}  // namespace volary::swarm::script
