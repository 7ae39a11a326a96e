import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../domain/errors.ts';

const codeOfTest = /^test\('([A-Z_]+): /gm;

test('each code of the catalogue has a test in this folder that is named after it', () => {
  const named = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) =>
      Array.from(
        readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(codeOfTest),
        ([, code]) => code,
      ),
    );
  expect(new Set(named)).toEqual(new Set(Object.keys(errorCatalogue)));
});
