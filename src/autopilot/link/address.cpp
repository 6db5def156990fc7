// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses of links as users write them.
#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "autopilot/link/channel.hpp"
#include "core/suggest.hpp"

namespace volary::autopilot {

namespace {

using Kind = LinkAddress::Kind;

struct KindName {
  Kind kind;
  std::string_view name, form;
};
constexpr KindName kKinds[] = {{Kind::UdpOut, "udpout", "udpout:HOST:PORT"},
                               {Kind::UdpIn, "udpin", "udpin:HOST:PORT"},
                               {Kind::Tcp, "tcp", "tcp:HOST:PORT"},
                               {Kind::TcpIn, "tcpin", "tcpin:HOST:PORT"},
                               {Kind::Serial, "serial", "serial:DEVICE:BAUD"}};

constexpr std::uint32_t kDefaultBaud = 921600;
constexpr std::size_t kMostHost = 253;    // characters of a name in DNS
constexpr std::size_t kMostQuoted = 100;  // characters of the address in an error
constexpr std::string_view kNoHost = "127.0.0.1";

const KindName& name_of(Kind kind) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindName& k) { return k.kind == kind; });
}
bool is_listening(Kind kind) { return kind == Kind::UdpIn || kind == Kind::TcpIn; }
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}
bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

core::Error no_link(std::string_view text, std::string_view why, std::string suggestion = {}) {
  std::string quoted(text.substr(0, kMostQuoted));
  for (char& c : quoted)
    if (c < ' ' || c == 0x7f) c = '?';
  return {.message = fmt::format("\"{}{}\" is not a link address: {}", quoted, text.size() > kMostQuoted ? "..." : "", why),
          .suggestion = std::move(suggestion)};
}

core::Error unknown_kind(std::string_view text, std::string_view kind) {
  const std::string why = fmt::format("\"{}\" is not a kind of link", is_plain(kind) ? kind.substr(0, kMostQuoted) : "?");
  if (text.empty()) return no_link(text, "it is empty", "write one such as udpout:127.0.0.1:14550");
  if (text.starts_with('/')) return no_link(text, "the kind is missing", fmt::format("serial:{} opens a serial line", text));
  if (kind == "udp") return no_link(text, why, "udpout:HOST:PORT sends, udpin:HOST:PORT listens");
  if (kind == "tcpout" || kind == "tcpclient") return no_link(text, why, "tcp:HOST:PORT connects, tcpin:HOST:PORT listens");
  if (kind == "uart" || kind == "tty" || kind == "com") return no_link(text, why, "serial:DEVICE:BAUD opens a serial line");
  std::vector<std::string> known;
  for (const KindName& k : kKinds) known.emplace_back(k.name);
  if (core::nearest(kind, known).empty()) return no_link(text, why, "write udpout:, udpin:, tcp:, tcpin: or serial: first");
  return no_link(text, why, core::did_you_mean(kind, known));
}

// ---------------------------------------------------------------- serial

core::Result<LinkAddress> parse_serial(std::string_view text, std::string_view rest) {
  LinkAddress out{.kind = Kind::Serial, .host = std::string(rest), .port = 0, .baud = kDefaultBaud};
  // names of devices by their path contain colons, so the last one counts
  const std::size_t colon = rest.rfind(':');
  if (colon != std::string_view::npos) {
    const std::string_view baud = rest.substr(colon + 1);
    out.host = rest.substr(0, colon);
    const auto [end, error] = std::from_chars(baud.data(), baud.data() + baud.size(), out.baud);
    if (!is_digits(baud))
      return no_link(text, fmt::format("the baud rate \"{}\" is not a number", baud), "write serial:DEVICE:BAUD, such as serial:/dev/ttyACM0:921600");
    if (error != std::errc() || end != baud.data() + baud.size() || !speed_of(out.baud))
      return no_link(text, fmt::format("{} is not a standard baud rate", baud), fmt::format("allowed: {}", known_bauds()));
  }
  if (out.host.empty()) return no_link(text, "the device is missing", "write serial:DEVICE:BAUD, such as serial:/dev/ttyACM0:921600");
  if (out.host.starts_with("//"))
    return no_link(text, "two slashes follow the kind",
                   fmt::format("write serial:/{}", std::string_view(out.host).substr(out.host.starts_with("///") ? 3 : 2)));
  if (!out.host.starts_with('/'))
    return no_link(text, fmt::format("the device \"{}\" is not an absolute path", out.host), fmt::format("did you mean serial:/dev/{}?", out.host));
  return out;
}

// ---------------------------------------------------------------- host and port

struct HostAndPort {
  std::string_view host, port;
};

