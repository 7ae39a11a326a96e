import type { Argv } from 'yargs';
import type { Ask } from '../account/ask.ts';
import { replaceOption } from '../account/replace.ts';
import type { CommonArguments, Run } from '../core/command.ts';
import { advanceClock } from './advance.ts';
import { addAgreementCommand } from './agreement.ts';
import { calling, idOf, sentence, type WithStatus } from '../core/calling.ts';
import { optional, required } from '../core/option-kinds.ts';
import { linesOf, pricingModel } from './options.ts';
import { registerVendor } from './register.ts';
import { seedSandbox } from './seed.ts';
import { addReturnVerbs } from './return-verbs.ts';

/** Commands on one thing by its id, which print its status. */
const verbs = [
  ['apply-price', 'Make the staged price of an offer live', 'Offer', 'applyPendingPrice'],
  ['discard-price', 'Discard the staged price of an offer', 'Offer', 'discardPendingPrice'],
  ['reinstate', 'End the suspension of an offer', 'Offer', 'reinstateOffer'],
  ['deliver', 'Deliver a shipment that has shipped', 'Shipment', 'deliver'],
  ['cancel', 'Cancel a shipment that has not shipped', 'Shipment', 'cancel'],
  ['approve-return', 'Approve a return', 'Return', 'approveReturn'],
  ['in-transit', 'Send the goods of a return', 'Return', 'markInTransit'],
  ['start-inspection', 'Start the inspection of a return', 'Return', 'startInspection'],
  ['release-refund', 'Release the refund of a return', 'Return', 'releaseRefund'],
  ['close-return', 'Close a return', 'Return', 'closeReturn'],
] as const;

/** `sandbox`: acts as the marketplace, where the gateway is a sandbox. */
export function addSandboxCommands(cli: Argv<CommonArguments>, run: Run, ask: Ask): void {
  cli.command('sandbox', 'Act as the marketplace, in a sandbox', (sandbox) => {
    addOfferVerbs(sandbox, run);
    addOrderVerbs(sandbox, run);
    addReturnVerbs(sandbox, run);
    addAgreementCommand(sandbox, run);
    for (const [name, describe, thing, method] of verbs)
      sandbox.command(
        `${name} <id>`,
        describe,
        (command) => idOf(command, thing).example(`$0 sandbox ${name} ID`, describe),
        run(
          calling(
            async ({ sandbox: own }, { id }, options): Promise<WithStatus> =>
              own[method](id, options),
            (payload, { id }) => sentence(thing, id, payload),
          ),
        ),
      );
    return sandbox
      .command(
        'clock',
        'Print the time by your clock',
        (command) => command.example('$0 sandbox clock', 'What time it is for you'),
        run(
          calling(
            ({ sandbox: own }, _, options) => own.clock(options),
            ({ state, now }) => `${now}  ${state}`,
          ),
        ),
      )
      .command(
        'advance <by>',
        'Advance your clock',
        (command) =>
          command
            .positional('by', required('Such as 90m, 72h, 3d, or an ISO 8601 duration'))
            .option('wait', {
              type: 'boolean',
              default: true,
              describe: 'Wait until everything that came due has happened; --no-wait does not',
            })
            .example('$0 sandbox advance 72h', 'Three days later'),
        run(advanceClock),
      )
      .command(
        'register <name>',
        'Register a vendor and store its credential',
        (command) =>
          command
            .positional('name', required('Your name'))
            .option('replace', replaceOption)
            .option('pricing-model', {
              ...pricingModel,
              default: 'CostPlusMargin' as const,
            })
            .example('$0 sandbox register "Amber House"', 'Asks for the address of the sandbox'),
        run(registerVendor(ask)),
      )
      .command(
        'seed',
        'Make 20 approved offers, five orders and two returns',
        (command) =>
          command.example('$0 sandbox seed', 'Something to try a program with; again: more orders'),
        run(seedSandbox),
      )
      .command(
        'reset',
        'Delete your offers, orders, returns, events and jobs',
        (command) => command.example('$0 sandbox reset', 'Begins again'),
        run(
          calling(
            ({ sandbox: own }, _, options) => own.reset(options),
            () => 'Your offers, orders, returns, events and jobs are deleted.',
          ),
        ),
      )
      .demandCommand(1, 'Name a command of sandbox; --help lists them')
      .example('$0 sandbox order', 'Orders your approved offers');
  });
}

function addOfferVerbs(sandbox: Argv<CommonArguments>, run: Run): void {
  sandbox.command(
    'approve <id>',
    'Approve an offer',
    (command) =>
      idOf(command, 'Offer')
        .option('variant', optional('The variant to match the offer to'))
        .example('$0 sandbox approve OFFER', 'Matches it to a new variant if it has no match'),
    run(
      calling(
        ({ sandbox: own }, { id, variant }, options) =>
          own.approveOffer(id, variant === undefined ? {} : { variantId: variant }, options),
        (payload, { id }) => sentence('Offer', id, payload),
      ),
    ),
  );
  for (const [name, describe, call] of [
    ['reject', 'Reject an offer', 'rejectOffer'],
    ['suspend', 'Take an approved offer off sale', 'suspendOffer'],
  ] as const)
    sandbox.command(
      `${name} <id> <reason>`,
      describe,
      (command) =>
        idOf(command, 'Offer')
          .positional('reason', required('Why'))
          .example(`$0 sandbox ${name} OFFER "No photo"`, describe),
      run(
        calling(
          ({ sandbox: own }, { id, reason }, options) => own[call](id, reason, options),
          (payload, { id }) => sentence('Offer', id, payload),
        ),
      ),
    );
}

function addOrderVerbs(sandbox: Argv<CommonArguments>, run: Run): void {
  sandbox.command(
    'order [lines..]',
    'Order your offers, as a customer',
    (command) =>
      command
        .positional('lines', {
          type: 'string',
          array: true,
          describe: 'Offers with their quantity, such as OFFER=2; by default up to three offers',
        })
        .example('$0 sandbox order OFFER=2', 'Two pieces of one offer'),
    run(
      calling(
        ({ sandbox: own }, { lines }, options) => {
          const ordered = linesOf(lines, 'OFFER', (offerId, quantity) => ({ offerId, quantity }));
          return own.order(ordered, options);
        },
        ({ groupId, status }) => sentence('Shipment', groupId, { status }),
      ),
    ),
  );
}
