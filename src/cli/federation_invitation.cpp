// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_invitation.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cluster/transport/mqtt.hpp"

namespace volary::cli {

namespace {

constexpr std::size_t kLongest = 16384;

// one byte at a time: what follows the line is for somebody else
std::string first_line(int fd) {
  std::string text;
  char c = 0;
  while (text.size() < kLongest && ::read(fd, &c, 1) == 1 && c != '\n') text += c;
  return text;
}

}  // namespace

std::string invitation_text(const Invitation& i) {
  const nlohmann::json json = {{"federation", i.federation}, {"address", i.address}, {"account", i.account}, {"password", i.password}, {"ca", i.ca}};
  return json.dump() + "\n";
}

core::Result<Invitation> parse_invitation(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return core::Error{.message = "it is no invitation to a federation", .suggestion = "'volary federation invite' writes one"};
  Invitation i;
  const std::pair<const char*, std::string*> fields[] = {
      {"federation", &i.federation}, {"address", &i.address}, {"account", &i.account}, {"password", &i.password}, {"ca", &i.ca}};
  for (const auto& [name, value] : fields) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_string()) return core::Error{.message = "it is no invitation to a federation: the field is missing", .field = name};
    *value = found->get<std::string>();
  }
  if (i.federation.empty() || i.address.empty() || i.account.empty()) return core::Error{.message = "it is no invitation to a federation: a field is empty"};
  return i;
}

core::Result<Invitation> read_invitation(const std::string& path) {
  if (path == "-") return parse_invitation(first_line(0));
  if (const core::Status is_private = cluster::check_private(path, "invitation"); !is_private) return is_private.error();
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  auto invitation = parse_invitation(line);
  if (invitation) return invitation;
  core::Error error = invitation.error();
  error.file = path;
  return error;
}

core::Status write_private(const std::string& path, const std::string& text) {
  const auto failed = [&] { return core::Error{.message = fmt::format("cannot be written: {}", std::strerror(errno)), .file = path}; };
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return failed();
  const bool good = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const core::Status done = good ? core::ok() : core::Status(failed());
  ::close(fd);
  return done;
}

}  // namespace volary::cli
