import { readFileSync } from 'node:fs';
import type { Environment } from '../../../domain/accounts/credentials.ts';
import { guideFile, guidePath } from './guide-list.ts';
import { exampleAddress } from './static-file.ts';

/** The address of a sandbox in the guides, at which `npm run sandbox` serves it. */
const sandboxAddress = 'http://127.0.0.1:3100';

/**
 * The parts of a guide between `<!-- sandbox only -->`, `<!-- production only -->` or `<!-- source
 * only -->` and `<!-- end -->`. A part is blocks between blank lines, or in a paragraph.
 */
const partPatterns = [
  /^<!-- (\w+) only -->\n\n([^]*?)\n\n<!-- end -->(\n\n|\n$)/gm,
  /<!-- (\w+) only -->([^]*?)<!-- end -->()/g,
] as const;

/** What an installation of an environment shows of a guide. */
function partsFor(environment: Environment, source: string): string {
  const kept = environment.toLowerCase();
  return partPatterns.reduce(
    (text, pattern) =>
      text.replaceAll(pattern, (_all, only: string, part: string, end: string) =>
        only === kept ? part + end : '',
      ),
    source,
  );
}

/** A link between files as one between served texts; a link to what is not served is its text. */
function linkFor(environment: Environment, [all, mark, text, target]: readonly string[]): string {
  const [, file = '', anchor = ''] = /^([^#:]+\.md)(#.*)?$/.exec(target ?? '') ?? [];
  const [, image] = /^(?:\.\.\/)?(images\/[\w-]+\.png)$/.exec(target ?? '') ?? [];
  if (mark === '!') return image === undefined ? (text ?? '') : `![${text}](/docs/${image})`;
  if (/^(?:https?:|#|\/)/.test(target ?? '')) return all ?? '';
  const path = file === '' ? null : guidePath(file, environment);
  return path === null ? (text ?? '') : `[${text}](${path}.md${anchor})`;
}

const linkPattern = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
const codePattern = /(^ *```[^]*?^ *```$|`[^`\n]+`(?!\]))/gm;

/**
 * The text of a guide as an installation of an environment serves it: with the parts, addresses
 * and headers of that environment only, and with links that lead to other served texts.
 */
export function guideText(name: string, environment: Environment): string {
  const source = readFileSync(new URL(`../../../${guideFile(name)}`, import.meta.url), 'utf8');
  const text = partsFor(environment, source)
    .split(codePattern)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(linkPattern, (...match) => linkFor(environment, match)),
    )
    .join('');
  if (environment === 'Production') return text;
  return text
    .replaceAll(sandboxAddress, exampleAddress)
    .replaceAll('x-service-environment: Production', 'x-service-environment: Sandbox');
}
