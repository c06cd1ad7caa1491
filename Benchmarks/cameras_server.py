#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""cameras_server.py PORT COUNT FILM.mkv [ADDRESS]: COUNT network cameras at rtsp://ADDRESS:PORT/0, /1, and so on.

Every camera sends the H.264 video of the film again and again, each from another key frame on, so that their visits are
spread. The frames are in memory and are sent as they are. Says "ready" when it listens. Needs python3-gi and
gir1.2-gst-rtsp-server-1.0.
"""
import sys
import threading
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstApp, GstRtspServer  # noqa: E402

RATE = 15
CAPS = "video/x-h264,stream-format=byte-stream,alignment=au"


def frames_of(film):
    """The encoded frames of a film, each with whether it is a key frame."""
    pipeline = Gst.parse_launch(
        f"filesrc location={film} ! matroskademux ! h264parse config-interval=-1 ! {CAPS} ! appsink name=sink sync=false")
    sink, frames = pipeline.get_by_name("sink"), []
    pipeline.set_state(Gst.State.PLAYING)
    while sample := sink.emit("pull-sample"):
        buffer = sample.get_buffer()
        data = buffer.extract_dup(0, buffer.get_size())
        frames.append((data, not buffer.has_flags(Gst.BufferFlags.DELTA_UNIT)))
    pipeline.set_state(Gst.State.NULL)
    return frames


class Camera:
    """Sends to all viewers of one address; a viewer gets a pipeline of its own."""

    def __init__(self, server, number, start):
        self.place, self.sources, self.lock = start, [], threading.Lock()
        factory = GstRtspServer.RTSPMediaFactory(shared=False)
        factory.set_launch(
            f"( appsrc name=source is-live=true format=time max-bytes=4000000 caps={CAPS},"
            f"framerate={RATE}/1 ! h264parse ! rtph264pay config-interval=-1 name=pay0 pt=96 )")
        factory.connect("media-configure", self.add)
        server.get_mount_points().add_factory(f"/{number}", factory)

    def add(self, _, media):
        source = media.get_element().get_by_name("source")
        with self.lock:
            self.sources.append([source, None])
        media.connect("unprepared", self.remove, source)

    def remove(self, _, source):
        with self.lock:
            self.sources = [other for other in self.sources if other[0] is not source]

    def send(self, frames):
        data, is_key = frames[self.place]
        self.place = (self.place + 1) % len(frames)
        with self.lock:
            sources = list(self.sources)
        for each in sources:
            source, time = each
            if time is None:
                # An element gets its clock before its base time. Between the two, its time would be days.
                clock, base = source.get_clock(), source.get_base_time()
                if clock is None or base == 0:
                    continue
                time = clock.get_time() - base
            buffer = Gst.Buffer.new_wrapped(data)
            # A camera's times are regular, even when this program is late.
            buffer.pts, each[1] = time, time + Gst.SECOND // RATE
            if not is_key:
                buffer.set_flags(Gst.BufferFlags.DELTA_UNIT)
            source.emit("push-buffer", buffer)


def send(cameras, frames):
    """The cameras take turns within a frame's time, so that their frames do not come all at once."""
    due = time.monotonic()
    while True:
        for camera in cameras:
            due += 1 / RATE / len(cameras)
            time.sleep(max(0, due - time.monotonic()))
            camera.send(frames)


def main():
    port, count, film = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    Gst.init(None)
    frames = frames_of(film)
    keys = [index for index, (_, is_key) in enumerate(frames) if is_key]
    address = sys.argv[4] if sys.argv[4:] else "127.0.0.1"
    server = GstRtspServer.RTSPServer(service=port, address=address)
    server.set_backlog(200)
    # A thread for each viewer: one waits for a key frame of its camera before its video can be described.
    server.get_thread_pool().set_max_threads(-1)
    cameras = [Camera(server, number, keys[number * len(keys) // count]) for number in range(count)]
    if not server.attach(None):
        sys.exit("cannot listen")
    threading.Thread(target=send, args=(cameras, frames), daemon=True).start()
    print("ready", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
