import { spawnSync } from 'node:child_process';
import { guideFile } from '../../../api/reference/pages/guide-list.ts';
import { guideText } from '../../../api/reference/pages/guide-text.ts';
import { anchorOf } from '../../../api/reference/pages/markdown.ts';
import type { Environment } from '../../../domain/accounts/credentials.ts';

/** The commands of the guides in their order, with the output that the guides show for them. */

export type Step = {
  /** Where it is, for messages: the file and the line. */
  readonly at: string;
  readonly commands: string;
  /** What the page shows directly below the commands; null if it shows nothing. */
  readonly shown: string | null;
};

type Fence = {
  readonly language: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

const outputs = new Set(['', 'json', 'text']);
const fencePattern = /^```(\w*)\n([\s\S]*?)^```$/gm;

const fencesIn = (page: string): readonly Fence[] =>
  Array.from(page.matchAll(fencePattern), ({ index, 0: all, 1: language = '', 2: text = '' }) => ({
    language,
    text,
    start: index,
    end: index + all.length,
  }));

/** The output below commands. Blocks of the same step in other languages may come between. */
function shownBelow(page: string, [commands, ...later]: readonly Fence[]): string | null {
  let end = commands?.end ?? 0;
  for (const { language, text, start, end: next } of later) {
    if (language === 'sh' || page.slice(end, start).trim() !== '') return null;
    if (outputs.has(language)) return text;
    end = next;
  }
  return null;
}

/** The part of a page below a heading, with its subsections. Throws if there is none. */
function sectionOf(page: string, anchor: string): readonly [start: number, end: number] {
  // Comments in shell examples look like headings.
  const prose = page.replaceAll(fencePattern, (all) => ' '.repeat(all.length));
  const headings = Array.from(
    prose.matchAll(/^(#+) (.+)$/gm),
    ({ index, 1: marks = '', 2: text = '' }) => ({
      index,
      depth: marks.length,
      anchor: anchorOf(text.replaceAll('`', '')),
    }),
  );
  const own = headings.find((heading) => heading.anchor === anchor);
  if (own === undefined) throw new Error(`no section ${anchor}`);
  const next = headings.find(({ index, depth }) => index > own.index && depth <= own.depth);
  return [own.index, next?.index ?? page.length];
}

/** The commands of a page, or of one of its sections. */
export function stepsOf(name: string, page: string, anchor?: string): readonly Step[] {
  const [first, last] = anchor === undefined ? [0, page.length] : sectionOf(page, anchor);
  const fences = fencesIn(page);
  return fences.flatMap(({ language, text, start }, at) => {
    if (language !== 'sh' || start < first || start > last) return [];
    const line = page.slice(0, start).split('\n').length;
    const shown = shownBelow(page, fences.slice(at));
    return [{ at: `${guideFile(name)}:${line}`, commands: text, shown }];
  });
}

/** The sections of guides that a page tells its reader to paste first, in their order. */
export function preparationOf(page: string): readonly (readonly [name: string, anchor: string])[] {
  const [, links = ''] = /\bfirst paste\b([\s\S]*?)\n\n/i.exec(page) ?? [];
  return Array.from(
    links.matchAll(/\]\([\w/]*\/([\w-]+)\.md#([\w-]+)\)/g),
    ([, name = '', anchor = '']) => [name, anchor],
  );
}

/** The reasons of the blocks that a page marks as `<!-- not run: REASON -->`. */
export const reasonsIn = (page: string): readonly string[] =>
  Array.from(page.matchAll(/^<!-- not run: (.+) -->\n+```sh$/gm), ([, reason = '']) => reason);

/** The blocks of a text in a language, in their order. */
export const blocksIn = (page: string, language: string): readonly string[] =>
  fencesIn(page).flatMap((fence) => (fence.language === language ? [fence.text] : []));

/** The text of a guide, as an installation serves it. */
export const guide = (name: string, environment: Environment = 'Production'): string =>
  guideText(name, environment);

/** Whether a program starts. `.ci/run` installs those that the guides need. */
export const runs = (program: string, ...options: readonly string[]): boolean =>
  spawnSync(program, options).status === 0;
