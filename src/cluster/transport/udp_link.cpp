// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/udp_link.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "cluster/transport/broker_files.hpp"

namespace volary::cluster {

namespace {
constexpr std::size_t kMostPeers = 256, kMostPatterns = 1024, kMostRetained = 256;
constexpr std::size_t kLeastSecret = 16;
constexpr int kSystemBuffer = 4 << 20;

core::Status check_options(const UdpOptions& o) {
  if (const core::Status s = check_federation_id(o.federation); !s) return s;
  if (!o.secret.empty() && o.secret.size() < kLeastSecret)
    return core::Error{.message = fmt::format("{} characters are too few: a shared secret has at least {}", o.secret.size(), kLeastSecret), .field = "secret"};
  if (o.max_datagram < 256 || o.max_datagram > 65000)
    return core::Error{.message = fmt::format("{} bytes are out of range: 256 to 65000", o.max_datagram), .field = "max_datagram"};
  const std::size_t chunk = o.max_datagram - kPacketHeader - kPacketDigest;
  if (o.max_message + kMaxTopic + 2 > std::min(kMostWholeMessage, chunk * 65535))
    return core::Error{.message = fmt::format("messages of {} bytes do not fit into 65535 datagrams of {} bytes", o.max_message, o.max_datagram),
                       .field = "max_message"};
  if (o.max_pending > ReplayWindow::kSize / 2) return core::Error{.message = fmt::format("at most {}", ReplayWindow::kSize / 2), .field = "max_pending"};
  if (o.will && !is_topic(o.will->topic)) return core::Error{.message = fmt::format("\"{}\" is no topic", o.will->topic), .field = "will"};
  return core::ok();
}

std::uint64_t time_of_day() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}
}  // namespace

core::Result<std::unique_ptr<UdpTransport>> open_udp(UdpOptions options) {
  if (const core::Status s = check_options(options); !s) return s.error();
  auto link = std::make_unique<UdpLink>(std::move(options));
  if (const core::Status s = link->open(); !s) return s.error();
  return std::unique_ptr<UdpTransport>(std::move(link));
}

UdpLink::UdpLink(UdpOptions options)
    : options_(std::move(options)),
      key_(packet_key(options_.secret, options_.federation)),
      federation_(federation_tag(options_.federation)),
      mailbox_(options_.queue),
      assembly_({.max_message = options_.max_message + kMaxTopic + 2, .patience_ns = options_.fragment_patience_ns}),
      session_(options_.session != 0 ? options_.session : time_of_day()) {}

UdpLink::~UdpLink() {
  close();
  if (socket_ >= 0) ::close(socket_);
  if (poke_ >= 0) ::close(poke_);
}

core::Status UdpLink::open() {
  const auto addresses = resolve(options_.bind, true);
  if (!addresses) return addresses.error();
  address_ = addresses.value().front();
  if (const core::Status s =
          check_exposure(address_, !options_.secret.empty(), "the UDP transport", "give a shared secret (datagrams are then authentic, not encrypted)");
      !s)
    return s;
  for (const UdpPeer& peer : options_.peers)
    if (const core::Status s = add_peer(peer); !s) return s;
  socket_ = ::socket(address_.storage.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  poke_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (socket_ < 0 || poke_ < 0 || ::bind(socket_, address_.raw(), address_.size) != 0)
    return core::Error{.message = fmt::format("the UDP transport cannot listen at {}: {}", address_.text(), std::strerror(errno))};
  ::getsockname(socket_, address_.raw(), &address_.size);
  // bursts of fragments wait in the system's buffer; what does not fit is counted
  const int one = 1, size = kSystemBuffer;
  if (::setsockopt(socket_, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0)
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);  // the first is for root
  ::setsockopt(socket_, SOL_SOCKET, SO_RXQ_OVFL, &one, sizeof one);
  mailbox_.change(LinkReport::Connecting, {});
  thread_ = std::thread([this] { run(); });
  return core::ok();
}

core::Status UdpLink::add_peer(const UdpPeer& peer) {
  const auto addresses = resolve(peer.address, true);
  if (!addresses) return addresses.error();
  const auto is_ours = [&](const Address& a) { return a.storage.ss_family == address_.storage.ss_family; };
  const auto found = std::find_if(addresses.value().begin(), addresses.value().end(), is_ours);
  if (found == addresses.value().end())
    return core::Error{.message = fmt::format("{} has no address of the same kind as {}", peer.address.host, address_.text()), .field = "peers"};
  const std::lock_guard lock(mutex_);
  if (peers_.size() >= kMostPeers) return core::Error{.message = fmt::format("more than {} peers", kMostPeers), .field = "peers"};
  if (peer.id == options_.id || peer_by_id(peer.id) != nullptr)
    return core::Error{.message = fmt::format("two nodes have the id {}", peer.id), .field = "peers"};
  if (std::any_of(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.address == *found; }))
    return core::Error{.message = fmt::format("two nodes have the address {}", found->text()), .field = "peers"};
  peers_.push_back({.id = peer.id, .address = *found});
  next_hello_ns_ = 0;
  if (poke_ >= 0) poke();
  return core::ok();
}

UdpLink::Peer* UdpLink::peer_by_id(std::uint32_t id) {
  const auto found = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.id == id; });
  return found == peers_.end() ? nullptr : &*found;
}
std::vector<std::uint32_t> UdpLink::all_peers() const {
  std::vector<std::uint32_t> out;
  for (const Peer& p : peers_) out.push_back(p.id);
  return out;
}

