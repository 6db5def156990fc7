// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which federations run on this machine. Each has a folder of its own among the user's data while it runs: how to give it orders, invitations for further nodes, the
// logs of its nodes. Only its owner can read it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "cli/federation_invitation.hpp"

namespace volary::cli {

struct RunningFederation {
  std::string folder = {}, name = {};
  pid_t pid = 0;
  Invitation orders = {};  // by which orders are given
  std::string logs() const { return folder + "/logs"; }
  std::string view() const { return folder + "/view.json"; }  // the invitation of programs that only read
};
// those whose process is alive; folders of others are removed
std::vector<RunningFederation> running_federations();
// the one of this name, or the only one where the name is empty; the error lists what there is
core::Result<RunningFederation> find_running(const std::string& name);
// An invitation for one more node, which nobody else is given.
core::Result<Invitation> take_invitation(const RunningFederation& federation);

// the folder of a federation that this process runs
class FederationRecord {
 public:
  static core::Result<FederationRecord> create(const std::string& name);
  FederationRecord(FederationRecord&& other) noexcept : folder_(std::move(other.folder_)), keeps_(other.keeps_) { other.folder_.clear(); }
  FederationRecord& operator=(FederationRecord&&) = delete;
  ~FederationRecord();

  // `view`: of an account that only reads
  core::Status announce(const Invitation& orders, const std::optional<Invitation>& view, const std::vector<Invitation>& invitations) const;
  std::string logs() const { return folder_ + "/logs"; }
  void keep_logs() { keeps_ = true; }  // when this ends

 private:
  explicit FederationRecord(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_;
  bool keeps_ = false;
};

}  // namespace volary::cli
