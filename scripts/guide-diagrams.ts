import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { diagramFile } from '../api/reference/pages/diagrams.ts';
import { guideFile, guideGroups } from '../api/reference/pages/guide-list.ts';

/**
 * Draws the Mermaid diagrams of the guides that the gateway serves. Run it after a change of one.
 */

/** Follows the reader's colour scheme, and loads no font. */
const drawn = (text: string): string =>
  renderMermaidSVG(text, { bg: '#ffffff', fg: '#1c2024', font: 'sans-serif', transparent: true })
    .replace(/ style="--bg:[^"]*"/, '')
    .replace(/^\s*@import .*\n/m, '')
    .replace(
      '<style>',
      `<style>
  svg { --bg: #ffffff; --fg: #1c2024; }
  @media (prefers-color-scheme: dark) { svg { --bg: #14181d; --fg: #e4e7eb; } }`,
    );

const folder = new URL('../docs/diagrams/', import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const name of guideGroups.flatMap(({ guides }) => Object.keys(guides))) {
  const page = readFileSync(new URL(`../${guideFile(name)}`, import.meta.url), 'utf8');
  for (const [, text = ''] of page.matchAll(/^```mermaid\n([^]*?)^```$/gm))
    writeFileSync(diagramFile(text), drawn(text));
}
process.stdout.write(`${readdirSync(folder).length} diagrams in docs/diagrams/\n`);
