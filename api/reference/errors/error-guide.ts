import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { isErrorCode, type ErrorCode } from '../../../domain/errors.ts';

/** The entry of a code in `docs/errors.md`, from which the reference takes its examples. */
export type ErrorEntry = {
  /** The entry's first paragraph, on one line: when the code occurs. */
  readonly when: string;
  /** A complete response. */
  readonly example: unknown;
};

const response = v.object({
  state: v.string(),
  payload: v.null(),
  details: v.record(v.string(), v.unknown()),
});

/** Parses the entries of the page. Throws when one has no example. */
function readErrorGuide(page: string): ReadonlyMap<ErrorCode, ErrorEntry> {
  const sections = page.split(/^(?=##+ )/m);
  return new Map(
    sections.flatMap((section) => {
      const [, code = ''] = /^### (\S+)$/m.exec(section) ?? [];
      if (!isErrorCode(code)) return [];
      const [, when = ''] = /^### \S+\n\n([^]+?)\n\n/.exec(section) ?? [];
      const [, example = ''] = /```json\n([^`]+)```/.exec(section) ?? [];
      const value = v.parse(response, JSON.parse(example));
      return [[code, { when: when.replaceAll('\n', ' '), example: value }] as const];
    }),
  );
}

/** The entries by code, read at start. */
export const errorGuide = readErrorGuide(
  readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8'),
);
