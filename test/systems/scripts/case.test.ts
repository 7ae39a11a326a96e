import { verify } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { insertNote } from '../../../db/accounts/notes.ts';
import { insertJob } from '../../../db/jobs/jobs.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { createRing, generatePrivateKey } from '../../../security/key-ring.ts';
import type { SignedDocument } from '../../../security/sign-document.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { runScript } from '../../support/command.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { decideOffer } from '../../support/gateway/runs.ts';
import { seedOffer, seedOperator, seedVariant, seedVendor } from '../../support/seeds/seed.ts';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';

/** The command `npm run case`. */

const signingKey = generatePrivateKey();

const test = workflowTest
  .extend('offer', { scope: 'file' }, ({ gateway }) => rejectedOffer(gateway))
  .extend(
    'runCase',
    ({ gateway: { config } }) =>
      (...args: readonly string[]) =>
        runScript('scripts/case.ts', args, {
          DATABASE_URL: config.DATABASE_URL,
          TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '',
          JWT_SIGNING_KEY: signingKey,
        }),
  )
  /** Reads a case from the stdout of the command. */
  .extend('readCase', ({ runCase }) => async (...args: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runCase(...args, '--out', '-');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  });

const payloadOf = ({ payload }: SignedDocument): string =>
  Buffer.from(payload, 'base64url').toString();

/** An offer that an operator has rejected, with a reason. */
async function rejectedOffer(gateway: TestGateway) {
  const { sql, client } = gateway;
  const vendorId = await seedVendor(sql);
  const operator = await seedOperator(sql);
  const offer = await seedOffer(sql, vendorId);
  const rejection = { action: 'reject', reason: 'No photo', expectedVersion: null } as const;
  expect(await decideOffer(gateway, operator, offer, rejection)).toMatchObject({ ok: true });
  await client.workflow.getHandle(offerReviewId(offer.id)).result();
  const note = { subjectType: 'offer', subjectId: offer.id, text: 'For staff.' } as const;
  await insertNote(sql, { id: uuidv7(), operatorId: operator.id, ...note });
  return { id: offer.id, vendorId, operatorId: operator.operatorId };
}

test('writes a case with the record, the deciding operator and runs that replay offline', async ({
  runCase,
  offer: { id, vendorId, operatorId },
  onTestFinished,
}) => {
  const file = join(tmpdir(), `case-${id}.json`);
  onTestFinished(() => rmSync(file));
  expect(await runCase('offer', id, '--out', file)).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    case: { kind: 'offer', id },
    vendorId,
    record: { id, status: 'Rejected' },
    statusChanges: [{ to_status: 'PendingMatch' }, { to_status: 'Rejected', reason: 'No photo' }],
    audit: [{ action: 'offer.reject', operator: operatorId }],
    notes: [{ text: 'For staff.', operator: operatorId }],
    runs: [{ workflowId: `offer-review/${id}`, status: 'COMPLETED', buildId: expect.any(String) }],
  });
  const replayed = await runScript('scripts/replay.ts', [file], {});
  expect(replayed).toMatchObject({ code: 0 });
  expect(replayed.stdout).toMatch(new RegExp(`^fits +offer-review/${id} `));
  // An existing file stays.
  expect(await runCase('offer', id, '--out', file)).toMatchObject({ code: 1 });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('writes a vendor-safe case without staff, which the published key verifies', async ({
  readCase,
  offer: { id, operatorId },
}) => {
  const signed = (await readCase('offer', id, '--vendor-safe')) as SignedDocument;
  const [key] = createRing(signingKey, new Date());
  const header = JSON.parse(Buffer.from(signed.protected, 'base64url').toString()) as unknown;
  expect(header).toEqual({ alg: 'EdDSA', kid: key?.kid, typ: 'vendor-gateway-case+json' });
  const text = Buffer.from(`${signed.protected}.${signed.payload}`);
  const signature = Buffer.from(signed.signature, 'base64url');
  expect(key !== undefined && verify(null, text, key.publicKey, signature)).toBe(true);
  const payload = payloadOf(signed);
  expect(payload).not.toContain(operatorId);
  expect(payload).not.toContain('For staff.');
  expect(JSON.parse(payload)).toMatchObject({
    record: { id, status: 'Rejected', review: { reason: 'No photo' } },
    runs: [{ steps: expect.arrayContaining([expect.objectContaining({ eventId: '1' })]) }],
  });
});

test('refuses impossible files, unknown subjects and wrong arguments with the reason', async ({
  runCase,
  offer: { id, vendorId },
}) => {
  const file = join(tmpdir(), id, 'case.json');
  const usage = expect.stringMatching(/^npm run case -- /);
  for (const [args, code, stderr] of [
    [
      ['offer', id, '--out', file],
      1,
      `${file} cannot be written (ENOENT). Choose another file, or --out - for stdout.\n`,
    ],
    [['offer', vendorId], 1, `There is no offer ${vendorId}.\n`],
    [['offer', 'x'], 2, usage],
    [['order', id], 2, usage],
  ] as const)
    expect(await runCase(...args)).toEqual({ code, stdout: '', stderr });
});

test('writes the events into the case of a return, and the results into the case of a job', async ({
  gateway: { sql },
  readCase,
}) => {
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  const pending = await seedReturn(sql, { vendorId, variantId });
  const { id } = await moveReturnTo(sql, pending, 'Received');
  const event = newEvent({
    eventType: 'vendor.return.received',
    vendorId,
    occurredAt: new Date(),
    data: { returnId: id },
  });
  await emitEvents(sql, event);
  expect(await readCase('return', id)).toMatchObject({
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
  await insertJob(sql, job, [{ type: 'nothing' as const }]);
  expect(await readCase('job', jobId)).toMatchObject({
    case: { kind: 'job', id: jobId },
    record: { id: jobId, items_left: [{ index: 0, item: { type: 'nothing' } }] },
  });
  const shown = (await readCase('job', jobId, '--vendor-safe')) as SignedDocument;
  expect(JSON.parse(payloadOf(shown))).toMatchObject({
    record: { id: jobId, counts: { accepted: 1 }, results: [] },
  });
});
