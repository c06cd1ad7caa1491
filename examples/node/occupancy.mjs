#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Prints the number of faces in view of each pipeline, whenever the number changes.
//
//   occupancy.mjs [SOCKET]
//
// Needs Node 18 and no packages. After a restart of the daemon the program connects again. The `state` line then has
// the faces in view, so no replay is needed.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const path = process.argv[2] ?? '/run/glimpsed/events.sock';
const request = { subscribe: { kinds: ['face'], types: ['detected', 'completed'] } };

/** The lines of one connection as objects; it ends, or throws, when the connection does. */
async function* events() {
    const socket = connect(path).setEncoding('utf8');
    socket.write(JSON.stringify(request) + '\n');
    let rest = '';
    for await (const chunk of socket) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop();
        for (const line of lines) yield JSON.parse(line);
    }
}

/** Tracks in view, by pipeline. */
const inView = new Map();
const told = new Map();

function tracks(pipeline) {
    if (!inView.has(pipeline)) inView.set(pipeline, new Set());
    return inView.get(pipeline);
}

function tell(time) {
    for (const [pipeline, ids] of inView) {
        if (told.get(pipeline) === ids.size) continue;
        told.set(pipeline, ids.size);
        console.log(`${time.slice(0, 19)} ${pipeline}: ${ids.size} in view`);
    }
}

function take(event) {
    switch (event.type) {
        case 'hello':
            console.error(`connected to ${event.server}`);
            inView.forEach((ids) => ids.clear());
            return;
        case 'state': // It has all kinds, because it comes before the filter. A long state has several lines.
            for (const { pipeline, kind, track } of event.tracks) if (kind === 'face') tracks(pipeline).add(track.id);
            if (event.more) return;
            break;
        case 'detected':
            tracks(event.pipeline).add(event.track.id);
            break;
        case 'completed':
            tracks(event.pipeline).delete(event.track.id);
            break;
        case 'error':
            console.error(`refused: ${event.reason}`);
            return;
        default: // gap, ping, and what later versions bring
            return;
    }
    tell(event.time);
}

let delay = 100;
for (;;) {
    try {
        for await (const event of events()) {
            if (event.type === 'hello') delay = 100;
            take(event);
        }
        console.error(`${path}: the connection is gone; trying again`);
    } catch (error) {
        console.error(`${path}: ${error.message}; trying again`);
    }
    await sleep(delay);
    delay = Math.min(delay * 2, 10_000);
}