bool UdpLink::send_packet(PacketHeader header, std::span<const std::byte> part, const Address& to) {
  header.federation = federation_;
  header.sender = options_.id;
  header.session = session_;
  header.number = next_packet_++;
  const std::vector<std::byte> datagram = encode_packet(header, part, key_);
  if (::sendto(socket_, datagram.data(), datagram.size(), MSG_DONTWAIT | MSG_NOSIGNAL, to.raw(), to.size) == static_cast<ssize_t>(datagram.size())) return true;
  mailbox_.dropped_out(LinkDrop::Unreachable);
  return false;
}

// None when it went to somebody
LinkDrop UdpLink::send_message(PacketHeader header, std::span<const std::byte> message, const std::vector<std::uint32_t>& to) {
  const std::size_t room = options_.max_datagram - key_.overhead();
  const std::size_t n = message.size() <= room ? 1 : (message.size() + room - 1) / room;
  header.size = static_cast<std::uint32_t>(message.size());
  header.fragments = static_cast<std::uint16_t>(n);
  header.chunk = static_cast<std::uint16_t>(n > 1 ? room : 0);
  bool any = false;
  for (const std::uint32_t id : to) {
    const Peer* peer = peer_by_id(id);
    if (peer == nullptr) continue;
    for (std::size_t k = 0; k < n; ++k) {
      header.fragment = static_cast<std::uint16_t>(k);
      any |= send_packet(header, message.subspan(k * room, std::min(room, message.size() - k * room)), peer->address);
    }
  }
  return any ? LinkDrop::None : LinkDrop::Unreachable;
}

LinkDrop UdpLink::send_reliable(PacketHeader header, std::vector<std::byte> message, std::vector<std::uint32_t> to) {
  if (pending_.size() >= options_.max_pending) return LinkDrop::QueueFull;
  header.kind = PacketKind::Reliable;
  header.message = next_reliable_++;
  const std::int64_t now = monotonic_ns();
  send_message(header, message, to);
  pending_.push_back({.message = header.message,
                      .header = header,
                      .bytes = std::move(message),
                      .waits_for = std::move(to),
                      .give_up_ns = now + options_.ack_patience_ns,
                      .next_ns = now + options_.resend_ns,
                      .pause_ns = options_.resend_ns});
  poke();
  return LinkDrop::None;
}

LinkDrop UdpLink::publish(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery) {
  if (!is_topic(topic)) return mailbox_.dropped_out(LinkDrop::BadTopic);
  if (bytes.size() > options_.max_message) return mailbox_.dropped_out(LinkDrop::TooLarge);
  if (is_closing_) return mailbox_.dropped_out(LinkDrop::NotConnected);
  const std::lock_guard lock(mutex_);
  std::vector<std::byte> message = join_message(topic, bytes);
  if (delivery.retained) {
    if (retained_.size() >= kMostRetained && !retained_.contains(topic)) return mailbox_.dropped_out(LinkDrop::QueueFull);
    // empty bytes take a retained message back, as with MQTT
    if (bytes.empty())
      retained_.erase(std::string(topic));
    else
      retained_[std::string(topic)] = {message, delivery.qos};
  }
  LinkDrop answer = LinkDrop::NotConnected;
  if (!peers_.empty()) {
    if (delivery.qos > 0)
      answer = send_reliable({}, std::move(message), all_peers());
    else
      answer = send_message({.kind = PacketKind::Data, .message = next_data_++}, message, all_peers());
  } else if (delivery.retained) {
    answer = LinkDrop::None;
  }
  if (answer == LinkDrop::Unreachable) return answer;  // counted for every datagram
  if (answer != LinkDrop::None) return mailbox_.dropped_out(answer);
  mailbox_.sent(bytes.size());
  return LinkDrop::None;
}

// what a peer that came up has to know
void UdpLink::greet(const Peer& peer) {
  if (options_.will) send_reliable({.is_will = true}, join_message(options_.will->topic, options_.will->bytes), {peer.id});
  for (const auto& [topic, kept] : retained_) send_reliable({.is_retained = true}, kept.bytes, {peer.id});
}

core::Status UdpLink::subscribe(std::string_view pattern, int) {
  if (!is_pattern(pattern)) return core::Error{.message = fmt::format("\"{}\" is no pattern of topics", pattern), .field = "pattern"};
  const std::lock_guard lock(mutex_);
  if (std::find(patterns_.begin(), patterns_.end(), pattern) != patterns_.end()) return core::ok();
  if (patterns_.size() >= kMostPatterns) return core::Error{.message = fmt::format("more than {} subscriptions", kMostPatterns), .field = "pattern"};
  patterns_.emplace_back(pattern);
  return core::ok();
}

void UdpLink::poke() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto n = ::write(poke_, &one, sizeof one);
}

void UdpLink::close() {
  const std::lock_guard lock(closing_);
  if (is_closing_.exchange(true) || !thread_.joinable()) return;
  poke();
  thread_.join();
  const std::lock_guard state_lock(mutex_);
  // three times, because nobody answers it
  for (int k = 0; k < 3; ++k)
    for (const Peer& peer : peers_) send_packet({.kind = PacketKind::Bye}, {}, peer.address);
  mailbox_.change(LinkReport::Closed, {});
}

}  // namespace volary::cluster
