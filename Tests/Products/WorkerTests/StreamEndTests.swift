// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@Suite struct StreamEndTests {
    /// Video of one second that is read in three. The jitter buffer expects the end long before the last picture.
    @Test func aStreamOfKnownLengthEndsThoughItIsReadTooLate() {
        let scope = TestScope()
        let result = Worker.pipeline(
            """
            [source]
            kind = "launch"
            launch = '''
            videotestsrc num-buffers=30 ! video/x-raw,format=I420,width=64,height=64,framerate=30/1
            ! jpegenc ! rtpjpegpay timestamp-offset=0 seqnum-offset=0
            ! capssetter caps=application/x-rtp,npt-start=(guint64)0,npt-stop=(guint64)1000000000,clock-base=(uint)0
            ! rtpjitterbuffer ! rtpjpegdepay ! identity sleep-time=100000 ! jpegdec
            '''
            """, in: scope)
        #expect(!result.isOverdue && result.lines.last?.contains("the stream ended") == true, "\(result)")
    }
}
