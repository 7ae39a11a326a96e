import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../domain/errors.ts';

/** The code in the name of a test, or at the start of a table's row. */
const codeOfTest = /^(?:test\('([A-Z_]+): | +(?:\[)?'([A-Z_]+)',(?: |$))/gm;

test('each code of the catalogue has a test in this folder that is named after it', () => {
  const named = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) =>
      Array.from(
        readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(codeOfTest),
        ([, named, first]) => named ?? first,
      ),
    );
  expect(new Set(named)).toEqual(new Set(Object.keys(errorCatalogue)));
});
