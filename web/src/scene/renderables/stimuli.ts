// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Stimulus fields: how strong sound, light and plumes are a little above the ground, as the simulator works them out. Each kind has a colour of
// its own, denser by the decade, and its source and strongest value are written beside it.
import { BufferAttribute, BufferGeometry, Mesh, ShaderMaterial, Vector3, type Scene } from "three";
import type { StimulusField } from "../../wire/wire.ts";
import { css, type Rgb } from "../theme.ts";
import { floorUnder, project, type Layer, type Renderable, type View } from "../view.ts";

const VERTEX = `
attribute float level;
varying float strength;
void main() {
  strength = level;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.z -= 0.001 * gl_Position.w;
}`;
// a line where a decade ends: six from nothing to the strongest
const FRAGMENT = `
precision highp float;
uniform vec3 colour;
varying float strength;
void main() {
  if (strength <= 0.004) discard;
  float decade = strength * 6.0;
  float width = fwidth(decade);
  float line = 1.0 - smoothstep(0.0, 1.5 * width, abs(fract(decade + 0.5) - 0.5));
  gl_FragColor = vec4(colour, min(0.85, 0.06 + 0.5 * strength + 0.35 * line * step(width, 0.5)));
}`;
const HUES: Record<string, number> = { sound: 0, light: 4, plume: 5 }; // of the colours that flocks have
const MOST_KINDS = 8;

/** 0 to 1 for each node, or none when the numbers do not fit together. */
export function levelsOf(f: StimulusField): Float32Array | null {
  const n = f.columns * f.rows;
  if (!(f.columns >= 2 && f.rows >= 2 && n <= 10_000 && f.step_east > 0 && f.step_north > 0) || f.levels.length !== 2 * n || !/^[0-9a-f]*$/.test(f.levels)) return null;
  return Float32Array.from({ length: n }, (_, k) => parseInt(f.levels.slice(2 * k, 2 * k + 2), 16) / 255);
}
const exact = (x: number): string => (x >= 0.01 && x < 10_000 ? String(Number(x.toPrecision(2))) : x.toExponential(1).replace("-", "\u2212").replace("+", ""));

export const stimuli: Renderable = {
  id: "stimuli",
  order: 17,
  title: "Stimuli",
  key: "Shift+E",
  icon: "M8 8a.5.5 0 1 1 0 .01M4.8 8a3.2 3.2 0 1 1 6.4 0 3.2 3.2 0 1 1-6.4 0M1.5 8a6.5 6.5 0 1 1 13 0 6.5 6.5 0 1 1-13 0",
  on: false,
  create(scene: Scene): Layer {
    let on = false;
    let made: readonly StimulusField[] | undefined;
    let shown: { field: StimulusField; mesh: Mesh<BufferGeometry, ShaderMaterial> }[] = [];
    const at = [0, 0];
    const hueOf = (view: View, kind: string): Rgb => view.light.palette.flocks[HUES[kind] ?? 1];
    function clear(): void {
      for (const { mesh } of shown) {
        scene.remove(mesh);
        mesh.geometry.dispose();
        mesh.material.dispose();
      }
      shown = [];
    }
    function build(f: StimulusField, view: View): void {
      const levels = levelsOf(f);
      if (!levels) return;
      const position = new Float32Array(3 * levels.length);
      const index = new Uint32Array(6 * (f.columns - 1) * (f.rows - 1));
      for (let r = 0, k = 0; r < f.rows; r++)
        for (let c = 0; c < f.columns; c++, k++) {
          const [e, n] = [f.east + c * f.step_east, f.north + r * f.step_north];
          position.set([e, n, floorUnder({ world: view.world, ground: view.world.ground }, [0, 0, 0], e, n) + 0.02 * f.up], 3 * k);
        }
      for (let r = 0, i = 0; r + 1 < f.rows; r++)
        for (let c = 0; c + 1 < f.columns; c++, i += 6) {
          const a = r * f.columns + c;
          index.set([a, a + 1, a + f.columns + 1, a, a + f.columns + 1, a + f.columns], i);
        }
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(position, 3));
      geometry.setAttribute("level", new BufferAttribute(levels, 1));
      geometry.setIndex(new BufferAttribute(index, 1));
      const mesh = new Mesh(geometry, new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: { colour: { value: new Vector3() } }, transparent: true, depthWrite: false, side: 2 }));
      mesh.frustumCulled = false;
      scene.add(mesh);
      shown.push({ field: f, mesh });
    }
    return {
      update(frame, view) {
        const fields = on && !view.flat ? view.swarm?.stimuli : undefined;
        if (fields !== made) {
          clear();
          made = fields;
          for (const f of (fields ?? []).slice(0, MOST_KINDS)) build(f, view);
        }
        for (const { field, mesh } of shown) {
          mesh.position.set(-frame.origin[0], -frame.origin[1], -frame.origin[2]);
          mesh.material.uniforms["colour"].value.set(...hueOf(view, field.kind));
        }
      },
      overlay(_c, frame, view) {
        if (!on || view.flat || frame.n === 0) return false;
        if (view.noSwarm) for (let y = 76; y < 240; y += 24) if (view.labels.text(view.width / 2, y, `Stimuli: ${view.noSwarm}`, { centre: true })) return false;
        for (const { field: f } of shown) {
          const k = f.sources[0] ?? -1;
          const words = `${f.kind} up to ${exact(f.high)} ${f.unit}, ${f.up}\u2009m above the ground`;
          if (k >= 0 && k < frame.n && view.swarm?.roster === frame.roster.version && project(view, frame.position[3 * k], frame.position[3 * k + 1], frame.position[3 * k + 2], at)) view.labels.text(at[0], at[1], words, { away: 24, swatch: css(hueOf(view, f.kind)) });
        }
        return false;
      },
      show(v) {
        on = v;
      },
      dispose: clear,
    };
  },
};
