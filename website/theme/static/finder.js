// Finds pages by a pasted error or by words, in the browser. `finder-data.js` has the pages.
"use strict";

const LONGEST = 200000; // characters of a pasted text that are read: its end has the exception
const LONGEST_MESSAGE = 4000;
const COLOURS = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\r/g;
const MARGIN = /^(?:E {1,3}(?=\S)|[│|┃] ?)/;
const EXCEPTION =
  /^(?:[\w.<>]+\.)?(?<name>[A-Z]\w*(?:Error|Exception|Mismatch|NotFound|Incompatible|Operation|Exit|Interrupt))(?:: ?(?<said>.*))?$/;
const NEXT = /^(?:Traceback \(|The above exception|During handling|-{10,}|={10,})/;
const FRAME = /^\s*File ".*", line \d+, in (?:.*\.)?([\w<>]+)$/;
const TRACED = /while tracing the function (?:.*\.)?([\w<>]+) at /;
const K = 1.2; // of BM25, with B
const B = 0.6;

/**
 * Return the class, the message and the quoted code of the last exception of a text.
 *
 * A message may quote another exception: one counts as the next only behind a new traceback.
 */
function readError(text) {
  const lines = text.replace(COLOURS, "").split("\n").map((line) => line.replace(MARGIN, ""));
  let at = -1;
  let found = null;
  let isNew = true;
  lines.forEach((line, index) => {
    if (NEXT.test(line)) isNew = true;
    const match = isNew && EXCEPTION.exec(line.trim().slice(0, LONGEST_MESSAGE));
    if (match) [at, found, isNew] = [index, match, false];
  });
  const frames = lines.map((line) => FRAME.exec(line.slice(0, LONGEST_MESSAGE))).filter(Boolean).map((it) => it[1]);
  const code = lines.filter((line) => /^\s{4,}\S/.test(line) && !/^\s*[\^~]+\s*$/.test(line));
  if (!found) return { name: "", message: lines.join("\n").slice(-LONGEST_MESSAGE), code, leak: false };
  const rest = [];
  for (const line of lines.slice(at + 1)) {
    if (NEXT.test(line)) break;
    rest.push(line);
  }
  const message = [found.groups.said || "", ...rest].join("\n").trim();
  const leak = isLeak(message, frames);
  return { name: found.groups.name, message: message.slice(0, LONGEST_MESSAGE), code, leak };
}

/**
 * Return whether a traced value was used after its trace had ended: a leak.
 *
 * Then the message names the function that was traced, and the traceback is not in it.
 */
function isLeak(message, frames) {
  const traced = TRACED.exec(message);
  return Boolean(traced) && frames.length > 0 && !frames.includes(traced[1]);
}

/** Return whether a pattern of a page, with its flags, occurs in a text. */
function occurs(pattern, text) {
  if (!pattern.compiled) pattern.compiled = new RegExp(pattern[0], pattern[1]);
  return pattern.compiled.test(text);
}

/** Split a text into words, as the data does. */
function wordsOf(text) {
  const found = [];
  for (const word of text.match(/[A-Za-z_][A-Za-z0-9_]*|\d+/g) || []) {
    if (word.length < 40) found.push(word.toLowerCase());
    const parts = word.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) || [];
    if (parts.length > 1) found.push(...parts.map((part) => part.toLowerCase()));
  }
  return found.filter((word) => word.length > 1);
}

/** Return how well each page has the words of a text (BM25), as a list of numbers. */
function scoreWords(data, text) {
  const scores = new Array(data.pages.length).fill(0);
  data.mean ??= data.lengths.reduce((sum, n) => sum + n, 0) / data.lengths.length;
  for (const word of new Set(wordsOf(text))) {
    const places = Object.hasOwn(data.words, word) ? data.words[word] : [];
    const having = places.length / 2;
    const rarity = Math.log(1 + (scores.length - having + 0.5) / (having + 0.5));
    for (let n = 0; n < places.length; n += 2) {
      const [page, times] = [places[n], places[n + 1]];
      const length = 1 - B + (B * data.lengths[page]) / data.mean;
      scores[page] += (rarity * times * (K + 1)) / (times + K * length);
    }
  }
  return scores;
}

