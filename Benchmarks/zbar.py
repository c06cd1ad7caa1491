# SPDX-License-Identifier: Apache-2.0
"""Debian's libzbar by ctypes, for comparison only."""
import ctypes

Y800 = int.from_bytes(b'Y800', 'little')
#: zbar's numbers of symbologies, as the formats of Glimpse. Add-ons (2 and 5) are left out.
FORMATS = {8: 'ean_8', 9: 'upc_e', 12: 'upc_a', 13: 'ean_13', 25: 'itf', 34: 'databar', 35: 'databar_expanded', 38: 'codabar',
           39: 'code_39', 64: 'qr_code', 93: 'code_93', 128: 'code_128'}


class Scanner:
    """zbar's image scanner with its defaults, which read every line in both directions."""

    def __init__(self):
        self.library = ctypes.CDLL('libzbar.so.0')
        for name in ('zbar_image_scanner_create', 'zbar_image_create', 'zbar_image_first_symbol', 'zbar_symbol_next', 'zbar_symbol_get_data'):
            getattr(self.library, name).restype = ctypes.c_void_p
        self.scanner = ctypes.c_void_p(self.library.zbar_image_scanner_create())

    def read(self, luma):
        """Returns (format, bytes) of each symbol of a picture: a numpy array of 8-bit luma."""
        height, width = luma.shape
        data = luma.tobytes()
        image = ctypes.c_void_p(self.library.zbar_image_create())
        self.library.zbar_image_set_format(image, ctypes.c_ulong(Y800))
        self.library.zbar_image_set_size(image, ctypes.c_uint(width), ctypes.c_uint(height))
        self.library.zbar_image_set_data(image, ctypes.c_char_p(data), ctypes.c_ulong(len(data)), None)
        self.library.zbar_scan_image(self.scanner, image)
        found, symbol = [], self.library.zbar_image_first_symbol(image)
        while symbol:
            here = ctypes.c_void_p(symbol)
            format = FORMATS.get(self.library.zbar_symbol_get_type(here))
            if format:
                length = self.library.zbar_symbol_get_data_length(here)
                found.append((format, ctypes.string_at(self.library.zbar_symbol_get_data(here), length)))
            symbol = self.library.zbar_symbol_next(here)
        self.library.zbar_image_destroy(image)
        return found
