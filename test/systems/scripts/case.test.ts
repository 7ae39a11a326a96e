import { verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { insertJob } from '../../../db/jobs/jobs.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { createRing, generatePrivateKey } from '../../../security/key-ring.ts';
import type { SignedDocument } from '../../../security/sign-document.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { runScript } from '../../support/command.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import {
  seedCommand,
  seedOffer,
  seedOperator,
  seedVariant,
  seedVendor,
} from '../../support/seeds/seed.ts';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';

/** The command `npm run case`. */

const signingKey = generatePrivateKey();

const test = workflowTest
  .extend('directory', ({}, { onCleanup }) => {
    const directory = mkdtempSync(join(tmpdir(), 'case-'));
    onCleanup(() => {
      rmSync(directory, { recursive: true });
    });
    return directory;
  })
  .extend('offer', { scope: 'file' }, ({ gateway }) => rejectedOffer(gateway));

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const payloadOf = ({ payload }: SignedDocument): string =>
  Buffer.from(payload, 'base64url').toString();

const runCase = ({ config }: TestGateway, ...args: readonly string[]) =>
  runScript('scripts/case.ts', args, {
    DATABASE_URL: config.DATABASE_URL,
    TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '',
    JWT_SIGNING_KEY: signingKey,
  });

/** An offer that an operator has rejected, with a reason. */
async function rejectedOffer({ sql, decisions, client }: TestGateway) {
  const vendorId = await seedVendor(sql);
  await seedVariant(sql);
  const operator = await seedOperator(sql);
  const offer = await seedOffer(sql, vendorId);
  const commandId = await seedCommand(sql, operator.id, offer.id, {
    action: 'reject',
    reason: 'No photo',
    expectedVersion: null,
  });
  const outcome = await decisions.decideOffer(
    { offerId: offer.id, vendorId },
    { action: 'reject', commandId, operatorId: operator.operatorId },
  );
  expect(outcome).toMatchObject({ ok: true });
  await client.workflow.getHandle(offerReviewId(offer.id)).result();
  return { id: offer.id, vendorId, operatorId: operator.operatorId };
}

test('a case file has the record, who decided, and runs that replay without a server', async ({
  gateway,
  directory,
  offer: { id, vendorId, operatorId },
}) => {
  const file = join(directory, 'case.json');
  expect(await runCase(gateway, 'offer', id, '--out', file)).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readJson(file)).toMatchObject({
    case: { kind: 'offer', id },
    vendorId,
    record: { id, status: 'Rejected' },
    statusChanges: [{ to_status: 'PendingMatch' }, { to_status: 'Rejected', reason: 'No photo' }],
    audit: [{ action: 'offer.reject', operator: operatorId }],
    runs: [{ workflowId: `offer-review/${id}`, status: 'COMPLETED', buildId: expect.any(String) }],
  });
  const replayed = await runScript('scripts/replay.ts', [file], {});
  expect(replayed).toMatchObject({ code: 0 });
  expect(replayed.stdout).toMatch(new RegExp(`^fits +offer-review/${id} `));
});

test('a case goes to stdout where no file can be written, and an impossible file is a clear error', async ({
  gateway,
  directory,
  offer: { id },
}) => {
  const written = await runCase(gateway, 'offer', id, '--out', '-');
  expect(written).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(written.stdout)).toMatchObject({ case: { kind: 'offer', id } });
  const signed = await runCase(gateway, 'offer', id, '--vendor-safe', '--out', '-');
  expect(JSON.parse(signed.stdout)).toMatchObject({ payload: expect.any(String) });

  const file = join(directory, 'none', 'case.json');
  expect(await runCase(gateway, 'offer', id, '--out', file)).toEqual({
    code: 1,
    stdout: '',
    stderr: `${file} cannot be written (ENOENT). Choose another file, or --out - for stdout.\n`,
  });
});

test('a vendor-safe case names no staff, and the published key verifies it', async ({
  gateway,
  directory,
  offer: { id, operatorId },
}) => {
  const file = join(directory, 'case.json');
  await runCase(gateway, 'offer', id, '--vendor-safe', '--out', file);
  const signed = readJson(file) as SignedDocument;
  const [key] = createRing(signingKey, new Date());
  const header = JSON.parse(Buffer.from(signed.protected, 'base64url').toString()) as unknown;
  expect(header).toEqual({ alg: 'EdDSA', kid: key?.kid, typ: 'vendor-gateway-case+json' });
  const text = Buffer.from(`${signed.protected}.${signed.payload}`);
  const signature = Buffer.from(signed.signature, 'base64url');
  expect(key !== undefined && verify(null, text, key.publicKey, signature)).toBe(true);
  const payload = payloadOf(signed);
  expect(payload).not.toContain(operatorId);
  expect(JSON.parse(payload)).toMatchObject({
    record: { id, status: 'Rejected', review: { reason: 'No photo' } },
    runs: [{ steps: expect.arrayContaining([expect.objectContaining({ eventId: '1' })]) }],
  });
});

test('the command keeps an existing file, and names unknown subjects and wrong arguments', async ({
  gateway,
  directory,
  offer: { id, vendorId },
}) => {
  const file = join(directory, 'case.json');
  await runCase(gateway, 'offer', id, '--out', file);
  const before = readFileSync(file, 'utf8');
  expect(await runCase(gateway, 'offer', id, '--out', file)).toMatchObject({ code: 1 });
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(await runCase(gateway, 'offer', vendorId)).toMatchObject({
    code: 1,
    stderr: `There is no offer ${vendorId}.\n`,
  });
  for (const args of [
    ['offer', 'x'],
    ['order', id],
  ])
    expect(await runCase(gateway, ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^npm run case -- /),
    });
});

test('a case of a return has its events, and one of a job its results', async ({
  gateway,
  directory,
}) => {
  const { sql } = gateway;
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  const { id } = await moveReturnTo(
    sql,
    await seedReturn(sql, { vendorId, variantId }),
    'Received',
  );
  const event = newEvent({
    eventType: 'vendor.return.received',
    vendorId,
    occurredAt: new Date(),
    data: { returnId: id },
  });
  await emitEvents(sql, event);
  const ofReturn = join(directory, 'return.json');
  expect(await runCase(gateway, 'return', id, '--out', ofReturn)).toMatchObject({ code: 0 });
  expect(readJson(ofReturn)).toMatchObject({
    record: { id },
    events: expect.arrayContaining([expect.objectContaining({ id: event.id })]),
  });

  const jobId = uuidv7();
  const job = {
    id: jobId,
    vendorId,
    credentialId: null,
    kind: 'pushStocks',
    revertsId: null,
    validateOnly: false,
  } as const;
  await insertJob(sql, job, [{ type: 'nothing' }]);
  const ofJob = join(directory, 'job.json');
  expect(await runCase(gateway, 'job', jobId, '--out', ofJob)).toMatchObject({ code: 0 });
  expect(readJson(ofJob)).toMatchObject({
    case: { kind: 'job', id: jobId },
    record: { id: jobId, items_left: [{ index: 0, item: { type: 'nothing' } }] },
  });
  const shown = join(directory, 'shown.json');
  await runCase(gateway, 'job', jobId, '--vendor-safe', '--out', shown);
  expect(JSON.parse(payloadOf(readJson(shown) as SignedDocument))).toMatchObject({
    record: { id: jobId, counts: { accepted: 1 }, results: [] },
  });
});
