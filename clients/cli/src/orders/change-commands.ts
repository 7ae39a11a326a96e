import { randomUUID } from 'node:crypto';
import type { Argv } from 'yargs';
import { calling, idOf, sentence } from '../core/calling.ts';
import type { CommonArguments, Run } from '../core/command.ts';
import { usageError } from '../core/exit.ts';
import { optional, required } from '../core/option-kinds.ts';

const carriers = ['CarrierA', 'CarrierB', 'CarrierC', 'Other'] as const;
type Update = {
  readonly trackingRef: string | undefined;
  readonly carrier: (typeof carriers)[number] | undefined;
  readonly carrierName: string | undefined;
  readonly vendorOrderId: string | undefined;
};

/** The fields that an update names; an empty option clears its field. */
function shipmentOf({ trackingRef, carrier, carrierName, vendorOrderId }: Update) {
  const given = { trackingRef, carrier, carrierNameOther: carrierName, vendorOrderId };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  if (named.length === 0)
    throw usageError('There is nothing to update', 'Add an option such as --tracking-ref.');
  return Object.fromEntries(named.map(([name, value]) => [name, value === '' ? null : value]));
}

/** `orders pack`, `orders ship` and `orders update`. */
export function addShipmentChanges(orders: Argv<CommonArguments>, run: Run): Argv<CommonArguments> {
  for (const [name, describe] of [
    ['pack', 'Say that a shipment is packed'],
    ['ship', 'Say that a shipment is on its way'],
  ] as const)
    orders.command(
      `${name} <id>`,
      describe,
      (command) => idOf(command, 'Shipment').example(`$0 orders ${name} ID`, describe),
      run(
        calling(
          ({ orders: shipments }, { id }, options) => shipments[name](id, options),
          (payload, { id }) => sentence('Shipment', id, payload),
        ),
      ),
    );
  return orders.command(
    'update <id>',
    'Set the tracking of a shipment',
    (command) =>
      idOf(command, 'Shipment')
        .option('tracking-ref', optional('The reference of the carrier; "" clears it'))
        .option('carrier', { choices: carriers, describe: 'The carrier' })
        .option('carrier-name', optional('The name of another carrier'))
        .option('vendor-order-id', optional('Your own number of the shipment'))
        .example('$0 orders update ID --carrier CarrierA --tracking-ref A1', 'Both of them'),
    run(
      calling(
        ({ orders: shipments }, given, options) =>
          shipments.update(given.id, shipmentOf(given), options),
        (payload, { id }) => sentence('Shipment', id, payload),
      ),
    ),
  );
}

const outcomes = ['AcceptedDefect', 'AcceptedSound', 'Rejected'] as const;
const evidenceKinds = ['Photo', 'Document'] as const;

/** `returns receive`, `returns evidence` and `returns propose`. */
export const addReturnChanges = (returns: Argv<CommonArguments>, run: Run): Argv<CommonArguments> =>
  returns
    .command(
      'receive <id>',
      'Confirm that the goods of a return are with you',
      (command) =>
        idOf(command, 'Return').example('$0 returns receive ID', 'The inspection follows'),
      run(
        calling(
          ({ returns: requests }, { id }, options) => requests.confirmReceipt(id, options),
          (payload, { id }) => sentence('Return', id, payload),
        ),
      ),
    )
    .command(
      'evidence <id> <url>',
      'Add evidence to an inspection',
      (command) =>
        idOf(command, 'Return')
          .positional('url', required('Where the picture or document is'))
          .option('kind', {
            choices: evidenceKinds,
            default: 'Photo' as const,
            describe: 'What it is; a proposal requires a photo',
          })
          .example('$0 returns evidence ID https://cdn.example.org/1.jpg', 'A photo'),
      run(
        calling(
          ({ returns: requests }, { id, url, kind }, options) =>
            requests.addEvidence(id, { url, kind }, { idempotencyKey: randomUUID(), ...options }),
          (payload, { id }) => `Return ${id} has the evidence ${payload.id}.`,
        ),
      ),
    )
    .command(
      'propose <id> <outcome>',
      'Propose the outcome of an inspection',
      (command) =>
        idOf(command, 'Return')
          .positional('outcome', {
            choices: outcomes,
            demandOption: true,
            describe: 'What you found',
          })
          .example('$0 returns propose ID AcceptedDefect', 'The goods have the defect'),
      run(
        calling(
          ({ returns: requests }, { id, outcome }, options) =>
            requests.proposeOutcome(id, { outcome }, options),
          (_, { id, outcome }) => `You propose ${outcome} for return ${id}.`,
        ),
      ),
    );
