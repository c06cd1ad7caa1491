// SPDX-License-Identifier: Apache-2.0
// GStreamer for Swift: the headers, and inline functions only for what Swift cannot call: macros and variadics.
#pragma once

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>
#include <gst/video/video.h>

/// The data that a frame carries from the streaming thread to the thread that takes it out of the appsink: its number,
/// and its rotation. Raw video buffers have no other use for their offsets.
static inline guint64 cgst_buffer_number(GstBuffer *buffer) { return GST_BUFFER_OFFSET(buffer); }
static inline guint64 cgst_buffer_mark(GstBuffer *buffer) { return GST_BUFFER_OFFSET_END(buffer); }
/// `gst_buffer_make_writable` is a macro; where the buffer is shared it copies its header, never its memory.
static inline void cgst_probe_stamp(GstPadProbeInfo *info, guint64 number, guint64 mark) {
    GstBuffer *buffer = gst_buffer_make_writable(gst_pad_probe_info_get_buffer(info));
    GST_BUFFER_OFFSET(buffer) = number;
    GST_BUFFER_OFFSET_END(buffer) = mark;
    info->data = buffer;
}

/// Answers a query for an allocation: the reader of the buffers heeds their strides and offsets. Other queries pass.
static inline GstPadProbeReturn cgst_probe_take_strides(GstPadProbeInfo *info) {
    GstQuery *query = gst_pad_probe_info_get_query(info);
    if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return GST_PAD_PROBE_OK;
    gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, NULL);
    return GST_PAD_PROBE_HANDLED;
}

static inline GstClockTime cgst_buffer_pts(GstBuffer *buffer) { return GST_BUFFER_PTS(buffer); }
static inline void cgst_buffer_set_times(GstBuffer *buffer, GstClockTime pts, GstClockTime duration) {
    GST_BUFFER_PTS(buffer) = pts;
    GST_BUFFER_DURATION(buffer) = duration;
}

static inline GstClockTime cgst_buffer_duration(GstBuffer *buffer) { return GST_BUFFER_DURATION(buffer); }
/// Gives the buffer under a probe other times.
static inline void cgst_probe_set_times(GstPadProbeInfo *info, GstClockTime pts, GstClockTime duration) {
    GstBuffer *buffer = gst_buffer_make_writable(gst_pad_probe_info_get_buffer(info));
    cgst_buffer_set_times(buffer, pts, duration);
    info->data = buffer;
}

static inline GstBuffer *cgst_buffer_ref(GstBuffer *buffer) { return gst_buffer_ref(buffer); }
/// Whether an encoded frame depends on others.
static inline gboolean cgst_buffer_is_delta(GstBuffer *buffer) {
    return GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT);
}
static inline void cgst_shift_times(GstBuffer *buffer, gint64 shift) {
    if (GST_BUFFER_PTS_IS_VALID(buffer)) GST_BUFFER_PTS(buffer) += (GstClockTime)shift;
    if (GST_BUFFER_DTS_IS_VALID(buffer)) GST_BUFFER_DTS(buffer) += (GstClockTime)shift;
}
/// Moves the time stamps of the buffer under a probe by nanoseconds.
static inline void cgst_probe_shift(GstPadProbeInfo *info, gint64 shift) {
    if (shift == 0) return;
    GstBuffer *buffer = gst_buffer_make_writable(gst_pad_probe_info_get_buffer(info));
    cgst_shift_times(buffer, shift);
    info->data = buffer;
}
/// A buffer with the same memory and moved time stamps; the caller owns it.
static inline GstBuffer *cgst_buffer_shifted(GstBuffer *buffer, gint64 shift) {
    GstBuffer *copy = gst_buffer_copy(buffer);
    cgst_shift_times(copy, shift);
    return copy;
}

/// GST_CLOCK_TIME_NONE is a macro with a cast.
static const GstClockTime cgst_clock_time_none = (GstClockTime)-1;

static inline GstMessageType cgst_message_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }
static inline GstObject *cgst_message_source(GstMessage *message) { return GST_MESSAGE_SRC(message); }

static inline GstElement *cgst_element(gpointer object) { return GST_ELEMENT(object); }
static inline GstObject *cgst_object(gpointer object) { return GST_OBJECT(object); }
static inline GstPad *cgst_pad(gpointer object) { return GST_PAD(object); }
static inline GstBin *cgst_bin(gpointer object) { return GST_BIN(object); }
static inline GstAppSink *cgst_app_sink(gpointer object) { return GST_APP_SINK(object); }
static inline GstAppSrc *cgst_app_src(gpointer object) { return GST_APP_SRC(object); }
static inline GstBaseTransform *cgst_base_transform(gpointer object) { return GST_BASE_TRANSFORM(object); }
static inline gboolean cgst_is_bin(gpointer object) { return GST_IS_BIN(object); }
static inline gboolean cgst_is_element(gpointer object) { return GST_IS_ELEMENT(object); }

