import path from 'node:path';

/** @typedef {import('./import-table.mjs').Row} Row */
/** @typedef {Readonly<Record<string, Row>>} Table */

/**
 * The row of a file: the row of the file itself, else of its folder directly under src/.
 * @param {string} file Path relative to src/, with forward slashes.
 * @param {Table} table
 * @returns {string | null}
 */
export function partOf(file, table) {
  if (Object.hasOwn(table, file)) return file;
  const [folder = '', ...rest] = file.split('/');
  return rest.length > 0 && Object.hasOwn(table, folder) ? folder : null;
}

/** "@scope/name/file" and "name/file" without the file. */
export function packageName(/** @type {string} */ specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * Chains of parts that import each other in a circle.
 * @param {Table} table
 * @returns {string[][]}
 */
export function cyclesIn(table) {
  /** @type {string[][]} */
  const cycles = [];
  /** @type {Set<string>} */
  const done = new Set();
  const visit = (/** @type {string} */ part, /** @type {string[]} */ trail) => {
    const at = trail.indexOf(part);
    if (at >= 0) cycles.push([...trail.slice(at), part]);
    if (at >= 0 || done.has(part)) return;
    for (const next of table[part]?.parts ?? []) visit(next, [...trail, part]);
    done.add(part);
  };
  for (const part of Object.keys(table)) visit(part, []);
  return cycles;
}

/**
 * What is wrong with an import, or `null`.
 * @param {{ file: string, specifier: string, table: Table, kind: 'import' | 'url' }} request
 * `file` is relative to src/; `kind` is "url" for `new URL(specifier, import.meta.url)`.
 * @returns {string | null}
 */
export function violation({ file, specifier, table, kind }) {
  const from = partOf(file, table);
  if (from === null) return null; // Reported once for the whole file.
  const row = /** @type {Row} */ (table[from]);
  const target = specifier.split('?', 1)[0] ?? '';

  if (!/^[./]/.test(target)) {
    if (kind === 'url') return null;
    const name = packageName(target);
    if (row.packages?.includes(name)) return null;
    const allowed = row.packages?.join(', ') ?? 'no package';
    return `src/${from} may import ${allowed}, not "${name}".`;
  }
  const resolved = path.posix.join(path.posix.dirname(file), target);
  if (target.startsWith('/') || resolved.startsWith('../')) {
    return `src/${from} may not import "${specifier}": it lies outside src/.`;
  }
  const to = partOf(resolved, table);
  if (to === null) return `"${specifier}" is in no part of the import table.`;
  if (to === from || row.parts.includes(to)) return null;
  if (kind === 'url' && row.workers?.includes(resolved)) return null;
  return `src/${from} may import ${row.parts.join(', ') || 'no other part'}, not src/${to}.`;
}

/** @type {import('eslint').Rule.RuleModule} */
export const importsRule = {
  meta: {
    type: 'problem',
    docs: { description: 'Enforce the import table of tools/eslint/import-table.mjs.' },
    schema: [
      {
        type: 'object',
        properties: { table: { type: 'object' }, source: { type: 'string' } },
        required: ['table', 'source'],
        additionalProperties: false,
      },
    ],
    messages: {
      forbidden: '{{ reason }}',
      unlisted: '"{{ file }}" is in no part of the import table: add a row for it.',
      barrel: 'No barrel files: import from the file that declares the thing.',
      opaque: 'An import path must be a literal, so that it can be checked.',
    },
  },
  create(context) {
    const { table, source } = /** @type {{ table: Table, source: string }} */ (context.options[0]);
    const file = path.relative(source, context.filename).replaceAll(path.sep, '/');
    if (file.startsWith('../')) return {};

    /**
     * @param {import('estree').Node} node
     * @param {unknown} literal
     * @param {'import' | 'url'} [kind]
     */
    const check = (node, literal, kind = 'import') => {
      const specifier = literalText(literal);
      if (specifier === null) {
        if (kind === 'import') context.report({ node, messageId: 'opaque' });
        return;
      }
      const reason = violation({ file, specifier, table, kind });
      if (reason !== null) context.report({ node, messageId: 'forbidden', data: { reason } });
    };

    /** @type {import('eslint').Rule.RuleListener} */
    const listeners = {
      Program(node) {
        if (partOf(file, table) === null) context.report({ node, messageId: 'unlisted', data: { file } });
        if (/(^|\/)index(\.svelte)?\.[cm]?[jt]s$/.test(file)) context.report({ node, messageId: 'barrel' });
      },
      ImportDeclaration: (node) => check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      ExportNamedDeclaration(node) {
        if (node.source) check(node, node.source);
      },
      ImportExpression: (node) => check(node, node.source),
      NewExpression(node) {
        const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL';
        if (isUrl && isImportMeta(node.arguments[1])) check(node, node.arguments[0], 'url');
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.object.type !== 'MetaProperty') return;
        if (callee.property.type !== 'Identifier' || callee.property.name !== 'glob') return;
        const patterns = node.arguments[0];
        const list = patterns?.type === 'ArrayExpression' ? patterns.elements : [patterns];
        for (const pattern of list) check(node, pattern);
      },
    };
    return {
      ...listeners,
      // `import('...')` as a type, which the types of ESTree do not know.
      TSImportType: (/** @type {import('estree').Node & { source?: unknown, argument?: unknown }} */ node) =>
        check(node, node.source ?? node.argument),
    };
  },
};

/** @returns {string | null} */
function literalText(/** @type {unknown} */ node) {
  if (typeof node !== 'object' || node === null || !('type' in node)) return null;
  if (node.type === 'TSLiteralType' && 'literal' in node) return literalText(node.literal);
  return node.type === 'Literal' && 'value' in node && typeof node.value === 'string' ? node.value : null;
}

/** Whether a node is `import.meta.url`. */
function isImportMeta(/** @type {import('estree').Node | undefined} */ node) {
  return node?.type === 'MemberExpression' && node.object.type === 'MetaProperty';
}