/** Return how well a cause fits an exception: below 0 if its class or message excludes it. */
function fit(page, error, names) {
  const text = `${error.name}: ${error.message}`;
  if (page.alone && occurs(page.alone, error.message)) return 40;
  if (!error.name) return page.message && occurs(page.message, error.message) ? 12 : 0;
  const depth = Math.min(...page.classes.map((name) => names.indexOf(name)).filter((n) => n >= 0));
  if (!Number.isFinite(depth)) return -1;
  if (page.message && !occurs(page.message, error.message) && !occurs(page.message, text)) return -1;
  const first = error.code.length ? error.code[error.code.length - 1].trim().split(/\W/)[0] : "";
  const alike = page.starts && page.starts === first ? 3 : 0;
  const leaks = page.leaks && error.leak ? 40 : 0;
  return (page.message ? 16 : 8) - 3 * Math.min(depth, 2) + alike + leaks;
}

/** Return the pages for a text, best first: an exception with its traceback, or words. */
function find(data, text, most = 10) {
  const given = text.length > LONGEST ? text.slice(-LONGEST) : text;
  const error = readError(given);
  const names = error.name ? [error.name, ...(data.bases[error.name] || [])] : [];
  const said = scoreWords(data, error.name ? error.message : given.slice(-LONGEST_MESSAGE));
  const quoted = scoreWords(data, error.code.slice(-30).join("\n").slice(-LONGEST_MESSAGE));
  const hits = data.pages.map((page, number) => {
    let score = said[number] + 0.5 * quoted[number];
    if (page.kind === "cause") {
      const fits = fit(page, error, names);
      if (fits < 0) score = -1;
      else score += fits + Math.log1p(page.weight);
      if (!error.name && said[number] === 0 && fits <= 0) score = 0;
    } else if (error.name) {
      score = page.kind === "class" && page.name === error.name ? 0.001 : 0;
    }
    return { page, score };
  });
  const found = hits.filter((hit) => hit.score > 0).sort((a, b) => b.score - a.score);
  return { error, hits: found.slice(0, most), others: Math.max(0, found.length - most) };
}

const KINDS = { cause: "cause", class: "error class", lesson: "lesson", term: "term" };

/** Show what was found. Texts are set as text, so nothing that was pasted becomes markup. */
function show(place, root, result, given) {
  const element = (name, text, owner) => {
    const made = document.createElement(name);
    made.textContent = text;
    owner.append(made);
    return made;
  };
  place.replaceChildren();
  if (!given.trim()) return;
  const { error, hits, others } = result;
  const heard = error.name ? `The exception is ${error.name}.` : "";
  const count = hits.length + others;
  const says = count ? `${count} pages fit, the likeliest first.` : "No page fits. Fewer words may help.";
  element("p", `${heard} ${says}`.trim(), place);
  const list = element("ol", "", place);
  for (const { page } of hits) {
    const item = element("li", "", list);
    element("a", page.title, item).href = root + page.path;
    element("span", ` ${KINDS[page.kind]} ${page.kind === "cause" ? page.name : ""}`, item);
    if (page.says) element("p", page.says, item);
  }
}

/** Search when the person types, and for the words of the address. */
function start() {
  const field = document.getElementById("finder-text");
  const place = document.getElementById("finder-results");
  if (!field || !place || !window.finderData) return;
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI).href;
  const look = () => show(place, root, find(window.finderData, field.value), field.value);
  let waiting = 0;
  const wait = () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 150);
  };
  field.addEventListener("input", wait);
  // A field of a million lines stops the browser: of a long text only the part that is read goes in.
  field.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    if (text.length <= LONGEST) return;
    event.preventDefault();
    field.value = text.slice(-LONGEST);
    wait();
  });
  const words = new URLSearchParams(location.search).get("q");
  if (words) field.value = words;
  look();
}

if (typeof module !== "undefined") module.exports = { find, readError, occurs, wordsOf };
else document.addEventListener("DOMContentLoaded", start);
