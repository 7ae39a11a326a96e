/** An option that is off without its name. */
export const flag = (describe: string) =>
  ({ type: 'boolean', default: false as boolean, describe }) as const;

/** A text that a command requires. */
export const required = (describe: string) =>
  ({ type: 'string', demandOption: true, describe }) as const;

/** A text that may be left out. */
export const optional = (describe: string) => ({ type: 'string', describe }) as const;
