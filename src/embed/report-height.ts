/**
 * Tells the embedding page how tall the content is, whenever it changes, as `{ type: 'steplight:height', height }`.
 * The height is no secret, so that any page may hear it; public/embed-host.js checks who says it.
 */
export function reportHeight(content: Element): void {
  if (window.parent === window) return;
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === told || height === 0) return;
    told = height;
    window.parent.postMessage({ type: 'steplight:height', height }, '*');
  }).observe(content);
}
