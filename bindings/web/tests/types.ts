// The types of the package, as used by a program.
import { type LabelMeaning, contentType, convert, decode, detect, labels, octets, parse } from '../package/index.js';

const message = parse(new Uint8Array([10]), { text: true });
const texts: (string | undefined)[] = message.parts.map((part) => part.text);
const effects: ('noted' | 'assumed' | 'repaired' | 'lost')[] = message.findings.map((finding) => finding.effect);
const name: string | null = labels('koi8-r').charset;
const all: number = labels().length;
const image: Uint8Array | undefined = octets('', '1');
const converted: Uint8Array = convert('', { headers: 'utf8', guessed: 90 }).octets;
const guess: number = detect(new Uint8Array()).confidence;
const said: string = decode(new Uint8Array(), { label: 'latin1' }).text;
const again: string = decode(new ArrayBuffer(1), { label: message.parts[0]?.label }).text;
const view: string = detect(new DataView(new ArrayBuffer(1))).charset;
const wanted: string | undefined = all > 0 ? 'koi8-r' : undefined;
const either: LabelMeaning | LabelMeaning[] = labels(wanted);
const type: string = contentType('text/plain').media_type;
// @ts-expect-error: not a valid value for headers
convert('', { headers: 'latin1' });
// @ts-expect-error: null is not a valid label
labels(null);
// @ts-expect-error: a string has no charset
decode('abc');
export { again, all, converted, effects, either, guess, image, name, said, texts, type, view };
