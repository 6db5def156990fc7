// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Readings of sensors to updates of the filter: one function per sensor of the list in sensors/all.hpp. `due` says which lanes have a reading of the tick
// at which the filter works; a reading that was lost is not used.
#pragma once

#include "estimation/updates.hpp"
#include "sensors/all.hpp"

namespace volary::inline VOLARY_ISA::estimation {

// what a reading is held against, beside the estimate
template <class T> struct Knowledge {
  const sensors::Site<Scalar<T>>* site;
  const sensors::UwbAnchors::Params<T>* anchors;  // null: none
  Vec3<T> gyro;  // rad/s, body: mean of the tick as measured
  T ground_height;  // m, below the vehicle
  std::uint64_t tick;  // of the readings
};

template <class T> VOLARY_HD Mask<T> usable(Bits<T> valid, Mask<T> due) { return due & sensors::is_set<T>(valid); }

template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::Gnss::Reading<T>& r, const Knowledge<T>&, const EkfParams<T>& p, Mask<T> due) {
  fuse_gnss(f, w, r.position_W, r.velocity_W, r.accuracy_h, r.accuracy_v, p, usable<T>(r.valid, due));
}
template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::Barometer::Reading<T>& r, const Knowledge<T>&, const EkfParams<T>& p, Mask<T> due) {
  fuse_barometer(f, w, r.height, p, usable<T>(r.valid, due));
}
// the field of the Earth is in nT
template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::Magnetometer::Reading<T>& r, const Knowledge<T>& k, const EkfParams<T>& p,
                            Mask<T> due) {
  const Vec3<T> field_W = splat<T>(1e-9) * environment::magnetic_at<T>(k.site->magnetic, f.x.position_W.value);
  fuse_magnetometer(f, w, r.field_B, field_W, p, usable<T>(r.valid, due));
}
// a filter without wind has no use for it
template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::Airspeed::Reading<T>& r, const Knowledge<T>&, const EkfParams<T>& p, Mask<T> due) {
  if constexpr (N > kWind) fuse_airspeed(f, w, r.airspeed, p, usable<T>(r.valid, due));
}
template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::RangeFinder::Reading<T>& r, const Knowledge<T>& k, const EkfParams<T>& p,
                            Mask<T> due) {
  fuse_range_finder(f, w, r.distance, k.ground_height, p, usable<T>(r.valid, due));
}
template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::OpticalFlow::Reading<T>& r, const Knowledge<T>& k, const EkfParams<T>& p,
                            Mask<T> due) {
  fuse_optical_flow(f, w, r.rate[0], r.rate[1], k.gyro, k.ground_height, p, usable<T>(r.valid, due));
}
// Which anchors a reading has follows from its tick. Lanes that measured nothing keep the number of an older first anchor and are not due.
template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::UwbAnchors::Reading<T>& r, const Knowledge<T>& k, const EkfParams<T>& p, Mask<T> due) {
  if (k.anchors == nullptr) return;
  const sensors::UwbAnchors::Params<T>& a = *k.anchors;
  const auto whole = [](T x) { return static_cast<std::uint64_t>(sensors::first_lane(x)); };
  const std::uint64_t count = whole(a.count), ranges = whole(a.per_reading);
  if (count == 0 || ranges == 0) return;
  const std::uint64_t first = sensors::reading_number(k.tick, whole(a.phase), whole(a.period)) * ranges % count;
  const Bits<T> one = bit_constant<T>(1, 1);
  AnchorRange<T> measured[4];
  for (int i = 0; i < static_cast<int>(ranges); ++i)
    measured[i] = {a.anchor_W[(first + static_cast<std::uint64_t>(i)) % count], r.range[i], sensors::is_set<T>((r.valid >> i) & one),
                   sensors::is_set<T>((r.blocked >> i) & one)};
  fuse_anchors(f, w, measured, static_cast<int>(ranges), p, usable<T>(r.valid, due));
}
template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::UwbPeers::Reading<T>& r, const Knowledge<T>&, const EkfParams<T>& p, Mask<T> due) {
  fuse_peer(f, w, r.partner_W, r.partner_sigma, r.range, p, usable<T>(r.valid, due));
}
template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::MotionCapture::Reading<T>& r, const Knowledge<T>&, const EkfParams<T>& p,
                            Mask<T> due) {
  fuse_motion_capture(f, w, r.position_W, r.q_WB, p, usable<T>(r.valid, due));
}
template <class T, int N>
VOLARY_HD void fuse_reading(Filter<T, N>& f, Watch<T>& w, const sensors::Odometry::Reading<T>& r, const Knowledge<T>&, const EkfParams<T>& p, Mask<T> due) {
  fuse_odometry(f, w, r.velocity_B, p, usable<T>(r.valid, due));
}

}  // namespace volary::inline VOLARY_ISA::estimation
