// SPDX-License-Identifier: Apache-2.0
/// A place on the earth, WGS 84.
public struct GeoPoint: Sendable, Equatable {
    /// Degrees, -90...90.
    public var latitude: Double
    /// Degrees, -180...180.
    public var longitude: Double
    /// Metres above the ellipsoid.
    public var altitude: Double?
    /// Metres around the place, 0 or more.
    public var uncertainty: Double?
    /// The thing to look for there (Android's `?q=`).
    public var query: String?

    /// `geo:lat,lng,altitude;crs=wgs84;u=metres` (RFC 5870), with Android's query.
    init?(_ text: TextBytes) {
        guard let rest = text.after(ignoringCase: "geo:") else { return nil }
        let (place, query) = rest.cut(at: "?")
        var parameters = place.parts(separatedBy: ";")
        let numbers = parameters.removeFirst().parts(separatedBy: ",").map(DecimalNumber.value)
        guard 2...3 ~= numbers.count, let latitude = numbers[0], let longitude = numbers[1],
            -90...90 ~= latitude, -180...180 ~= longitude
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        if numbers.count == 3 {
            guard let altitude = numbers[2] else { return nil }
            self.altitude = altitude
        }
        for parameter in parameters {
            let (name, value) = parameter.cut(at: "=")
            if name.equals(ignoringCase: "crs"), value?.equals(ignoringCase: "wgs84") != true { return nil }
            if name.equals(ignoringCase: "u") {
                guard let metres = value.flatMap(DecimalNumber.value), metres >= 0 else { return nil }
                uncertainty = metres
            }
        }
        self.query = query.flatMap { PercentEncoding.query($0)["q"] }?.orNil
    }

    static let fieldNames = ["lat", "lng", "altitude", "uncertainty", "query"]

    var fields: ValueFields {
        var fields = ValueFields()
        fields.add("lat", latitude, shown: true)
        fields.add("lng", longitude, shown: true)
        fields.add("altitude", altitude)
        fields.add("uncertainty", uncertainty)
        fields.add("query", query, shown: true)
        return fields
    }
}
