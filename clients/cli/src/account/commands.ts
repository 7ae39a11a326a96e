import type { Argv } from 'yargs';
import type { CommonArguments, Run } from '../core/command.ts';
import type { Ask } from './ask.ts';
import { logIn, logOut } from './log-in.ts';
import { replaceOption } from './replace.ts';

/** `login` and `logout`. */
export function addAccountCommands(cli: Argv<CommonArguments>, run: Run, ask: Ask): void {
  cli
    .command(
      'login',
      'Check credentials and store them',
      (command) =>
        command
          .usage(
            '$0 login\n\nAsks for the address of the gateway, the client id and the secret. ' +
              'VENDOR_GATEWAY_URL, VENDOR_GATEWAY_CLIENT_ID and VENDOR_GATEWAY_CLIENT_SECRET ' +
              'answer in advance.',
          )
          .option('replace', replaceOption)
          .example('$0 login', 'Asks, checks and stores')
          .example('$0 login --profile staging', 'Stores beside the others'),
      run(logIn(ask)),
    )
    .command(
      'logout',
      'Delete the stored credentials',
      (command) => command.example('$0 logout', 'Deletes what login stored'),
      run(logOut),
    );
}
