import { expect, test } from 'vitest';
import { loggedError } from '../../process/logging.ts';

class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly code = '23505';
  readonly detail = 'Key (email)=(someone@example.org) already exists.';
  readonly constraint_name = 'vendors_email';
}

test('a Postgres error is logged by its code and constraint, without the row it quotes', () => {
  const logged = loggedError(new PostgresError('duplicate key value "someone@example.org"'));
  expect(logged).toMatchObject({
    type: 'PostgresError',
    code: '23505',
    constraint_name: 'vendors_email',
  });
  expect(JSON.stringify(logged)).not.toContain('someone@example.org');
});

test('any other error keeps its message, its frames and its cause', () => {
  const logged = loggedError(new Error('outer', { cause: new TypeError('inner') }));
  expect(logged).toMatchObject({
    type: 'Error',
    message: 'outer',
    cause: { type: 'TypeError', message: 'inner' },
  });
  expect(logged['stack']).toMatch(/^\s+at /);
});

test('what is no error is not repeated', () => {
  expect(loggedError('a secret')).toEqual({ type: 'string' });
});
