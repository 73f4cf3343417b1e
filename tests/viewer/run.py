#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Tests the HTML pages in a real browser: clicks, keys and what is then seen. Ends with `N passed, N failed`.

The pages are samples that heddle_report_test writes, and what the binary itself writes.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE)]

import browser
import page_test


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "dev" / "bin",
                        help="the folder with heddle and heddle_report_test")
    parser.add_argument("--keep", type=pathlib.Path, help="write the pages and screenshots there and leave them")
    parser.add_argument("--filter", default="", help="only tests whose name contains this text")
    arguments = parser.parse_args()
    program = browser.find_program()
    if program is None:
        print("no Chromium: install the package chromium")
        print("0 passed, 1 failed")
        return 1
    with tempfile.TemporaryDirectory(prefix="heddle-viewer-") as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        made = subprocess.run([arguments.bin / "heddle_report_test", "--gtest_filter=Html.WritesTheSamplesOfTheBrowserTest"],
                              env={**os.environ, "HEDDLE_VIEWER_SAMPLES": str(folder)}, capture_output=True, text=True,
                              check=False)
        if made.returncode != 0:
            print(made.stdout)
            print("0 passed, 1 failed")
            return 1
        with browser.Browser(program) as opened:
            page_test.PageTest.browser = opened
            page_test.PageTest.folder = folder
            page_test.PageTest.heddle = arguments.bin / "heddle"
            page_test.PageTest.shots = arguments.keep
            loader = unittest.TestLoader()
            suite = unittest.TestSuite(
                test for group in loader.loadTestsFromModule(page_test) for test in group if arguments.filter in test.id())
            result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    # A test with several failing parts has failed once.
    failed = len({getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
