// SPDX-License-Identifier: Apache-2.0
import CZXing
import Observations

/// The places that look like codes and are not read, where subscribers ask for them. They are followed by their looks
/// alone and take no time of the decoder: the reader finds the same symbols with them and without.
struct UndecodedPlaces {
    private struct Place {
        let pattern: SymbolPattern
        var corners: Quadrilateral
    }

    /// More are left out.
    static let capacity = 16

    private var places: [Place] = []

    /// Where they are in the last frame, in pixels of the frame.
    var corners: [Quadrilateral] { places.map(\.corners) }

    mutating func reset() { places.removeAll() }

    /// Looks for each place near where it was. A place ends where it is lost, where it no longer looks like a code and
    /// where a symbol is.
    ///
    /// - Parameter symbols: the boxes of symbols that have been read, in pixels of the frame.
    mutating func follow(in view: LumaView, besides symbols: [Box]) {
        for index in places.indices.reversed() {
            let (pattern, corners) = (places[index].pattern, places[index].corners)
            guard let found = pattern.find(near: view.local(corners), in: view.luma),
                found.likeness >= FollowedSymbol.leastLikeness,
                ZXingReader.looksLikeCode(found.quad.box, in: view.luma),
                !Self.isCovered(view.global(found.quad).box, by: symbols),
                found.likeness >= FollowedSymbol.familiarLikeness || pattern.learn(found.quad, in: view.luma)
            else {
                places.remove(at: index)
                continue
            }
            places[index].corners = view.global(found.quad)
        }
    }

    /// A search has tried this place in vain, and it looks like a code.
    mutating func found(_ box: Box, in view: LumaView, besides symbols: [Box]) {
        let corners = Quadrilateral(
            coordinates: [box.x, box.y, box.maxX, box.y, box.maxX, box.maxY, box.x, box.maxY])
        let all = symbols + places.map(\.corners.box)
        guard places.count < Self.capacity, !Self.isCovered(view.global(box), by: all), let pattern = SymbolPattern(),
            pattern.learn(corners, in: view.luma)
        else { return }
        places.append(Place(pattern: pattern, corners: view.global(corners)))
    }

    private static func isCovered(_ box: Box, by others: [Box]) -> Bool {
        others.contains { $0.intersectionArea(box) > 0.4 * min($0.area, box.area) }
    }
}
