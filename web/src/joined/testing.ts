// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// For the tests of vehicles of several bodies: a platform of three aircraft, and one end effector of each kind.
const rotors = [[0.16, -0.16, 0.02, 1], [-0.16, 0.16, 0.02, 1], [0.16, 0.16, 0.02, -1], [-0.16, -0.16, 0.02, -1]];
export const STAR = {
  centre: [0.3, 0.3, 0.06],
  parts: [
    { joint: [0.48, 0, 0.07], yaw: 0, link: "spherical", size_m: 0.66, rotors },
    { joint: [-0.24, 0.4157, 0.07], yaw: 0.5, link: "spherical", size_m: 0.66, rotors },
    { joint: [-0.24, -0.4157, 0.07], yaw: 0, link: "hinge", axis: [0, 2, 0], size_m: 0.66, rotors },
  ],
};
export const EFFECTORS = [
  { kind: "pole", position: [0.15, 0, 0], direction: [1, 0, 0], length: 1, radius: 0.02 },
  { kind: "plate", position: [0, 0.15, 0], direction: [0, 1, 0], length: 0.02, radius: 0.1 },
  { kind: "cylinder", position: [0, 0, -0.03], direction: [0, 0, -1], length: 0.4, radius: 0.02 },
  { kind: "cone", position: [-0.15, 0, 0], direction: [-1, 0, 0.2], length: 0.15, radius: 0.03, mouth: 0.1 },
];
