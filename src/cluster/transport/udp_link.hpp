// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The transport behind open_udp. One lock over all of its state; one thread reads, answers, sends again and notices silence.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "cluster/transport/mailbox.hpp"
#include "cluster/transport/udp.hpp"
#include "cluster/transport/udp_assembly.hpp"

namespace volary::cluster {

class UdpLink final : public UdpTransport {
 public:
  explicit UdpLink(UdpOptions options);
  ~UdpLink() override;
  core::Status open();

  LinkDrop publish(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery) override;
  core::Status subscribe(std::string_view pattern, int qos) override;
  void close() override;
  Address address() const override { return address_; }
  core::Status add_peer(const UdpPeer& peer) override;

  bool receive(std::vector<Received>& out) override { return mailbox_.receive(out); }
  std::vector<LinkChange> link_changes() override { return mailbox_.link_changes(); }
  LinkReport state() const override { return mailbox_.state(); }
  bool wait(std::int64_t timeout_ns) override { return mailbox_.wait(timeout_ns); }
  void wake() override { mailbox_.wake(); }
  int wake_fd() const override { return mailbox_.wake_fd(); }
  TransportCounts counts() const override { return mailbox_.counts(); }

 private:
  struct Peer {
    std::uint32_t id = 0;
    Address address = {};
    bool is_up = false, was_up = false;
    std::uint64_t session = 0;
    std::int64_t heard_ns = 0;
    ReplayWindow packets = {}, reliable = {}, data = {};
    std::optional<std::vector<std::byte>> will = {};
  };
  // a message at quality 1 on its way
  struct Pending {
    std::uint64_t message;
    PacketHeader header;
    std::vector<std::byte> bytes;
    std::vector<std::uint32_t> waits_for;  // peers that have not answered
    std::int64_t give_up_ns, next_ns, pause_ns;
  };
  struct Retained {
    std::vector<std::byte> bytes;
    int qos;
  };

  // sending (udp_link.cpp), under mutex_
  LinkDrop send_message(PacketHeader header, std::span<const std::byte> message, const std::vector<std::uint32_t>& to);
  bool send_packet(PacketHeader header, std::span<const std::byte> part, const Address& to);
  LinkDrop send_reliable(PacketHeader header, std::vector<std::byte> message, std::vector<std::uint32_t> to);
  void greet(const Peer& peer);
  std::vector<std::uint32_t> all_peers() const;
  Peer* peer_by_id(std::uint32_t id);

  // the reading thread (udp_loop.cpp)
  void run();
  void read_all();
  bool read_one(std::vector<std::byte>& buffer);
  void take(std::span<const std::byte> datagram, const Address& from);
  LinkDrop admit(const Packet& packet, Peer& peer);
  void take_message(const Packet& packet, Peer& peer);
  void deliver(std::span<const std::byte> message, int qos, bool is_retained);
  void take_ack(const Packet& packet, const Peer& peer);
  void lose(Peer& peer, const std::string& reason, bool publishes_will);
  LinkReport state_of_all() const;
  std::int64_t keep_time();  // does what is due, and says when the next is
  void resend(std::int64_t now);
  void poke();

  const UdpOptions options_;
  const PacketKey key_;
  const std::uint64_t federation_;
  Mailbox mailbox_;
  Address address_;
  int socket_ = -1, poke_ = -1;

  mutable std::mutex mutex_;
  std::vector<Peer> peers_;
  std::vector<std::string> patterns_;
  std::map<std::string, Retained, std::less<>> retained_;
  std::vector<Pending> pending_;
  Assembly assembly_;
  std::uint64_t session_ = 0, next_packet_ = 0, next_data_ = 0, next_reliable_ = 0;
  std::int64_t next_hello_ns_ = 0;
  std::uint32_t system_drops_ = 0;

  std::atomic<bool> is_closing_ = false;
  std::mutex closing_;
  std::thread thread_;
};

}  // namespace volary::cluster
