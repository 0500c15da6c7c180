/** Drawn charts as files: SVG that looks the same anywhere, and PNG of it. */

/** What a style sheet gives to a chart's parts; written into the file, which has no style sheet. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
] as const;

/** A chart that is on the page as a file of its own, with the colours that it has now, on the given background. */
export function svgFile(chart: SVGSVGElement, background: string): Blob {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  for (const [i, original] of originals.entries()) {
    const style = getComputedStyle(original);
    const target = copies[i]!;
    if (style.display === 'none') target.setAttribute('display', 'none');
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value !== '') target.setAttribute(name, value);
    }
    for (const name of ['class', 'style', 'tabindex', 'role']) target.removeAttribute(name);
    for (const name of target.getAttributeNames()) if (name.startsWith('aria-')) target.removeAttribute(name);
  }
  const { width, height } = sizeOf(chart);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: background })) {
    paper.setAttribute(name, value);
  }
  copy.prepend(paper);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
}

/**
 * An SVG file as PNG at twice its size.
 *
 * @throws Error if the browser cannot draw it
 */
export async function pngFile(svg: Blob): Promise<Blob> {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('The browser gives no canvas to draw on.');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (png === null) throw new Error('The browser could not write the picture.');
    return png;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function sizeOf(chart: SVGSVGElement): { width: number; height: number } {
  const { width, height } = chart.getBoundingClientRect();
  return { width: Math.round(width), height: Math.round(height) };
}