/// g_object_set is variadic. Values are parsed as `gst-launch-1.0` parses them, so one function serves every type.
static inline void cgst_set(GstElement *element, const char *name, const char *value) {
    gst_util_set_object_arg(G_OBJECT(element), name, value);
}
/// For texts that must not be parsed: addresses, paths, passwords.
static inline void cgst_set_string(GstElement *element, const char *name, const char *value) {
    g_object_set(element, name, value, NULL);
}
static inline void cgst_set_boolean(GstElement *element, const char *name, gboolean value) {
    g_object_set(element, name, value, NULL);
}
/// A property of the type guint.
static inline guint cgst_get_uint(GstElement *element, const char *name) {
    guint value = 0;
    g_object_get(element, name, &value, NULL);
    return value;
}

static inline guint64 cgst_get_uint64(GstElement *element, const char *name) {
    guint64 value = 0;
    g_object_get(element, name, &value, NULL);
    return value;
}
static inline void cgst_set_uint(GstElement *element, const char *name, guint value) {
    g_object_set(element, name, value, NULL);
}

/// Replaces a part of every property that is a text and has it.
///
/// Returns how many there were.
static inline int cgst_replace_in_strings(GstElement *element, const char *part, const char *text) {
    guint count = 0;
    int replaced = 0;
    GParamSpec **properties = g_object_class_list_properties(G_OBJECT_GET_CLASS(element), &count);
    for (guint index = 0; index < count; index++) {
        GParamSpec *property = properties[index];
        if (property->value_type != G_TYPE_STRING || (property->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE) continue;
        gchar *value = NULL;
        g_object_get(element, property->name, &value, NULL);
        if (value && strstr(value, part)) {
            gchar **pieces = g_strsplit(value, part, -1);
            gchar *whole = g_strjoinv(text, pieces);
            g_object_set(element, property->name, whole, NULL);
            g_free(whole);
            g_strfreev(pieces);
            replaced++;
        }
        g_free(value);
    }
    g_free(properties);
    return replaced;
}

/// g_object_find_property needs the class macro.
static inline gboolean cgst_has_property(GstElement *element, const char *name) {
    return g_object_class_find_property(G_OBJECT_GET_CLASS(element), name) != NULL;
}

static inline const char *cgst_factory_name(GstElement *element) {
    GstElementFactory *factory = gst_element_get_factory(element);
    return factory ? gst_plugin_feature_get_name(GST_PLUGIN_FEATURE(factory)) : "";
}

/// Converts and scales pictures of the one kind to pictures of the other, by linear filters, in the calling thread.
static inline GstVideoConverter *cgst_converter_new(GstVideoInfo *from, GstVideoInfo *to) {
    return gst_video_converter_new(
        from, to,
        gst_structure_new(
            "options", GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD, GST_TYPE_VIDEO_RESAMPLER_METHOD,
            GST_VIDEO_RESAMPLER_METHOD_LINEAR, NULL));
}

/// A frame over memory of the caller's own.
static inline void cgst_frame_set_plane(GstVideoFrame *frame, guint plane, void *data, gint stride) {
    frame->data[plane] = data;
    frame->info.stride[plane] = stride;
}

static inline gint cgst_frame_width(const GstVideoInfo *info) { return GST_VIDEO_INFO_WIDTH(info); }
static inline gint cgst_frame_height(const GstVideoInfo *info) { return GST_VIDEO_INFO_HEIGHT(info); }
static inline GstVideoFormat cgst_frame_format(const GstVideoInfo *info) { return GST_VIDEO_INFO_FORMAT(info); }
static inline const guint8 *cgst_plane_data(GstVideoFrame *frame, guint plane) {
    return (const guint8 *)GST_VIDEO_FRAME_PLANE_DATA(frame, plane);
}
static inline gint cgst_plane_stride(GstVideoFrame *frame, guint plane) { return GST_VIDEO_FRAME_PLANE_STRIDE(frame, plane); }

/// "Read, and leave a reference to the buffer in the frame." (The flags are an enumeration that Swift cannot combine.)
static inline gboolean cgst_video_frame_map_read(GstVideoFrame *frame, GstVideoInfo *info, GstBuffer *buffer) {
    return gst_video_frame_map(frame, info, buffer, GST_MAP_READ);
}

/// Read and write. The caller holds the only reference to the buffer and to its memory.
static inline gboolean cgst_video_frame_map_write(GstVideoFrame *frame, GstVideoInfo *info, GstBuffer *buffer) {
    return gst_video_frame_map(
        frame, info, buffer,
        (GstMapFlags)((guint)GST_MAP_READ | (guint)GST_MAP_WRITE | (guint)GST_VIDEO_FRAME_MAP_FLAG_NO_REF));
}

/// Whether nobody else holds the buffer or its memory. A decoder that predicts from a picture holds its memory.
static inline gboolean cgst_buffer_is_exclusive(GstBuffer *buffer) {
    return gst_buffer_is_writable(buffer) && gst_buffer_is_all_memory_writable(buffer);
}

/// Puts another buffer, which the probe owns from now on, in the place of the buffer under it. The flags, times and
/// offsets stay.
static inline void cgst_probe_replace(GstPadProbeInfo *info, GstBuffer *buffer) {
    GstBuffer *old = gst_pad_probe_info_get_buffer(info);
    gst_buffer_copy_into(buffer, old, (GstBufferCopyFlags)(GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS), 0, -1);
    info->data = buffer;
    gst_buffer_unref(old);
}

/// Signals take function pointers through macros. `release` is called with `data` when the element goes.
typedef void (*cgst_pad_added)(GstElement *element, GstPad *pad, gpointer data);
static inline void cgst_connect_pad_added(
    GstElement *element, cgst_pad_added callback, gpointer data, GClosureNotify release) {
    g_signal_connect_data(element, "pad-added", G_CALLBACK(callback), data, release, (GConnectFlags)0);
}

typedef void (*cgst_element_added)(GstBin *bin, GstBin *inner, GstElement *element, gpointer data);
/// Tells of every element that is added to a bin, however deep. `release`, which may be none, is called with `data`
/// when the bin goes.
static inline void cgst_connect_element_added(
    GstElement *bin, cgst_element_added callback, gpointer data, GClosureNotify release) {
    g_signal_connect_data(bin, "deep-element-added", G_CALLBACK(callback), data, release, (GConnectFlags)0);
}

/// GST_ELEMENT_FACTORY_TYPE_DECODER is a macro with a cast.
static inline gboolean cgst_is_decoder(GstElement *element) {
    GstElementFactory *factory = gst_element_get_factory(element);
    return factory && gst_element_factory_list_is_type(factory, GST_ELEMENT_FACTORY_TYPE_DECODER);
}

/// One of video or pictures, and not a bin that has one.
static inline gboolean cgst_is_picture_decoder(GstElement *element) {
    return !GST_IS_BIN(element) && cgst_is_decoder(element) &&
           gst_element_factory_list_is_type(
               gst_element_get_factory(element),
               GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE);
}

static inline gboolean cgst_answer_decoder(
    GstElement *bin, GstPad *pad, GstElement *element, GstQuery *query, gpointer data) {
    (void)bin, (void)pad, (void)data;
    if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS || !cgst_is_picture_decoder(element)) return FALSE;
    GstCaps *offered = NULL;
    gst_query_parse_caps(query, &offered);
    GstCaps *plain = gst_caps_new_empty_simple("video/x-raw");
    if (offered) {
        GstCaps *common = gst_caps_intersect_full(offered, plain, GST_CAPS_INTERSECT_FIRST);
        gst_caps_unref(plain);
        plain = common;
    }
    gst_query_set_caps_result(query, plain);
    gst_caps_unref(plain);
    return TRUE;
}
/// Has the decoders of a `decodebin` write into plain memory. They choose before anything follows them, and one of
/// hardware would choose memory of its device.
static inline void cgst_demand_plain_memory(GstElement *decodebin) {
    g_signal_connect(decodebin, "autoplug-query", G_CALLBACK(cgst_answer_decoder), NULL);
}

