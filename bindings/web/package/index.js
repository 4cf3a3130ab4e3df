// Converts the module's JSON to plain objects, so that nothing has to be freed.
import * as glue from './built/module.js';

let isLoaded = false;

// `node.js` and `browser.js` call it once the module is loaded.
export function loaded() {
  isLoaded = true;
}

function module() {
  if (isLoaded) return glue;
  throw new Error("the module is not loaded: import 'mime-charset', or node.js or browser.js of its folder");
}

const utf8 = new TextEncoder();

// Check types here: given another type, the module would use wrong octets or read beyond its
// memory.
function octetsOf(value, name) {
  const octets = ifOctets(value);
  if (!octets) throw unexpected(`an ArrayBuffer or a view of one as ${name}`, value);
  return octets;
}

function octetsOrText(value, name) {
  const octets = typeof value === 'string' ? utf8.encode(value) : ifOctets(value);
  if (!octets) throw unexpected(`an ArrayBuffer, a view of one or a string as ${name}`, value);
  return octets;
}

function ifOctets(value) {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  // `instanceof` fails for a buffer that another window or a worker created.
  const isBuffer = /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
  return isBuffer ? new Uint8Array(value) : undefined;
}

function textOf(value, name) {
  if (typeof value !== 'string') throw unexpected(`a string as ${name}`, value);
  return value;
}

function unexpected(expected, found) {
  return new TypeError(`expected ${expected}, found ${found === null ? 'null' : typeof found}`);
}

export function parse(message, { text = true } = {}) {
  return JSON.parse(module().parse(octetsOrText(message, 'message'), Boolean(text)));
}

export function octets(message, part) {
  return module().octets(octetsOrText(message, 'message'), textOf(part, 'part'));
}

export function decode(octets, { label, mediaType } = {}) {
  const given = [[label, 'label'], [mediaType, 'mediaType']];
  const known = given.map(([value, name]) => (value === undefined || value === null ? undefined : textOf(value, name)));
  return JSON.parse(module().decode(octetsOf(octets, 'octets'), ...known));
}

export function detect(octets) {
  return JSON.parse(module().detect(octetsOf(octets, 'octets')));
}

export function contentType(body) {
  return JSON.parse(module().contentType(octetsOrText(body, 'body')));
}

export function labels(label) {
  if (label === undefined) return JSON.parse(module().labels(undefined));
  return JSON.parse(module().labels(textOf(label, 'label')))[0];
}

export function convert(message, options = {}) {
  if (typeof options !== 'object' || options === null) throw unexpected('an object as options', options);
  const octets = octetsOrText(message, 'message');
  const { convert } = module();
  let converted;
  try {
    converted = convert(octets, JSON.stringify(options));
  } catch (sentence) {
    throw new Error(sentence);
  }
  return { octets: converted.octets, ...JSON.parse(converted.json) };
}
