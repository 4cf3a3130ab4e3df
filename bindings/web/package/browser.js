// In browsers the module is fetched when this file is imported.
import init from './built/module.js';

await init({ module_or_path: new URL('./built/module_bg.wasm', import.meta.url) });
export * from './index.js';
