/** Serves the folder site/ on this machine only: node serve.mjs [port] */
import { fileURLToPath } from 'node:url';
import { closeOnSignal, startServer } from './server/server.mjs';

const root = fileURLToPath(new URL('./site', import.meta.url));
const server = await startServer({ root, port: Number(process.argv[2] ?? 4173), tries: 20 });
console.log(`Steplight is at ${server.url} (stop with Ctrl+C)`);
closeOnSignal(server);
