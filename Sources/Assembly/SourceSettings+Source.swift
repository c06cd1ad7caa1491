#if canImport(Glibc)
    import Glibc
#endif
import Frames
import GStreamerSource
import Settings

extension SourceSettings {
    /// The source that these settings describe, ready to be started.
    package func makeSource(resources: ResourceFolders, epoch: UInt64 = 1) throws(SourceError) -> any FrameSource {
        switch kind {
        case .file(_, loop: true, _), .images: return try PlaylistSource(self, epoch: epoch)
        case .test("scene", _):
            return GStreamerSource(self, scene: try DemoScene.make(picture: resources.demoPicture), epoch: epoch)
        case .rtsp(let camera):
            return GStreamerSource(self, password: try camera.password?.resolve(), epoch: epoch)
        case .file, .v4l2, .test, .launch: return GStreamerSource(self, epoch: epoch)
        }
    }
}

extension PasswordSource {
    /// The password itself: read at the last moment, and never part of an error.
    func resolve() throws(SourceError) -> String {
        switch self {
        case .environment(let name):
            guard let value = ResourceFolders.variable(name) else {
                throw SourceError(.missing, "the environment has no variable \(name), which should hold the camera's password")
            }
            return value
        case .file(let path): return try Self.firstLine(of: path)
        case .credential(let name):
            guard let folder = ResourceFolders.variable("CREDENTIALS_DIRECTORY") else {
                throw SourceError(
                    .missing, "no systemd credentials here: add LoadCredential=\(name):FILE to the unit, or use password_file")
            }
            return try Self.firstLine(of: "\(folder)/\(name)")
        }
    }

    private static func firstLine(of path: String) throws(SourceError) -> String {
        guard let file = fopen(path, "re") else {
            let kind: SourceError.Kind = errno == ENOENT ? .missing : .forbidden
            throw SourceError(kind, "password file \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 1024)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else {
            throw SourceError(.unreadable, "password file \(path): is empty")
        }
        let bytes = buffer.prefix { $0 != 0 && $0 != 10 && $0 != 13 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
