// SPDX-License-Identifier: Apache-2.0
import Frames
import PictureEncoding
import PictureRelease

/// A picture to be made: its content, its form and its destination.
package struct PictureJob: Sendable {
    package enum Place: Sendable, Equatable {
        /// A file of this name in the pipeline's store.
        case store(name: String)
        /// A file of the requester, whose name ends in `.jpg`.
        case file(path: String)
    }

    package var picture: ReleasedPicture
    package var form: PictureEncoder.Form
    package var place: Place
    /// Makes the contents of the file beside the picture.
    package var metadata: @Sendable (PictureEncoder.Picture) -> [UInt8]

    package init(
        picture: ReleasedPicture, form: PictureEncoder.Form, place: Place,
        metadata: @escaping @Sendable (PictureEncoder.Picture) -> [UInt8]
    ) {
        self.picture = picture
        self.form = form
        self.place = place
        self.metadata = metadata
    }

    /// The size of the raw picture in bytes; 4:2:0 has half as much chroma as luma.
    var memory: Int {
        let frame = picture.frame
        return frame.width * frame.height * (frame.format == .gray8 ? 2 : 3) / 2
    }
}
