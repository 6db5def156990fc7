// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The socket lives here, so that a slow picture never makes the network wait. Every binary message is checked before the page sees it;
// a bad one is reported once a second at most and dropped.
import { decodeFrame, parseServerMessage } from "../wire/wire.ts";

const scope = self as unknown as DedicatedWorkerGlobalScope;
let socket: WebSocket | null = null;
let url = "";
let attempt = 0;
let timer = 0;
let told = 0;
let closed = false;
let watch = 0;
let heard = 0;

function connect(): void {
  clearTimeout(timer);
  scope.postMessage({ kind: "connecting" });
  const s = new WebSocket(url);
  socket = s;
  s.binaryType = "arraybuffer";
  s.onopen = () => {
    attempt = 0;
    heard = Date.now();
    scope.postMessage({ kind: "open" });
  };
  s.onmessage = (e: MessageEvent<ArrayBuffer | string>) => {
    heard = Date.now();
    if (typeof e.data === "string") message(e.data);
    else frame(e.data);
  };
  s.onclose = (e) => {
    if (socket === s) again(e.reason || (e.code === 1008 ? "refused" : ""));
  };
}

function frame(buffer: ArrayBuffer): void {
  const decoded = decodeFrame(buffer);
  if (typeof decoded === "string") malformed(decoded);
  else scope.postMessage({ kind: "frame", frame: decoded }, [buffer]); // the columns are views of the buffer and travel with it
}

function message(body: string): void {
  const parsed = parseServerMessage(body);
  if (typeof parsed === "string") malformed(parsed);
  else scope.postMessage({ kind: "message", message: parsed });
}

function malformed(why: string): void {
  if (Date.now() - told < 1000) return;
  told = Date.now();
  scope.postMessage({ kind: "malformed", why });
}

function again(why: string): void {
  socket = null;
  if (closed) return;
  const wait = Math.min(5000, 500 * 2 ** attempt++);
  scope.postMessage({ kind: "lost", retryIn: wait / 1000, why });
  clearTimeout(timer);
  timer = setTimeout(connect, wait) as unknown as number;
}

scope.onmessage = (e: MessageEvent<{ kind: string; url?: string; text?: string }>) => {
  const m = e.data;
  if (m.kind === "connect") {
    url = m.url ?? url;
    connect();
    // A server that hangs keeps its socket open: status comes at 2 Hz, so six silent seconds mean that it is gone.
    clearInterval(watch);
    watch = setInterval(() => {
      if (socket?.readyState !== WebSocket.OPEN || Date.now() - heard < 6000) return;
      const s = socket;
      socket = null;
      s.close();
      again("no answer for 6 s");
    }, 500) as unknown as number;
  } else if (m.kind === "retry") {
    attempt = 0;
    if (!socket) connect();
  } else if (m.kind === "send" && socket?.readyState === WebSocket.OPEN) {
    socket.send(m.text ?? "");
  } else if (m.kind === "close") {
    closed = true;
    clearInterval(watch);
    clearTimeout(timer);
    socket?.close();
  }
};