// "host:port", ":port", "[::1]:port"
core::Result<HostAndPort> split(std::string_view text, std::string_view rest, const KindName& kind) {
  const auto no_port = [&](std::string host) {
    return no_link(text, "the port is missing", fmt::format("write {}:{}:PORT, such as {}:{}:14550", kind.name, host, kind.name, host));
  };
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return no_link(text, "the bracket ] is missing", fmt::format("write {}:[::1]:14550", kind.name));
    if (rest.substr(end + 1).empty() || rest.substr(end + 1) == ":") return no_port(std::string(rest.substr(0, end + 1)));
    if (rest[end + 1] != ':') return no_link(text, "a colon and the port must follow the bracket", fmt::format("write {}:[::1]:14550", kind.name));
    return HostAndPort{rest.substr(0, end + 1), rest.substr(end + 2)};
  }
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos && is_digits(rest))
    return no_link(text, "the host or the port is missing", fmt::format("write {}:127.0.0.1:{}", kind.name, rest));
  if (colon == std::string_view::npos || rest.substr(colon) == ":") return no_port(std::string(colon == 0 || rest.empty() ? kNoHost : rest.substr(0, colon)));
  if (rest.find(':', colon + 1) != std::string_view::npos)
    return no_link(text, "there are too many colons", fmt::format("write {}; an IPv6 address needs brackets, such as [::1]", kind.form));
  return HostAndPort{rest.substr(0, colon), rest.substr(colon + 1)};
}

bool is_six(std::string_view host) {
  in6_addr six;
  return ::inet_pton(AF_INET6, std::string(host.substr(0, host.find('%'))).c_str(), &six) == 1;
}
bool is_unspecified(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

core::Status check_host(std::string_view text, const std::string& host, const KindName& kind) {
  in_addr four;
  const bool looks_numeric = host.find_first_not_of("0123456789.") == std::string::npos;
  if (looks_numeric && ::inet_pton(AF_INET, host.c_str(), &four) != 1)
    return no_link(text, fmt::format("\"{}\" is not an IPv4 address", host), "an IPv4 address has four numbers from 0 to 255, such as 192.168.1.10");
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_'; };
  if (host.size() > kMostHost || (!is_six(host) && !std::all_of(host.begin(), host.end(), is_of_name)))
    return no_link(text, "the host is neither a name nor an address", fmt::format("write {}, such as {}:127.0.0.1:14550", kind.form, kind.name));
  if (is_unspecified(host) && !is_listening(kind.kind))
    return no_link(text, fmt::format("nothing can be sent to the address {}", host), "give the address of the other side, such as 127.0.0.1");
  return core::ok();
}

core::Result<LinkAddress> parse_network(std::string_view text, std::string_view rest, const KindName& kind) {
  if (rest.starts_with("//")) return no_link(text, "two slashes follow the kind", fmt::format("write {}:{}", kind.name, rest.substr(2)));
  const auto parts = split(text, rest, kind);
  if (!parts) return parts.error();
  auto [host, port] = parts.value();

  LinkAddress out;
  out.kind = kind.kind;
  if (host.starts_with('[')) {
    host = host.substr(1, host.size() - 2);
    if (!is_six(host)) return no_link(text, fmt::format("\"{}\" is not an IPv6 address", host), fmt::format("write {}:[::1]:14550", kind.name));
  }
  out.host = host.empty() ? kNoHost : host;
  const core::Status is_host = check_host(text, out.host, kind);
  if (!is_host) return is_host.error();

  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (!is_digits(port)) return no_link(text, fmt::format("the port \"{}\" is not a number", port), fmt::format("write {}", kind.form));
  if (error != std::errc() || end != port.data() + port.size())
    return no_link(text, fmt::format("the port {} is out of range", port), "a port is a number from 1 to 65535");
  if (out.port == 0 && !is_listening(kind.kind)) return no_link(text, "port 0 is for links that listen", "a port is a number from 1 to 65535");
  return out;
}

}  // namespace

core::Result<LinkAddress> parse_link(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto found = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindName& k) { return k.name == name; });
  if (found == std::end(kKinds)) return unknown_kind(text, name);
  if (!is_plain(text)) return no_link(text, "it contains blanks or characters that are not ASCII", fmt::format("write {}", found->form));
  if (colon == std::string_view::npos) return no_link(text, "only the kind is given", fmt::format("write {}", found->form));
  const std::string_view rest = text.substr(colon + 1);
  return found->kind == Kind::Serial ? parse_serial(text, rest) : parse_network(text, rest, *found);
}

std::string LinkAddress::text() const {
  if (kind == Kind::Serial) return fmt::format("serial:{}:{}", host, baud);
  const bool is_bracketed = host.find(':') != std::string::npos;
  return fmt::format("{}:{}{}{}:{}", name_of(kind).name, is_bracketed ? "[" : "", host, is_bracketed ? "]" : "", port);
}

// A name other than localhost may mean any address, so it counts as reachable for other machines.
bool LinkAddress::listens_beyond_loopback() const {
  if (!is_listening(kind) || host.empty() || host == "localhost") return false;
  in_addr four;
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) != 127;
  in6_addr six;
  if (::inet_pton(AF_INET6, host.c_str(), &six) != 1) return true;
  return !IN6_IS_ADDR_LOOPBACK(&six) && !(IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
}

}  // namespace volary::autopilot
