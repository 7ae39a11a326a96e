import { expect, vi } from 'vitest';
import {
  listSealedSecrets,
  replaceSealedSecrets,
} from '../../db/webhooks/subscriptions/sealed-secrets.ts';
import type { Sql } from '../../db/core/client.ts';
import type { CheckContext } from '../../doctor/check.ts';
import { runCheck } from '../../doctor/examine.ts';
import { resealSecrets } from '../../doctor/reseal.ts';
import { checksOfSecrets } from '../../doctor/secret-checks.ts';
import { countSecrets } from '../../doctor/secret-counts.ts';
import { createSealer, keyIdOf } from '../../security/sealer.ts';
import { openHeaders, sealHeaders } from '../../security/webhook-headers.ts';
import type { Runs } from '../../temporal/runs/open-runs.ts';
import { freshDatabaseTest as test } from '../support/database/database-test.ts';
import { meets } from '../support/database/locks.ts';
import { newSecretsKey, sealWithoutKeyId, seedSecrets } from '../support/seeds/sealed-secrets.ts';

/** What the doctor says of a secret whose key is missing. */
const addKey = (key: string): string =>
  `has a secret under ${key}: add that key to SECRETS_KEY, or have its vendor rotate the secret`;

/** The keys that the tests rotate: `lost` is not in the ring. */
const [newer, older, lost] = [newSecretsKey(), newSecretsKey(), newSecretsKey()];
const ring = createSealer(`${newer},${older}`);
const all = { after: null, limit: 10_000 };

const contextOf = (sql: Sql): CheckContext => ({
  sql,
  // The checks ask for no run.
  runs: {} as Runs,
  histories: vi.fn(),
  retentionMs: 1,
  sealer: ring,
});
const examined = (sql: Sql, isRepairing: boolean) =>
  Promise.all(
    checksOfSecrets.map((check) =>
      runCheck(contextOf(sql), check, { isRepairing, findingsMax: 9 }),
    ),
  );

test('names the subscription, the missing key and what to do', async ({ sql }) => {
  await seedSecrets(sql, 3, ring.seal);
  const seedOne = async (seal: Parameters<typeof seedSecrets>[2]) =>
    [...(await seedSecrets(sql, 1, seal)).keys()][0];
  const id = await seedOne(createSealer(lost).seal);
  const unnamed = await seedOne((secret, owner) => sealWithoutKeyId(lost, secret, owner));
  const damaged = await seedOne((secret) => ring.seal(secret, 'another owner'));
  const [withoutKey, underOldKey] = await examined(sql, true);
  const [lostId] = createSealer(lost).keyIds;
  expect(withoutKey).toMatchObject({ checked: 6, found: 3, isRepairable: false });
  expect(withoutKey?.findings.map((finding) => [finding.subjectId, finding.text])).toEqual([
    [id, addKey(`the key ${lostId}`)],
    [unnamed, addKey('a key that it does not name')],
    [damaged, 'has a secret whose bytes are damaged: its vendor has to rotate it'],
  ]);
  expect(underOldKey).toMatchObject({ checked: 6, found: 0 });
});

test('finds and repairs all secrets under an older key', async ({ sql }) => {
  const secrets = new Map([
    ...(await seedSecrets(sql, 3, createSealer(older).seal)),
    ...(await seedSecrets(sql, 2, (secret, id) => sealWithoutKeyId(older, secret, id))),
    ...(await seedSecrets(sql, 1, ring.seal)),
  ]);
  expect(await countSecrets(sql, ring)).toMatchObject({ current: 1, previous: 5, missing: 0 });
  const [, found] = await examined(sql, true);
  expect(found).toMatchObject({ checked: 6, found: 5, repaired: 5 });
  expect(await examined(sql, false)).toMatchObject([{ found: 0 }, { found: 0 }]);
  expect(await countSecrets(sql, ring)).toMatchObject({ current: 6, previous: 0, missing: 0 });
  for (const { id, secretSealed } of await listSealedSecrets(sql, all)) {
    expect(keyIdOf(secretSealed)).toBe(ring.keyIds[0]);
    expect(createSealer(newer).open(secretSealed, id)).toBe(secrets.get(id));
  }
});

