// Makes elements. Text goes in by textContent only: values of barcodes are anybody's.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A table with a header row; cells are texts or elements. `numbers` names the columns of numbers by index. */
export function table(caption, heads, rows, numbers = []) {
  const cell = (name, content, index) =>
    element(name, { class: numbers.includes(index) ? "number" : "text", scope: name === "th" ? "col" : null }, content);
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {},
      element("thead", {}, element("tr", {}, ...heads.map((head, index) => cell("th", head, index)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((content, index) => cell("td", content, index)))))));
}

const known = new Set(["face", "barcode", "object", "scene"]);

export function kindClass(kind, prefix = "kind") {
  return `${prefix}-${known.has(kind) ? kind : "other"}`;
}

export function kindLabel(kind) {
  return element("span", { class: `kind ${kindClass(kind)}` }, kind);
}

export function time(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleString();
}

export function clock(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString();
}
