import { expect } from 'vitest';
import type { Queryable } from '../../../db/core/client.ts';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { holdLock, meets, untilLockWaits } from '../../support/database/locks.ts';
import { newCredentialFixture } from '../accounts/credentials/credential-fixture.ts';
import { tokenWith, type TestVendor } from '../../support/api/actors.ts';
import { call, type Gateway, type Method } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import { jobsOf, jobTest, perfume } from './job-fixture.ts';

// Jobs end when their vendor or the credential that started them is switched off (D154).

const deactivateVendor = 'PATCH /operator/v1/vendors/{vendorId}/active';
const revokeCredential = 'PATCH /operator/v1/credentials/{credentialId}/active';
const ownCredential = '/api/v1/credentials/{credentialId}';
const switchesOff = [
  ['an operator deactivated the vendor', 'VENDOR_INACTIVE', deactivateVendor],
  ['an operator deactivated the credential', 'CREDENTIAL_REVOKED', revokeCredential],
  ['the vendor deleted the credential', 'CREDENTIAL_REVOKED', `DELETE ${ownCredential}`],
  ['the vendor deactivated the credential', 'CREDENTIAL_REVOKED', `PATCH ${ownCredential}/active`],
] as const;

/** Adds a call that switches a vendor or its credential off, or on again. */
const test = jobTest.extend(
  'send',
  ({ gateway, adminAccount }) =>
    (route: string, vendor: TestVendor, isActive = false) => {
      const [method, path = ''] = route
        .replace('{vendorId}', vendor.vendorId)
        .replace('{credentialId}', vendor.credentialId)
        .split(' ');
      const { token } = path.startsWith('/operator/') ? adminAccount : vendor;
      const body = method === 'DELETE' ? undefined : { isActive };
      return call(gateway, method as Method, path, { token, body });
    },
);

/** A vendor, and the same with another credential. */
async function withTwoCredentials(gateway: Gateway) {
  const { vendor, add } = await newCredentialFixture(gateway);
  const { id: credentialId, ...secret } = await add(capabilities);
  const other = { ...vendor, credentialId, ...secret };
  return { vendor, other: { ...other, token: tokenWith(gateway, other, capabilities) } };
}
const perfumes = ['a', 'b', 'c'].map((name) => perfume(name));

test.for(switchesOff)(
  'runs no further item of a job after %s',
  async ([, reason, switchOff], { gateway, vendor, jobs, send }) => {
    const id = await jobs.start('createOffers', perfumes);
    const next = await jobs.start('createOffers', perfumes);
    await jobs.runSome(id, 2);
    expect(await jobs.read(id)).toMatchObject({ state: 'Running', details: { reason: null } });
    await send(switchOff, vendor);
    await jobs.run(id);
    const cancelled = { state: 'Cancelled', details: { reason } };
    const ended = { counts: { done: 2, remaining: 1 }, endedAt: instant };
    expect(await jobs.read(id)).toMatchObject({ ...cancelled, ...ended });
    // The vendor's next job starts, and ends by the same rule.
    expect(await gateway.sql`select from outbox where subject_id = ${next}`).toHaveLength(1);
    await jobs.run(next);
    const counts = { done: 0, remaining: 3 };
    expect(await jobs.read(next)).toMatchObject({ ...cancelled, counts, startedAt: null });
  },
);

test('cancels a revert once its own credential is revoked', async ({ gateway, send }) => {
  const { vendor, other } = await withTwoCredentials(gateway);
  const jobs = jobsOf(gateway, vendor);
  const job = await jobs.toEnd('createOffers', perfumes);
  const revert = await jobsOf(gateway, other).revert(job.id);
  await send(revokeCredential, other);
  await jobs.run(revert);
  const details = { reason: 'CREDENTIAL_REVOKED' };
  expect(await jobs.read(revert)).toMatchObject({ state: 'Cancelled', details });
  // A cancelled revert gives way to another one.
  const again = await jobs.revert(job.id);
  await jobs.run(again);
  const finished = { state: 'Finished', details: { reason: null }, counts: { done: 3 } };
  expect(await jobs.read(again)).toMatchObject(finished);
});

test('cancels no job by expiry, or by revoking another credential', async ({ gateway, send }) => {
  const { vendor, other } = await withTwoCredentials(gateway);
  const jobs = jobsOf(gateway, vendor);
  const id = await jobs.start('createOffers', perfumes);
  await send(revokeCredential, other);
  await send(revokeCredential, vendor);
  await send(revokeCredential, vendor, true);
  await gateway.sql`
    update credentials set expires_at = now() where id = ${vendor.credentialId}`;
  await jobs.run(id);
  expect(await jobs.read(id)).toMatchObject({ state: 'Finished' });
});

test('cancels a job without a credential only when its vendor is deactivated', async ({
  gateway,
  vendor,
  jobs,
  send,
}) => {
  const first = await jobs.start('createOffers', perfumes);
  const second = await jobs.start('createOffers', perfumes);
  await gateway.sql`update bulk_jobs set credential_id = null where vendor_id = ${vendor.vendorId}`;
  await send(revokeCredential, vendor);
  await jobs.run(first);
  expect(await jobs.read(first)).toMatchObject({ state: 'Finished' });
  await send(deactivateVendor, vendor);
  await jobs.run(second);
  const details = { reason: 'VENDOR_INACTIVE' };
  expect(await jobs.read(second)).toMatchObject({ state: 'Cancelled', details });
});

test.for([
  ['vendor', 'VENDOR_INACTIVE'],
  ['credential', 'CREDENTIAL_REVOKED'],
] as const)(
  'waits in a new batch while its %s is being switched off, and runs nothing',
  async ([subject, cancelReason], { gateway, vendor, jobs }) => {
    const { vendorId, credentialId } = vendor;
    const id = await jobs.start('createOffers', perfumes);
    const switchOff = async (sql: Queryable) => {
      await sql`select from vendors where id = ${vendorId} for no key update`;
      await (subject === 'vendor'
        ? sql`update vendors set is_active = false where id = ${vendorId}`
        : sql`update credentials set is_active = false where id = ${credentialId}`);
    };
    expect(await meets(gateway.sql, switchOff, () => jobs.runSome(id, 10))).toMatchObject({
      state: 'Cancelled',
      cancelReason,
      doneCount: 0,
    });
  },
);

test.for(switchesOff)(
  'completes a running batch before the response to the call by which %s',
  async ([, , switchOff], { gateway, vendor, jobs, send }) => {
    const id = await jobs.start('createOffers', perfumes.slice(0, 2));
    // The batch waits for it after it has checked the vendor.
    const agreement = gateway.sql`select lock_agreement(${vendor.vendorId})`;
    const release = await holdLock(gateway.sql, agreement);
    const batch = jobs.runSome(id, 1);
    await untilLockWaits(gateway.sql, 1);
    const answered = send(switchOff, vendor);
    await untilLockWaits(gateway.sql, 2);
    await release();

    await answered;
    const counts = { done: 1, remaining: 1 };
    expect(await jobs.read(id)).toMatchObject({ state: 'Running', counts });
    await batch;
    await jobs.run(id);
    expect(await jobs.read(id)).toMatchObject({ state: 'Cancelled', counts });
  },
);
