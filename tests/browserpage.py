#!/usr/bin/python3
"""Who gets a call from examples/browser, and what a call leaves behind. No browser and no network is needed.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import asyncio
import gc
import importlib.util
import pathlib
import sys
import unittest
import weakref

PATH = pathlib.Path(__file__).resolve().parent.parent / "examples/browser/browser.py"
SPEC = importlib.util.spec_from_file_location("browser", PATH)
browser = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(browser)


class Visitor:
    """The WebSocket of a page that goes at once."""

    async def send(self, text):
        pass

    def __aiter__(self):
        return self

    async def __anext__(self):
        raise StopAsyncIteration


def ask(path, host, origin=None, any_name=False):
    """The status with which a request is answered; None: the WebSocket opens."""
    answer = asyncio.run(browser.serve_page(path, {"Host": host, "Origin": origin or f"http://{host}"}, any_name))
    return answer and int(answer[0])


class Page(unittest.TestCase):
    def test_the_page_is_there_by_localhost_and_by_address(self):
        for host in ("localhost", "localhost:8080", "127.0.0.1:8080", "192.0.2.7:8080", "[::1]:8080", "[2001:db8::1]"):
            self.assertEqual(ask("/", host), 200, host)
            self.assertIsNone(ask("/call", host), host)

    def test_a_name_that_others_may_give_opens_nothing(self):
        for host in ("rebound.example", "rebound.example:8080", "localhost.example", "127.0.0.1.example", ""):
            self.assertEqual(ask("/", host), 403, host)
            self.assertEqual(ask("/call", host), 403, host)

    def test_with_a_certificate_any_name_will_do(self):
        self.assertEqual(ask("/", "phone.example", any_name=True), 200)
        self.assertIsNone(ask("/call", "phone.example", any_name=True))

    def test_a_page_from_elsewhere_gets_no_call(self):
        self.assertEqual(ask("/call", "localhost:8080", "http://another.example"), 403)
        self.assertEqual(ask("/call", "phone.example", "https://another.example", any_name=True), 403)

    def test_a_call_that_has_ended_is_gone(self):
        async def play():
            call = browser.Call(Visitor(), "audiotestsrc is-live=true", None, "fakesink", True)
            await call.run()
            return weakref.ref(call.pipeline)
        browser.Gst.init(None)
        for factory in ("webrtcbin", "nicesrc", "rtptfrcsend"):
            if browser.Gst.ElementFactory.find(factory) is None:
                self.skipTest(f"no {factory}")
        gone = asyncio.run(play())
        gc.collect()
        self.assertIsNone(gone())


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(77 if result.skipped and result.wasSuccessful() else not result.wasSuccessful())
