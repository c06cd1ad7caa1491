#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a real Prometheus every query of the dashboard and of the alert rules, with the metrics of a running daemon.

  queries.py --glimpsed PROGRAM --config FILE

Fails if Prometheus reports an error, or gives no sample for a query of the dashboard. Queries of the relay's metrics
may be without samples.
"""
import argparse, http.server, json, os, re, socket, subprocess, sys, tempfile, threading, time, urllib.parse, urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DASHBOARD = os.path.join(ROOT, 'docs', 'grafana', 'glimpse.json')
RULES = os.path.join(ROOT, 'docs', 'prometheus', 'alerts.yml')
# Grafana puts such values in place of its variables.
VARIABLES = {'$__rate_interval': '10s', '$__range': '1m', '$instance': '.*', '$pipeline': '.*'}
PATIENCE = 120


def page_of(command):
    """A handler that serves what the command prints."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            form = 'openmetrics' if 'openmetrics' in self.headers.get('Accept', '') else 'prometheus'
            kind = {
                'openmetrics': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
                'prometheus': 'text/plain; version=0.0.4; charset=utf-8',
            }[form]
            text = subprocess.run([*command, '--format', form], check=True, stdout=subprocess.PIPE).stdout
            self.send_response(200)
            self.send_header('Content-Type', kind)
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    return Page


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Prometheus:
    """A Prometheus that scrapes one target every second."""

    def __init__(self, folder, target):
        with open(os.path.join(folder, 'prometheus.yml'), 'w') as file:
            file.write(
                'global: { scrape_interval: 1s, evaluation_interval: 1s }\n'
                f'rule_files: [{json.dumps(RULES)}]\n'
                'scrape_configs:\n  - job_name: glimpse\n    static_configs:\n'
                f'      - targets: ["127.0.0.1:{target}"]\n')
        port = free_port()
        self.base = f'http://127.0.0.1:{port}/api/v1/'
        self.process = subprocess.Popen(
            ['prometheus', f'--config.file={folder}/prometheus.yml', f'--storage.tsdb.path={folder}/data',
             f'--web.listen-address=127.0.0.1:{port}', '--log.level=warn'])

    def ask(self, path, **parameters):
        query = f'{self.base}{path}?{urllib.parse.urlencode(parameters)}'
        try:
            with urllib.request.urlopen(query, timeout=10) as answer:
                return json.load(answer)['data']
        except urllib.error.HTTPError as error:
            if error.code == http.HTTPStatus.SERVICE_UNAVAILABLE:
                raise  # It still opens its database; wait() asks again.
            raise SystemExit(f'{parameters}: {error.read().decode()}')

    def wait(self, what, holds):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise SystemExit('prometheus ended')
            try:
                if holds():
                    return
            except OSError:
                pass
            time.sleep(0.25)
        raise SystemExit(f'{what}: not within {PATIENCE} s')


def panels(dashboard):
    for panel in dashboard['panels']:
        yield panel
        yield from panel.get('panels', [])


def queries():
    """(place, expression) of each query."""
    with open(DASHBOARD) as file:
        dashboard = json.load(file)
    for panel in panels(dashboard):
        for target in panel.get('targets', []):
            expression = target['expr']
            for name, value in VARIABLES.items():
                expression = expression.replace(name, value)
            yield panel['title'], expression
    for variable in dashboard['templating']['list']:
        if variable['type'] == 'query':
            yield f'variable {variable["name"]}', re.fullmatch(r'label_values\((.*), *\w+\)', variable['query'])[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--glimpsed', required=True)
    parser.add_argument('--config', required=True)
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(
        ('127.0.0.1', 0), page_of([options.glimpsed, 'metrics', '--config', options.config]))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        prometheus = Prometheus(folder, server.server_address[1])
        try:
            check(prometheus)
        finally:
            prometheus.process.terminate()
            prometheus.process.wait()


def check(prometheus):
    # `rate` needs samples of some seconds.
    prometheus.wait('samples', lambda: len(
        (prometheus.ask('query', query='up{job="glimpse"}[10s]')['result'] or [{'values': []}])[0]['values']) > 5)
    count = 0
    for place, expression in queries():
        if 'glimpse_relay_' in expression:
            prometheus.ask('query', query=expression)
        else:
            prometheus.wait(f'{place}: samples for {expression}',
                            lambda: prometheus.ask('query', query=expression)['result'])
        count += 1
    rules = []

    def are_evaluated():
        rules[:] = [rule for group in prometheus.ask('rules')['groups'] for rule in group['rules']]
        return rules and all(rule['health'] != 'unknown' for rule in rules)

    prometheus.wait('rules', are_evaluated)
    for rule in rules:
        if rule['health'] != 'ok':
            raise SystemExit(f'{rule["name"]}: {rule.get("lastError")}')
    print(f'{count} queries and {len(rules)} rules answered')


main()
