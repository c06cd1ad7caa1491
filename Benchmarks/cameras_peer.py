#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cameras_peer.py gstreamer|python URL | prepare: watches one camera as cameras.py's peers do, until SIGTERM.

gstreamer: GStreamer's own elements, `facedetect` and `zbar` (gstreamer1.0-opencv, gstreamer1.0-plugins-bad), and the
newest frame wins.

python: OpenCV reads the stream, OpenVINO runs the face network, zxing-cpp reads codes. Prints how many frames it has
looked at.

prepare: installs the packages of the Python peer.
"""
import json
import os
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODEL = f"{ROOT}/.deps/share/glimpsed/models/yunet_n_640_640.onnx"
ELEMENTS = ["facedetect", "zbar"]
frames = 0


def lacking():
    """The elements that this machine lacks."""
    return [name for name in ELEMENTS
            if subprocess.run(["gst-inspect-1.0", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode]


def end(*_):
    print(json.dumps({"frames": frames}), flush=True)
    os._exit(0)


def watch_with_gstreamer(url):
    import gi
    gi.require_version("Gst", "1.0")
    from gi.repository import GLib, Gst
    Gst.init(None)
    pipeline = Gst.parse_launch(
        f"rtspsrc location={url} protocols=tcp latency=200 ! rtph264depay ! h264parse ! avdec_h264 max-threads=1"
        " ! queue leaky=downstream max-size-buffers=1 ! videoconvert ! facedetect display=false ! videoconvert ! zbar"
        " ! fakesink name=sink sync=false")

    def count(*_):
        global frames
        frames += 1
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name("sink").get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, count)
    pipeline.set_state(Gst.State.PLAYING)
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, end)
    GLib.MainLoop().run()


def prepare():
    """Goes on in an environment with the packages of the Python peer, which the first call makes."""
    from environment import continue_in
    continue_in(f"{ROOT}/Benchmarks/.build/cameras", ["opencv-python-headless", "zxing-cpp", "openvino", "numpy"])


def watch_with_python(url):
    prepare()
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = "rtsp_transport;tcp|threads;1"
    import cv2
    import numpy
    import openvino
    import zxingcpp
    global frames
    cv2.setNumThreads(1)
    signal.signal(signal.SIGTERM, end)
    core = openvino.Core()
    model = core.read_model(MODEL)
    model.reshape([1, 3, 192, 320])
    network = core.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1})
    camera = cv2.VideoCapture(url, cv2.CAP_FFMPEG)
    while True:
        ok, picture = camera.read()
        if not ok:
            sys.exit("the camera ended")
        small = cv2.resize(picture, (320, 192)).transpose(2, 0, 1)[None].astype(numpy.float32)
        network(small)
        zxingcpp.read_barcodes(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        frames += 1


if __name__ == "__main__":
    {"gstreamer": watch_with_gstreamer, "python": watch_with_python, "prepare": prepare}[sys.argv[1]](*sys.argv[2:])
