// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/json_pieces.hpp"

#include <algorithm>
#include <utility>

#include "replay/modes.hpp"

namespace volary::replay {

namespace {

using Json = nlohmann::ordered_json;

// fields in fields, down to columns: all numbers of one (part < 0) or one of them
struct Tree {
  std::vector<std::pair<std::string, Tree>> fields = {};
  int column = -1, part = -1;

  Tree& at(const std::string& name) {
    for (auto& [known, tree] : fields)
      if (known == name) return tree;
    return fields.emplace_back(name, Tree{}).second;
  }
};

bool is_list(const ExportColumn& c) { return !c.parts.empty() && c.parts.front() == "0"; }

// a column `a` beside another one `a.b` is the field a.value
void part_values(Tree& tree) {
  if (tree.column >= 0 && !tree.fields.empty()) {
    Tree& value = tree.at("value");
    value.column = std::exchange(tree.column, -1), value.part = tree.part;
  }
  for (auto& [name, field] : tree.fields) part_values(field);
}

Tree tree_of(const std::vector<ExportColumn>& columns) {
  Tree root;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Tree* at = &root;
    for (std::size_t from = 0; from != std::string::npos;) {
      const std::size_t dot = columns[c].name.find('.', from);
      at = &at->at(columns[c].name.substr(from, dot == std::string::npos ? dot : dot - from));
      from = dot == std::string::npos ? dot : dot + 1;
    }
    if (columns[c].parts.empty() || is_list(columns[c])) {
      at->column = static_cast<int>(c);
      continue;
    }
    for (std::size_t k = 0; k < columns[c].parts.size(); ++k) {
      Tree& leaf = at->at(columns[c].parts[k]);
      leaf.column = static_cast<int>(c), leaf.part = static_cast<int>(k);
    }
  }
  part_values(root);
  return root;
}

Json schema_of(const Tree& tree, const std::vector<ExportColumn>& columns) {
  if (tree.column < 0) {
    Json properties = Json::object();
    for (const auto& [name, field] : tree.fields) properties[name] = schema_of(field, columns);
    return {{"type", "object"}, {"properties", std::move(properties)}};
  }
  const ExportColumn& c = columns[static_cast<std::size_t>(tree.column)];
  const std::string units = c.units(), text = c.doc + (units.empty() ? "" : " [" + units + "]");
  if (c.kind == ExportColumn::Kind::Mode) return {{"type", "string"}, {"description", text}};
  if (tree.part < 0 && is_list(c)) return {{"type", "array"}, {"items", {{"type", "number"}}}, {"description", text}};
  return {{"type", "number"}, {"description", text}};
}

}  // namespace

JsonPieces::JsonPieces(const std::vector<ExportColumn>& columns) : columns_(columns) {
  const Tree root = tree_of(columns);
  schema_ = schema_of(root, columns)["properties"];
  std::string text;
  const auto number = [&](int column, std::size_t part) {
    pieces_.push_back({std::exchange(text, {}), column, part});
  };
  const auto lay_out = [&](const auto& self, const Tree& tree) -> void {
    if (tree.column < 0) {
      text += "{";
      for (std::size_t k = 0; k < tree.fields.size(); ++k) {
        text += (k == 0 ? "" : ",") + Json(tree.fields[k].first).dump() + ":";
        self(self, tree.fields[k].second);
      }
      text += "}";
      return;
    }
    const ExportColumn& c = columns_[static_cast<std::size_t>(tree.column)];
    if (tree.part >= 0 || !is_list(c)) return number(tree.column, static_cast<std::size_t>(std::max(0, tree.part)));
    for (std::size_t k = 0; k < c.count(); ++k) {
      text += k == 0 ? "[" : ",";
      number(tree.column, k);
    }
    text += "]";
  };
  lay_out(lay_out, root);
  pieces_.push_back({std::move(text), -1, 0});
  // the fields go into an object that has others already
  pieces_.front().before.erase(0, 1);
  pieces_.back().before.pop_back();
}

void JsonPieces::put(const FlockMoment& m, std::size_t row, fmt::memory_buffer& out) const {
  for (const Piece& p : pieces_) {
    out.append(p.before);
    if (p.column < 0) continue;
    const ExportColumn& c = columns_[static_cast<std::size_t>(p.column)];
    with_number(c.number, m.columns[static_cast<std::size_t>(p.column)].data() + row * c.bytes() + p.part * size_of(c.number), [&](auto x) {
      if constexpr (std::is_same_v<decltype(x), std::uint8_t>)
        fmt::format_to(std::back_inserter(out), "\"{}\"", mode_name(x));
      else if constexpr (std::is_integral_v<decltype(x)>)
        fmt::format_to(std::back_inserter(out), "{}", x);
      else if (x - x == 0)
        fmt::format_to(std::back_inserter(out), "{}", static_cast<double>(x));
      else
        out.append(std::string_view("null"));
    });
  }
}

}  // namespace volary::replay
