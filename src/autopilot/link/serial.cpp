// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Serial lines: raw, 8 data bits, no parity, 1 stop bit, no flow control, for this program only.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>

#include <cerrno>

#include <fmt/format.h>

#include "autopilot/link/channel.hpp"

namespace volary::autopilot {

namespace {

struct Speed {
  std::uint32_t baud;
  speed_t code;
};
constexpr Speed kSpeeds[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},     {115200, B115200},   {230400, B230400},
                             {460800, B460800},   {500000, B500000},   {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1152000, B1152000},
                             {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000}, {3500000, B3500000}, {4000000, B4000000}};

// 0, or the error number
int configure(int fd, speed_t speed) {
  termios settings{};
  if (::tcgetattr(fd, &settings) != 0) return errno;
  ::cfmakeraw(&settings);
  settings.c_iflag &= ~static_cast<tcflag_t>(IXON | IXOFF | IXANY);
  settings.c_cflag &= ~static_cast<tcflag_t>(PARENB | CSTOPB | CRTSCTS);
  settings.c_cflag |= CS8 | CLOCAL | CREAD;
  // a read of nothing then fails with EAGAIN, and a read of 0 bytes is the end
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  if (::cfsetispeed(&settings, speed) != 0 || ::cfsetospeed(&settings, speed) != 0) return errno;
  return ::tcsetattr(fd, TCSANOW, &settings) == 0 ? 0 : errno;
}

core::Error refused(const LinkAddress& address, int error) {
  if (error == EBUSY || error == EWOULDBLOCK) return link_error(address, "cannot open the device", EBUSY, "close the other program that uses the device");
  if (error == EACCES) return link_error(address, "cannot open the device", error, "add your user to the group of the device, which is often dialout");
  if (error == ENOENT) return link_error(address, "cannot open the device", error, "connect the device, or give another one of /dev/serial/by-id");
  if (error == ENOTTY) return link_error(address, "this is not a serial device", error);
  return link_error(address, "cannot open the device", error);
}

core::Result<FileHandle> open_device(const LinkAddress& address) {
  FileHandle file(::open(address.host.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return refused(address, errno);
  // the lock holds against programs of root too, which TIOCEXCL does not
  if (::flock(file.fd(), LOCK_EX | LOCK_NB) != 0) return refused(address, errno);
  if (const int error = configure(file.fd(), *speed_of(address.baud)); error != 0) return refused(address, error);
  ::ioctl(file.fd(), TIOCEXCL);
  ::tcflush(file.fd(), TCIFLUSH);  // bytes from before this run
  return file;
}

class Serial final : public LinkDriver {
 public:
  Serial(LinkHub& hub, std::size_t link, const LinkAddress& address, FileHandle first) : hub_(hub), link_(link), address_(address), file_(std::move(first)) {}
  ~Serial() override { release(); }

  void ready(std::uint32_t tag, std::uint32_t events) override;
  LinkTime due() const override { return channel_ ? LinkTime::max() : next_; }
  void tick(LinkTime now) override;
  void send(ChannelId channel, std::span<const std::byte> bytes) override;

 private:
  void release();

  LinkHub& hub_;
  std::size_t link_;
  LinkAddress address_;
  FileHandle file_;                  // until the first poll
  LinkTime next_ = LinkTime::min();  // attempt
  std::unique_ptr<StreamChannel> channel_;
};

void Serial::tick(LinkTime now) {
  if (channel_ || now < next_) return;
  if (!file_.is_open())
    if (auto file = open_device(address_)) file_ = std::move(file).value();
  next_ = now + hub_.retry();
  if (!file_.is_open()) return;
  channel_ = std::make_unique<StreamChannel>(hub_, link_, std::move(file_), false);
  hub_.opened(channel_->id(), "serial " + address_.host);
}

void Serial::ready(std::uint32_t tag, std::uint32_t events) {
  if (!channel_ || channel_->id() != tag || channel_->serve(events)) return;
  release();
  const std::unique_ptr<StreamChannel> ended = std::move(channel_);
  next_ = LinkClock::now() + hub_.retry();
  ended->close();
}

// The device keeps the mark of exclusive use while another file of it is open. Closing would wait for bytes that the device does not take.
void Serial::release() {
  const int fd = channel_ ? channel_->fd() : file_.fd();
  if (fd < 0) return;
  ::ioctl(fd, TIOCNXCL);
  if (channel_ && channel_->has_unsent()) ::tcflush(fd, TCOFLUSH);
}

void Serial::send(ChannelId channel, std::span<const std::byte> bytes) {
  if (channel_ && channel_->id() == channel)
    channel_->send(bytes);
  else
    hub_.counts_of(channel)->dropped += bytes.size();
}

}  // namespace

std::optional<speed_t> speed_of(std::uint32_t baud) {
  for (const Speed& speed : kSpeeds)
    if (speed.baud == baud) return speed.code;
  return std::nullopt;
}

std::string known_bauds() {
  std::string out;
  for (const Speed& speed : kSpeeds) out += fmt::format("{}{}", out.empty() ? "" : ", ", speed.baud);
  return out;
}

OpenedDriver open_serial(LinkHub& hub, std::size_t link, const LinkAddress& address) {
  if (!speed_of(address.baud))
    return core::Error{.message = fmt::format("{}: not a standard baud rate", address.text()), .suggestion = "allowed: " + known_bauds()};
  auto file = open_device(address);
  if (!file) return file.error();
  return std::unique_ptr<LinkDriver>(std::make_unique<Serial>(hub, link, address, std::move(file).value()));
}

}  // namespace volary::autopilot
