// SPDX-License-Identifier: Apache-2.0
// Every frame of a video file, in order, as NV12.
#pragma once

#include <stdexcept>
#include <string>

#include <gst/app/gstappsink.h>
#include <gst/video/video.h>

/// The text of an error message, which is released.
inline std::string error_of(GstMessage *message) {
    GError *error = nullptr;
    gst_message_parse_error(message, &error, nullptr);
    const std::string text = error->message;
    g_error_free(error);
    gst_message_unref(message);
    return text;
}

/// Calls `body` with each frame, mapped once for reading. Throws when the file cannot be decoded to its end.
template <class Body>
void for_each_frame(const char *path, const Body &body) {
    GstElement *pipeline = gst_parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=NV12 ! "
        "appsink name=sink sync=false max-buffers=1",
        nullptr);
    if (!pipeline) throw std::runtime_error("a GStreamer element is missing");
    GstElement *file = gst_bin_get_by_name(GST_BIN(pipeline), "file");
    GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
    g_object_set(file, "location", path, nullptr);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);

    GstBus *bus = gst_element_get_bus(pipeline);
    std::string why;
    while (why.empty()) {
        // A pipeline that fails never ends its stream, so the bus is checked when no frame comes.
        GstSample *sample = gst_app_sink_try_pull_sample(GST_APP_SINK(sink), 100 * GST_MSECOND);
        if (!sample) {
            if (GstMessage *failure = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR)) why = error_of(failure);
            if (gst_app_sink_is_eos(GST_APP_SINK(sink))) break;
            continue;
        }
        GstVideoInfo info;
        GstVideoFrame frame;
        if (gst_video_info_from_caps(&info, gst_sample_get_caps(sample)) &&
            gst_video_frame_map(&frame, &info, gst_sample_get_buffer(sample), GST_MAP_READ)) {
            body(frame);
            gst_video_frame_unmap(&frame);
        }
        gst_sample_unref(sample);
    }

    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(bus);
    gst_object_unref(sink);
    gst_object_unref(file);
    gst_object_unref(pipeline);
    if (!why.empty()) throw std::runtime_error(why + " (" + path + ")");
}
