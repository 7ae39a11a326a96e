import type { ErrorCode } from '../../../domain/errors.ts';
import { freeFormOffer, percentageOfSale } from './actors.ts';
import { newCredentialFixture } from '../../api/accounts/credentials/credential-fixture.ts';
import { reviewToEnd, runToEnd, startJob } from '../../api/jobs/job-fixture.ts';
import { newOfferFixture } from '../../api/offers/offer-fixture.ts';
import { newOrderFixture } from '../../api/orders/order-fixture.ts';
import { newReturnFixture } from '../../api/returns/return-fixture.ts';
import type { Gateway } from './api.ts';
import { delivered, newWebhookFixture } from '../../api/webhooks/webhook-fixture.ts';

/**
 * A resource in a state, or a call with a meaning, that the route refuses by a rule; the response
 * names the field, if it is one.
 */
export type WrongState = {
  readonly route: string;
  readonly id?: string;
  /** The vendor's whose thing it is. */
  readonly token?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly code: ErrorCode;
  readonly field?: string;
};

const invalid = (id: string) => ({ id, code: 'BUSINESS_OFFER_INVALID_TRANSITION' }) as const;

async function ofOffers(gateway: Gateway): Promise<readonly WrongState[]> {
  const fixture = await newOfferFixture(gateway);
  const other = await newOfferFixture(gateway, percentageOfSale);
  const { token } = fixture.vendor;
  const rejected = await fixture.offerIn('Rejected', { barcode: null });
  const [approved, draft] = [await fixture.offerIn('Approved'), await fixture.offerIn('Draft')];
  const staff = 'POST /operator/v1/offers/{id}';
  const vendors = '/api/v1/scent/offers/{id}';
  const noBarcode = { id: rejected, token, code: 'VALIDATION_ERRORS', field: 'Barcode' } as const;
  const notForAgreement = { token, code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' } as const;
  const noPrice = { id: approved, code: 'BUSINESS_OFFER_NO_PENDING_PRICE' } as const;
  const body = { ...freeFormOffer, salePrice: 1, salePriceIsVatInclusive: true };
  const itsPrice = { id: await other.offerIn('Approved'), ...notForAgreement };
  const { vendorId } = fixture.vendor;
  const version = { expectedVersion: 1 };
  return [
    { route: 'POST /api/v1/scent/offers', body, ...notForAgreement },
    { route: `PATCH ${vendors}`, ...noBarcode },
    { route: 'PATCH /api/v1/scent/offers/{offerId}/stock', ...noBarcode },
    { route: `PATCH ${vendors}/sale-price`, id: approved, ...notForAgreement },
    { route: `PATCH ${vendors}/cost`, ...itsPrice, token: other.vendor.token },
    { route: `POST ${vendors}/submit`, token, ...invalid(approved) },
    { route: `POST ${vendors}/withdraw`, token, ...invalid(await fixture.offerIn('Withdrawn')) },
    { route: `${staff}/approve`, body: version, ...invalid(draft) },
    { route: `${staff}/reject`, ...invalid(approved) },
    { route: `${staff}/return-to-review`, body: { reason: 'No.', ...version }, ...invalid(draft) },
    {
      route: `${staff}/undo`,
      body: version,
      id: draft,
      code: 'BUSINESS_OFFER_DECISION_NOT_UNDOABLE',
    },
    { route: `${staff}/suspend`, ...invalid(draft) },
    { route: `${staff}/reinstate`, ...invalid(draft) },
    { route: `${staff}/pending-price/apply`, body: version, ...noPrice },
    { route: `${staff}/pending-price/discard`, ...noPrice },
    {
      route: 'POST /operator/v1/vendors/{id}/offers',
      id: vendorId,
      body,
      code: notForAgreement.code,
    },
  ];
}

async function ofJobs(gateway: Gateway): Promise<readonly WrongState[]> {
  const { vendor, operator } = await newOfferFixture(gateway);
  const { token } = vendor;
  const code = 'BUSINESS_BULK_JOB_INVALID_TRANSITION';
  const [ended, open] = [
    (await runToEnd(gateway, vendor, 'createOffers', [{}])).id,
    await startJob(gateway, vendor, 'createOffers', [{}]),
  ];
  const { id: reviewed } = await reviewToEnd(gateway, operator, { action: 'discard' }, [{}]);
  const path = '/api/v1/scent/jobs/{id}';
  return [
    { route: `POST ${path}/cancel`, id: ended, token, code },
    { route: `POST ${path}/revert`, id: open, token, code },
    { route: 'POST /operator/v1/jobs/{id}/cancel', id: ended, code },
    { route: 'POST /operator/v1/review-jobs/{id}/cancel', id: reviewed, code },
  ];
}

async function ofShipments(gateway: Gateway): Promise<readonly WrongState[]> {
  const { vendor } = await newOfferFixture(gateway);
  const id = await (await newOrderFixture(gateway)).groupIn('Shipped', vendor);
  const { token, vendorId } = vendor;
  const wrong = { id, code: 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION' } as const;
  return [
    { route: 'POST /api/v1/scent/orders/{groupId}/pack', token, ...wrong },
    { route: 'POST /api/v1/scent/orders/{groupId}/ship', token, ...wrong },
    { route: 'POST /operator/v1/groups/{id}/assign', body: { vendorId }, ...wrong },
    { route: 'PATCH /operator/v1/groups/{id}', body: { status: 'Cancelled' }, ...wrong },
  ];
}

async function ofReturns(gateway: Gateway): Promise<readonly WrongState[]> {
  const fixture = await newReturnFixture(gateway);
  const { token } = fixture.vendor;
  const onItsWay = await fixture.returnIn('InTransit');
  const closed = await fixture.returnIn('Closed');
  const vendors = '/api/v1/scent/returns/{id}';
  const code = 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION';
  const notReceived = 'BUSINESS_RETURN_REQUEST_NOT_RECEIVED';
  const pending = await fixture.request({ destination: 'SortingPoint' });
  const moves =
    'approve reject in-transit start-inspection refund-released withdraw close decide'.split(' ');
  return [
    { route: `PATCH ${vendors}/received`, id: closed, token, code },
    { route: `PATCH ${vendors}/inspection/propose`, id: onItsWay, token, code },
    { route: `POST ${vendors}/evidence`, id: onItsWay, token, code: notReceived },
    { route: 'POST /operator/v1/returns/{id}/received', id: pending, code },
    ...moves.map(
      (move) => ({ route: `POST /operator/v1/returns/{id}/${move}`, id: closed, code }) as const,
    ),
  ];
}

async function ofWebhooks(gateway: Gateway): Promise<readonly WrongState[]> {
  const fixture = await newWebhookFixture(gateway);
  const { token, vendorId } = fixture.vendor;
  const id = await fixture.subscribe();
  // The walk puts one id into every parameter of a path: the attempt has its subscription's.
  const { attemptId, deliveryId } = await delivered(gateway.sql, vendorId, id, 'waiting');
  await gateway.sql`update webhook_attempts set id = ${id} where id = ${attemptId}`;
  const off = await fixture.subscribe();
  await fixture.send('PATCH', `/${off}/active`, { isActive: false });
  for (let active = 1; active < 5; active += 1) await fixture.subscribe();
  const limit = { token, code: 'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT' } as const;
  const body = { url: 'https://127.0.0.1/' };
  const inactive = 'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE';
  const again = { token, code: 'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE' } as const;
  const staff = '/operator/v1/webhook-deliveries/{id}';
  return [
    { route: 'POST /api/v1/webhooks', ...limit },
    { route: 'PATCH /api/v1/webhooks/{id}/active', id: off, ...limit },
    { route: 'PUT /api/v1/webhooks/{id}', id, body, ...limit },
    { route: 'PUT /api/v1/scent/webhooks/{id}', id, body, ...limit },
    { route: 'POST /api/v1/webhooks/{id}/test-fire', id: off, token, code: inactive },
    { route: 'POST /api/v1/webhooks/{id}/recover', id: off, ...again },
    { route: 'POST /api/v1/webhooks/{id}/deliveries/{attemptId}/redeliver', id, ...again },
    { route: `POST ${staff}/redeliver`, id: deliveryId, code: again.code },
  ];
}

async function ofNotes(gateway: Gateway): Promise<readonly WrongState[]> {
  const { vendor, operator } = await newOfferFixture(gateway);
  const subject = { subjectType: 'vendor', subjectId: vendor.vendorId };
  await gateway.sql`
    insert into notes (id, subject_type, subject_id, operator_id, text)
    select gen_random_uuid(), 'vendor', ${vendor.vendorId}, ${operator.id}, 'Known.'
    from generate_series(1, 200)`;
  const body = { ...subject, text: 'One more.' };
  return [{ route: 'POST /operator/v1/notes', body, code: 'BUSINESS_NOTE_LIMIT' }];
}

async function ofCredentials(gateway: Gateway): Promise<readonly WrongState[]> {
  const fixture = await newCredentialFixture(gateway);
  const { credentialId: id, token } = fixture.vendor;
  await fixture.setActive(id, false);
  const first = { token, code: 'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING' } as const;
  return [
    { route: 'POST /api/v1/credentials', ...first },
    { route: 'PATCH /api/v1/credentials/{id}/active', id, ...first },
  ];
}

export const wrongStates = async (gateway: Gateway): Promise<readonly WrongState[]> => [
  ...(await ofOffers(gateway)),
  ...(await ofJobs(gateway)),
  ...(await ofShipments(gateway)),
  ...(await ofReturns(gateway)),
  ...(await ofWebhooks(gateway)),
  ...(await ofCredentials(gateway)),
  ...(await ofNotes(gateway)),
];

/**
 * What changes something and looks at no state: it is there, or it is not; a body that names what
 * there is not is 400.
 */
export const stateless: readonly string[] = [
  // A state refuses an item, not the call.
  'PATCH /api/v1/scent/offers/stock',
  'POST /api/v1/scent/jobs',
  'POST /operator/v1/review-jobs',
  'PATCH /api/v1/scent/orders/{groupId}',
  'DELETE /api/v1/webhooks/{id}',
  'POST /api/v1/webhooks/{id}/rotate-secret',
  'DELETE /api/v1/credentials/{id}',
  'PATCH /api/v1/vendor/profile',
  'POST /operator/v1/vendors',
  'PATCH /operator/v1/me',
  'PATCH /operator/v1/vendors/{id}/active',
  'PATCH /operator/v1/vendors/{id}/agreement',
  'POST /operator/v1/vendors/{id}/credentials',
  'PATCH /operator/v1/credentials/{id}/active',
  'POST /operator/v1/variants',
  'PATCH /operator/v1/variants/{id}/active',
  'POST /operator/v1/orders',
  'POST /operator/v1/orders/search',
  'POST /operator/v1/returns',
  'POST /operator/v1/webhook-deliveries/recover',
  'POST /operator/v1/operators',
  'POST /operator/v1/operators/{id}/rotate-secret',
];

/** Refused for the last active Admin only, which `operator/operators.test.ts` shows. */
export const refusedForLastAdmin = 'PATCH /operator/v1/operators/{id}/active';
