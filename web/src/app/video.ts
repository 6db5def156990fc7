// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Films of the view. As it plays, the browser's recorder takes what is seen. The whole of a recorded run is filmed frame by frame instead:
// the clock goes on by 1/30 s per frame however long a frame takes, so that a slow machine gives a smooth film too.
import { setClock } from "./commands.ts";
import * as s from "./state.ts";
import { clockText, quantity } from "./units.ts";
import "./video.css";
import { Webm, withDuration } from "./webm.ts";

const RATE = 30; // frames per second
const LONGEST = 30 * 60; // s of film: it is kept in memory until it is done
const KEY_EVERY = 60; // frames
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4;codecs=avc1.42E01E", "video/mp4"];

interface Film {
  stop(): void;
}
let film: Film | null = null;

export function toggle(): void {
  if (film) film.stop();
  else if (s.page.value !== "view") s.notify("info", "A film shows the view: go there first.");
  else asItPlays();
}
export function whole(): void {
  if (film) film.stop();
  else void frameByFrame();
}

// ---------------------------------------------------------------- what is filmed
/** Scene, labels and a caption on one canvas; two scenes beside each other when two runs are compared. */
class Sheet {
  readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly ratio: number;

  constructor() {
    const { width, height, ratio } = this.extent();
    this.ratio = ratio;
    this.canvas.width = Math.max(2, Math.floor(width / 2) * 2); // encoders want even numbers
    this.canvas.height = Math.max(2, Math.floor(height / 2) * 2);
    this.context = this.canvas.getContext("2d", { alpha: false })!;
  }
  private pictures(): NonNullable<typeof s.hot.picture>[] {
    return [s.hot.picture, s.hot.second?.picture].filter((p) => p !== null && p !== undefined);
  }
  private extent(): { width: number; height: number; ratio: number } {
    const all = this.pictures();
    return { width: all.reduce((w, p) => w + p.over.width, 0), height: Math.max(...all.map((p) => p.over.height)), ratio: all[0].over.width / all[0].view.width };
  }

  /** To be called right after the scene was drawn: a moment later its pixels are gone. */
  paint(): void {
    const c = this.context;
    const { width, height } = this.extent();
    const scale = Math.min(this.canvas.width / width, this.canvas.height / height); // the layout may change while a film runs
    const style = getComputedStyle(document.documentElement);
    c.fillStyle = style.getPropertyValue("--bg");
    c.fillRect(0, 0, this.canvas.width, this.canvas.height);
    let x = 0;
    this.pictures().forEach((p, k) => {
      const [w, h] = [p.over.width * scale, p.over.height * scale];
      c.drawImage(p.canvas, x, 0, w, h);
      c.drawImage(p.over, x, 0, w, h);
      if (k > 0) {
        c.fillStyle = style.getPropertyValue("--line-strong");
        c.fillRect(x, 0, this.ratio, h);
      }
      this.plate(x, h, caption(k), style);
      x += w;
    });
  }
  private plate(x: number, bottom: number, words: string, style: CSSStyleDeclaration): void {
    const c = this.context;
    const r = this.ratio;
    c.font = `600 ${14 * r}px system-ui, sans-serif`;
    const w = c.measureText(words).width + 20 * r;
    c.globalAlpha = 0.88;
    c.fillStyle = style.getPropertyValue("--panel");
    c.beginPath();
    c.roundRect(x + 12 * r, bottom - 40 * r, w, 28 * r, 4 * r);
    c.fill();
    c.globalAlpha = 1;
    c.fillStyle = style.getPropertyValue("--text");
    c.textBaseline = "middle";
    c.fillText(words, x + 22 * r, bottom - 26 * r);
  }
}
function caption(k: number): string {
  const w = s.world.value;
  const vs = s.versus.value;
  const run = `${w?.scenario ?? "Volary"}, seed ${w?.seed ?? ""}`;
  const time = clockText(s.hot.clock.time);
  if (!vs) return `${run} \u00b7 ${time}`;
  return k === 0 ? `A \u00b7 ${run} \u00b7 ${time}${vs.mode === "ghost" ? ` \u00b7 hollow: B, ${vs.name}` : ""}` : `B \u00b7 ${vs.name} \u00b7 ${clockText(s.hot.clock.time + vs.offset)}`;
}
/** After the run and the moment, with nothing in it that a file system minds. */
export function filmName(run: string, scenario: string, time: number, kind: string): string {
  const plain = (t: string): string => t.replace(/\.vrec$/, "").replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|-+$/g, "").slice(0, 80);
  return `${plain(run) || plain(scenario) || "volary"}_${time.toFixed(2)}s.${kind}`;
}

