// SPDX-License-Identifier: Apache-2.0
// Nobody sees a hidden tab. It gives its connections back: a browser has six for each server, for all tabs together.

/** How long a tab is hidden before it counts, in milliseconds. */
const grace = 5000;

/** Calls `begin` while the tab is seen, and the function that `begin` returned once it is not. Returns the end. */
export function whileVisible(begin) {
  let end = null;
  let timer = null;
  const leave = () => {
    clearTimeout(timer);
    end?.();
    end = null;
  };
  const look = () => {
    clearTimeout(timer);
    if (!document.hidden) end ??= begin();
    else timer = setTimeout(leave, grace);
  };
  document.addEventListener("visibilitychange", look);
  // The browser freezes a page that it keeps for its "back" button. No timer runs there, and nothing reads a stream.
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", look);
  end = begin();
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("pagehide", leave);
    window.removeEventListener("pageshow", look);
    leave();
  };
}
