import type { Argv } from 'yargs';
import { calling, factsOf } from '../core/calling.ts';
import type { CommonArguments, Run } from '../core/command.ts';
import { flag, optional, required } from '../core/option-kinds.ts';
import { addReturnChanges, addShipmentChanges } from './change-commands.ts';
import { addReturnList, listUpcomingReturns } from './upcoming-returns.ts';
import { watchOrders } from './watch-orders.ts';

/** `orders` and `returns`. */
export function addOrderCommands(cli: Argv<CommonArguments>, run: Run): void {
  cli
    .command('orders', 'Watch, pack and ship shipments', (orders) =>
      addShipmentChanges(orders, run)
        .command(
          'watch',
          'Print new and changed shipments',
          (command) =>
            command
              .usage('$0 orders watch\n\nPrints shipments as they come and change.')
              .option('once', flag('End after the present changes'))
              .option('since', optional('An instant to begin with; 24 hours ago by default'))
              .option('interval', {
                type: 'number',
                default: 10,
                describe: 'Seconds between two reads',
                coerce: (value: number) => Math.min(3600, Math.max(1, value || 10)),
              })
              .example('$0 orders watch --once --json', 'The changes of the last 24 hours'),
          run(watchOrders, 'reads'),
        )
        .command(
          'show <id>',
          'Show a shipment',
          (command) =>
            command
              .positional('id', required('The id of a shipment (groupId)'))
              .example('$0 orders show ID', 'Its state, its address and its lines'),
          run(
            calling(
              ({ orders: shipments }, { id }, options) => shipments.get(id, options),
              ({ lines, ...facts }) => {
                const goods = lines.map(({ sku, quantity }) => `${quantity} x ${sku}`).join(', ');
                return factsOf({ ...facts, lines: goods });
              },
            ),
            'reads',
          ),
        )
        .demandCommand(1, 'Name a command of orders; --help lists them')
        .example('$0 orders watch', 'Prints shipments until Ctrl-C'),
    )
    .command('returns', 'List, receive and inspect returns', (returns) =>
      addReturnChanges(addReturnList(returns, run), run)
        .command(
          'upcoming',
          'List open inspections, the nearest deadline first',
          (command) => command.example('$0 returns upcoming', 'What to inspect first'),
          run(listUpcomingReturns, 'reads'),
        )
        .demandCommand(1, 'Name a command of returns; --help lists them')
        .example('$0 returns upcoming', 'What to inspect first'),
    );
}
