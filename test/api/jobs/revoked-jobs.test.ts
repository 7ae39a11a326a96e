import { expect } from 'vitest';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import {
  lockAnyCredential,
  setCredentialActiveByOperator,
} from '../../../db/accounts/credentials.ts';
import { lockVendor, setVendorActive } from '../../../db/accounts/vendors.ts';
import type { Queryable } from '../../../db/core/client.ts';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { holdLock, untilLockWaits } from '../../support/database/locks.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newCredentialFixture } from '../accounts/credentials/credential-fixture.ts';
import { newOperator, newVendor, tokenWith, type TestVendor } from '../../support/api/actors.ts';
import { call, type Gateway } from '../../support/api/api.ts';
import {
  perfume,
  readJob,
  revertJob,
  runJob,
  runToEnd,
  settings,
  startJob,
} from './job-fixture.ts';

/** Jobs end when their vendor or the credential that started them is switched off (D154). */

const test = gatewayTest.extend('staff', { scope: 'file' }, async ({ gateway }) => ({
  token: (await newOperator(gateway)).token,
}));

type Staff = { readonly token: string };
type SwitchOff = (gateway: Gateway, vendor: TestVendor, staff: Staff) => Promise<unknown>;

const deactivateVendor: SwitchOff = (gateway, { vendorId }, { token }) =>
  call(gateway, 'PATCH', `/operator/v1/vendors/${vendorId}/active`, {
    token,
    body: { isActive: false },
  });
const revokeCredential: SwitchOff = (gateway, { credentialId }, { token }) =>
  call(gateway, 'PATCH', `/operator/v1/credentials/${credentialId}/active`, {
    token,
    body: { isActive: false },
  });
const deleteCredential: SwitchOff = (gateway, { credentialId, token }) =>
  call(gateway, 'DELETE', `/api/v1/credentials/${credentialId}`, { token });
const deactivateOwnCredential: SwitchOff = (gateway, { credentialId, token }) =>
  call(gateway, 'PATCH', `/api/v1/credentials/${credentialId}/active`, {
    token,
    body: { isActive: false },
  });

const switchesOff: readonly [string, string, SwitchOff][] = [
  ['an operator deactivated the vendor', 'VENDOR_INACTIVE', deactivateVendor],
  ['an operator deactivated the credential', 'CREDENTIAL_REVOKED', revokeCredential],
  ['the vendor deleted the credential', 'CREDENTIAL_REVOKED', deleteCredential],
  ['the vendor deactivated the credential', 'CREDENTIAL_REVOKED', deactivateOwnCredential],
];
/** A vendor, and the same with another credential. */
async function withTwoCredentials(gateway: Gateway) {
  const { vendor, add } = await newCredentialFixture(gateway);
  const { id: credentialId, ...secret } = await add(capabilities);
  const other = { ...vendor, credentialId, ...secret };
  return { vendor, other: { ...other, token: tokenWith(gateway, other, capabilities) } };
}
const perfumes = ['a', 'b', 'c'].map((name) => perfume(name));

test.for(switchesOff)(
  'no further item of a job runs after %s',
  async ([, reason, switchOff], { gateway, staff }) => {
    const vendor = await newVendor(gateway);
    const id = await startJob(gateway, vendor, 'createOffers', perfumes);
    const next = await startJob(gateway, vendor, 'createOffers', perfumes);
    await runBatch(gateway.sql, { jobId: id, limit: 2 }, settings);
    expect((await readJob(gateway, vendor, id)).payload).toMatchObject({
      state: 'Running',
      details: { reason: null },
    });

    await switchOff(gateway, vendor, staff);
    await runJob(gateway, id);

    expect((await readJob(gateway, vendor, id)).payload).toMatchObject({
      state: 'Cancelled',
      details: { reason },
      counts: { done: 2, remaining: 1 },
      endedAt: expect.any(String) as unknown,
    });
    // The vendor's next job starts, and ends by the same rule.
    const started = await gateway.sql`select from outbox where subject_id = ${next}`;
    expect(started).toHaveLength(1);
    await runJob(gateway, next);
    expect((await readJob(gateway, vendor, next)).payload).toMatchObject({
      state: 'Cancelled',
      details: { reason },
      counts: { done: 0, remaining: 3 },
      startedAt: null,
    });
  },
);

