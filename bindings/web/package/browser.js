// In browsers, importing this file fetches the module.
import init from './built/module.js';
import { loaded } from './index.js';

await init({ module_or_path: new URL('./built/module_bg.wasm', import.meta.url) });
loaded();
export { parse, octets, decode, detect, contentType, labels, convert } from './index.js';
