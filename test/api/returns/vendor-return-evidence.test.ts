import { describe, expect } from 'vitest';
import { returnStatuses, type ReturnStatus } from '../../../domain/returns/return-status.ts';
import {
  expectRefused,
  invalidMove,
  photoUrl,
  returnRecord,
  storedReturn,
  succeeded,
  returnTest as test,
} from './return-fixture.ts';
import { fieldErrorsOf, refusal, unknownId, type Answer } from '../support/api.ts';

import { instant, uuidV7 } from '../support/matchers.ts';

const notReceived = (status: ReturnStatus) =>
  refusal('BUSINESS_RETURN_REQUEST_NOT_RECEIVED', { status });
const beforeReceipt: readonly ReturnStatus[] = [
  'Pending',
  'Approved',
  'Rejected',
  'InTransit',
  'Withdrawn',
];

const urlOf = (length: number) =>
  `https://a.example/${'x'.repeat(length - 'https://a.example/'.length)}`;

describe('evidence', () => {
  test.for(returnStatuses)('for a return that is %s', async (status, { gateway, fixture }) => {
    const id = await fixture.returnIn(status);
    const isOpen = status === 'Received' || status === 'UnderInspection';
    if (!isOpen) {
      const expected = beforeReceipt.includes(status)
        ? notReceived(status)
        : invalidMove(status, 'evidence');
      return expectRefused(gateway, id, () => fixture.addEvidence(id), expected);
    }
    const before = await storedReturn(gateway, id);
    const answer = await fixture.addEvidence(id);
    expect(answer.status).toBe(201);
    const { payload } = await fixture.send('GET', `/${id}`);
    expect(payload).toMatchObject({ status, inspection: { evidence: [answer.payload] } });
    const { way, version } = await storedReturn(gateway, id);
    expect({ way, version }).toEqual({ way: before.way, version: before.version + 1 });
    return undefined;
  });

  test('for a return that was closed before it came is evidence before receipt', async ({
    gateway,
    fixture,
  }) => {
    const id = await fixture.returnIn('Approved');
    await succeeded(fixture.staff('POST', `/${id}/close`, {}));
    await expectRefused(gateway, id, () => fixture.addEvidence(id), notReceived('Closed'));
  });

  test('of each kind is answered as Evidence, to the letter', async ({ fixture }) => {
    const id = await fixture.returnIn('Received');
    for (const kind of ['Photo', 'Document']) {
      const answer = await fixture.addEvidence(id, kind);
      expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
      expect(answer.payload).toStrictEqual({
        id: uuidV7,
        url: photoUrl,
        kind,
        uploadedAt: instant,
      });
    }
  });

  test('is kept in the order in which it came, the same piece twice as two', async ({
    fixture,
  }) => {
    const id = await fixture.returnIn('Received');
    const added: Answer['payload'][] = [];
    for (const kind of ['Photo', 'Photo', 'Document', 'Photo']) {
      added.push((await succeeded(fixture.addEvidence(id, kind))).payload);
    }
    const { payload } = await fixture.send('GET', `/${id}`);
    expect(payload).toMatchObject({ inspection: { evidence: added } });
    expect(new Set(added.map((piece) => piece?.['id'])).size).toBe(4);
  });

  test('beyond 100 pieces is refused', async ({ gateway, fixture }) => {
    const id = await fixture.returnIn('Received');
    await gateway.sql`
      insert into return_evidence (id, return_id, url, kind, uploaded_at)
      select gen_random_uuid(), ${id}, ${photoUrl}, 'Document', now() from generate_series(1, 99)`;
    await succeeded(fixture.addEvidence(id));
    const full = refusal('BUSINESS_RETURN_EVIDENCE_LIMIT', { maximum: 100 });
    await expectRefused(gateway, id, () => fixture.addEvidence(id), full);
  });

  test.for([
    photoUrl,
    'https://vendor.example.org',
    'HTTPS://VENDOR.EXAMPLE.ORG/Photo.JPG',
    'https://vendor.example.org:8443/a%20b?x=1&y=%2F#part',
    'https://user.example.org/@name/a@b?mail=a@b#@',
    'https://10.0.0.1/photo.jpg',
    'https://127.0.0.1/photo.jpg',
    'https://169.254.169.254/photo.jpg',
    'https://[::1]/photo.jpg',
    'https://localhost/photo.jpg',
    'https://bücher.example/ä/😀.jpg',
    urlOf(2048),
  ])(
    'takes the URL %s and keeps its normal form: it is never fetched',
    async (sent, { fixture }) => {
      const url = new URL(sent).href;
      const id = await fixture.returnIn('Received');
      const answer = await fixture.addEvidence(id, 'Photo', sent);
      expect(answer).toMatchObject({ status: 201, payload: { url } });
      const { payload } = await fixture.send('GET', `/${id}`);
      expect(payload).toMatchObject({ inspection: { evidence: [{ url }] } });
    },
  );

  test.for([
    ['http://vendor.example.org/photo.jpg', 'invalid_url'],
    ['ftp://vendor.example.org/photo.jpg', 'invalid_url'],
    ['data:image/png;base64,AA==', 'invalid_url'],
    ['javascript:alert(1)', 'invalid_url'],
    ['/photo.jpg', 'invalid_url'],
    ['photo.jpg', 'invalid_url'],
    ['//vendor.example.org/photo.jpg', 'invalid_url'],
    ['vendor.example.org/photo.jpg', 'invalid_url'],
    ['https:vendor.example.org/photo.jpg', 'invalid_url'],
    ['https:/vendor.example.org/photo.jpg', 'invalid_url'],
    ['https:///vendor.example.org/photo.jpg', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://?x', 'invalid_url'],
    ['https://user@vendor.example.org/photo.jpg', 'invalid_url'],
    ['https://user:pass@vendor.example.org/photo.jpg', 'invalid_url'],
    ['https://:@vendor.example.org/photo.jpg', 'invalid_url'],
    ['https://@vendor.example.org/photo.jpg', 'invalid_url'],
    ['https://vendor.example.org:99999/photo.jpg', 'invalid_url'],
    ['https://[::1/photo.jpg', 'invalid_url'],
    ['https://1.2.3.999/photo.jpg', 'invalid_url'],
    ['https:\\\\vendor.example.org\\photo.jpg', 'invalid_url'],
    ['https://vendor.example.org\\@other.example', 'invalid_url'],
    [' https://vendor.example.org/photo.jpg', 'invalid_url'],
    ['https://vendor.example.org/photo.jpg\n', 'invalid_url'],
    ['https://vendor.example.org/a b.jpg', 'invalid_url'],
    ['https://vendor.exa\tmple.org/', 'invalid_url'],
    ['', 'invalid_url'],
    ['   ', 'invalid_url'],
    [urlOf(2049), 'too_long'],
    ['https://vendor.example.org/\0', 'invalid_characters'],
    ['https://vendor.example.org/\uD800', 'invalid_characters'],
    ['https://vendor.example.org/\uDC00\uD800', 'invalid_characters'],
    [null, 'invalid_type'],
    [5, 'invalid_type'],
    [['https://vendor.example.org/'], 'invalid_type'],
  ] as const)('refuses the URL %j as 400 on Url', async ([url, code], { gateway, fixture }) => {
    const id = await fixture.returnIn('Received');
    const before = await returnRecord(gateway, id);
    const answer = await fixture.send('POST', `/${id}/evidence`, { url, kind: 'Photo' });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(fieldErrorsOf(answer)).toContain(`Url ${code}`);
    expect(new Set(fieldErrorsOf(answer).map((entry) => entry.split(' ')[0]))).toEqual(
      new Set(['Url']),
    );
    expect(await returnRecord(gateway, id)).toBe(before);
  });

  test.for([
    [{}, ['Kind required', 'Url required']],
    [{ url: photoUrl }, ['Kind required']],
    [{ url: photoUrl, kind: 'photo' }, ['Kind not_allowed']],
    [{ url: photoUrl, kind: 'Video' }, ['Kind not_allowed']],
    [{ url: photoUrl, kind: null }, ['Kind not_allowed']],
    [
      { url: photoUrl, kind: 'Photo', uploadedAt: '2026-01-01T00:00:00Z' },
      ['UploadedAt unknown_field'],
    ],
    [
      { url: 'x', kind: 'x', id: unknownId() },
      ['Id unknown_field', 'Kind not_allowed', 'Url invalid_url'],
    ],
    [[], ['Body invalid_type']],
  ] as const)('with the body %j lists every fault', async ([body, errors], { fixture }) => {
    const id = await fixture.returnIn('Received');
    const answer = await fixture.send('POST', `/${id}/evidence`, body);
    expect(answer.status).toBe(400);
    expect(fieldErrorsOf(answer)).toEqual(errors);
  });
});
