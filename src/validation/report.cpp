// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/report.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

// names go into tables: a threshold would end a cell
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\|");
  return text;
}

std::string table_of(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::string out = "|";
  for (const std::string& h : header) out += " " + cell(h) + " |";
  out += "\n|";
  for (std::size_t k = 0; k < header.size(); ++k) out += "---|";
  out += "\n";
  for (const auto& row : rows) {
    out += "|";
    for (const std::string& c : row) out += " " + cell(c) + " |";
    out += "\n";
  }
  return out;
}

std::string figures_of(const std::vector<Figure>& figures) {
  std::vector<std::vector<std::string>> rows;
  for (const Figure& f : figures) {
    const std::string threshold = f.judged() ? fmt::format("{} {:.4g}", f.sense == Sense::AtMost ? "at most" : "at least", f.threshold) : "none";
    rows.push_back({f.name, fmt::format("{:.4g}", f.value), f.unit, threshold, !f.judged() ? "" : f.holds() ? "holds" : "**fails**"});
  }
  return table_of({"figure", "value", "unit", "threshold", ""}, rows);
}

core::Status write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (out) return core::ok();
  core::Error error;
  error.file = path.string();
  error.message = "cannot be written";
  return error;
}

}  // namespace

std::string markdown_of(const std::vector<CheckReport>& reports, const std::string& folder) {
  std::string out = "# Validation\n\n";
  for (const CheckReport& r : reports)
    if (!r.flown.empty()) out += "- **" + r.check + ":** " + r.flown + "\n";
  if (out.ends_with(".\n")) out += "\n";
  out += "Every judged figure is given with its threshold. The data were recorded or published by others.\n";
  for (const CheckReport& r : reports) {
    out += "\n## " + r.title + "\n\n";
    if (!r.table.empty()) out += table_of(r.header, r.table) + "\n";
    for (const std::string& remark : r.remarks) out += "- " + remark + "\n";
    for (const core::Error& e : r.errors) out += "- **Error:** " + e.text() + "\n";
    for (const Picture& p : r.pictures) out += fmt::format("\n![{}]({}/{}.svg)\n", p.title, folder, p.name);
    if (!r.figures.empty()) out += "\n### All figures\n\n" + figures_of(r.figures);
  }
  return out;
}

core::Status write_report(const std::vector<CheckReport>& reports, const std::string& path) {
  const fs::path file(path);
  const fs::path plots = file.parent_path() / (file.stem().string() + "_plots");
  std::error_code error;
  fs::create_directory(plots, error);  // a failure shows when the first file is written
  for (const CheckReport& r : reports)
    for (const Picture& p : r.pictures)
      if (const core::Status s = write_file(plots / (p.name + ".svg"), svg_of(p)); !s) return s;
  return write_file(file, markdown_of(reports, plots.filename().string()));
}

}  // namespace volary::validation
