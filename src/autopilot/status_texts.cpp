// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/status_texts.hpp"

#include <utility>

#include "autopilot/mavlink/frame.hpp"

namespace volary::autopilot {

namespace {

constexpr double kPatience = 1;             // s until the next part of a text
constexpr const char* kMissing = " [...] ";  // where a part was lost

}  // namespace

void StatusTexts::hear(const mavlink::Statustext& m, double now) {
  const std::string text = mavlink::text_of(m.text);
  if (partial_ && partial_->id != m.id) end_partial();
  if (m.id == 0) {
    partial_ = Partial{0, 0, now, {now, m.severity, text}};
    return end_partial();
  }
  if (!partial_) partial_ = Partial{m.id, 0, now, {now, m.severity, ""}};
  if (m.chunk_seq < partial_->next) return;  // it came twice
  if (m.chunk_seq > partial_->next) partial_->message.text += kMissing;
  partial_->message.text += text;
  partial_->next = m.chunk_seq + 1u;
  partial_->heard = now;
  if (text.size() < m.text.size()) end_partial();  // the last part has a zero at its end
}

void StatusTexts::beat(double now) {
  if (partial_ && now - partial_->heard > kPatience) end_partial();
}

void StatusTexts::end_partial() {
  // PX4 marks some texts with a tab at their end
  std::string& text = partial_->message.text;
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (list_.size() >= kKept) list_.erase(list_.begin());
  list_.push_back(std::move(partial_->message));
  partial_.reset();
}

const runner::AutopilotMessage* StatusTexts::last(mavlink::Severity severity, double since) const {
  for (auto it = list_.rbegin(); it != list_.rend(); ++it)
    if (it->time >= since && it->severity <= mavlink::number_of(severity)) return &*it;
  return nullptr;
}

}  // namespace volary::autopilot
