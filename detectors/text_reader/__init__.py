# SPDX-License-Identifier: Apache-2.0
"""The text reader: finds regions of text on the luma, reads each once, and again when it changes."""
