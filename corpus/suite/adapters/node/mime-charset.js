// Asks the npm package of this repository.
import { readFileSync } from 'node:fs';
import { octets as octetsOf, parse } from '../../../../bindings/web/package/node.js';
import { NotOffered, encoded, serve, trimmed } from './serve.js';

const packed = new URL('../../../../bindings/web/package/package.json', import.meta.url);

function field(octets, about) {
  const found = parse(octets).fields.find(({ name }) => name?.toLowerCase() === about.field.toLowerCase());
  return found ? trimmed(found.text) : null;
}

function identifiers(octets, about) {
  const key = about.field.toLowerCase().replace(/-/g, '_');
  if (!['message_id', 'in_reply_to', 'references'].includes(key)) throw new NotOffered('identifiers of this field');
  return [parse(octets)[key] ?? []].flat();
}

function zone(octets) {
  const text = parse(octets).date?.text;
  if (text === undefined || text.endsWith('-00:00')) return null;
  const [, sign, hours, minutes] = /(?:Z|([+-])(\d\d):(\d\d))$/.exec(text);
  return sign ? Number(`${sign}${Number(hours) * 60 + Number(minutes)}`) : 0;
}

const part = (octets, about) => parse(octets).parts.find(({ part }) => part === about.part);

await serve('mime-charset npm', JSON.parse(readFileSync(packed)).version, {
  field,
  date: (octets) => parse(octets).date?.unix_seconds ?? null,
  zone,
  identifiers,
  fields: (octets) => parse(octets).fields.map(({ name }) => name),
  'file name': (octets, about) => part(octets, about).filename,
  octets: (octets, about) => encoded(octetsOf(octets, about.part)),
  text: (octets, about) => part(octets, about).text,
  'flowed text': (octets, about) => part(octets, about).reading_text ?? part(octets, about).text,
  decode: () => { throw new NotOffered('the package weighs labels, and obeys none'); },
});
