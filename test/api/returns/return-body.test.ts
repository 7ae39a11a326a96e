import { expect, test } from 'vitest';
import {
  decisionBody,
  evidenceBody,
  proposalBody,
  returnBody,
  returnMoveBody,
} from '../../../api/returns/return-body.ts';
import { bodyErrors, parseBody } from '../../../api/validation/compiler.ts';

// The forms of the fields have their cases in `validation/fields.test.ts`, the forms of URLs in
// `test/domain/returns/evidence-url.test.ts`.

const id = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
const line = { lineId: id, quantity: 1, reasonCode: 'Defective' };
const largest = { ...line, quantity: 1_000_000 };
const request = { orderGlobalId: `ord_${id}`, destination: 'Supplier', lines: [line] };
const url = 'https://vendor.example.org/photo.jpg';
const urlOf = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`;

type Row = readonly [unknown, readonly string[]];
const errorsOf = (schema: Parameters<typeof bodyErrors>[0], body: unknown): readonly string[] =>
  bodyErrors(schema, body).map(({ path, code }) => `${path} ${code}`);

test.each<Row>([
  [{}, ['/orderGlobalId required', '/destination required', '/lines required']],
  [request, []],
  [{ ...request, vendorId: null, destination: 'SortingPoint' }, []],
  [{ ...request, destination: 'Vendor' }, ['/destination not_allowed']],
  [{ ...request, vendorId: 'x' }, ['/vendorId invalid_uuid']],
  [{ ...request, orderGlobalId: 5 }, ['/orderGlobalId invalid_type']],
  [{ ...request, status: 'Approved' }, ['/status unknown_field']],
  [{ ...request, lines: [] }, ['/lines too_few']],
  [{ ...request, lines: Array.from({ length: 80 }, () => largest) }, []],
  [{ ...request, lines: Array.from({ length: 81 }, () => line) }, ['/lines too_many']],
  [{ ...request, lines: [{ ...line, quantity: 0 }] }, ['/lines/0/quantity too_small']],
  [{ ...request, lines: [{ ...line, quantity: 1_000_001 }] }, ['/lines/0/quantity too_large']],
  [{ ...request, lines: [{ ...line, quantity: 1.5 }] }, ['/lines/0/quantity invalid_integer']],
  [{ ...request, lines: [{ ...line, quantity: '1' }] }, ['/lines/0/quantity invalid_type']],
  [{ ...request, lines: [{ ...line, reasonCode: 'x' }] }, ['/lines/0/reasonCode not_allowed']],
  [{ ...request, lines: [{ ...line, lineId: 'x' }] }, ['/lines/0/lineId invalid_uuid']],
  [{ ...request, lines: [{ ...line, sku: 'x' }] }, ['/lines/0/sku unknown_field']],
  [
    { ...request, lines: [line, {}] },
    ['/lines/1/lineId required', '/lines/1/quantity required', '/lines/1/reasonCode required'],
  ],
])('%#: judges the return request %j: %j', (body, errors) => {
  expect(errorsOf(returnBody, body)).toEqual(errors);
});

test('reads the ids of a return request in lower case', () => {
  const shouted = { ...line, lineId: id.toUpperCase() };
  const given = { ...request, vendorId: id.toUpperCase(), lines: [shouted] };
  expect(parseBody(returnBody, given).output).toEqual({ ...request, vendorId: id });
});

const reasons: readonly Row[] = [
  [{ reason: null }, []],
  [{ reason: '😀'.repeat(4000) }, []],
  [{ reason: 5 }, ['/reason invalid_type']],
  [{ reason: 'x'.repeat(4001) }, ['/reason too_long']],
];

const version = { expectedVersion: 0 };

test.each<Row>([[{}, []], [version, ['/expectedVersion unknown_field']], ...reasons])(
  '%#: judges the move %j: %j',
  (body, errors) => {
    expect(errorsOf(returnMoveBody, body)).toEqual(errors);
  },
);

test.each<Row>([
  ...reasons.map(([body, errors]): Row => [{ outcome: 'Rejected', ...(body as object) }, errors]),
  [{}, ['/outcome required']],
  [{ outcome: 'Rejected', ...version }, ['/expectedVersion too_small']],
  [{ outcome: 'Rejected', expectedVersion: 2_147_483_647 }, []],
  [{ outcome: 'rejected' }, ['/outcome not_allowed']],
  [{ outcome: 'InspectionAccepted', reason: 5 }, ['/outcome not_allowed', '/reason invalid_type']],
])('%#: judges the decision %j: %j', (body, errors) => {
  expect(errorsOf(decisionBody, body)).toEqual(errors);
});

test.each<Row>([
  [{ outcome: 'Rejected' }, []],
  [{}, ['/outcome required']],
  [{ outcome: 'rejected' }, ['/outcome not_allowed']],
  [{ outcome: 'InspectionRejected' }, ['/outcome not_allowed']],
  [{ outcome: 'Rejected', reason: 'x' }, ['/reason unknown_field']],
])('%#: judges the proposal %j: %j', (body, errors) => {
  expect(errorsOf(proposalBody, body)).toEqual(errors);
});

test.each<Row>([
  [{ url, kind: 'Photo' }, []],
  [{ url: urlOf(2048), kind: 'Document' }, []],
  [{}, ['/url required', '/kind required']],
  [{ url, kind: 'photo' }, ['/kind not_allowed']],
  [{ url, kind: 'Photo', uploadedAt: '2026-01-01T00:00:00Z' }, ['/uploadedAt unknown_field']],
  [
    { url: 'http://x', kind: 'x', id },
    ['/url invalid_url', '/kind not_allowed', '/id unknown_field'],
  ],
  [{ url: urlOf(2049), kind: 'Photo' }, ['/url too_long', '/url invalid_url']],
  [{ url: `${url}\0`, kind: 'Photo' }, ['/url invalid_characters', '/url invalid_url']],
  [{ url: null, kind: 'Photo' }, ['/url invalid_type']],
  [[], [' invalid_type']],
])('%#: judges the evidence %j: %j', (body, errors) => {
  expect(errorsOf(evidenceBody, body)).toEqual(errors);
});

test('normalizes the URL of evidence', () => {
  const given = { url: 'HTTPS://Vendor.EXAMPLE.org/ä.jpg', kind: 'Photo' };
  const { output } = parseBody(evidenceBody, given);
  expect(output).toEqual({ url: 'https://vendor.example.org/%C3%A4.jpg', kind: 'Photo' });
});
