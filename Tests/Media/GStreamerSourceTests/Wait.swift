// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Blocks the thread, as a slow detector does.
func wait(_ duration: Duration) {
    usleep(useconds_t(duration / .microseconds(1)))
}
