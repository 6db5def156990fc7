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

/** The part of GET /api/schema that the dialogs of a platform read. */
const vector = (most: number, description: string) => ({ type: "array", minItems: 3, maxItems: 3, items: { type: "number", minimum: -most, maximum: most }, description });
const scalar = (most: number, description: string) => ({ type: "number", minimum: -most, maximum: most, description });
export const INPUTS = {
  pose: {
    properties: {
      position: vector(1e8, "commanded position of the origin of the central body, world frame (m)"), velocity: vector(1e5, "commanded velocity, world frame (m/s)"),
      roll: scalar(3.2, "commanded roll (rad)"), pitch: scalar(1.6, "commanded pitch, positive nose down (rad)"), yaw: scalar(1e6, "commanded yaw, from east towards north (rad)"),
    },
  },
  reaction: {
    properties: {
      kind: { enum: ["stiff", "yield", "press"], description: "reaction of the platform to an external force: stiff, yield (admittance) or press (wrench control)" },
      force: vector(1e9, "wanted force from outside on the origin of the central body, body frame (press) (N)"), torque: vector(1e9, "wanted torque from outside about this origin, body frame (press) (N m)"),
    },
  },
};