test('waits for a rotation under way, and keeps its secret', async ({ sql }) => {
  const [[id] = ['']] = await seedSecrets(sql, 1, createSealer(older).seal);
  const read = await listSealedSecrets(sql, all);
  const rotated = ring.seal('whsec_rotated', id);
  const resealed = await meets(
    sql,
    (transaction) => transaction`update webhook_subscriptions set secret_sealed = ${rotated}`,
    () => resealSecrets(sql, ring, read),
  );
  expect(resealed).toBe(0);
  const [now] = await listSealedSecrets(sql, all);
  expect(Buffer.from(now?.secretSealed ?? [])).toEqual(rotated);
});

test('reseals each secret once in two concurrent calls, and loses none', async ({ sql }) => {
  const secrets = await seedSecrets(sql, 50, createSealer(older).seal);
  const read = await listSealedSecrets(sql, { ...all, without: ring.header });
  const replaced = await Promise.all([
    resealSecrets(sql, ring, read),
    resealSecrets(sql, ring, read.toReversed()),
  ]);
  expect(replaced.reduce((sum, count) => sum + count, 0)).toBe(50);
  expect(await replaceSealedSecrets(sql, [])).toBe(0);
  for (const { id, secretSealed } of await listSealedSecrets(sql, all))
    expect(ring.open(secretSealed, id)).toBe(secrets.get(id));
  expect(await listSealedSecrets(sql, { ...all, without: ring.header })).toEqual([]);
});

test('counts, checks and reseals custom headers with the secrets', async ({ sql }) => {
  const [[id] = ['']] = await seedSecrets(sql, 1, ring.seal);
  const headers = { authorization: 'Bearer secret' };
  const setHeaders = (key: string) => sql`
    update webhook_subscriptions
    set headers_sealed = ${sealHeaders(createSealer(key), headers, id)}`;
  await setHeaders(older);
  expect(await countSecrets(sql, ring)).toMatchObject({ current: 1, previous: 1, missing: 0 });
  expect(await listSealedSecrets(sql, { ...all, without: ring.header })).toHaveLength(1);
  const [, found] = await examined(sql, true);
  expect(found).toMatchObject({ checked: 1, found: 1, repaired: 1 });
  expect(await countSecrets(sql, ring)).toMatchObject({ current: 2, previous: 0, missing: 0 });
  const [row] = await listSealedSecrets(sql, all);
  expect(openHeaders(createSealer(newer), row?.headersSealed ?? null, id)).toEqual(headers);
  await setHeaders(lost);
  const [withoutKey] = await examined(sql, true);
  expect(withoutKey).toMatchObject({ checked: 1, found: 1 });
  expect(withoutKey?.findings[0]?.text).toContain('custom headers that do not open');
});

test('keeps custom headers that their vendor changed meanwhile', async ({ sql }) => {
  const [[id] = ['']] = await seedSecrets(sql, 1, createSealer(older).seal);
  const read = await listSealedSecrets(sql, all);
  const changed = sealHeaders(createSealer(older), { a: 'b' }, id);
  await sql`update webhook_subscriptions set headers_sealed = ${changed}`;
  expect(await resealSecrets(sql, ring, read)).toBe(0);
  const [row] = await listSealedSecrets(sql, all);
  expect(Buffer.from(row?.headersSealed ?? [])).toEqual(changed);
});

test('counts no secret of a deleted subscription', async ({ sql }) => {
  await seedSecrets(sql, 2, createSealer(lost).seal);
  const missing = { missing: 2, missingKeyIds: createSealer(lost).keyIds };
  expect(await countSecrets(sql, ring)).toMatchObject(missing);
  await sql`update webhook_subscriptions set secret_sealed = '', deleted_at = now()`;
  expect(await countSecrets(sql, ring)).toMatchObject({ missing: 0, missingKeyIds: [] });
});
