#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parses metrics from standard input with the strict parsers of prometheus-client, and prints the number of samples.

  strict.py prometheus|openmetrics
"""
import math, os, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, '.deps', 'prometheus-client'))
from prometheus_client import openmetrics, parser  # noqa: E402
import prometheus_client.openmetrics.parser  # noqa: E402, F401


def main():
    text = sys.stdin.read()
    parse = {'prometheus': parser, 'openmetrics': openmetrics.parser}[sys.argv[1]].text_string_to_metric_families
    samples = 0
    for family in parse(text):
        assert family.documentation and family.type in ('counter', 'gauge', 'histogram'), family
        for sample in family.samples:
            samples += 1
            assert not math.isnan(sample.value) and sample.value >= 0, sample
    assert samples > 0
    print(samples)


main()
