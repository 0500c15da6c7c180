import type { DeclaredFile } from '../domain/declared-file.ts';

/** In what way a content is not the declared file. */
export type Mismatch = { readonly kind: 'length'; readonly bytes: number } | { readonly kind: 'content' };

/** How a content differs from what was declared; `null` if it is the declared file. */
export async function mismatchOf(
  file: DeclaredFile,
  content: Uint8Array<ArrayBuffer>,
): Promise<Mismatch | null> {
  if (content.length !== file.bytes) return { kind: 'length', bytes: content.length };
  const right =
    'sha256' in file ? (await sha256(content)) === file.sha256 : (await gitSha1(content)) === file.gitSha1;
  return right ? null : { kind: 'content' };
}

/** Id that git gives a file of this content, in lower-case hexadecimal. */
export async function gitSha1(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const header = new TextEncoder().encode(`blob ${content.length}\0`);
  const object = new Uint8Array(header.length + content.length);
  object.set(header);
  object.set(content, header.length);
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  return toHex(
    subtle === undefined
      ? (await import('@noble/hashes/legacy.js')).sha1(object)
      : new Uint8Array(await subtle.digest('SHA-1', object)),
  );
}

/** In lower-case hexadecimal. */
export async function sha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  // crypto.subtle is absent on plain http addresses of a local network, where the site should work too.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  return toHex(
    subtle === undefined
      ? (await import('@noble/hashes/sha2.js')).sha256(content)
      : new Uint8Array(await subtle.digest('SHA-256', content)),
  );
}

function toHex(digest: Uint8Array): string {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A path's last part. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
