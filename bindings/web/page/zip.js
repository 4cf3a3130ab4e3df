// Reads zip files as used for mail (APPNOTE.TXT, sections 4.3 and 4.4): stored and deflated
// entries, no ZIP64, no encryption.

// Maximum number of octets unpacked from an entry, and maximum number of entries.
const UNPACKED = 2 ** 31;
const ENTRIES = 100_000;

function zipEntries(file) {
  const tail = Math.min(file.size, 65_557);
  const end = new DataView(slice(file, file.size - tail, tail));
  let at = tail - 22;
  while (at >= 0 && end.getUint32(at, true) !== 0x06054b50) at -= 1;
  if (at < 0) throw new Error('expected a zip file, found no directory in it');
  const count = end.getUint16(at + 10, true);
  const directory = new DataView(slice(file, end.getUint32(at + 16, true), end.getUint32(at + 12, true)));
  const entries = [];
  let offset = 0;
  while (entries.length < Math.min(count, ENTRIES) && offset + 46 <= directory.byteLength) {
    if (directory.getUint32(offset, true) !== 0x02014b50) break;
    const number = (place, size) => (size === 2 ? directory.getUint16(offset + place, true) : directory.getUint32(offset + place, true));
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, offset + 46, number(28, 2)));
    const entry = { name, flags: number(8, 2), method: number(10, 2), packed: number(20, 4), at: number(42, 4) };
    if (!name.endsWith('/')) entries.push(entry);
    offset += 46 + number(28, 2) + number(30, 2) + number(32, 2);
  }
  return entries;
}

async function zipOctets(file, { flags, method, packed, at }) {
  if (flags & 1) throw new Error('is encrypted');
  const local = new DataView(slice(file, at, 30));
  if (local.byteLength < 30 || local.getUint32(0, true) !== 0x04034b50) throw new Error('is not where the directory says');
  const start = at + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  const octets = file.slice(start, start + packed);
  if (method === 0) return octets;
  if (method !== 8) throw new Error(`uses compression method ${method}`);
  return inflated(octets, 'deflate-raw');
}

async function inflated(file, format) {
  const reader = file.stream().pipeThrough(new DecompressionStream(format)).getReader();
  const pieces = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces);
    size += value.length;
    if (size > UNPACKED) throw new Error('unpacks to more than 2 GiB');
    pieces.push(new Blob([value]));
  }
}
