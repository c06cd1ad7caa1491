// SPDX-License-Identifier: Apache-2.0
/// One model of the catalogue.
package struct ModelEntry: Sendable, Equatable {
    /// 1 to 64 of `a-z A-Z 0-9 . _ -`.
    package var name: String
    package var kind: ModelKind
    /// The model's results, for people.
    package var gives: String
    /// SPDX, or a few words.
    package var licence: String
    /// The publisher's measurement, with the data set.
    package var accuracy: String?
    /// Whether this project has run it; if not, input and decoder are what its publisher says.
    package var verified: Bool
    /// ONNX, TFLite or OpenVINO IR (`.xml`).
    package var network: ModelFile
    /// The `.bin` beside an IR.
    package var weights: ModelFile?
    package var input: ModelInput
    package var decoder: ModelDecoder
    package var labels: ModelLabels

    package init(
        name: String, kind: ModelKind, gives: String = "", licence: String = "", accuracy: String? = nil,
        verified: Bool = true, network: ModelFile, weights: ModelFile? = nil, input: ModelInput,
        decoder: ModelDecoder, labels: ModelLabels = .none
    ) {
        self.name = name
        self.kind = kind
        self.gives = gives
        self.licence = licence
        self.accuracy = accuracy
        self.verified = verified
        self.network = network
        self.weights = weights
        self.input = input
        self.decoder = decoder
        self.labels = labels
    }

    /// Whether every file has an address. One that has none comes from a folder.
    package var isDownloadable: Bool { files.allSatisfy { $0.url != nil } }

    /// All that has to be there for the model to run.
    package var files: [ModelFile] {
        var files = [network]
        if let weights { files.append(weights) }
        if case .file(let file, _) = labels { files.append(file) }
        return files
    }
}

/// The purpose of a model.
package enum ModelKind: String, Sendable, CaseIterable {
    /// Boxes of faces: `[face]`.
    case face
    /// The attributes of an aligned face: smiling, eyes open.
    case faceAttribute = "face_attribute"
    /// Boxes with classes: `[object]`.
    case object
    /// Labels of a whole picture: `[scene]`.
    case classifier
    /// A vector that is near those of pictures alike.
    case embedding
}

/// One file of a model, where it comes from and what it must be.
package struct ModelFile: Sendable, Equatable {
    /// Its name in the folder of models: no slash.
    package var name: String
    /// `http` or `https`, of one commit; nil: only from a folder.
    package var url: String?
    package var bytes: Int?
    /// 64 lower-case hexadecimal digits; nil: nobody has said what the file must be.
    package var sha256: String?

    package init(name: String, url: String? = nil, bytes: Int? = nil, sha256: String? = nil) {
        self.name = name
        self.url = url
        self.bytes = bytes
        self.sha256 = sha256
    }
}

/// The names of a model's classes, by index.
package enum ModelLabels: Sendable, Equatable {
    case none
    case list([String])
    case file(ModelFile, Format)

    package enum Format: String, Sendable, CaseIterable {
        /// A label a line.
        case lines
        /// ImageNet's: `n01440764 tench, Tinca tinca`. The label is the first name.
        case synset
    }
}
