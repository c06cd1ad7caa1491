// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTPClient
import ModelCatalog

/// One file from one address, over as many connections as it takes.
struct Download {
    let file: ModelFile
    let url: String
    let tries: Int
    let pause: Duration
    let idleLimit: Duration

    /// No model that runs on a processor is larger.
    private static let largest = 4 << 30

    /// Fills `part` to the end, going on from what it has.
    func run(into part: PartFile, _ progress: (ModelInstaller.Progress) -> Void) throws(ModelStoreError) {
        var failures = 0
        var wait = pause
        while true {
            if let bytes = file.bytes {
                if part.size == bytes { return }
                if part.size > bytes { try part.restart() }
            }
            let before = part.size
            do {
                try exchange(part, progress)
                return
            } catch let error as ModelStoreError {
                throw error
            } catch let failure as Transient {
                // A server that gives all from the beginning each time brings nothing when it is cut at the same place
                // each time.
                failures = part.size > before ? 1 : failures + 1
                guard failures < tries else { throw .notReceived(url: url, reason: failure.reason) }
            } catch {
                throw .notReceived(url: url, reason: "\(error)")
            }
            if failures == 1 { wait = pause }
            sleep(wait)
            wait *= 2
        }
    }

    /// Worth another try.
    private struct Transient: Error {
        var reason: String
    }

    private func exchange(_ part: PartFile, _ progress: (ModelInstaller.Progress) -> Void) throws {
        var request = HTTPRequest(url: url, bodyLimit: Self.largest)
        request.offset = part.size
        request.maximumRedirects = 5
        request.idleTimeout = idleLimit
        var isFirst = true
        let response: HTTPResponse
        do {
            response = try HTTPClient.perform(request) { response, bytes in
                guard response.status == 200 || response.status == 206 else { return }
                if isFirst, response.start != part.size {
                    guard response.start == 0 else {
                        throw ModelStoreError.notReceived(
                            url: url, reason: "the server sent another part than was asked for")
                    }
                    try part.restart()
                }
                isFirst = false
                if let expected = file.bytes, part.size + bytes.count > expected {
                    throw ModelStoreError.wrongSize(
                        origin: url, expected: expected, actual: response.wholeSize ?? part.size + bytes.count)
                }
                try part.append(bytes)
                progress(.init(file: file.name, bytes: part.size, total: file.bytes ?? response.wholeSize))
            }
        } catch let error as HTTPError where error.kind == .connection || error.kind == .timeout {
            throw Transient(reason: error.description)
        }
        try judge(response, part)
    }

    private func judge(_ response: HTTPResponse, _ part: PartFile) throws {
        switch response.status {
        case 200, 206:
            if let expected = file.bytes, part.size < expected {
                throw ModelStoreError.wrongSize(origin: url, expected: expected, actual: part.size)
            }
        case 416:
            // All of it is here, or more than there is.
            if response.rangeTotal != part.size || file.bytes != nil {
                try part.restart()
                throw Transient(reason: "the server has no such part")
            }
        case 408, 429, 500...599: throw Transient(reason: "the server says \(response.status)")
        default: throw ModelStoreError.notReceived(url: url, reason: "the server says \(response.status)")
        }
    }

    private func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        _ = nanosleep(&time, nil)
    }
}

extension HTTPResponse {
    fileprivate var wholeSize: Int? { status == 206 ? rangeTotal : contentLength }
}
