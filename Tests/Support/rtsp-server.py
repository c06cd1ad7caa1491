#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""rtsp-server.py PORT basic|digest [WIDTHxHEIGHT [PASSWORD [PICTURE]]]: rtsp://127.0.0.1:PORT/test, for the user
"viewer".

The defaults are 320x240 and the password "geheim42". The server shows a ball that moves, a JPEG picture, or a Matroska
file. The H.264 or JPEG video of the file is sent as it is, once for each viewer. "( GStreamer text )" has a payloader
named pay0. A name such as %03d.pgm stands for numbered pictures. They are sent as H.264 video with 8 frames a second,
in a loop, with a key frame every 2 seconds. Needs python3-gi and gir1.2-gst-rtsp-server-1.0. Says "ready" when it
listens.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

port, method = sys.argv[1:3]
width, height = (sys.argv[3] if len(sys.argv) > 3 else "320x240").split("x")
password = sys.argv[4] if len(sys.argv) > 4 else "geheim42"
picture = sys.argv[5] if len(sys.argv) > 5 else ""
film = picture.endswith(".mkv") or picture.startswith("(")
pictures = not film and "%" in picture
if picture:
    scene = f"filesrc location={picture} ! jpegdec ! imagefreeze is-live=true ! videoconvert ! videoscale"
else:
    scene = "videotestsrc is-live=true pattern=ball"

Gst.init(None)
server = GstRtspServer.RTSPServer(service=port, address="127.0.0.1")
token = GstRtspServer.RTSPToken()
token.set_string("media.factory.role", "user")
auth = GstRtspServer.RTSPAuth()
if method == "digest":
    auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    auth.add_digest("viewer", password, token)
else:
    auth.add_basic(GstRtspServer.RTSPAuth.make_basic("viewer", password), token)
server.set_auth(auth)
factory = GstRtspServer.RTSPMediaFactory(shared=not film)
pay = "h264parse ! rtph264pay config-interval=-1 name=pay0 pt=96"
factory.set_launch(
    picture
    if picture.startswith("(")
    else f"( filesrc location={picture} ! matroskademux ! jpegparse ! rtpjpegpay name=pay0 pt=26 )"
    if picture.endswith(".jpeg.mkv")
    else f"( filesrc location={picture} ! matroskademux ! {pay} )"
    if film
    else f"( multifilesrc location={picture} loop=true caps=image/x-portable-graymap,framerate=8/1 ! pnmdec"
    " ! videoconvert ! video/x-raw,format=I420 ! openh264enc gop-size=16 bitrate=4000000"
    f" ! {pay} )"
    if pictures
    else f"( {scene} ! video/x-raw,format=I420,width={width},height={height},framerate=15/1"
    " ! jpegenc ! rtpjpegpay name=pay0 pt=26 )"
)
factory.add_role_from_structure(
    Gst.Structure.new_from_string("user,media.factory.access=true,media.factory.construct=true")
)
server.get_mount_points().add_factory("/test", factory)
if not server.attach(None):
    sys.exit("cannot listen")
print("ready", flush=True)
GLib.MainLoop().run()
