// SPDX-License-Identifier: Apache-2.0
/// Sprites that enter, move, hide for a moment and leave, over and over.
package struct MovingScene: ScenePainting {
    package var actors: [Actor]
    /// Seconds until everything starts again.
    package var period: Double

    package init(actors: [Actor], period: Double) {
        self.actors = actors
        self.period = period
    }

    /// A sprite with its way through the picture.
    package struct Actor: Sendable {
        package var sprite: Sprite
        /// Seconds after the start of a period.
        package var enters: Double
        package var leaves: Double
        /// Hidden between these, as if something stood before it.
        package var hides: ClosedRange<Double>?
        /// The sprite's centre when it enters and when it leaves, in proportions of the picture; outside 0...1 is out
        /// of sight.
        package var from: (x: Double, y: Double)
        package var to: (x: Double, y: Double)

        package init(
            sprite: Sprite, enters: Double, leaves: Double, hides: ClosedRange<Double>? = nil,
            from: (x: Double, y: Double), to: (x: Double, y: Double)
        ) {
            self.sprite = sprite
            self.enters = enters
            self.leaves = leaves
            self.hides = hides
            self.from = from
            self.to = to
        }

        /// Where the sprite's top left corner is, in even pixels; nil while it is not to be seen.
        func corner(at seconds: Double, in size: SceneSize) -> (x: Int, y: Int)? {
            guard seconds >= enters, seconds < leaves, hides.map({ !$0.contains(seconds) }) ?? true else { return nil }
            let progress = (seconds - enters) / (leaves - enters)
            let x = (from.x + (to.x - from.x) * progress) * Double(size.width) - Double(sprite.width) / 2
            let y = (from.y + (to.y - from.y) * progress) * Double(size.height) - Double(sprite.height) / 2
            return (Int(x.rounded()) & ~1, Int(y.rounded()) & ~1)
        }
    }

    package func paint(seconds: Double, size: SceneSize, into picture: UnsafeMutableBufferPointer<UInt8>) {
        guard picture.count >= size.bytes else { return }
        paintBackground(size, picture)
        let time = seconds.truncatingRemainder(dividingBy: period)
        for actor in actors {
            guard let corner = actor.corner(at: time, in: size) else { continue }
            paint(actor.sprite, at: corner, size, picture)
        }
    }

    /// A soft vertical gradient of one colour, so that nothing in it looks like a feature.
    private func paintBackground(_ size: SceneSize, _ picture: UnsafeMutableBufferPointer<UInt8>) {
        for y in 0..<size.height {
            let value = UInt8(96 + 64 * y / size.height)
            picture[y * size.lumaStride..<(y + 1) * size.lumaStride].update(repeating: value)
        }
        picture[size.lumaBytes..<size.bytes].update(repeating: 128)
    }

    private func paint(
        _ sprite: Sprite, at corner: (x: Int, y: Int), _ size: SceneSize, _ picture: UnsafeMutableBufferPointer<UInt8>
    ) {
        blit(
            sprite.luma, sprite.width, sprite.height, at: corner, to: picture, offset: 0, stride: size.lumaStride,
            width: size.width, height: size.height)
        for (plane, samples) in [sprite.blue, sprite.red].enumerated() {
            blit(
                samples, sprite.width / 2, sprite.height / 2, at: (corner.x / 2, corner.y / 2), to: picture,
                offset: size.lumaBytes + plane * size.chromaBytes, stride: size.chromaStride, width: size.width / 2,
                height: size.height / 2)
        }
    }

    private func blit(
        _ samples: [UInt8], _ columns: Int, _ rows: Int, at corner: (x: Int, y: Int),
        to picture: UnsafeMutableBufferPointer<UInt8>, offset: Int, stride: Int, width: Int, height: Int
    ) {
        let left = max(0, -corner.x)
        let right = min(columns, width - corner.x)
        guard left < right else { return }
        for row in max(0, -corner.y)..<max(max(0, -corner.y), min(rows, height - corner.y)) {
            let target = offset + (corner.y + row) * stride + corner.x
            _ = picture[(target + left)..<(target + right)].update(
                fromContentsOf: samples[(row * columns + left)..<(row * columns + right)])
        }
    }
}
