/**
 * The files of the site that stand inside the page itself, each gzipped, in base64, in a script element of a type that
 * no browser runs. Opened from a disk, a page can fetch nothing beside it.
 */

const PREFIX = 'inlined:';

/** Paths of all inlined files, relative to the site's root. */
export function inlinedPaths(): string[] {
  return [...document.querySelectorAll(`script[id^="${PREFIX}"]`)].map(({ id }) => id.slice(PREFIX.length));
}

/** The bytes of an inlined file, or `null` if there is none of that path. */
export async function readInlined(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const element = document.getElementById(PREFIX + path);
  if (element === null) return null;
  const packed = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
