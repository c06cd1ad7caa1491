// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

/// Prints each code when it comes into view, and each loss on the way. `codes [SOCKET]`
@main
struct Codes {
    static func main() async {
        let socket = CommandLine.arguments.dropFirst().first ?? Subscription.defaultSocket
        for await event in Subscription(socket: socket, filter: Filter(kinds: ["barcode"], types: ["detected"])) {
            switch event.content {
            case .track(let track):
                print(event.pipeline ?? "", track.barcode?.format ?? "", track.barcode?.display ?? "(binary)")
            case .gap(let gap): print("some events were lost:", gap.reason)
            case .refused(let reason): print("refused:", reason)
            case .disconnected(let lost): print(lost.reason)
            default: break
            }
        }
    }
}