/// Every decoder of video or pictures, whatever its rank; the caller frees the list.
static inline GList *cgst_picture_decoders(void) {
    return gst_element_factory_list_get_elements(
        GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE,
        GST_RANK_NONE);
}
static inline const char *cgst_feature_name(gpointer feature) {
    return gst_plugin_feature_get_name(GST_PLUGIN_FEATURE(feature));
}
static inline gboolean cgst_is_hardware(gpointer factory) {
    const char *group = gst_element_factory_get_metadata(GST_ELEMENT_FACTORY(factory), GST_ELEMENT_METADATA_KLASS);
    return group && strstr(group, "Hardware") != NULL;
}

static inline GstEventType cgst_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }

/// Keeps a bus from growing while nobody reads it: only failures stay on it.
static GstBusSyncReply cgst_failures_only(GstBus *bus, GstMessage *message, gpointer data) {
    (void)bus;
    (void)data;
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR || gst_message_has_name(message, "missing-plugin"))
        return GST_BUS_PASS;
    gst_message_unref(message);
    return GST_BUS_DROP;
}
static inline void cgst_bus_keep_failures(GstBus *bus) {
    gst_bus_set_sync_handler(bus, cgst_failures_only, NULL, NULL);
}

static inline void cgst_unref(gpointer object) {
    if (object) gst_object_unref(object);
}

/// Caps, buffers and messages are mini objects, which have macros of their own.
static inline void cgst_mini_ref(gpointer object) { gst_mini_object_ref(GST_MINI_OBJECT_CAST(object)); }
static inline void cgst_mini_unref(gpointer object) { gst_mini_object_unref(GST_MINI_OBJECT_CAST(object)); }
