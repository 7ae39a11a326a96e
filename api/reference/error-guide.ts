import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { isErrorCode, type ErrorCode } from '../../domain/errors.ts';

/** What `docs/errors.md` says of a code: the page that people read is the source of the reference's examples. */
export type ErrorEntry = {
  /** When it comes: the entry's first paragraph. */
  readonly when: string;
  /** A whole answer. */
  readonly example: unknown;
};

const answer = v.object({
  state: v.string(),
  payload: v.null(),
  details: v.record(v.string(), v.unknown()),
});

/** Reads the entries of the page. Throws where one has no example. */
function readErrorGuide(page: string): ReadonlyMap<ErrorCode, ErrorEntry> {
  const sections = page.split(/^(?=##+ )/m);
  return new Map(
    sections.flatMap((section) => {
      const [, code = ''] = /^### (\S+)$/m.exec(section) ?? [];
      if (!isErrorCode(code)) return [];
      const [, when = ''] = /^### \S+\n\n([^\n]+)/.exec(section) ?? [];
      const [, example = ''] = /```json\n([^`]+)```/.exec(section) ?? [];
      return [[code, { when, example: v.parse(answer, JSON.parse(example)) }] as const];
    }),
  );
}

/** The page itself, beside the code. */
export const errorGuide = readErrorGuide(
  readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8'),
);
