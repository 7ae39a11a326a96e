import { usageError } from '../core/exit.ts';

/** What declares the pricing model of an agreement. */
export const pricingModel = {
  choices: ['CostPlusMargin', 'PercentageOfSale'],
  describe: 'Whether you declare a cost or a sale price',
} as const;

/** The lines of texts such as `OFFER=2`, whose quantity is 1 without one; `{}` without texts. */
export function linesOf<TLine>(
  texts: readonly string[] = [],
  name: 'OFFER' | 'LINE',
  lineOf: (id: string, quantity: number) => TLine,
): { readonly lines?: TLine[] } {
  const lines = texts.map((text) => {
    const [id = '', quantity = '1'] = text.split('=');
    if (!/^[1-9]\d{0,6}$/.test(quantity))
      throw usageError(`${text} has no whole quantity above 0`, `Write ${name} or ${name}=2.`);
    return lineOf(id, Number(quantity));
  });
  return lines.length === 0 ? {} : { lines };
}
