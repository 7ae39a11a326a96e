import { describeValues } from '../validation/described.ts';

/** Descriptions and examples of returns' fields that requests, responses and filters share. */

export const returnStatusText = describeValues("The return's status.", {
  Pending: 'requested by the customer.',
  Approved: 'accepted by staff; the goods may be sent.',
  Rejected: 'declined by staff; final.',
  InTransit: 'the goods are on their way.',
  Received: 'the goods have arrived; evidence can be added.',
  UnderInspection: 'the vendor can propose an outcome.',
  InspectionAccepted: 'decided: the goods are defective, or sound and taken back.',
  InspectionRejected: 'decided: the return is refused.',
  RefundReleased: 'the refund was released; final.',
  Closed: 'closed without a refund; final.',
  Withdrawn: 'withdrawn by the customer; final.',
});

export const outcomesText = describeValues('What the inspection found.', {
  AcceptedDefect: 'a genuine defect.',
  AcceptedSound: 'sound goods: the customer changed their mind.',
  Rejected: 'a reason to refuse, such as goods that were opened or used and have no defect.',
});

export const reasonCodeText = [
  describeValues("The customer's reason. All but the last two claim a defect.", {
    Defective: 'the product is defective or spoilt.',
    DamagedInTransit: 'the product was damaged in transit.',
    WrongItem: 'another product was sent.',
    MissingPart: 'a part is missing.',
    NotAsDescribed: 'the product differs from its description.',
    SuspectedCounterfeit: 'the product seems to be counterfeit.',
    ChangedMind: 'the customer no longer wants the product.',
    Other: 'another reason.',
  }),
  'ChangedMind',
] as const;

export const destinationText = [
  'Where the goods go: `Supplier`, the vendor of the lines, who inspects them, or ' +
    '`SortingPoint`, the service.',
  'Supplier',
] as const;

export const evidenceKindText = [
  '`Photo`: a picture of the goods, which a proposal requires. `Document`: anything else.',
  'Photo',
] as const;
export const evidenceUrlText =
  'The address of the photo or document: absolute https without a user name, at most 2,048 ' +
  'characters. The service stores it and never fetches it.';

/** Description and example of a reason that only staff read. */
export const staffReasonText = [
  'The reason, for the audit log.',
  'Agreed with the customer by phone.',
] as const;
