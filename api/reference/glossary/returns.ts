import { inForms, meanings, type Glossary } from './entry.ts';
import { story } from './story.ts';

const forms = [
  'ReturnRequest',
  'ReturnRequestWithHistory',
  'OperatorReturn',
  'OperatorReturnWithHistory',
];

const status = meanings('Where the return stands.', {
  Pending: 'requested by the customer.',
  Approved: 'accepted by staff; the goods may be sent.',
  Rejected: 'declined by staff; final.',
  InTransit: 'the goods are on their way.',
  Received: 'the goods have come; evidence is taken.',
  UnderInspection: 'the window for a proposal is open.',
  InspectionAccepted: 'decided: a defect, or sound goods that are taken back.',
  InspectionRejected: 'decided: refused.',
  RefundReleased: 'the refund was released; final.',
  Closed: 'closed without a refund; final.',
  Withdrawn: 'taken back by the customer; final.',
});

const outcomes = meanings('What the inspection found.', {
  AcceptedDefect: 'a genuine defect.',
  AcceptedSound: 'sound goods: the customer changed their mind.',
  Rejected: 'refused outright, for instance opened or used with no defect found.',
});

const history = {
  description:
    'Status changes, the oldest first; only there when it was asked for with `include=history`.',
  example: [
    { at: story.requested, from: null, to: 'Pending' },
    { at: '2026-11-21T10:02:00.000Z', from: 'Pending', to: 'Approved' },
    { at: '2026-11-22T08:30:00.000Z', from: 'Approved', to: 'InTransit' },
    { at: story.received, from: 'InTransit', to: 'Received' },
    { at: story.inspected, from: 'Received', to: 'UnderInspection' },
  ],
};

const id = { description: "The return's id.", example: story.returnId };

/** Return requests, their inspection and evidence. */
export const returnsGlossary: Glossary = {
  ...inForms(forms, 'id', id),
  'path.returns.id': id,
  ...inForms(forms, 'status', { description: status, example: 'UnderInspection' }),
  'listReturns.status': {
    description: `Only returns in this status. ${status}`,
    example: 'InTransit',
  },
  'listReturns.from': {
    description:
      'Only returns requested at this instant or later. RFC 3339 with a time and an offset or `Z`.',
    example: '2026-11-01T00:00:00Z',
  },
  'listReturns.to': {
    description:
      'Only returns requested at this instant or before; not before `from`. RFC 3339 with a time and an offset or `Z`.',
    example: '2026-11-30T23:59:59Z',
  },
  returnRequestNumber: {
    description: 'The number that people use for it.',
    example: 'RR-00000042',
  },
  requestedAt: { description: 'When the customer asked for it, in UTC.', example: story.requested },
  receivedAt: {
    description: 'When the goods came, in UTC; null before that.',
    example: story.received,
  },
  inspectionStartedAt: {
    description: 'When the inspection started, in UTC; null before that.',
    example: story.inspected,
  },
  inspectionDecidedAt: {
    description: 'When the inspection was decided, in UTC; null before that.',
    example: null,
  },
  inspection: { description: 'How far the inspection is.' },
  inspectionWindowDeadline: {
    description:
      'Until when a proposal is waited for, in UTC: 72 hours from the start of the inspection; null before that. Without a proposal the inspection is then decided by what the customer claimed.',
    example: story.deadline,
  },
  receivingParty: {
    description:
      'Who receives and inspects the goods: `Supplier`, the vendor, or `SortingPoint`, the service.',
    example: 'Supplier',
  },
  'inspection.outcome': {
    description: `The decision, which is the service's alone; null until there is one. ${outcomes}`,
    example: null,
  },
  'request.outcome': { description: outcomes, example: 'AcceptedSound' },
  supplierProposedOutcome: {
    description: `What the vendor proposes; null when nothing was proposed. ${outcomes}`,
    example: 'AcceptedSound',
  },
  requiresStaffReview: {
    description:
      'Whether staff are to look at it: after a proposed `Rejected`, and when the window has ended with a proposal. Once set, it stays until the decision.',
    example: false,
  },
  evidence: { description: 'Photos and documents, the oldest first; at most 100.' },
  'Evidence.id': { description: 'The id of the piece of evidence.', example: story.evidenceId },
  ...inForms(['Evidence', 'addReturnEvidence'], 'url', {
    description:
      'Where it is found: absolute https without a user name, at most 2,048 characters. It is stored and never fetched.',
    example: 'https://files.oud-and-amber.example.com/returns/RR-00000042/front.jpg',
  }),
  kind: {
    description:
      '`Photo`: a picture of the goods, of which a proposal needs one. `Document`: anything else.',
    example: 'Photo',
  },
  uploadedAt: { description: 'When it was added, in UTC.', example: '2026-11-24T12:10:00.000Z' },
  ...inForms(forms, 'lines', { description: 'What comes back.' }),
  'createReturn.lines': { description: 'What comes back, 1 to 80 lines of the order.' },
  scentOrderLineId: {
    description: "The id of the order's line that comes back.",
    example: story.lineId,
  },
  reasonCode: {
    description: meanings('Why the customer sends it back. All but the last two claim a defect.', {
      Defective: 'it does not work, or is spoilt.',
      DamagedInTransit: 'it was damaged on its way.',
      WrongItem: 'something else was sent.',
      MissingPart: 'a part is missing.',
      NotAsDescribed: 'it is not what the page said.',
      SuspectedCounterfeit: 'it seems not to be genuine.',
      ChangedMind: 'the customer no longer wants it.',
      Other: 'another reason.',
    }),
    example: 'ChangedMind',
  },
  'ReturnRequestWithHistory.history': history,
};
