import { expect } from 'vitest';
import { findOperator, changeOperator } from '../../db/accounts/operators.ts';
import { readyMessage } from '../../embedded/ready-message.ts';
import { ensureDemoCredentials } from '../../embedded/state/demo-credentials.ts';
import { sha256 } from '../../security/secrets.ts';
import { databaseTest } from '../support/database/database-test.ts';
import { newFolder } from '../support/folder.ts';

const test = databaseTest.extend('home', { scope: 'file' }, ({}, { onCleanup }) =>
  newFolder(onCleanup),
);

test('prints the operator’s secret only while it is valid', async ({ database, sql, home }) => {
  const secretOf = async (configured: { OPERATOR_ID?: string; OPERATOR_SECRET?: string } = {}) => {
    const config = {
      GATEWAY_HOME: home,
      GATEWAY_ENVIRONMENT: 'Production' as const,
      ...configured,
    };
    const credentials = await ensureDemoCredentials(config, database.url);
    const addresses = {
      apiUrl: '',
      temporalAddress: '',
      temporalUiUrl: '',
      databaseUrl: '',
      environment: 'Production' as const,
    };
    const message = readyMessage({ ...addresses, ...credentials }, 1);
    const { operatorSecret } = credentials.operator;
    expect(message).toContain(operatorSecret ?? 'npm run operator -- rotate demo-operator');
    expect(/os_\S+/.exec(message)?.[0]).toBe(operatorSecret ?? undefined);
    return operatorSecret;
  };
  const first = await secretOf();
  expect(first).toMatch(/^os_/);
  expect(await secretOf()).toBe(first);

  const operator = await findOperator(sql, 'demo-operator');
  const id = operator?.id ?? '';
  const newSecret = 'os_the-new-secret-of-the-operator';
  await changeOperator(sql, id, { secretSha256: sha256(newSecret) });
  expect(await secretOf()).toBeNull();
  // Later starts print the new secret once one start has it.
  expect(await secretOf({ OPERATOR_ID: 'demo-operator', OPERATOR_SECRET: newSecret })).toBe(
    newSecret,
  );
  expect(await secretOf()).toBe(newSecret);
  await changeOperator(sql, id, { isActive: false });
  expect(await secretOf()).toBeNull();
});
