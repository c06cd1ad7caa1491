// SPDX-License-Identifier: Apache-2.0
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

/** A table whose rows change. It stays in its place, so that it keeps the focus and its scroll position. */
export class Table {
  /**
   * `numbers` names the columns of numbers by index. `empty` is the text without rows. With `stacks` the cells of a row
   * stand below one another on a phone.
   */
  constructor(name, heads, { numbers = [], empty = "", stacks = false } = {}) {
    this.heads = heads;
    this.kinds = heads.map((_, index) => (numbers.includes(index) ? "number" : "text"));
    this.body = element("tbody", {});
    this.empty = element("p", { class: "soft" }, empty);
    this.grid = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name, hidden: true },
      element("table", { class: stacks ? "stacks" : "" },
        element("thead", {}, element("tr", {},
          ...heads.map((head, index) => element("th", { scope: "col", class: this.kinds[index] }, head)))), this.body));
    this.view = element("div", {}, this.empty, this.grid);
  }

  /** `rows`: lists of texts or elements. `empty`: another text without rows. */
  show(rows, empty = this.empty.textContent) {
    this.empty.hidden = rows.length > 0;
    this.empty.textContent = empty;
    this.grid.hidden = rows.length === 0;
    this.body.replaceChildren(...rows.map((row) =>
      element("tr", {}, ...row.map((content, index) => element("td", { class: this.kinds[index], "data-head": this.heads[index] }, content)))));
  }
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
