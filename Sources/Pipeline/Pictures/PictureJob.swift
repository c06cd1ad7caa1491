import Frames
import PictureEncoding

/// A picture to be: what it shows, how it looks, and where it goes.
package struct PictureJob: Sendable {
    package enum Place: Sendable, Equatable {
        /// The pipeline's store, under this name.
        case store(name: String)
        /// A file of whoever asked, which ends in `.jpg`.
        case file(path: String)
    }

    /// For the store in memory of its own: it may wait.
    package var frame: Frame
    package var form: PictureEncoder.Form
    package var place: Place
    /// The file beside the picture.
    package var metadata: @Sendable (PictureEncoder.Picture) -> [UInt8]

    package init(
        frame: Frame, form: PictureEncoder.Form, place: Place,
        metadata: @escaping @Sendable (PictureEncoder.Picture) -> [UInt8]
    ) {
        self.frame = frame
        self.form = form
        self.place = place
        self.metadata = metadata
    }

    /// Of the raw picture; 4:2:0 has half as much chroma as luma.
    var memory: Int { frame.width * frame.height * (frame.format == .gray8 ? 2 : 3) / 2 }
}
