import type { Argv } from 'yargs';
import type { CommonArguments, Run } from '../core/command.ts';
import { usageError } from '../core/exit.ts';
import { flag, optional, required } from '../core/option-kinds.ts';
import { listen } from './listen.ts';
import { recoverWebhook } from './recover-webhook.ts';
import { addSubscriptionCommands } from './subscription-commands.ts';
import { tailEvents } from './tail-events.ts';

const position = (value: number | undefined): number | undefined => {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw usageError('--after is not the number of an event');
};
const typeOption = optional('Only events of this type');

/** `events` and `webhooks`. */
export function addEventCommands(cli: Argv<CommonArguments>, run: Run): void {
  cli
    .command('events', 'Read the event feed', (events) =>
      events
        .command(
          'tail',
          'Print events',
          (command) =>
            command
              .usage('$0 events tail\n\nPrints the latest 10 events, or those after a number.')
              .option('after', {
                type: 'number',
                describe: 'The number of an event; 0 for all that are kept',
                coerce: position,
              })
              .option('type', typeOption)
              .option('follow', {
                alias: 'f',
                type: 'boolean',
                default: false,
                describe: 'Wait for further events',
              })
              .example('$0 events tail --after 0 --json', 'Every event that is kept'),
          run(tailEvents, 'reads'),
        )
        .demandCommand(1, 'Name a command of events; --help lists them')
        .example('$0 events tail --follow', 'Prints events until Ctrl-C'),
    )
    .command('webhooks', 'Subscribe and try receivers, and recover events', (webhooks) =>
      addSubscriptionCommands(webhooks, run)
        .command(
          'listen',
          'Post events to a receiver on your machine, for development',
          (command) =>
            command
              .usage(
                '$0 webhooks listen --forward <url>\n\nFor development only: posts the body of ' +
                  'each event of the feed to the URL until it answers 2xx, and remembers its ' +
                  'position. VENDOR_GATEWAY_WEBHOOK_SECRET, a secret of your own, signs the ' +
                  'bodies; without it they are unsigned.',
              )
              .option('forward', required('The URL of your receiver'))
              .option('after', {
                type: 'number',
                describe: 'Begin after this event, instead of the stored position',
                coerce: position,
              })
              .option('type', typeOption)
              .option('position', optional('The file of the position'))
              .example('$0 webhooks listen --forward http://127.0.0.1:8790/', 'Events of now on'),
          run(listen, 'reads'),
        )
        .command(
          'recover <id>',
          'Deliver everything that did not arrive',
          (command) =>
            command
              .usage(
                '$0 webhooks recover <id>\n\nRedelivers the dead letters of an active ' +
                  'subscription and what its deactivation cancelled, attempts what waits for a ' +
                  'later attempt now, and delivers what happened while it was inactive.',
              )
              .positional('id', required('The id of a subscription'))
              .option('since', required('An instant; what ended earlier stays as it is'))
              .option('dead-letters', flag('Only dead letters'))
              .example('$0 webhooks recover ID --since 2026-11-20T00:00:00Z', 'After an outage'),
          run(recoverWebhook),
        )
        .demandCommand(1, 'Name a command of webhooks; --help lists them')
        .example('$0 webhooks listen --forward http://127.0.0.1:8790/', 'Events of now on'),
    );
}
