# SPDX-License-Identifier: Apache-2.0
"""Pictures of Leptonica, the image library below Tesseract, by ctypes."""

import ctypes
from ctypes import POINTER, byref, c_float, c_int32, c_uint32, c_void_p

SOURCE, EXCLUSIVE_OR = 0xC, 0x6
"""Operations of pixRasterop: copy, exclusive or (PIX_SRC, PIX_SRC ^ PIX_DST)."""


def signatures(library):
    """Declares the functions in use, so that ctypes passes whole pointers."""
    pointer, number = c_void_p, c_int32
    for name, result, *arguments in (
        ("pixCreate", pointer, number, number, number),
        ("pixDestroy", None, POINTER(pointer)),
        ("pixGetData", pointer, pointer),
        ("pixGetWpl", number, pointer),
        ("pixGetWidth", number, pointer),
        ("pixGetHeight", number, pointer),
        ("pixEndianByteSwap", number, pointer),
        ("pixClipRectangle", pointer, pointer, pointer, pointer),
        ("boxCreate", pointer, number, number, number, number),
        ("boxDestroy", None, POINTER(pointer)),
        ("pixScaleGrayLI", pointer, pointer, c_float, c_float),
        ("pixScaleAreaMap", pointer, pointer, c_float, c_float),
        ("pixDilateGray", pointer, pointer, number, number),
        ("pixErodeGray", pointer, pointer, number, number),
        ("pixSubtractGray", pointer, pointer, pointer, pointer),
        ("pixThresholdToBinary", pointer, pointer, number),
        ("pixOtsuAdaptiveThreshold", number, pointer, number, number, number, number, c_float, pointer, pointer),
        ("pixInvert", pointer, pointer, pointer),
        ("pixCloseSafeBrick", pointer, pointer, pointer, number, number),
        ("pixOpenBrick", pointer, pointer, pointer, number, number),
        ("pixDilateBrick", pointer, pointer, pointer, number, number),
        ("pixSubtract", pointer, pointer, pointer, pointer),
        ("pixAnd", pointer, pointer, pointer, pointer),
        ("pixOr", pointer, pointer, pointer, pointer),
        ("pixCountPixels", number, pointer, POINTER(number), pointer),
        ("pixGetRankValue", number, pointer, number, c_float, POINTER(c_uint32)),
        ("pixAverageInRect", number, pointer, pointer, pointer, number, number, number, POINTER(c_float)),
        ("pixRasterop", number, pointer, number, number, number, number, number, pointer, number, number),
        ("pixConnCompBB", pointer, pointer, number),
        ("boxaGetCount", number, pointer),
        ("boxaGetBoxGeometry", number, pointer, number, *[POINTER(number)] * 4),
        ("boxaDestroy", None, POINTER(pointer)),
        ("setMsgSeverity", number, number),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    library.setMsgSeverity(6)  # No messages: each failure is a null pointer, which becomes a MemoryError.
    return library


LIBRARY = signatures(ctypes.CDLL("liblept.so.5"))


class Pix:
    """One picture of 8 bits (brightness) or 1 bit (1 is ink). It owns its memory."""

    def __init__(self, pointer):
        if not pointer:
            raise MemoryError("Leptonica made no picture")
        self.pointer = c_void_p(pointer)
        self.width = LIBRARY.pixGetWidth(pointer)
        self.height = LIBRARY.pixGetHeight(pointer)

    def __del__(self):
        if hasattr(self, "pointer"):
            LIBRARY.pixDestroy(byref(self.pointer))

    @classmethod
    def of_luma(cls, luma, width, height, stride):
        """A copy of rows of brightness with `stride` bytes each."""
        pix = cls(LIBRARY.pixCreate(width, height, 8))
        row = 4 * LIBRARY.pixGetWpl(pix.pointer)
        data = LIBRARY.pixGetData(pix.pointer)
        target = memoryview((ctypes.c_ubyte * (row * height)).from_address(data)).cast("B")
        if row == stride:
            target[:] = luma[: row * height]
        else:
            for y in range(height):
                target[y * row : y * row + width] = luma[y * stride : y * stride + width]
        # Leptonica's pixels begin at the high byte of each 32-bit word.
        LIBRARY.pixEndianByteSwap(pix.pointer)
        return pix

    def clipped(self, box):
        """The part inside a box (x, y, width, height) of whole pixels, which overlaps the picture."""
        rectangle = c_void_p(LIBRARY.boxCreate(*box))
        try:
            return Pix(LIBRARY.pixClipRectangle(self.pointer, rectangle, None))
        finally:
            LIBRARY.boxDestroy(byref(rectangle))

    def reduced(self, factor):
        """8 bits: smaller, each pixel the mean of those it covers."""
        return Pix(LIBRARY.pixScaleAreaMap(self.pointer, factor, factor))

    def scaled(self, factor):
        """8 bits: larger or smaller; larger ones are interpolated linearly."""
        if factor < 0.7:
            return self.reduced(factor)
        return Pix(LIBRARY.pixScaleGrayLI(self.pointer, factor, factor))

    def steep(self, width, height, step, times):
        """1 bit: pixels of a picture of 8 bits whose surroundings differ by `step`, and `times` as much as most do."""
        high = Pix(LIBRARY.pixDilateGray(self.pointer, width, height))
        low = Pix(LIBRARY.pixErodeGray(self.pointer, width, height))
        range_ = Pix(LIBRARY.pixSubtractGray(None, high.pointer, low.pointer))
        median = c_uint32()
        LIBRARY.pixGetRankValue(range_.pointer, 4, 0.5, byref(median))
        flat = Pix(LIBRARY.pixThresholdToBinary(range_.pointer, min(max(step, round(times * median.value)), 255)))
        return flat.inverted()

    def ink(self):
        """1 bit: of 8 bits, the pixels on the rarer side of Otsu's threshold. Also whether these are brighter."""
        result = c_void_p()
        # One tile: the threshold is that of the whole picture.
        size = max(self.width, self.height, 16) + 1
        LIBRARY.pixOtsuAdaptiveThreshold(self.pointer, size, size, 0, 0, 0.0, None, byref(result))
        dark = Pix(result.value)
        if 2 * dark.count() > dark.width * dark.height:
            return dark.inverted(), True
        return dark, False

    def inverted(self):
        return Pix(LIBRARY.pixInvert(None, self.pointer))

    def closed(self, width, height):
        return Pix(LIBRARY.pixCloseSafeBrick(None, self.pointer, width, height))

    def opened(self, width, height):
        return Pix(LIBRARY.pixOpenBrick(None, self.pointer, width, height))

    def dilated(self, width, height):
        return Pix(LIBRARY.pixDilateBrick(None, self.pointer, width, height))

    def without(self, other):
        return Pix(LIBRARY.pixSubtract(None, self.pointer, other.pointer))

    def common(self, other):
        return Pix(LIBRARY.pixAnd(None, self.pointer, other.pointer))

    def joined(self, other):
        return Pix(LIBRARY.pixOr(None, self.pointer, other.pointer))

    def count(self):
        """Pixels of ink."""
        result = c_int32()
        LIBRARY.pixCountPixels(self.pointer, byref(result), None)
        return result.value

    def mean(self):
        """Mean brightness of a picture of 8 bits."""
        result = c_float()
        LIBRARY.pixAverageInRect(self.pointer, None, None, 0, 255, 1, byref(result))
        return result.value

    def shifted(self, x, y, width, height):
        """1 bit: moved right by x and down by y, on an empty picture of the given size."""
        result = Pix(LIBRARY.pixCreate(width, height, 1))
        LIBRARY.pixRasterop(result.pointer, x, y, self.width, self.height, SOURCE, self.pointer, 0, 0)
        return result

    def difference(self, other, x, y):
        """Pixels of ink that differ from those of another picture moved right by x and down by y."""
        result = self.shifted(0, 0, self.width, self.height)
        LIBRARY.pixRasterop(result.pointer, x, y, other.width, other.height, EXCLUSIVE_OR, other.pointer, 0, 0)
        return result.count()

    def boxes(self):
        """Boxes (x, y, width, height) of connected pixels of ink, in 8 directions."""
        boxes = c_void_p(LIBRARY.pixConnCompBB(self.pointer, 8))
        if not boxes:
            return []
        numbers = [c_int32() for _ in range(4)]
        try:
            result = []
            for index in range(LIBRARY.boxaGetCount(boxes)):
                LIBRARY.boxaGetBoxGeometry(boxes, index, *(byref(number) for number in numbers))
                result.append(tuple(number.value for number in numbers))
            return result
        finally:
            LIBRARY.boxaDestroy(byref(boxes))
