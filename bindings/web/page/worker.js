
// The worker: reads files in pieces and calls the module. One worker lists and converts mailboxes,
// and is terminated when the reader cancels. Another answers for the message that is shown.


let octets = new Uint8Array();

const tasks = {
  async start({ bytes }) {
    await wasm_bindgen({ module_or_path: bytes });
  },

  // Lists the messages of a file in batches: { items }, with the blob that contains them.
  async list({ file, name }, tell) {
    await each(file, name, tell, (blob, called, place) => {
      const format = formatOf(blob, called);
      if (format === 'mbox') {
        listMailbox(blob, called, tell);
        return;
      }
      if (format === 'other') tell({ items: [], sentence: `${called} does not look like mail. It is read as a message.` });
      const [summary] = JSON.parse(wasm_bindgen.pageSummary(new Uint8Array(slice(blob, 0, blob.size))));
      tell({ blob, name: called, items: [summary], mailbox: false, done: place });
    });
  },

  // A name with this extension that is safe to save under.
  async filename({ name, otherwise, extension }) {
    return wasm_bindgen.pageFilename(name, otherwise, extension);
  },

  // Converts a whole mailbox to UTF-8: { mailbox, report }.
  async convert({ file }, tell) {
    const pieces = [];
    const lines = [];
    let told = 0;
    let unproved = 0;
    let changed = 0;
    const read = (offset, length) => new Uint8Array(slice(file, offset, length));
    wasm_bindgen.pageConvert(read, (piece) => pieces.push(new Blob([piece])), (line, end) => {
      lines.push(line);
      if (!line.includes('"changes":[]')) changed += 1;
      if (line.includes('"proved":false')) unproved += 1;
      if (lines.length >= 4096) pieces.report = [...(pieces.report ?? []), new Blob([lines.splice(0).join('\n') + '\n'])];
      if (end - told > 4 << 20) {
        told = end;
        tell({ done: end / file.size });
      }
    });
    const report = new Blob([...(pieces.report ?? []), lines.length ? lines.join('\n') + '\n' : '']);
    return { mailbox: new Blob(pieces), report, changed, unproved };
  },

  // Opens a message and returns its outline.
  async open({ blob, offset, length, dialect }) {
    octets = new Uint8Array(slice(blob, offset, length));
    if (dialect) octets = wasm_bindgen.pageUnquoted(octets, dialect);
    return JSON.parse(wasm_bindgen.pageOutline(octets));
  },
  async fields({ section }) {
    return JSON.parse(wasm_bindgen.pageFields(octets, section));
  },
  async field({ section, number, label }) {
    return JSON.parse(wasm_bindgen.pageField(octets, section, number, label));
  },
  async fieldLikely({ section, number }) {
    return JSON.parse(wasm_bindgen.pageFieldLikely(octets, section, number));
  },
  async sheet({ section, label, number }) {
    const sheet = wasm_bindgen.pageSheet(octets, section, label, number);
    return { ...JSON.parse(sheet.json), octets: sheet.octets, start: sheet.start, starts: sheet.starts, characters: sheet.characters };
  },
  async likely({ section }) {
    return JSON.parse(wasm_bindgen.pageLikely(octets, section));
  },
  async text({ section, label }) {
    return wasm_bindgen.pageText(octets, section, label);
  },
  async part({ section }) {
    return wasm_bindgen.octets(octets, section);
  },
  async inUtf8() {
    const converted = wasm_bindgen.convert(octets, '{}');
    return { octets: converted.octets, report: JSON.parse(converted.json) };
  },
};

onmessage = async ({ data }) => {
  const tell = (progress) => postMessage({ id: data.id, progress });
  try {
    postMessage({ id: data.id, result: await tasks[data.task](data, tell) });
  } catch (error) {
    postMessage({ id: data.id, error: String(error?.message ?? error) });
  }
};

function slice(blob, offset, length) {
  return new FileReaderSync().readAsArrayBuffer(blob.slice(offset, offset + length));
}

// Files that begin like these are not text; compressed ones are for other programs to expand.
const NO_TEXT = [
  ['FD377A585A00', 'is compressed by xz'], ['425A68', 'is compressed by bzip2'], ['28B52FFD', 'is compressed by zstd'],
  ['377ABCAF271C', 'is a 7z archive'], ['526172211A07', 'is a RAR archive'],
];

// `message`, `mbox`, or `other` for possible text; anything else is rejected with a sentence.
function formatOf(blob, name) {
  const head = new Uint8Array(slice(blob, 0, 64 << 10));
  const format = wasm_bindgen.pageFormat(head, name);
  if (format !== 'other') return format;
  const begins = Array.from(head.subarray(0, 8), (octet) => octet.toString(16).toUpperCase().padStart(2, '0')).join('');
  const packed = NO_TEXT.find(([octets]) => begins.startsWith(octets));
  if (packed) throw new Error(`${packed[1]}, which this page does not unpack`);
  if (head.includes(0) || begins.startsWith('25504446')) throw new Error('is not mail');
  return format;
}

function listMailbox(blob, name, tell) {
  let first = true;
  const read = (offset, length) => new Uint8Array(slice(blob, offset, length));
  wasm_bindgen.pageMailbox(read, (json, end) => {
    tell({ blob: first ? blob : undefined, name, items: JSON.parse(json), mailbox: true, done: end / blob.size });
    first = false;
  });
}

// Files in files: a zip file is read as a folder, and gzip is expanded.
async function each(file, name, tell, take) {
  const head = new Uint8Array(slice(file, 0, 4));
  const taken = async (blob, called, place) => {
    try {
      take(await blob(), called, place);
    } catch (error) {
      tell({ items: [], sentence: `${called}: ${error.message ?? error}`, done: place });
    }
  };
  if (head[0] === 0x1f && head[1] === 0x8b) {
    await taken(() => inflated(file, 'gzip'), name.replace(/\.gz$/i, ''), 1);
  } else if (head[0] === 0x50 && head[1] === 0x4b && head[2] < 9) {
    const entries = zipEntries(file);
    for (const [index, entry] of entries.entries()) await taken(() => zipOctets(file, entry), entry.name, (index + 1) / entries.length);
  } else {
    await taken(() => file, name, 1);
  }
}
