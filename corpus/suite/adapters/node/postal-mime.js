// Asks postal-mime.
import PostalMime, { addressParser, decodeWords } from 'postal-mime';
import { NotOffered, encoded, groups, mailboxes, onlyText, serve, trimmed, versionOf } from './serve.js';

const header = ({ headers }, name) => headers.find(({ key }) => key === name.toLowerCase())?.value;

async function field(octets, { field }) {
  const email = await PostalMime.parse(octets);
  const value = header(email, field);
  if (value === undefined) return null;
  return trimmed(field.toLowerCase() === 'subject' ? (email.subject ?? '') : decodeWords(value));
}

async function addresses(octets, { field }) {
  return addressParser(header(await PostalMime.parse(octets), field) ?? '');
}

async function date(octets) {
  const milliseconds = Date.parse((await PostalMime.parse(octets)).date);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}

async function text(octets, { part }) {
  const email = await PostalMime.parse(octets);
  return onlyText(email, header(email, 'content-type'), part);
}

async function attachment(octets, { part }) {
  const email = await PostalMime.parse(octets);
  const isMultipart = /^\s*multipart\//i.test(header(email, 'content-type'));
  if (part !== '1' || isMultipart || email.attachments.length !== 1) throw new NotOffered('attachments by number');
  return email.attachments[0];
}

await serve('postal-mime', versionOf('postal-mime'), {
  field,
  addresses: async (octets, about) => mailboxes(await addresses(octets, about)),
  groups: async (octets, about) => groups(await addresses(octets, about)),
  date,
  fields: async (octets) => (await PostalMime.parse(octets)).headers.map(({ originalKey }) => originalKey),
  'file name': async (octets, about) => (await attachment(octets, about)).filename,
  octets: async (octets, about) => encoded((await attachment(octets, about)).content),
  text,
  'flowed text': text,
});
