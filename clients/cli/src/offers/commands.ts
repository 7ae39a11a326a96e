import type { Argv } from 'yargs';
import type { CommonArguments, Run } from '../core/command.ts';
import { flag, required } from '../core/option-kinds.ts';
import { importOffers } from './import-offers.ts';
import { offerColumns } from './plan-import.ts';
import { prices, pushFile, stocks } from './push-bulk.ts';
import { addOfferReads } from './read-offers.ts';

const fileOption = required('A CSV file');

function addImport(cli: Argv<CommonArguments>, run: Run): Argv<CommonArguments> {
  return cli.command(
    'import <file>',
    'Create and update the offers of a CSV file',
    (command) =>
      command
        .usage(
          '$0 offers import <file>\n\nCreates the offers whose vendorExternalId is new, updates ' +
            'those whose fields differ, and skips the others. More than 1,000 rows to send go ' +
            'as bulk jobs. Run it again to continue. Blank cells are not compared. ' +
            `Columns: ${Object.keys(offerColumns).join(', ')}.`,
        )
        .positional('file', fileOption)
        .option('dry-run', flag('Show what would change, and change nothing'))
        .example('$0 offers import offers.csv --dry-run', 'Shows what would change'),
    run(importOffers),
  );
}

/** `offers`, `stock` and `prices`. */
export function addOfferCommands(cli: Argv<CommonArguments>, run: Run): void {
  cli
    .command('offers', 'Import, list and show offers', (offers) =>
      addOfferReads(addImport(offers, run), run)
        .demandCommand(1, 'Name a command of offers; --help lists them')
        .example('$0 offers import offers.csv', 'Sends what differs'),
    )
    .command('stock', 'Push stock', (stock) =>
      stock
        .command(
          'push <file>',
          'Declare the stock of the offers of a CSV file',
          (command) =>
            command
              .usage(
                '$0 stock push <file>\n\nColumns: vendorExternalId or offerId, declaredInStock, ' +
                  'declaredStockQuantity. 1,000 rows go in one call.',
              )
              .positional('file', fileOption)
              .example('$0 stock push stock.csv', 'Declares the stock of each row'),
          run(({ file }, context) => pushFile(stocks, file, context)),
        )
        .demandCommand(1, 'Name a command of stock; --help lists them')
        .example('$0 stock push stock.csv', 'Declares the stock of each row'),
    )
    .command('prices', 'Push prices', (command) =>
      command
        .command(
          'push <file>',
          'Declare the prices of the offers of a CSV file',
          (command) =>
            command
              .usage(
                '$0 prices push <file> --field <field>\n\nColumns: vendorExternalId or offerId, ' +
                  'and cost, costIsVatInclusive or salePrice, salePriceIsVatInclusive. The rows go ' +
                  'as bulk jobs.',
              )
              .positional('file', fileOption)
              .option('field', {
                choices: ['cost', 'sale-price'] as const,
                demandOption: true,
                describe: 'The price field of your agreement',
              })
              .example('$0 prices push prices.csv --field cost', 'Declares the cost of each row'),
          run(({ file, field }, context) => pushFile(prices[field], file, context)),
        )
        .demandCommand(1, 'Name a command of prices; --help lists them')
        .example('$0 prices push prices.csv --field cost', 'Declares the cost of each row'),
    );
}
