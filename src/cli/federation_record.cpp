// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_record.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/record_options.hpp"
#include "core/suggest.hpp"

namespace volary::cli {

namespace fs = std::filesystem;

namespace {

std::string all_folder() { return (fs::path(user_folder()) / "federations").string(); }
constexpr auto kLogsStay = std::chrono::hours(24 * 7);  // of federations that failed

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0 || errno == EPERM; }

void remove_secrets(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder, ignored))
    if (file.path().extension() == ".json") fs::remove(file.path(), ignored);
}

// NAME.PID
bool parse_folder(const std::string& text, std::string& name, pid_t& pid) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string::npos || dot == 0) return false;
  name = text.substr(0, dot);
  const auto [end, code] = std::from_chars(text.data() + dot + 1, text.data() + text.size(), pid);
  return code == std::errc() && end == text.data() + text.size() && pid > 0;
}

}  // namespace

std::vector<RunningFederation> running_federations() {
  std::vector<RunningFederation> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(all_folder(), ignored)) {
    RunningFederation f{.folder = entry.path().string()};
    if (!parse_folder(entry.path().filename().string(), f.name, f.pid)) continue;
    if (!is_alive(f.pid)) {
      // what it was may be worth reading for a while; secrets are not
      remove_secrets(entry.path());
      if (fs::file_time_type::clock::now() - entry.last_write_time(ignored) > kLogsStay) fs::remove_all(entry.path(), ignored);
      continue;
    }
    auto orders = read_invitation(f.folder + "/orders.json");
    if (!orders) continue;  // it is just beginning or ending
    f.orders = std::move(orders).value();
    found.push_back(std::move(f));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return std::tie(a.name, a.pid) < std::tie(b.name, b.pid); });
  return found;
}

core::Result<RunningFederation> find_running(const std::string& name) {
  std::vector<RunningFederation> all = running_federations();
  if (all.empty())
    return core::Error{.message = "no federation runs on this machine",
                       .suggestion = "start one with 'volary federation up', or name its broker with --broker"};
  std::vector<RunningFederation> fitting;
  std::vector<std::string> names;
  std::string list;
  for (RunningFederation& f : all) {
    names.push_back(f.name);
    list += fmt::format("{}{} (process {})", list.empty() ? "" : ", ", f.name, f.pid);
    if (name.empty() || f.name == name || fmt::format("{}", f.pid) == name) fitting.push_back(std::move(f));
  }
  if (fitting.size() == 1) return std::move(fitting.front());
  if (fitting.empty())
    return core::Error{
        .message = fmt::format("no federation '{}' runs on this machine", name), .field = "--name", .suggestion = core::did_you_mean(name, names)};
  return core::Error{
      .message = "several federations run on this machine: " + list, .field = "--name", .suggestion = "give the name or the number of the process"};
}

core::Result<Invitation> take_invitation(const RunningFederation& f) {
  // renaming gives each to one taker
  for (int k = 0; k < 64; ++k) {
    const std::string path = fmt::format("{}/invitation-{}.json", f.folder, k), taken = fmt::format("{}/taken-{}.json", f.folder, k);
    if (::rename(path.c_str(), taken.c_str()) == 0) return read_invitation(taken);
  }
  return core::Error{.message = "all invitations of the federation are given away", .field = "federation"};
}

core::Result<FederationRecord> FederationRecord::create(const std::string& name) {
  const std::string folder = fmt::format("{}/{}.{}", all_folder(), name, ::getpid());
  std::error_code error;
  fs::remove_all(folder, error);
  fs::create_directories(folder + "/logs", error);
  if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  if (error) return core::Error{.message = error.message(), .file = folder};
  (void)running_federations();  // secrets of those that were killed go
  return FederationRecord(folder);
}

FederationRecord::~FederationRecord() {
  if (folder_.empty()) return;
  std::error_code ignored;
  keeps_ ? remove_secrets(folder_) : void(fs::remove_all(folder_, ignored));
}

core::Status FederationRecord::announce(const Invitation& orders, const std::optional<Invitation>& view, const std::vector<Invitation>& invitations) const {
  if (view)
    if (const core::Status done = write_private(folder_ + "/view.json", invitation_text(*view)); !done) return done;
  for (std::size_t k = 0; k < invitations.size(); ++k)
    if (const core::Status done = write_private(fmt::format("{}/invitation-{}.json", folder_, k), invitation_text(invitations[k])); !done) return done;
  return write_private(folder_ + "/orders.json", invitation_text(orders));
}

}  // namespace volary::cli
