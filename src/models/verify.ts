/** One file, as a list that came with the site declares it. */
export interface DeclaredFile {
  /** Relative to the folder that the list speaks of. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** In what way a content is not the declared file. */
export type Mismatch = { readonly kind: 'length'; readonly bytes: number } | { readonly kind: 'content' };

/** How a content differs from what was declared; `null` if it is the declared file. */
export async function mismatchOf(
  file: DeclaredFile,
  content: Uint8Array<ArrayBuffer>,
): Promise<Mismatch | null> {
  if (content.length !== file.bytes) return { kind: 'length', bytes: content.length };
  return (await sha256(content)) === file.sha256 ? null : { kind: 'content' };
}

/** In lower-case hexadecimal. */
export async function sha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  // crypto.subtle is absent on plain http addresses of a local network, where the site should work too.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  const digest =
    subtle === undefined
      ? (await import('@noble/hashes/sha2.js')).sha256(content)
      : new Uint8Array(await subtle.digest('SHA-256', content));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A path's last part. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
