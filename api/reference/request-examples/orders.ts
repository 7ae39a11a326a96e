import { story } from '../glossary/story.ts';
import type { BodyExamples, RequestExamples } from './form.ts';

const shipTo = {
  recipient: 'Noura Al-Harbi',
  line1: '7421 King Fahd Road',
  line2: 'Apartment 12',
  city: 'Riyadh',
  region: 'Riyadh Province',
  postalCode: '12271',
  country: 'SA',
  phone: '+966501234567',
};
const lines = [{ variantId: story.variantId, quantity: 1 }];

const noted: BodyExamples = {
  plain: { summary: 'Without a reason', value: {} },
  withReason: {
    summary: 'With a reason for the record',
    value: { reason: 'Agreed with the customer by phone.' },
  },
};
const moves = [
  'approve',
  'reject',
  'in-transit',
  'received',
  'refund-released',
  'withdraw',
  'close',
];

/** Bodies about orders, shipments and returns. */
export const orderExamples: RequestExamples = {
  'PATCH /api/v1/scent/orders/{groupId}': {
    tracking: {
      summary: 'Your order id and the tracking',
      value: { vendorOrderId: 'SO-2026-0481', carrier: 'CarrierA', trackingRef: 'CA123456789SA' },
    },
    otherCarrier: {
      summary: 'A carrier that has no name of its own here',
      value: { carrier: 'Other', carrierNameOther: 'Najd Express', trackingRef: 'NX-55120' },
    },
  },
  'POST /api/v1/scent/returns/{id}/evidence': {
    photo: {
      summary: 'A photo',
      value: {
        url: 'https://files.oud-and-amber.example.com/returns/RR-00000042/front.jpg',
        kind: 'Photo',
      },
    },
    document: {
      summary: 'A document',
      value: {
        url: 'https://files.oud-and-amber.example.com/returns/RR-00000042/report.pdf',
        kind: 'Document',
      },
    },
  },
  'PATCH /api/v1/scent/returns/{id}/inspection/propose': {
    sound: { summary: 'Sound goods', value: { outcome: 'AcceptedSound' } },
    defect: { summary: 'A genuine defect', value: { outcome: 'AcceptedDefect' } },
    rejected: { summary: 'Refuse it; staff look at it', value: { outcome: 'Rejected' } },
  },
  'POST /operator/v1/orders': {
    vendor: {
      summary: 'Shipped by a vendor',
      value: { shipTo, groups: [{ vendorId: story.vendorId, carrier: 'CarrierA', lines }] },
    },
    split: {
      summary: 'In two groups, one of them the service’s own',
      value: {
        shipTo,
        groups: [
          { vendorId: story.vendorId, carrier: 'CarrierA', lines },
          { vendorId: null, carrier: 'Other', carrierNameOther: 'Najd Express', lines },
        ],
      },
    },
    sourcing: {
      summary: 'Waits for a vendor to be assigned',
      value: { shipTo, groups: [{ sourcing: true, carrier: 'CarrierB', lines }] },
    },
  },
  'POST /operator/v1/groups/{id}/assign': {
    vendor: { summary: 'To a vendor', value: { vendorId: story.vendorId } },
  },
  'PATCH /operator/v1/groups/{id}': {
    delivered: { summary: 'It was delivered', value: { status: 'Delivered' } },
    shipped: {
      summary: 'It was shipped, and how',
      value: { status: 'Shipped', carrier: 'CarrierA', trackingRef: 'CA123456789SA' },
    },
  },
  'POST /operator/v1/returns': {
    supplier: {
      summary: 'Back to the vendor, who inspects it',
      value: {
        orderGlobalId: story.orderGlobalId,
        destination: 'Supplier',
        vendorId: story.vendorId,
        lines: [{ lineId: story.lineId, quantity: 1, reasonCode: 'ChangedMind' }],
      },
    },
    sortingPoint: {
      summary: 'To a sorting point',
      value: {
        orderGlobalId: story.orderGlobalId,
        destination: 'SortingPoint',
        lines: [{ lineId: story.lineId, quantity: 1, reasonCode: 'DamagedInTransit' }],
      },
    },
  },
  ...Object.fromEntries(moves.map((move) => [`POST /operator/v1/returns/{id}/${move}`, noted])),
  'POST /operator/v1/returns/{id}/start-inspection': noted,
  'POST /operator/v1/returns/{id}/decide': {
    sound: { summary: 'Sound goods', value: { outcome: 'AcceptedSound' } },
    rejected: {
      summary: 'Refused',
      value: { outcome: 'Rejected', reason: 'Opened and used; no defect found.' },
    },
  },
};
