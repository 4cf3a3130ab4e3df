// In Node the module is read from the disk when this file is imported.
import { readFileSync } from 'node:fs';
import { initSync } from './built/module.js';

initSync({ module: readFileSync(new URL('./built/module_bg.wasm', import.meta.url)) });
export * from './index.js';
