import type { Argv } from 'yargs';
import type { CommonArguments, Run } from '../core/command.ts';
import { calling, idOf, sentence } from '../core/calling.ts';
import { linesOf } from './options.ts';

const outcomes = ['AcceptedDefect', 'AcceptedSound', 'Rejected'] as const;
const reasonCodes = [
  'Defective',
  'DamagedInTransit',
  'WrongItem',
  'MissingPart',
  'NotAsDescribed',
  'SuspectedCounterfeit',
  'ChangedMind',
  'Other',
] as const;

/** `sandbox return` and `sandbox decide`. */
export function addReturnVerbs(sandbox: Argv<CommonArguments>, run: Run): void {
  sandbox
    .command(
      'return <id> [lines..]',
      'Return a shipment, as a customer',
      (command) =>
        idOf(command, 'Shipment')
          .positional('lines', {
            type: 'string',
            array: true,
            describe: 'Its lines with their quantity, such as LINE=2; by default everything',
          })
          .option('up-to', {
            choices: ['Pending', 'Approved', 'InTransit'] as const,
            default: 'InTransit' as const,
            describe: 'The status of the new return',
          })
          .option('reason-code', {
            choices: reasonCodes,
            default: 'Defective' as const,
            describe: "The customer's reason",
          })
          .example('$0 sandbox return SHIPMENT', 'Everything, on its way to you'),
      run(
        calling(
          ({ sandbox: own }, { id, lines, upTo, reasonCode }, options) => {
            const returned = linesOf(lines, 'LINE', (lineId, quantity) => ({ lineId, quantity }));
            return own.return({ groupId: id, ...returned, upTo, reasonCode }, options);
          },
          ({ id, status }) => sentence('Return', id, { status }),
        ),
      ),
    )
    .command(
      'decide <id> <outcome>',
      'Decide the outcome of an inspection',
      (command) =>
        idOf(command, 'Return')
          .positional('outcome', {
            choices: outcomes,
            demandOption: true,
            describe: 'What the inspection found',
          })
          .example('$0 sandbox decide RETURN AcceptedSound', 'Accepts it without a defect'),
      run(
        calling(
          ({ sandbox: own }, { id, outcome }, options) => own.decide(id, { outcome }, options),
          ({ id, status }) => sentence('Return', id, { status }),
        ),
      ),
    );
}
