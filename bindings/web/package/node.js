// In Node, importing this file reads the module from disk.
import { readFileSync } from 'node:fs';
import { initSync } from './built/module.js';
import { loaded } from './index.js';

initSync({ module: readFileSync(new URL('./built/module_bg.wasm', import.meta.url)) });
loaded();
export { parse, octets, decode, detect, contentType, labels, convert } from './index.js';