test('a revert belongs to the credential that asked for it', async ({ gateway, staff }) => {
  const { vendor, other } = await withTwoCredentials(gateway);
  const job = await runToEnd(gateway, vendor, 'createOffers', perfumes);
  const revert = await revertJob(gateway, other, job.id);
  await revokeCredential(gateway, other, staff);
  await runJob(gateway, revert);
  expect((await readJob(gateway, vendor, revert)).payload).toMatchObject({
    state: 'Cancelled',
    details: { reason: 'CREDENTIAL_REVOKED' },
  });

  // A cancelled revert gives way to another one.
  const again = await revertJob(gateway, vendor, job.id);
  await runJob(gateway, again);
  expect((await readJob(gateway, vendor, again)).payload).toMatchObject({
    state: 'Finished',
    details: { reason: null },
    counts: { done: 3 },
  });
});

test('ends no job by another credential or by expiry', async ({ gateway, staff }) => {
  const { vendor, other } = await withTwoCredentials(gateway);
  const { credentialId } = vendor;
  const id = await startJob(gateway, vendor, 'createOffers', perfumes);
  await revokeCredential(gateway, other, staff);
  await revokeCredential(gateway, vendor, staff);
  await call(gateway, 'PATCH', `/operator/v1/credentials/${credentialId}/active`, {
    token: staff.token,
    body: { isActive: true },
  });
  await gateway.sql`update credentials set expires_at = now() where id = ${credentialId}`;
  await runJob(gateway, id);
  expect((await readJob(gateway, vendor, id)).payload).toMatchObject({ state: 'Finished' });
});

test('ends a job without a credential by its vendor only', async ({ gateway, staff }) => {
  const vendor = await newVendor(gateway);
  const [first, second] = [
    await startJob(gateway, vendor, 'createOffers', perfumes),
    await startJob(gateway, vendor, 'createOffers', perfumes),
  ];
  await gateway.sql`update bulk_jobs set credential_id = null where vendor_id = ${vendor.vendorId}`;
  await revokeCredential(gateway, vendor, staff);
  await runJob(gateway, first);
  expect((await readJob(gateway, vendor, first)).payload).toMatchObject({ state: 'Finished' });
  await deactivateVendor(gateway, vendor, staff);
  await runJob(gateway, second);
  expect((await readJob(gateway, vendor, second)).payload).toMatchObject({
    state: 'Cancelled',
    details: { reason: 'VENDOR_INACTIVE' },
  });
});

test.for<[string, string, (sql: Queryable, vendor: TestVendor) => Promise<unknown>]>([
  [
    'the vendor',
    'VENDOR_INACTIVE',
    async (sql, { vendorId }) => {
      await lockVendor(sql, vendorId);
      await setVendorActive(sql, vendorId, false);
    },
  ],
  [
    'the credential',
    'CREDENTIAL_REVOKED',
    async (sql, { credentialId }) => {
      await lockAnyCredential(sql, credentialId);
      await setCredentialActiveByOperator(sql, credentialId, false);
    },
  ],
])(
  'a batch that begins while %s is being switched off waits for it, and runs nothing',
  async ([, reason, switchOff], { gateway }) => {
    const vendor = await newVendor(gateway);
    const id = await startJob(gateway, vendor, 'createOffers', perfumes);
    const batch = { jobId: id, limit: 10 };
    const running: Promise<unknown>[] = [];
    await gateway.sql.begin(async (transaction) => {
      await switchOff(transaction, vendor);
      running.push(runBatch(gateway.sql, batch, settings));
      await untilLockWaits(gateway.sql, 1);
    });
    expect(await Promise.all(running)).toMatchObject([
      { state: 'Cancelled', cancelReason: reason, doneCount: 0 },
    ]);
  },
);

test.for(switchesOff)(
  'a running batch takes effect before the call answers by which %s',
  async ([, , switchOff], { gateway, staff }) => {
    const vendor = await newVendor(gateway);
    const id = await startJob(gateway, vendor, 'createOffers', perfumes.slice(0, 2));
    // The batch waits for it after it has checked the vendor.
    const agreement = gateway.sql`select lock_agreement(${vendor.vendorId})`;
    const release = await holdLock(gateway.sql, agreement);
    const batch = runBatch(gateway.sql, { jobId: id, limit: 1 }, settings);
    await untilLockWaits(gateway.sql, 1);
    const answered = switchOff(gateway, vendor, staff);
    await untilLockWaits(gateway.sql, 2);
    await release();

    await answered;
    const counts = { done: 1, remaining: 1 };
    expect((await readJob(gateway, vendor, id)).payload).toMatchObject({
      state: 'Running',
      counts,
    });
    await batch;
    await runJob(gateway, id);
    expect((await readJob(gateway, vendor, id)).payload).toMatchObject({
      state: 'Cancelled',
      counts,
    });
  },
);
