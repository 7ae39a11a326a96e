import { expect, test } from 'vitest';
import {
  errorCatalogue,
  fail,
  fieldError,
  fieldName,
  invalid,
  isErrorCode,
} from '../../domain/errors.ts';

// `test/docs.test.ts` compares the status of each code with `docs/errors.md`.

test('has a meaning for each code, and accepts no other name as a code', () => {
  for (const [code, { meaning }] of Object.entries(errorCatalogue)) {
    expect(isErrorCode(code)).toBe(true);
    expect(meaning).toMatch(/^\w.*\.$/);
  }
  for (const name of ['', 'NOPE', 'toString', '__proto__', 'constructor', 'forbidden'])
    expect(isErrorCode(name)).toBe(false);
});

test('names a field in PascalCase with its path, and lists each in a validation failure', () => {
  expect(fieldName('costIsVatInclusive')).toBe('CostIsVatInclusive');
  const first = fieldError('barcode', 'required', 'is required');
  const second = fieldError('b', 'required', 'is required');
  const message = 'is required';
  expect(first).toEqual({ field: 'Barcode', path: '/barcode', code: 'required', message });
  expect(invalid(first, second).failure).toEqual({
    code: 'VALIDATION_ERRORS',
    details: { errors: [first, second] },
  });
  expect(fail('FORBIDDEN')).toEqual({ ok: false, failure: { code: 'FORBIDDEN', details: {} } });
});
