// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BarcodeValues

@Suite struct WebTests {
    static let vectors: [Vector] = [
        Vector(
            "RFC 3986, 1.1.2", "http://www.ietf.org/rfc/rfc2396.txt", .url,
            #"{"url":"http://www.ietf.org/rfc/rfc2396.txt"}"#),
        Vector(
            "RFC 3986, 1.1.2", "ftp://ftp.is.co.za/rfc/rfc1808.txt", .url,
            #"{"url":"ftp://ftp.is.co.za/rfc/rfc1808.txt"}"#),
        Vector(
            "RFC 3986, 3", "HTTPS://user@Example.COM:8042/over/there?name=ferret#nose", .url,
            #"{"url":"HTTPS://user@Example.COM:8042/over/there?name=ferret#nose"}"#),
        Vector("RFC 3986, 3.2.2", "http://[2001:db8::7]/c=GB?a", .url, #"{"url":"http://[2001:db8::7]/c=GB?a"}"#),
        Vector("RFC 3987, 3.1", "http://müller.example/straße", .url, #"{"url":"http://müller.example/straße"}"#),
        Vector(
            "NTT docomo, MEBKM", #"MEBKM:TITLE:a\;b;URL:http\://www.example.com/x;;"#, .url,
            #"{"title":"a;b","url":"http://www.example.com/x"}"#),
        Vector(
            "ZXing's wiki, Barcode Contents: URLTO", "URLTO:Title:https://example.com/a:b", .url,
            #"{"title":"Title","url":"https://example.com/a:b"}"#),
        Vector("ZXing's wiki, Barcode Contents: URL", "URL:http://example.com", .url, #"{"url":"http://example.com"}"#),
        Vector(
            "Mobile Vision, Barcode.UrlBookmark: a host alone", "www.example.com/a?b=c", .url,
            #"{"url":"http://www.example.com/a?b=c","repaired":true}"#),
        Vector(
            "Mobile Vision, Barcode.UrlBookmark: a host alone", "example.com", .url,
            #"{"url":"http://example.com","repaired":true}"#),
        Vector("RFC 9110, 4.2.1: no host", "http://", .text),
        Vector("RFC 3986, 3.2.3: no port", "http://example.com:99999/", .text),
        Vector("RFC 3986, 2: no such characters", "http://example.com/a b", .text),
        Vector("not everything with a dot is a host", "report.final.pdf", .text),
        Vector("not everything with a dot is a host", "1.2.3.4", .text),
        Vector("not everything with a dot is a host", "The end.It was", .text),
        Vector("a word is no scheme", "http", .text),
        Vector("a scheme that is no web address", "javascript:alert(1)", .text),
    ]

    @Test(arguments: vectors) func webVectors(_ vector: Vector) { vector.check() }

    /// Mobile Vision, Barcode.UrlBookmark: "some common errors may be corrected".
    @Test(arguments: [
        "http:/example.com/x", "http:example.com/x", "http//example.com/x", "http;//example.com/x",
        "http:\\\\example.com/x", "http:///example.com/x", "ttp://example.com/x", "htp://example.com/x",
        "hhttp://example.com/x", "htttp://example.com/x", "http://http://example.com/x", "http:http://example.com/x",
    ])
    func damagedWebAddressesAreCorrected(text: String) {
        #expect(
            BarcodeValueParser.value(of: text).fields?.json == #"{"url":"http://example.com/x","repaired":true}"#)
    }

    static let geo: [Vector] = [
        Vector("RFC 5870, 1", "geo:13.4125,103.8667", .geo, #"{"lat":13.4125,"lng":103.8667}"#),
        Vector("RFC 5870, 6.1", "geo:48.2010,16.3695,183", .geo, #"{"lat":48.201,"lng":16.3695,"altitude":183.0}"#),
        Vector(
            "RFC 5870, 6.1", "geo:48.198634,16.371648;crs=wgs84;u=40", .geo,
            #"{"lat":48.198634,"lng":16.371648,"uncertainty":40.0}"#),
        Vector("RFC 5870, 6.4", "geo:90,-22.43;crs=WGS84", .geo, #"{"lat":90.0,"lng":-22.43}"#),
        Vector(
            "RFC 5870, 6.4", "geo:66,30;u=6.500;FOo=this%2dthat", .geo,
            #"{"lat":66.0,"lng":30.0,"uncertainty":6.5}"#),
        Vector(
            "Android, Common intents: maps", "geo:0,0?q=1600+Amphitheatre%20Parkway", .geo,
            #"{"lat":0.0,"lng":0.0,"query":"1600+Amphitheatre Parkway"}"#),
        Vector("RFC 5870, 3.4.2: out of range", "geo:91,0", .text),
        Vector("RFC 5870, 3.4.2: out of range", "geo:0,180.5", .text),
        Vector("RFC 5870, 3.4.1: another system of coordinates", "geo:323482,4306480;crs=EPSG:32618;u=20", .text),
        Vector("RFC 5870, 3.4.3: no uncertainty", "geo:1,2;u=-1", .text),
        Vector("RFC 5870, 3.3: a number", "geo:1e1,2", .text),
    ]

    @Test(arguments: geo) func placeVectors(_ vector: Vector) { vector.check() }
}