// ---------------------------------------------------------------- the sign that it runs
function chip(words: () => string): () => void {
  const e = document.createElement("button");
  e.type = "button";
  e.className = "rec num";
  e.title = "Stop recording (Shift+M)";
  e.onclick = () => film?.stop();
  const show = (): void => {
    const r = document.querySelector(".scenes")?.getBoundingClientRect();
    if (r) Object.assign(e.style, { right: `${innerWidth - r.right + 64}px`, bottom: `${innerHeight - r.bottom + 10}px` });
    e.textContent = words();
    e.ariaLabel = `Recording a film, ${words()}. Stop`;
  };
  show();
  document.body.append(e);
  const timer = setInterval(show, 250);
  return () => {
    clearInterval(timer);
    e.remove();
  };
}
function download(parts: BlobPart[], type: string, time: number): void {
  const blob = new Blob(parts, { type });
  const a = document.createElement("a");
  a.href = URL.createObjectURL(blob);
  a.download = filmName(s.shown.value.name, s.world.value?.scenario ?? "", time, type.startsWith("video/mp4") ? "mp4" : "webm");
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
  s.notify("info", `Film saved as ${a.download}, ${quantity(blob.size / 1e6, 1, "MB")}.`);
}

// ---------------------------------------------------------------- as it plays
function asItPlays(): void {
  if (!s.hot.picture) return;
  const type = typeof MediaRecorder === "undefined" ? undefined : TYPES.find((t) => MediaRecorder.isTypeSupported(t));
  if (!type || !HTMLCanvasElement.prototype.captureStream) return s.notify("bad", "This browser cannot record films: it offers no recorder for video.");
  const sheet = new Sheet();
  const chunks: Blob[] = [];
  let recorder: MediaRecorder;
  try {
    recorder = new MediaRecorder(sheet.canvas.captureStream(RATE), { mimeType: type, videoBitsPerSecond: 8e6 });
  } catch (e) {
    return s.notify("bad", `The film could not be begun: ${(e as Error).message}.`);
  }
  const [begun, time] = [performance.now(), s.hot.clock.time];
  const length = (): number => performance.now() - begun;
  const unchip = chip(() => `REC ${clockText(Math.floor(length() / 1000), 0)}`);
  // A paused view draws nothing; a film of it still has to go on.
  const beat = setInterval(s.redraw, 1000 / RATE);
  s.hot.drawn = () => sheet.paint();
  s.redraw();
  let ended = 0;
  const end = (): void => {
    ended ||= length();
    clearInterval(beat);
    unchip();
    s.hot.drawn = null;
    film = null;
  };
  recorder.ondataavailable = (e) => e.data.size && chunks.push(e.data);
  recorder.onerror = (e) => {
    end();
    s.notify("bad", `The film broke off: ${(e as unknown as { error?: Error }).error?.message ?? "the browser gave no reason"}.`);
  };
  recorder.onstop = async () => {
    end();
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
    if (bytes.length === 0) return s.notify("bad", "The film is empty: the browser recorded nothing.");
    download(type.startsWith("video/webm") ? withDuration(bytes, ended) : [bytes], type.split(";")[0], time);
  };
  film = {
    stop() {
      ended ||= length();
      if (recorder.state !== "inactive") recorder.stop();
    },
  };
  recorder.start(1000);
}

