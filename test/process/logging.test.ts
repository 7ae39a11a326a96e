import { expect, test } from 'vitest';
import { loggedError } from '../../process/logging.ts';

class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly code = '23505';
  readonly detail = 'Key (email)=(someone@example.org) already exists.';
  readonly constraint_name = 'vendors_email';
}

test('logs a Postgres error by code and constraint, without the row that it quotes', () => {
  const logged = loggedError(new PostgresError('duplicate key value "someone@example.org"'));
  expect(logged).toMatchObject({
    type: 'PostgresError',
    code: '23505',
    constraint_name: 'vendors_email',
  });
  expect(JSON.stringify(logged)).not.toContain('someone@example.org');
});

test('logs any other error with its message, its frames and its cause', () => {
  const logged = loggedError(new Error('outer', { cause: new TypeError('inner') }));
  expect(logged).toMatchObject({
    type: 'Error',
    message: 'outer',
    cause: { type: 'TypeError', message: 'inner' },
  });
  expect(logged['stack']).toMatch(/^\s+at /);
});

test('logs only the type of a thrown value that is no error', () => {
  expect(loggedError('a secret')).toEqual({ type: 'string' });
});
