// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BarcodeValues

@Suite struct WiFiTests {
    static let vectors: [Vector] = [
        Vector(
            "ZXing's wiki, Barcode Contents: Wi-Fi", "WIFI:T:WPA;S:mynetwork;P:mypass;;", .wifi,
            #"{"ssid":"mynetwork","password":"mypass","encryption_type":"wpa","security":"WPA"}"#),
        Vector(
            "ZXing's wiki, Barcode Contents: Wi-Fi: escapes", #"WIFI:S:\"foo\;bar\\baz\";P:\:\,x;T:WEP;H:true;;"#,
            .wifi,
            #"{"ssid":"\"foo;bar\\baz\"","password":":,x","encryption_type":"wep","security":"WEP","hidden":true}"#),
        Vector(
            "ZXing's wiki, Barcode Contents: Wi-Fi: quoted because it looks like hexadecimal digits",
            #"WIFI:S:"ABCD";T:nopass;;"#, .wifi, #"{"ssid":"ABCD","encryption_type":"open"}"#),
        Vector(
            "ZXing's wiki, Barcode Contents: Wi-Fi: WPA2-EAP",
            "WIFI:T:WPA2-EAP;S:corp;E:PEAP;PH2:MSCHAPV2;I:alice;A:anon@example.org;P:pw;;", .wifi,
            #"{"ssid":"corp","password":"pw","encryption_type":"wpa","security":"WPA2-EAP","eap":{"method":"PEAP","phase2":"MSCHAPV2","identity":"alice","anonymous_identity":"anon@example.org"}}"#
        ),
        Vector(
            "WPA3 Specification, URI format: transition disable, percent encoding",
            "WIFI:T:WPA;R:1;S:caf%C3%A9%3B;P:a%25b\\c;;", .wifi,
            #"{"ssid":"café;","password":"a%b\\c","encryption_type":"wpa","security":"WPA","transition_disable":"1"}"#),
        Vector(
            "WPA3 Specification, URI format: SAE-PK and password identifier",
            "WIFI:T:WPA;S:n;I:guests;P:a2bc-de3f-ghi4;K:MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADURzxmttZoIRIPWGoQMV00XHWCAQIhXruVWOz0NjlkIA=;;",
            .wifi,
            #"{"ssid":"n","password":"a2bc-de3f-ghi4","encryption_type":"wpa","security":"WPA","public_key":"MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADURzxmttZoIRIPWGoQMV00XHWCAQIhXruVWOz0NjlkIA=","password_id":"guests"}"#
        ),
        Vector(
            "Android, Settings: WifiQrCode: SAE", "WIFI:S:n;T:SAE;P:p;H:false;;", .wifi,
            #"{"ssid":"n","password":"p","encryption_type":"wpa","security":"SAE"}"#),
        Vector("a password without a type", "WIFI:S:n;P:p;;", .wifi, #"{"ssid":"n","password":"p"}"#),
        Vector("IEEE 802.11, SSID element: a network has a name", "WIFI:T:WPA;P:x;;", .text),
        Vector(
            "IEEE 802.11, SSID element: of 32 bytes at most", "WIFI:T:WPA;S:123456789012345678901234567890123;;", .text),
        Vector("no such security", "WIFI:T:XYZ;S:n;P:x;;", .text),
    ]

    @Test(arguments: vectors) func wifiVectors(_ vector: Vector) { vector.check() }

    /// Every text comes back after escaping.
    @Test func wifiEscapesRoundTrip() {
        for name in [#"a;b"#, #"\"#, #"\;"#, #"":,"#, "é;漢\\", #"""#] {
            for password in ["p", #"x\\;:,""#, "T:WPA;S:evil;;"] {
                func escaped(_ text: String) -> String {
                    text.map { "\\;,:\"".contains($0) ? "\\\($0)" : String($0) }.joined()
                }
                let value = BarcodeValueParser.value(of: "WIFI:T:WPA;S:\(escaped(name));P:\(escaped(password));;")
                guard case .wifi(let wifi) = value else {
                    Issue.record("\(name) \(password): \(value)")
                    continue
                }
                #expect(wifi.ssid == name)
                #expect(wifi.password == password)
            }
        }
    }

    static let keys: [Vector] = [
        Vector(
            "Google Authenticator's wiki, Key Uri Format",
            "otpauth://totp/Example:alice@google.com?secret=JBSWY3DPEHPK3PXP&issuer=Example", .otp,
            #"{"type":"totp","issuer":"Example","account":"alice@google.com","secret":"JBSWY3DPEHPK3PXP","algorithm":"SHA1","digits":6,"period":30}"#
        ),
        Vector(
            "Google Authenticator's wiki, Key Uri Format",
            "otpauth://totp/ACME%20Co:john.doe@email.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ&issuer=ACME%20Co&algorithm=SHA256&digits=8&period=60",
            .otp,
            #"{"type":"totp","issuer":"ACME Co","account":"john.doe@email.com","secret":"HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ","algorithm":"SHA256","digits":8,"period":60}"#
        ),
        Vector(
            "Google Authenticator's wiki, Key Uri Format: counter",
            "otpauth://hotp/Big%20Issuer%3A%20bob?secret=jbsw y3dp&counter=0",
            .otp,
            #"{"type":"hotp","issuer":"Big Issuer","account":"bob","secret":"JBSWY3DP","algorithm":"SHA1","digits":6,"counter":0}"#
        ),
        Vector("Key Uri Format: counter is required", "otpauth://hotp/a?secret=JBSWY3DP", .text),
        Vector("Key Uri Format: secret is required", "otpauth://totp/a?issuer=b", .text),
        Vector("RFC 4648, 6: no base32", "otpauth://totp/a?secret=JBSW1", .text),
        Vector("Key Uri Format: type", "otpauth://motp/a?secret=JBSWY3DP", .text),
    ]

    @Test(arguments: keys) func wifiKeysAreRead(_ vector: Vector) { vector.check() }
}
