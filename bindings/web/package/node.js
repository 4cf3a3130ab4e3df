// In Node, importing this file reads the module from disk.
import { readFileSync } from 'node:fs';
import { initSync } from './built/module.js';

initSync({ module: readFileSync(new URL('./built/module_bg.wasm', import.meta.url)) });
export * from './index.js';
