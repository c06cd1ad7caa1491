# SPDX-License-Identifier: Apache-2.0
"""The checks of scripts/prose.py. Each module holds one check, or reads text for the others."""
