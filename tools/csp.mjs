/**
 * The page's Content-Security-Policy, in the built page's meta tag and in the server's header alike.
 *
 * `wasm-unsafe-eval` lets ONNX Runtime compile WebAssembly. Styles come from files only: code sets them through
 * the style property, never through a style attribute in markup (KaTeX: `render`, not `renderToString`).
 */
const directives = {
  'default-src': ["'self'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'worker-src': ["'self'"],
  // The hub, and where it sends those who fetch its large files: only when the person chose a model there.
  'connect-src': ["'self'", 'https://huggingface.co', 'https://*.huggingface.co', 'https://*.hf.co'],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

export const contentSecurityPolicy = Object.entries(directives)
  .map(([name, sources]) => `${name} ${sources.join(' ')}`)
  .join('; ');
