import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { guideFile } from '../../../api/reference/pages/guide-list.ts';

/** The blocks of the guides, as the tests extract them from the Markdown. */

/** The blocks of a text in a language, in their order. */
export const blocksIn = (text: string, language: string): readonly string[] =>
  Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm')),
    ([, block = '']) => block,
  );

/** The text of a guide. */
export const guide = (name: string): Promise<string> =>
  readFile(new URL(`../../../${guideFile(name)}`, import.meta.url), 'utf8');

/** Whether a program starts. `.ci/run` installs those that the guides need. */
export const runs = (program: string, ...options: readonly string[]): boolean =>
  spawnSync(program, options).status === 0;
