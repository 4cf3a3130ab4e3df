// Reads cases and writes answers, for the adapters in JavaScript.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Thrown for a case that the library has no call for. */
export class NotOffered extends Error {}

/** Answers each case with `asks[question](octets of the input, case)`. */
export async function serve(name, version, asks) {
  const write = (reply) => process.stdout.write(`${JSON.stringify(reply)}\n`);
  write({ name, version, asks: Object.keys(asks) });
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, base64, ...about } = JSON.parse(line);
    try {
      write({ id, answer: await asks[about.ask](Buffer.from(base64, 'base64'), about) });
    } catch (error) {
      write({ id, [error instanceof NotOffered ? 'not offered' : 'error']: String(error.message ?? error) });
    }
  }
}

export function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
}

export const encoded = (octets) => Buffer.from(octets).toString('base64');

export const trimmed = (text) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');

/** Mailboxes of the addresses of mailparser and postal-mime, which have the same form. */
export function mailboxes(addresses) {
  const written = ({ name, address }) => ({ name: name || null, address });
  return addresses.flatMap((entry) => (entry.group ? entry.group.map(written) : [written(entry)]));
}

/** The same with groups; adjacent mailboxes outside groups are together.
export function groups(addresses) {
  const answer = [];
  for (const entry of addresses) {
    const group = entry.group ? entry.name : null;
    if (group === null && answer.at(-1)?.group === null) answer.at(-1).addresses.push(...mailboxes([entry]));
    else answer.push({ group, addresses: mailboxes([entry]) });
  }
  return answer;
}

/**
 * The text of the only part. Both libraries give the text of the whole message, and that of
 * a part that they take for an attachment as octets.
 */
export function onlyText({ text, html, attachments }, contentType, part) {
  if (part !== '1' || /^\s*multipart\//i.test(contentType)) throw new NotOffered('the text of one part of several');
  if (attachments.length > 0) throw new NotOffered('the text of an attachment');
  return html || text || '';
}
