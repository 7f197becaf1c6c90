"""Chromium's DevTools protocol over two pipes: looks into the page of a browser without a network.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import base64
import json
import os
import time
import wave

PIPES = ("bash", "-c", 'r=$1 w=$2; shift 2; exec "$@" 3<&"$r" 4>&"$w"', "bash")
OPTION = "--remote-debugging-pipe"
RATE = 16000
# What the page plays is recorded from the begin of the page on, as 16 bit at RATE. With the shortest latency, which is
# the default, the recording has gaps of 5 to 50 ms that are not in what the sound server plays.
RECORD = """
(async () => {
  const context = new AudioContext({ sampleRate: RATE, latencyHint: "playback" });
  const code = `registerProcessor("recorder", class extends AudioWorkletProcessor {
    process(inputs) {
      if (inputs[0].length) this.port.postMessage(inputs[0][0].slice());
      return true;
    }
  });`;
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  const recorder = new AudioWorkletNode(context, "recorder", { channelCount: 1, channelCountMode: "explicit" });
  window.recorded = [];
  recorder.port.onmessage = event => recorded.push(event.data);
  recorder.connect(context.destination);
  const voice = document.getElementById("voice");
  while (!voice.srcObject)
    await new Promise(resume => setTimeout(resume, 10));
  context.createMediaStreamSource(voice.srcObject).connect(recorder);
  return context.state;
})()
""".replace("RATE", str(RATE))
TAKE = """
(() => {
  const samples = new Int16Array(recorded.reduce((n, piece) => n + piece.length, 0));
  let at = 0, text = "";
  for (const piece of recorded)
    for (const value of piece)
      samples[at++] = Math.max(-32768, Math.min(32767, Math.round(32768 * value)));
  const bytes = new Uint8Array(samples.buffer);
  for (let i = 0; i < bytes.length; i += 32768)
    text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
})()
"""


class DevTools:
    """The browser is started with wrap()'s command; its page is that of attach()."""

    def __init__(self):
        self.to_read, self.write = os.pipe()
        self.read, self.to_write = os.pipe()
        self.fds = (self.to_read, self.to_write)
        self.number, self.session, self.rest = 0, None, b""

    def wrap(self, command):
        return (*PIPES, str(self.to_read), str(self.to_write), *command, OPTION)

    def call(self, method, **params):
        """The result of a command; events that come meanwhile are dropped."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session and not method.startswith("Target."):
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        pieces = [self.rest]
        while b"\0" not in pieces[-1]:
            pieces.append(os.read(self.read, 1 << 20))
            if not pieces[-1]:
                raise RuntimeError("the browser has ended")
        text, _, self.rest = b"".join(pieces).partition(b"\0")
        return json.loads(text)

    def attach(self, patience):
        """Waits for the page."""
        for end in self.fds:            # the browser has them
            os.close(end)
        self.fds = ()
        until = time.monotonic() + patience
        while self.session is None or self.evaluate("location.protocol + document.readyState") != "http:complete":
            if time.monotonic() > until:
                raise RuntimeError("no page")
            pages = [target for target in self.call("Target.getTargets")["targetInfos"] if target["type"] == "page"]
            if self.session is None and pages:
                self.session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"],
                                         flatten=True)["sessionId"]
            time.sleep(0.1)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def save(self, name):
        """The recording, as a WAV file."""
        with wave.open(str(name), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(base64.b64decode(self.evaluate(TAKE)))

    def close(self):
        for end in (self.read, self.write, *self.fds):
            os.close(end)
