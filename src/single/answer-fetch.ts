/**
 * Answers requests for the site's files from what is at hand; all others go on. It stands in for the server that a file
 * on a disk does not have, so that nothing above it needs to know.
 *
 * @param baseUrl absolute URL of the site's root, ending in "/"
 * @param read the bytes of a file by its path below the root, or `null`
 */
export function answerFetch(
  baseUrl: string,
  read: (path: string) => Promise<Uint8Array<ArrayBuffer> | null>,
): void {
  const network = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(baseUrl)) return network(input, init);
    const content = await read(decodeURI(url.slice(baseUrl.length)));
    return content === null
      ? new Response(null, { status: 404 })
      : new Response(content, { headers: { 'content-length': String(content.length) } });
  };
}
