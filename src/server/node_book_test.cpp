// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/node_book.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace volary::server {
namespace {

using Json = nlohmann::json;

FederationFigures figures(std::size_t nodes, double rate) {
  FederationFigures f{.federation = "local", .committed = 12, .aligned = 14, .rate = rate};
  for (std::size_t k = 0; k < nodes; ++k)
    f.nodes.push_back({.member = k, .name = std::to_string(k), .state = "running", .rate = rate + static_cast<double>(k), .memory = 1000 * (k + 1)});
  f.views.push_back({.view = LiveView::Newest, .tick = 15, .skew = 2, .nodes = 2, .age = 0.01});
  f.views.push_back({.view = LiveView::Committed, .tick = 12, .nodes = 2});
  return f;
}

TEST(node_book, tells_the_newest_figures_and_the_samples_that_a_client_lacks) {
  NodeBook book;
  book.add(figures(1, 100), 0.5);
  book.add(figures(2, 90), 1.0);
  const Json all = Json::parse(book.text(0));
  EXPECT_EQ(all["committed"], 12);
  EXPECT_EQ(all["nodes"].size(), 2u);
  EXPECT_EQ(all["views"][0]["view"], "newest");
  EXPECT_EQ(all["views"][0]["age"], 0.01);
  EXPECT_TRUE(all["views"][1]["age"].is_null());
  EXPECT_EQ(all["samples"]["number"], Json({1, 2}));
  EXPECT_EQ(all["samples"]["time"], Json({0.5, 1.0}));
  // the second node was not there in the first sample
  EXPECT_EQ(all["samples"]["rate"], Json({{100.0, 90.0}, {nullptr, 91.0}}));
  EXPECT_EQ(all["samples"]["memory"][1][1], 2000);
  const Json rest = Json::parse(book.text(1));
  EXPECT_EQ(rest["samples"]["number"], Json({2}));
  EXPECT_EQ(rest["samples"]["rate"], Json({Json::array({90.0}), Json::array({91.0})}));
  EXPECT_TRUE(Json::parse(book.text(2))["samples"]["number"].empty());
  EXPECT_EQ(Json::parse(book.text(2))["nodes"].size(), 2u);
}

TEST(node_book, keeps_a_bounded_past_and_says_nothing_before_the_first_sample) {
  NodeBook book;
  EXPECT_TRUE(Json::parse(book.text(0))["nodes"].empty());
  for (std::size_t k = 0; k < NodeBook::kMost + 5; ++k) book.add(figures(1, 1), static_cast<double>(k));
  const Json all = Json::parse(book.text(0));
  EXPECT_EQ(all["samples"]["number"].size(), NodeBook::kMost);
  EXPECT_EQ(all["samples"]["number"][0], 6);
}

}  // namespace
}  // namespace volary::server
