// SPDX-License-Identifier: Apache-2.0
#ifndef CFAKEDECODER_H
#define CFAKEDECODER_H

// A stand-in for a hardware decoder of H.264. It has the pads and the class of such an element, and negotiates as one.
// It prefers memory of its device, and writes NV12 into plain memory where the next element asks for that. Each picture
// is grey.

enum fake_decoder_fault {
    FAKE_DECODER_WORKS,
    // It does not leave the state NULL, as a decoder whose device does not open.
    FAKE_DECODER_HAS_NO_DEVICE,
    // It fails at the first frame, as a decoder whose driver refuses the profile.
    FAKE_DECODER_REFUSES_FRAMES,
};

// Registers the element in this process under the name of a real one. Call it once, after GStreamer's start. Returns
// false on failure.
int fake_decoder_register(const char *name, enum fake_decoder_fault fault);

// Whether a picture of the element began at this address.
int fake_decoder_wrote(const void *address);

#endif