// ---------------------------------------------------------------- frame by frame
const CODECS = [["vp09.00.40.08", "V_VP9"], ["vp8", "V_VP8"]] as const;
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function encoderFor(size: { width: number; height: number }): Promise<{ config: VideoEncoderConfig; codec: "V_VP8" | "V_VP9" } | null> {
  if (typeof VideoEncoder === "undefined") return null;
  for (const [name, codec] of CODECS) {
    const config: VideoEncoderConfig = { codec: name, ...size, bitrate: 8e6, framerate: RATE, latencyMode: "quality" };
    if ((await VideoEncoder.isConfigSupported(config).catch(() => null))?.supported) return { config, codec };
  }
  return null;
}

async function frameByFrame(): Promise<void> {
  const source = s.hot.source;
  if (!source || !s.hot.picture) return;
  const before = s.hot.clock;
  const { first, last } = s.hot.extent;
  const speed = Math.abs(before.speed) || 1;
  const seconds = (last - first) / speed;
  if (seconds > LONGEST) return s.notify("warn", `The film would be ${clockText(seconds, 0)} long, and ${clockText(LONGEST, 0)} is the most. Choose a higher speed first.`);
  let stopped = false;
  film = { stop: () => (stopped = true) };
  const sheet = new Sheet();
  const size = { width: sheet.canvas.width, height: sheet.canvas.height };
  const found = await encoderFor(size);
  if (!found) {
    film = null;
    return s.notify("bad", "This browser cannot film frame by frame here (it needs video encoding, and https or localhost). Shift+M records the view as it plays.");
  }
  const file = new Webm(found.codec, size);
  let broken = "";
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      file.add(data, chunk.timestamp / 1000, chunk.type === "key", 1000 / RATE);
    },
    error: (e) => (broken = e.message),
  });
  encoder.configure(found.config);
  let at = 0; // s of film
  const unchip = chip(() => `REC ${clockText(Math.floor(at), 0)} / ${clockText(seconds, 0)}`);
  for (let k = 0; !stopped && !broken && s.hot.source === source; k++) {
    const time = first + (k * speed) / RATE;
    if (time > last + 1e-9) break;
    await shown(time, sheet, () => stopped || s.hot.source !== source);
    if (stopped || s.hot.source !== source) break;
    at = k / RATE;
    const frame = new VideoFrame(sheet.canvas, { timestamp: Math.round((k * 1e6) / RATE), duration: Math.round(1e6 / RATE) });
    encoder.encode(frame, { keyFrame: k % KEY_EVERY === 0 });
    frame.close();
    while (encoder.encodeQueueSize > 4 && !broken) await pause(4);
  }
  await encoder.flush().catch((e: unknown) => (broken ||= (e as Error).message));
  if (encoder.state !== "closed") encoder.close();
  unchip();
  film = null;
  if (s.hot.source === source) setClock({ ...before, mode: before.mode === "live" ? "paused" : before.mode });
  if (broken) s.notify("bad", `The film broke off: ${broken}.`);
  else download(file.finish(), "video/webm", first);
}
/** Resolves when the picture of a moment is on the sheet, with everything that belongs to it loaded. */
function shown(time: number, sheet: Sheet, gone: () => boolean): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearInterval(look);
      s.hot.drawn = null;
      done();
    };
    const look = setInterval(() => (gone() ? end() : s.redraw()), 50); // bytes may be on their way
    s.hot.drawn = () => {
      if (gone()) return end();
      if (s.hot.clock.time !== time) return setClock({ ...s.hot.clock, mode: "paused", time });
      if (s.hot.coverage === "loading" || s.hot.second?.loading(time)) return;
      sheet.paint();
      end();
    };
    setClock({ ...s.hot.clock, mode: "paused", time });
  });
}
