import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import wabt from 'wabt';

/** Imports WebAssembly's text format: a `.wat` file's default export is the bytes of the module. */
export function wat(): Plugin {
  return {
    name: 'steplight:wat',
    async load(id) {
      const [file = ''] = id.split('?');
      if (!file.endsWith('.wat')) return null;
      const tools = await wabt();
      const module = tools.parseWat(file, await readFile(file, 'utf8'));
      try {
        module.validate();
        const bytes = module.toBinary({}).buffer;
        return `export default Uint8Array.from([${bytes.join()}]);`;
      } finally {
        module.destroy();
      }
    },
  };
}
