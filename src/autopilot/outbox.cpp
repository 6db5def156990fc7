// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/outbox.hpp"

namespace volary::autopilot {

void Outbox::open(ChannelId channel) {
  Channel& c = channels_[channel];
  if (key_) c.signer.emplace(*key_, static_cast<std::uint8_t>(channel));
}

std::vector<ChannelId> Outbox::channels() const {
  std::vector<ChannelId> list;
  for (const auto& [id, channel] : channels_) list.push_back(id);
  return list;
}

void Outbox::pass_on(ChannelId to, std::span<const std::byte> frame) {
  const auto it = channels_.find(to);
  if (it == channels_.end()) return;
  it->second.bytes.insert(it->second.bytes.end(), frame.begin(), frame.end());
  it->second.ends.push_back(it->second.bytes.size());
  ++it->second.n_sent;
}

std::uint64_t Outbox::n_sent(ChannelId channel) const {
  const auto it = channels_.find(channel);
  return it == channels_.end() ? 0 : it->second.n_sent;
}

void Outbox::take(const std::function<void(ChannelId, std::span<const std::byte>)>& send) {
  for (auto& [id, channel] : channels_) {
    std::size_t begin = 0, end = 0;
    for (const std::size_t next : channel.ends) {
      if (next - begin > kDatagram && end > begin) send(id, std::span(channel.bytes).subspan(begin, end - begin)), begin = end;
      end = next;
    }
    if (end > begin) send(id, std::span(channel.bytes).subspan(begin, end - begin));
    channel.bytes.clear();
    channel.ends.clear();
  }
}

}  // namespace volary::autopilot
