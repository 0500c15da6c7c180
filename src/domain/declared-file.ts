/** One file, as a list says what it must consist of. */
export type DeclaredFile = {
  /** Relative to the folder that the list speaks of. */
  readonly path: string;
  readonly bytes: number;
} & Digest;

/** Lower-case hexadecimal. Hubs give the git object id of small files, a SHA-1 over a header and the content. */
export type Digest = { readonly sha256: string } | { readonly gitSha1: string };

/** Weights that are too long for one file lie beside their graph, in one piece or several. */
export function isPieceOf(path: string, graph: string): boolean {
  return path.startsWith(`${graph}_data`) && /^(?:_\d+)?$/u.test(path.slice(graph.length + '_data'.length));
}

/** A file whose sha256 is known, as everything has that comes with the site. */
export type Sha256File = DeclaredFile & { readonly sha256: string };
