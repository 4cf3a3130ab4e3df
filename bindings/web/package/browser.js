// In browsers, importing this file fetches the module.
import init from './built/module.js';

await init({ module_or_path: new URL('./built/module_bg.wasm', import.meta.url) });
export * from './index.js';
