// SPDX-License-Identifier: Apache-2.0
// Nobody sees a hidden tab. It gives its connections back: a browser has six for each server, for all tabs together.

/** How long a tab is hidden before it counts, in milliseconds. */
const grace = 5000;

/** Calls `begin` while the tab is seen, and the function that `begin` returned once it is not. Returns the end. */
export function whileVisible(begin) {
  let end = null;
  let timer = null;
  const look = () => {
    clearTimeout(timer);
    if (!document.hidden) end ??= begin();
    else {
      timer = setTimeout(() => {
        end?.();
        end = null;
      }, grace);
    }
  };
  document.addEventListener("visibilitychange", look);
  end = begin();
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    clearTimeout(timer);
    end?.();
    end = null;
  };
}
