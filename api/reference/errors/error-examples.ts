import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { isErrorCode, type ErrorCode } from '../../../domain/errors.ts';

const response = v.object({
  state: v.string(),
  payload: v.null(),
  details: v.record(v.string(), v.unknown()),
});

/** Parses the entries of the page. Throws when one has no example. */
function readExamples(page: string): ReadonlyMap<ErrorCode, unknown> {
  const sections = page.split(/^(?=##+ )/m);
  return new Map(
    sections.flatMap((section) => {
      const [, code = ''] = /^### (\S+)$/m.exec(section) ?? [];
      if (!isErrorCode(code)) return [];
      const [, example = ''] = /```json\n([^`]+)```/.exec(section) ?? [];
      return [[code, v.parse(response, JSON.parse(example))] as const];
    }),
  );
}

/** A complete response for each code, from its entry in `docs/errors.md`; read at start. */
export const errorExamples = readExamples(
  readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8'),
);
