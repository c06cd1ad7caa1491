# SPDX-License-Identifier: Apache-2.0
"""Tesseract by its C interface: the model stays loaded, and pictures come from memory."""

import ctypes
import os
from ctypes import POINTER, byref, c_char_p, c_float, c_int, c_void_p
from typing import NamedTuple, Tuple

# One thread: a detector shares its machine. The library of threads reads this when it is loaded.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")

LINE, WORD = 2, 3
"""Levels of a page iterator (RIL_TEXTLINE, RIL_WORD)."""
NEURAL = 1
"""The engine (OEM_LSTM_ONLY)."""
ONE_BLOCK = 6
"""The layout: one block of lines (PSM_SINGLE_BLOCK)."""


class Word(NamedTuple):
    value: str
    confidence: float
    """0 to 1."""
    box: Tuple[float, float, float, float]
    """x, y, width, height in the picture that was read."""
    line: int
    """The index of the word's line."""
    language: str


def library():
    tesseract = ctypes.CDLL("libtesseract.so.5")
    pointer = c_void_p
    for name, result, *arguments in (
        ("TessVersion", c_char_p),
        ("TessBaseAPICreate", pointer),
        ("TessBaseAPIDelete", None, pointer),
        ("TessBaseAPIInit2", c_int, pointer, c_char_p, c_char_p, c_int),
        ("TessBaseAPISetVariable", c_int, pointer, c_char_p, c_char_p),
        ("TessBaseAPISetPageSegMode", None, pointer, c_int),
        ("TessBaseAPISetImage2", None, pointer, pointer),
        ("TessBaseAPISetSourceResolution", None, pointer, c_int),
        ("TessBaseAPIRecognize", c_int, pointer, pointer),
        ("TessMonitorCreate", pointer),
        ("TessMonitorSetDeadlineMSecs", None, pointer, c_int),
        ("TessMonitorDelete", None, pointer),
        ("TessBaseAPIClear", None, pointer),
        ("TessBaseAPIGetIterator", pointer, pointer),
        ("TessResultIteratorDelete", None, pointer),
        ("TessResultIteratorNext", c_int, pointer, c_int),
        ("TessResultIteratorGetUTF8Text", pointer, pointer, c_int),
        ("TessResultIteratorConfidence", c_float, pointer, c_int),
        ("TessResultIteratorWordRecognitionLanguage", c_char_p, pointer),
        ("TessResultIteratorGetPageIterator", pointer, pointer),
        ("TessPageIteratorIsAtBeginningOf", c_int, pointer, c_int),
        ("TessPageIteratorBoundingBox", c_int, pointer, c_int, *[POINTER(c_int)] * 4),
        ("TessDeleteText", None, pointer),
    ):
        function = getattr(tesseract, name)
        function.restype, function.argtypes = result, arguments
    return tesseract


class Recognizer:
    """One loaded model. Not for more than one thread."""

    def __init__(self, language):
        """Raises OSError if the library or the language's model is absent."""
        self.library = library()
        self.language = language
        self.handle = c_void_p(self.library.TessBaseAPICreate())
        if self.library.TessBaseAPIInit2(self.handle, None, language.encode(), NEURAL):
            raise OSError(f"Tesseract has no model of {language}: install tesseract-ocr-{language.split('+')[0]}")
        # The reader gives dark letters on bright ground, so that no line is read a second time inverted.
        self.library.TessBaseAPISetVariable(self.handle, b"tessedit_do_invert", b"0")
        self.library.TessBaseAPISetPageSegMode(self.handle, ONE_BLOCK)

    def close(self):
        """Gives the model back. Without it, Tesseract complains at the process's end."""
        self.library.TessBaseAPIDelete(self.handle)
        self.handle = None

    @property
    def model(self):
        return f"tesseract {self.library.TessVersion().decode()} {self.language}"

    def words(self, pix, seconds):
        """The words of a picture of 8 bits, in reading order. None if reading takes longer than `seconds`."""
        monitor = c_void_p(self.library.TessMonitorCreate())
        self.library.TessMonitorSetDeadlineMSecs(monitor, max(1, min(round(1000 * seconds), 1_000_000)))
        self.library.TessBaseAPISetImage2(self.handle, pix.pointer)
        self.library.TessBaseAPISetSourceResolution(self.handle, 200)
        try:
            if self.library.TessBaseAPIRecognize(self.handle, monitor):
                return None
            return list(self.results())
        finally:
            self.library.TessBaseAPIClear(self.handle)
            self.library.TessMonitorDelete(monitor)

    def results(self):
        results = c_void_p(self.library.TessBaseAPIGetIterator(self.handle))
        if not results:
            return
        page = c_void_p(self.library.TessResultIteratorGetPageIterator(results))
        edges = [c_int() for _ in range(4)]
        line = -1
        try:
            while True:
                line += bool(self.library.TessPageIteratorIsAtBeginningOf(page, LINE))
                text = self.text(results)
                if text and self.library.TessPageIteratorBoundingBox(page, WORD, *(byref(edge) for edge in edges)):
                    left, top, right, bottom = (edge.value for edge in edges)
                    confidence = self.library.TessResultIteratorConfidence(results, WORD) / 100
                    language = self.library.TessResultIteratorWordRecognitionLanguage(results) or b""
                    box = (left, top, right - left, bottom - top)
                    yield Word(text, min(max(confidence, 0), 1), box, max(line, 0), language.decode())
                if not self.library.TessResultIteratorNext(results, WORD):
                    return
        finally:
            self.library.TessResultIteratorDelete(results)

    def text(self, results):
        pointer = c_void_p(self.library.TessResultIteratorGetUTF8Text(results, WORD))
        if not pointer:
            return ""
        try:
            return ctypes.string_at(pointer).decode("utf-8", "replace").strip()
        finally:
            self.library.TessDeleteText(pointer)
