// Plain objects from the JSON that the module writes: nothing has to be freed.
import * as module from './built/module.js';

const utf8 = new TextEncoder();
const octetsOf = (value) => (typeof value === 'string' ? utf8.encode(value) : value);

export function parse(message, { text = true } = {}) {
  return JSON.parse(module.parse(octetsOf(message), text));
}

export function octets(message, part) {
  return module.octets(octetsOf(message), part);
}

export function decode(octets, { label, mediaType } = {}) {
  return JSON.parse(module.decode(octets, label, mediaType));
}

export function detect(octets) {
  return JSON.parse(module.detect(octets));
}

export function contentType(body) {
  return JSON.parse(module.contentType(octetsOf(body)));
}

export function labels(label) {
  const found = JSON.parse(module.labels(label));
  return label === undefined ? found : found[0];
}

export function convert(message, options = {}) {
  let converted;
  try {
    converted = module.convert(octetsOf(message), JSON.stringify(options));
  } catch (sentence) {
    throw new Error(sentence);
  }
  return { octets: converted.octets, ...JSON.parse(converted.json) };
}
