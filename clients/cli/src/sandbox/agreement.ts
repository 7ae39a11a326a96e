import type { Argv } from 'yargs';
import type { CommonArguments, Run } from '../core/command.ts';
import { usageError } from '../core/exit.ts';
import { calling } from '../core/calling.ts';
import { required } from '../core/option-kinds.ts';
import { pricingModel } from './options.ts';

/** `sandbox agreement`. */
export function addAgreementCommand(sandbox: Argv<CommonArguments>, run: Run): void {
  sandbox.command(
    'agreement <pricing-model> <percent>',
    'Change your agreement, as staff',
    (command) =>
      command
        .positional('pricing-model', { ...pricingModel, demandOption: true })
        .positional(
          'percent',
          required('The markup on your cost, or the commission on your sale price'),
        )
        .example('$0 sandbox agreement PercentageOfSale 12.5', 'A commission of 12.5 %'),
    run(
      calling(
        ({ sandbox: own }, { pricingModel: model, percent: text }, options) => {
          if (!/^\d{1,4}(?:\.\d{1,2})?$/.test(text))
            throw usageError(`${text} is no percentage`, 'Write a number such as 12.5.');
          const percent = Number(text);
          const rate =
            model === 'CostPlusMargin'
              ? { markupPercent: percent }
              : { commissionPercent: percent };
          return own.changeAgreement({ pricingModel: model, ...rate }, options);
        },
        (_, { pricingModel: model, percent }) => `Your agreement is ${model} with ${percent} %.`,
      ),
    ),
  );
}
