#!/usr/bin/python3
"""An aiortc end that hears a call of webrtcbin. aiortc sends receiver reports about audio, and no other feedback.

The first line of the input is the offer as JSON ("type", "sdp"), the first line of the output the answer. Each second a
line follows with the packets that arrived so far, and the mean level of the last frame that was decoded. The end of the
input ends the program.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import array
import asyncio
import json
import sys

from aiortc import RTCPeerConnection, RTCSessionDescription

heard = {"packets": 0, "level": 0}


async def hear(track):
    while True:
        frame = await track.recv()
        samples = array.array("h", bytes(frame.planes[0]))
        heard["level"] = sum(map(abs, samples)) / len(samples)


async def count(peer):
    for receiver in peer.getReceivers():
        for stats in (await receiver.getStats()).values():
            heard["packets"] = getattr(stats, "packetsReceived", heard["packets"])


async def main():
    peer, tasks = RTCPeerConnection(), []
    peer.on("track", lambda track: tasks.append(asyncio.ensure_future(hear(track))))
    offer = json.loads(sys.stdin.readline())
    # aiortc is the DTLS server: as client it offers ciphers of ECDSA alone, and webrtcbin has an RSA certificate
    offer["sdp"] = offer["sdp"].replace("a=setup:actpass", "a=setup:active")
    await peer.setRemoteDescription(RTCSessionDescription(offer["sdp"], offer["type"]))
    await peer.setLocalDescription(await peer.createAnswer())
    print(json.dumps({"type": peer.localDescription.type, "sdp": peer.localDescription.sdp}), flush=True)
    end = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    while not end.done():
        await count(peer)
        print(json.dumps(heard), flush=True)
        await asyncio.wait([end], timeout=1)
    await peer.close()

asyncio.run(main())
