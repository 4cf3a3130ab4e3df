// Asks simpleParser of mailparser.
import { parseAddressHeader, simpleParser } from 'mailparser';
import { NotOffered, encoded, groups, mailboxes, onlyText, serve, trimmed, versionOf } from './serve.js';

// Return the text unchanged: no text made from HTML, and no HTML made from text.
const options = { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true, keepCidLinks: true };
const parsed = (octets) => simpleParser(octets, options);

/** The value of the first field of this name: text, or an object for some names. */
const value = async (octets, { field }) => [(await parsed(octets)).headers.get(field.toLowerCase())].flat()[0];

async function field(octets, about) {
  const found = await value(octets, about);
  // Fields of addresses, dates, lists and parameters are parsed instead.
  const isText = found === undefined || typeof found === 'string';
  if (!isText || /^list-/i.test(about.field)) throw new NotOffered('this field as text');
  return found === undefined ? null : trimmed(found);
}

async function addresses(octets, about) {
  const found = await value(octets, about);
  if (found === undefined) return [];
  return typeof found === 'string' ? parseAddressHeader(found).value : found.value;
}

async function identifiers(octets, { field }) {
  const found = (await parsed(octets)).headers.get(field.toLowerCase());
  return found === undefined ? [] : [found].flat().map((text) => text.replace(/^<|>$/g, ''));
}

async function attachment(octets, { part }) {
  const { attachments } = await parsed(octets);
  const found = attachments.find((one) => (one.partId ?? '1') === part);
  if (!found) throw new NotOffered('parts that are not attachments');
  return found;
}

async function text(octets, { part }) {
  const mail = await parsed(octets);
  return onlyText(mail, mail.headers.get('content-type')?.value, part);
}

const seconds = (date) => (date === undefined ? null : date.getTime() / 1000);

await serve('mailparser', versionOf('mailparser'), {
  field,
  addresses: async (octets, about) => mailboxes(await addresses(octets, about)),
  groups: async (octets, about) => groups(await addresses(octets, about)),
  date: async (octets) => seconds((await parsed(octets)).date),
  identifiers,
  // A line that is not a field has no key.
  fields: async (octets) => (await parsed(octets)).headerLines.map(({ key }) => key).filter(Boolean),
  'file name': async (octets, about) => (await attachment(octets, about)).filename ?? null,
  octets: async (octets, about) => encoded((await attachment(octets, about)).content),
  text,
  'flowed text': text,
});
