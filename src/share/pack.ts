/** Text as gzip in base64url, for a link; and back, within bounds. */

/** A reader stops here: what a link holds is never so long, and a few bytes of gzip can claim to be gigabytes. */
const MAX_UNPACKED_BYTES = 4_000_000;

/** Compresses text. The result has only characters that a URL's hash may hold as they are. */
export async function packText(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return toBase64Url(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** The text of a packed one, or `null` if it is none, is damaged, or would be longer than a link ever holds. */
export async function unpackText(packed: string): Promise<string | null> {
  const bytes = fromBase64Url(packed);
  if (bytes === null) return null;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      length += value.length;
      if (length > MAX_UNPACKED_BYTES) {
        void reader.cancel().catch(() => undefined);
        return null;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return null;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  // In pieces: a call takes a bounded number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
