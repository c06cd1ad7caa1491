// Problems of names, roles, headings and contrast that rules can find (WCAG 2.2: 1.1.1, 1.3.1, 1.4.3, 2.4.3, 4.1.2).
const problems = [];
const visible = (element) => element.checkVisibility({ visibilityProperty: true });
const name = (element) =>
  element.getAttribute("aria-label") ||
  element.labels?.[0]?.textContent.trim() ||
  element.textContent.trim() ||
  element.getAttribute("alt") ||
  element.getAttribute("title");
const say = (element, text) => problems.push(`${element.tagName.toLowerCase()} "${(name(element) ?? "").slice(0, 30)}": ${text}`);

for (const [selector, count] of [["h1", 1], ["main", 1], ["head > title", 1], ["nav", 1]]) {
  if (document.querySelectorAll(selector).length !== count) problems.push(`${selector}: expected ${count}`);
}
if (!document.documentElement.lang) problems.push("html: no lang");
for (const element of document.querySelectorAll("a, button, input, select, textarea, canvas, svg[role], section[aria-label], [tabindex='0']")) {
  if (visible(element) && !name(element)) say(element, "no name");
}
for (const element of document.querySelectorAll("img")) {
  if (visible(element) && element.getAttribute("alt") === null) say(element, "no alt");
}
for (const element of document.querySelectorAll("canvas")) {
  if (element.getAttribute("role") !== "img") say(element, "a canvas needs the role img");
}
let level = 0;
for (const element of document.querySelectorAll("h1, h2, h3, h4")) {
  const next = Number(element.tagName[1]);
  if (next > level + 1) say(element, `heading of level ${next} after level ${level}`);
  level = next;
}
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
if (new Set(ids).size !== ids.length) problems.push("an id is there twice");
for (const element of document.querySelectorAll("a, button, input, select")) {
  const { width, height } = element.getBoundingClientRect();
  // 24 pixels are enough for a finger (2.5.8).
  if (visible(element) && width && (width < 24 || height < 18)) say(element, `only ${Math.round(width)} x ${Math.round(height)} pixels`);
}

function colour(text) {
  const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
  return { r, g, b, a };
}
function ground(element) {
  for (let each = element; each; each = each.parentElement) {
    const found = colour(getComputedStyle(each).backgroundColor);
    if (found.a === 1) return found;
    if (found.a > 0) return null;
  }
  return { r: 255, g: 255, b: 255 };
}
function luminance({ r, g, b }) {
  const [x, y, z] = [r, g, b].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const seen = new Set();
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || seen.has(element) || !visible(element) || element.closest(".skip, script, noscript, option")) continue;
  seen.add(element);
  const below = ground(element);
  if (!below) continue;
  const style = getComputedStyle(element);
  const above = colour(element.closest("svg") ? style.fill : style.color);
  const [light, dark] = [luminance(above), luminance(below)].sort((a, b) => b - a);
  const ratio = (light + 0.05) / (dark + 0.05);
  if (ratio < 4.5) say(element, `contrast ${ratio.toFixed(2)}`);
}
return problems;
