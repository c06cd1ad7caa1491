// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GStreamerSource
import Inference
import Installation
import ModelCatalog
import SHA2
import Settings

/// Computes vectors of pictures in files. Only one thread at a time may use it.
package final class PictureEmbedder {
    package let entry: ModelEntry
    /// The SHA-256 of the network's file.
    package let sha256: String
    private let model: EmbeddingModel

    /// - Parameter name: a catalogue name, or `auto`.
    package init(
        model name: String, models: ModelLibrary, device: String = "CPU", threads: Int = 1
    ) throws(PictureIndexError) {
        do {
            entry = try models.model(name, kind: .embedding)
            let path = try models.installedPath(of: entry)
            sha256 = SHA256.hexDigest(try SmallFile.read(path, limit: 1 << 30))
            var options = InferenceOptions(
                path: path, input: entry.input, device: device, threads: threads, cacheFolder: models.cacheFolder)
            if case .embedding(let layer) = entry.decoder { options.output = layer }
            model = try EmbeddingModel(options)
        } catch {
            throw PictureIndexError("\(error)")
        }
    }

    package var dimensions: Int { model.dimensions }

    /// The vector of a frame, with length 1.
    package func embed(_ frame: Frame) throws(PictureIndexError) -> [Float] {
        do throws(DetectorError) { return try model.embed(FrameView(frame)) } catch {
            throw PictureIndexError(error.description)
        }
    }

    /// The vector of a file's first picture, with length 1.
    package func embed(file: String, rotation: RotationSetting = .auto) throws(PictureIndexError) -> [Float] {
        var settings = SourceSettings(kind: .test())
        settings.rotation = rotation
        let frame: Frame
        do throws(SourceError) { frame = try GStreamerSource.picture(of: file, settings) } catch {
            throw PictureIndexError(error.description)
        }
        return try embed(frame)
    }
}
