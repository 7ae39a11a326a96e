import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { escaped } from '../../../domain/texts/escaped-html.ts';

const folder = new URL('../../../docs/diagrams/', import.meta.url);

/** The file of a Mermaid diagram in `docs/diagrams/`, named after the diagram's text. */
export const diagramFile = (text: string): URL => {
  const digest = createHash('sha256').update(text.trim()).digest('hex');
  return new URL(`${digest.slice(0, 16)}.svg`, folder);
};

/** A diagram as an image, with its text below for readers who do not see it; null if not drawn. */
export function diagramFigure(text: string): string | null {
  const file = diagramFile(text);
  if (!existsSync(file)) return null;
  const name = file.pathname.split('/').at(-1) ?? '';
  const [, width = '', height = ''] =
    / width="([\d.]+)" height="([\d.]+)"/.exec(readFileSync(file, 'utf8')) ?? [];
  const size = `width="${Math.round(Number(width))}" height="${Math.round(Number(height))}"`;
  // A reader scrolls a wide diagram in its own box, also by the keyboard.
  return `<figure>
<div class="diagram" role="group" aria-label="Diagram" tabindex="0">
<img src="/docs/diagrams/${name}" ${size} alt="Diagram; its text is below" loading="lazy" />
</div>
<details><summary>The diagram as text</summary><pre><code>${escaped(text)}</code></pre></details>
</figure>
`;
}
