/** Heights that a frame may have, in CSS pixels. */
export const FRAME_HEIGHT = { min: 240, max: 2_000, usual: 640 } as const;

/**
 * The HTML to paste into a post. The address is escaped, the height is a whole number within {@link FRAME_HEIGHT}.
 *
 * @param embedUrl address of embed.html with its hash
 * @param hostScript address of the script that fits the frame to its content, or `null` for a fixed height
 */
export function embedSnippet(embedUrl: string, height: number, hostScript: string | null): string {
  const px = Math.round(Math.min(FRAME_HEIGHT.max, Math.max(FRAME_HEIGHT.min, height)));
  const frame = `<iframe data-steplight src="${escapeAttribute(embedUrl)}" width="100%" height="${px}" style="border:0" loading="lazy" title="Steplight: a problem, its solutions, and four ways of picking one"></iframe>`;
  return hostScript === null
    ? frame
    : `${frame}\n<script src="${escapeAttribute(hostScript)}" async></script>`;
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
