// SPDX-License-Identifier: Apache-2.0
// Errors of C++ libraries behind a C ABI: a status, and a message in the caller's buffer.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glimpse {

/// A message for people and the status that goes with it.
template <class Status>
struct Failure : std::runtime_error {
    Failure(Status status, const std::string &message) : std::runtime_error(message), status(status) {}
    Status status;
};

/// Writes `message`, cut to the capacity and zero-terminated.
void report(std::string_view message, char *error, size_t capacity);

/// Reports an error, and returns `status`.
template <class Status>
Status report(Status status, std::string_view message, char *error, size_t capacity) {
    report(message, error, capacity);
    return status;
}

/// Runs `body`; every C++ exception becomes a status and a message.
///
/// @param otherwise the status of exceptions that have none
/// @param library what fails when an exception says nothing
/// @param describe gives the message of an exception that has no status
template <class Status, class Body, class Describe>
Status guarded(
    Status otherwise, const char *library, char *error, size_t capacity, const Body &body, const Describe &describe) {
    try {
        body();
        return Status(0);
    } catch (const Failure<Status> &failure) {
        return report(failure.status, failure.what(), error, capacity);
    } catch (const std::exception &exception) {
        return report(otherwise, describe(exception), error, capacity);
    } catch (...) {
        return report(otherwise, "unknown failure in " + std::string(library), error, capacity);
    }
}

} // namespace glimpse
