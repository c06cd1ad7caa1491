// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BarcodeValues

@Suite struct MessageTests {
    static let vectors: [Vector] = [
        // Email
        Vector("RFC 6068, 6.1", "mailto:chris@example.com", .email, #"{"address":"chris@example.com"}"#),
        Vector(
            "RFC 6068, 6.1", "mailto:infobot@example.com?subject=current-issue", .email,
            #"{"address":"infobot@example.com","subject":"current-issue"}"#),
        Vector(
            "RFC 6068, 6.1", "mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index", .email,
            #"{"address":"infobot@example.com","body":"send current-issue\r\nsend index"}"#),
        Vector(
            "RFC 6068, 6.1", "mailto:joe@example.com?cc=bob@example.com&body=hello", .email,
            #"{"address":"joe@example.com","body":"hello","cc":["bob@example.com"]}"#),
        Vector(
            "RFC 6068, 2", "mailto:addr1@an.example,addr2@an.example", .email,
            #"{"address":"addr1@an.example","more_addresses":["addr2@an.example"]}"#),
        Vector(
            "RFC 6068, 2", "mailto:?to=addr1@an.example,addr2@an.example", .email,
            #"{"address":"addr1@an.example","more_addresses":["addr2@an.example"]}"#),
        Vector(
            "RFC 6068, 6.3", "mailto:user@example.org?subject=caf%C3%A9", .email,
            #"{"address":"user@example.org","subject":"café"}"#),
        Vector(
            "RFC 6068, 6.1: a percent sign in the address", "mailto:gorby%25kremvax@example.com", .email,
            #"{"address":"gorby%kremvax@example.com"}"#),
        Vector(
            "RFC 6068, 6.1: a question mark in the address", "mailto:unlikely%3Faddress@example.com?blat=foop", .email,
            #"{"address":"unlikely?address@example.com"}"#),
        Vector(
            "NTT docomo, MATMSG", #"MATMSG:TO:someone@example.com;SUB:Stuff\;;BODY:This is\: text;;"#, .email,
            #"{"address":"someone@example.com","subject":"Stuff;","body":"This is: text"}"#),
        Vector(
            "ZXing's wiki, Barcode Contents: SMTP", "SMTP:someone@example.com:Subject:Body: more", .email,
            #"{"address":"someone@example.com","subject":"Subject","body":"Body: more"}"#),
        Vector(
            "RFC 5322, 3.4.1", "first.last+tag@sub.example.org", .email,
            #"{"address":"first.last+tag@sub.example.org"}"#),
        Vector("RFC 5322, 3.4.1", "first..last@example.org", .text),
        Vector("RFC 6068, 2: nobody to write to", "mailto:?subject=x", .text),
        Vector("NTT docomo: TO is mandatory", "MATMSG:SUB:x;BODY:y;;", .text),
        // Phone
        Vector("RFC 3966, 6", "tel:+1-201-555-0123", .phone, #"{"number":"+1-201-555-0123"}"#),
        Vector("RFC 3966, 6", "tel:7042;phone-context=example.com", .phone, #"{"number":"7042"}"#),
        Vector(
            "RFC 3966, 3 (ext)", "TEL:+358-555-1234567;ext=1234", .phone,
            #"{"number":"+358-555-1234567","extension":"1234"}"#),
        Vector("RFC 3966, 3: no digits", "tel:call me", .text),
        // SMS
        Vector("RFC 5724, 2.5", "sms:+15105550101", .sms, #"{"phone_number":"+15105550101"}"#),
        Vector(
            "RFC 5724, 2.5", "sms:+15105550101,+15105550102?body=hello%20there", .sms,
            #"{"phone_number":"+15105550101","message":"hello there","more_phone_numbers":["+15105550102"]}"#),
        Vector(
            "ZXing's wiki, Barcode Contents: SMS", "SMSTO:+18005551212:This is the text: all of it", .sms,
            #"{"phone_number":"+18005551212","message":"This is the text: all of it"}"#),
        Vector(
            "ZXing's wiki, Barcode Contents: MMS", "mms:+12125551212?subject=Hi&body=there", .sms,
            #"{"phone_number":"+12125551212","message":"there","subject":"Hi"}"#),
        Vector("RFC 5724, 2.2: nobody to write to", "sms:?body=x", .text),
    ]

    @Test(arguments: vectors) func messageVectors(_ vector: Vector) { vector.check() }
}
