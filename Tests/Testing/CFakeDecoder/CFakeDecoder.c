// SPDX-License-Identifier: Apache-2.0
#include "CFakeDecoder.h"

#include <gst/gst.h>
#include <string.h>

typedef struct {
    GstElement element;
    GstPad *source;
    GstCaps *input;
    // Waits for the caps, which come before it.
    GstEvent *segment;
    gsize size;
} FakeDecoder;
typedef GstElementClass FakeDecoderClass;

G_DEFINE_TYPE(FakeDecoder, fake_decoder, GST_TYPE_ELEMENT)

enum { MOST_PICTURES = 256 };

static enum fake_decoder_fault fault;
static gconstpointer pictures[MOST_PICTURES];
static int count;

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS("video/x-h264, stream-format=(string){ avc, byte-stream }, alignment=(string)au"));

static GstStaticPadTemplate source_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS("video/x-raw(memory:VAMemory), format=(string)NV12; video/x-raw, format=(string)NV12"));

// Chooses the first of its formats that the next element takes, at the first frame as decoders do.
static gboolean negotiate(FakeDecoder *self) {
    const GstStructure *format = gst_caps_get_structure(self->input, 0);
    int width = 0, height = 0, rate = 0, scale = 1;
    gst_structure_get_int(format, "width", &width);
    gst_structure_get_int(format, "height", &height);
    gst_structure_get_fraction(format, "framerate", &rate, &scale);
    GstCaps *offered = gst_caps_make_writable(gst_pad_get_pad_template_caps(self->source));
    gst_caps_set_simple(
        offered, "width", G_TYPE_INT, width, "height", G_TYPE_INT, height, "framerate", GST_TYPE_FRACTION, rate, scale,
        NULL);
    GstCaps *taken = gst_caps_fixate(gst_pad_peer_query_caps(self->source, offered));
    gst_caps_unref(offered);
    // Only plain memory has such pictures here.
    const gboolean is_plain = !gst_caps_is_empty(taken)
        && gst_caps_features_is_equal(gst_caps_get_features(taken, 0), GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY);
    self->size = (gsize)width * height * 3 / 2;
    gboolean is_accepted = is_plain && gst_pad_push_event(self->source, gst_event_new_caps(taken));
    gst_caps_unref(taken);
    if (self->segment) is_accepted = gst_pad_push_event(self->source, self->segment) && is_accepted;
    self->segment = NULL;
    return is_accepted;
}

static gboolean take_event(GstPad *pad, GstObject *parent, GstEvent *event) {
    FakeDecoder *self = (FakeDecoder *)parent;
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT && self->size == 0) {
        gst_event_take(&self->segment, event);
        return TRUE;
    }
    if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return gst_pad_event_default(pad, parent, event);
    GstCaps *input = NULL;
    gst_event_parse_caps(event, &input);
    gst_caps_replace(&self->input, input);
    self->size = 0;
    gst_event_unref(event);
    return TRUE;
}

static GstFlowReturn take_frame(GstPad *pad, GstObject *parent, GstBuffer *frame) {
    (void)pad;
    FakeDecoder *self = (FakeDecoder *)parent;
    if (fault == FAKE_DECODER_REFUSES_FRAMES) {
        gst_buffer_unref(frame);
        GST_ELEMENT_ERROR(self, STREAM, DECODE, ("the driver refuses the profile"), (NULL));
        return GST_FLOW_ERROR;
    }
    if (self->size == 0 && !negotiate(self)) {
        gst_buffer_unref(frame);
        return GST_FLOW_NOT_NEGOTIATED;
    }
    GstBuffer *picture = gst_buffer_new_allocate(NULL, self->size, NULL);
    GstMapInfo map;
    gst_buffer_map(picture, &map, GST_MAP_WRITE);
    memset(map.data, 128, map.size);
    if (count < MOST_PICTURES) pictures[count++] = map.data;
    gst_buffer_unmap(picture, &map);
    gst_buffer_copy_into(picture, frame, GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
    gst_buffer_unref(frame);
    return gst_pad_push(self->source, picture);
}

static GstStateChangeReturn change_state(GstElement *element, GstStateChange change) {
    if (change == GST_STATE_CHANGE_NULL_TO_READY && fault == FAKE_DECODER_HAS_NO_DEVICE)
        return GST_STATE_CHANGE_FAILURE;
    return GST_ELEMENT_CLASS(fake_decoder_parent_class)->change_state(element, change);
}

static void finalize(GObject *object) {
    FakeDecoder *self = (FakeDecoder *)object;
    gst_caps_replace(&self->input, NULL);
    gst_event_replace(&self->segment, NULL);
    G_OBJECT_CLASS(fake_decoder_parent_class)->finalize(object);
}

static void fake_decoder_class_init(FakeDecoderClass *class) {
    gst_element_class_set_static_metadata(
        class, "Fake decoder", "Codec/Decoder/Video/Hardware", "Makes grey pictures", "Glimpse");
    gst_element_class_add_static_pad_template(class, &sink_template);
    gst_element_class_add_static_pad_template(class, &source_template);
    class->change_state = change_state;
    G_OBJECT_CLASS(class)->finalize = finalize;
}

static void fake_decoder_init(FakeDecoder *self) {
    GstPad *sink = gst_pad_new_from_static_template(&sink_template, "sink");
    gst_pad_set_event_function(sink, take_event);
    gst_pad_set_chain_function(sink, take_frame);
    self->source = gst_pad_new_from_static_template(&source_template, "src");
    gst_pad_use_fixed_caps(self->source);
    gst_element_add_pad(&self->element, sink);
    gst_element_add_pad(&self->element, self->source);
}

int fake_decoder_register(const char *name, enum fake_decoder_fault wanted) {
    fault = wanted;
    return gst_element_register(NULL, name, GST_RANK_NONE, fake_decoder_get_type());
}

int fake_decoder_wrote(const void *address) {
    for (int index = 0; index < count; index++)
        if (pictures[index] == address) return 1;
    return 0;
}
