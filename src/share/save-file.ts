/** Hands content to the browser's downloads under a name; runs only on a person's click. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun once the click was handled; some browsers read the address a little later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file name from a problem's first words: letters, digits and hyphens only. */
export function fileNameFor(problem: string, extension: string): string {
  const words = problem
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.slice(0, 6)
    .join('-')
    .slice(0, 50);
  return `${words === undefined || words === '' ? 'run' : words}.${extension}`;
}
